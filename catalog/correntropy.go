package catalog

import (
	"context"
	"fmt"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/pca"
	"github.com/inlier-ml/inlier/verdict"
)

func init() {
	register(&Method{
		Name: "correntropy-pca", Family: "correntropy-pca", Tasks: []Task{Reduce},
		Title: "correntropy PCA: components of a nonlinear covariance of the columns",
		About: "Compares columns by how often they agree within the kernel size, instead of by products. A score sums, over columns, how common the row's value is; " +
			"columns should share a unit (or use scaling=standard). There is no way back from scores to rows, and as a display of clusters it is weaker than kernel PCA.",
		Paper: "Xu, Pokharel, Paiva, Principe: Nonlinear component analysis based on correntropy",
		Params: []Param{
			{Name: "components", Kind: Integer, Default: "auto", Min: 1, Choices: []string{"auto"}, Meaning: "number of components; auto: the fewest that hold 80 % of the trace of the matrix"},
			{Name: "sigma", Kind: Number, Default: "auto", Min: loss.MinScale, Max: loss.MaxScale, Choices: []string{"auto", "silverman"}, Meaning: "kernel size; auto and silverman: Silverman's rule for the spread of the columns"},
			{Name: "scaling", Kind: Choice, Default: "mean", Choices: []string{"mean", "standard", "none"}, Meaning: "columns first lose their mean, also get unit variance, or stay as they are"},
		},
		Build: func(v Values) (Fitter, error) { return correntropyFitter{v}, nil }, Restore: restoreCorrentropy,
	})
}

type correntropyFitter struct{ values Values }

// Fit fits and describes.
func (f correntropyFitter) Fit(ctx context.Context, data *dataset.Set, run Run) (Model, error) {
	v := f.values
	fitted, err := pca.Correntropy{
		Components: v.Int("components"), Sigma: v.Float("sigma"), Scaling: pca.Scaling(v.Text("scaling")), Weights: run.Weights,
	}.Fit(ctx, data.X)
	if err != nil {
		return nil, explainPCA(err, data)
	}
	judged, err := fitted.Judge(ctx, data.X)
	if err != nil {
		return nil, err
	}
	rows, columns, components := fitted.Dims()
	d := Description{
		Method: "correntropy-pca", Family: "correntropy-pca", Task: Reduce, Rows: rows, Columns: columns, Seed: run.Seed,
		Parameters: map[string]string{
			"components": strconv.Itoa(components), "sigma": strconv.FormatFloat(fitted.Sigma(), 'g', -1, 64), "scaling": v.Text("scaling"),
		},
		Status: irls.Converged.String(), Objective: 1, Effective: float64(rows), ColumnNames: data.Columns, Shape: data.Shape,
		Numbers: map[string]any{
			"explained_by_component": fitted.ExplainedVariance(), "eigenvalues": fitted.Eigenvalues(), "score_cutoff": judged.ScoreCutoff,
		},
	}
	if run.Weights != nil {
		d.Effective = loss.EffectiveSampleSize(run.Weights)
	}
	for _, part := range fitted.ExplainedVariance() {
		d.Objective -= part // the part of the trace that the components leave
	}
	d.Outliers = judged.Count()
	return &correntropyModel{CorrentropyModel: fitted, description: d}, nil
}

// correntropyModel is a fitted correntropy PCA with its description.
type correntropyModel struct {
	*pca.CorrentropyModel
	description Description
}

func (c *correntropyModel) Describe() Description { return c.description }

func (c *correntropyModel) ScoreNames() []string {
	_, _, k := c.Dims()
	return scoreNames(k)
}

// Reconstruct always fails: the method defines no way back from scores to rows.
func (c *correntropyModel) Reconstruct(context.Context, *mat.Dense) (*mat.Dense, error) {
	return nil, &UsageError{Problem: "correntropy-pca defines no reconstruction: a score does not determine a row", Hint: "pca, pca-kmpe and the other methods of that family do"}
}

// Outliers judges rows by the score distance alone.
func (c *correntropyModel) Outliers(ctx context.Context, data *dataset.Set) (*verdict.Rows, error) {
	judged, err := c.Judge(ctx, data.X)
	if err != nil {
		return nil, explainPCA(err, data)
	}
	return judged, nil
}

// State lists arrays as the model file names them; arrays without entries are left out.
func (c *correntropyModel) State() State {
	p := c.Parts()
	s := State{
		Description: c.description,
		Arrays: map[string]Array{
			"matrix": Matrix(p.Matrix), "components": Matrix(p.Components), "eigenvalues": Vector(p.Eigenvalues),
			"input_offset": Vector(p.Offset), "input_scale": Vector(p.Scale), "point_count": Vector(p.PointCount),
			"score_centre": Vector(p.ScoreCentre), "score_below": Vector(p.ScoreBelow), "score_above": Vector(p.ScoreAbove),
		},
		Extra: map[string]any{"kernel_size": p.Sigma, "score_cutoff": p.ScoreCutoff},
	}
	if p.Segments != nil {
		s.Arrays["segments"], s.Arrays["features"] = Matrix(p.Segments), Matrix(p.Features)
	}
	if len(p.Points) > 0 {
		s.Arrays["points"], s.Arrays["point_mass"] = Vector(p.Points), Vector(p.PointMass)
	}
	return s
}

func restoreCorrentropy(s State) (Model, error) {
	r := s.read()
	p := pca.CorrentropyParts{
		Rows: s.Description.Rows, Sigma: r.number("kernel_size"), ScoreCutoff: r.number("score_cutoff"),
		Matrix: r.matrix("matrix"), Components: r.matrix("components"), Eigenvalues: r.vector("eigenvalues"),
		Offset: r.vector("input_offset"), Scale: r.vector("input_scale"), PointCount: r.vector("point_count"),
		ScoreCentre: r.vector("score_centre"), ScoreBelow: r.vector("score_below"), ScoreAbove: r.vector("score_above"),
	}
	if r.has("segments") {
		p.Segments, p.Features = r.matrix("segments"), r.matrix("features")
	}
	if r.has("points") {
		p.Points, p.PointMass = r.vector("points"), r.vector("point_mass")
	}
	if r.err != nil {
		return nil, r.err
	}
	m, err := pca.RestoreCorrentropy(p)
	if err != nil {
		return nil, fmt.Errorf("correntropy-pca: %w", err)
	}
	return &correntropyModel{CorrentropyModel: m, description: s.Description}, nil
}

var _ interface {
	Transformer
	Detector
} = (*correntropyModel)(nil)
