package catalog

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/tensor"
	"github.com/inlier-ml/inlier/verdict"
)

// Parameters that tensor methods share.
var (
	shapeParam       = Param{Name: "shape", Kind: Text, Default: "auto", Meaning: "shape of a sample, such as 64x64 or 64x64x3; auto: that of the data"}
	rankParam        = Param{Name: "rank", Kind: Text, Default: "auto", Meaning: "numbers kept per mode, such as 15x15; one number: for every mode; auto: the smallest that keep the share"}
	columnsRankParam = Param{Name: "rank", Kind: Text, Default: "auto", Meaning: "numbers kept per row (the second mode), such as 15; auto: the smallest that keep the share"}
	tensorShareParam = Param{Name: "share", Kind: Number, Default: "0.9", Min: 0, Max: 1, Open: true, Meaning: "share of the sum of squares that rank=auto must keep"}
	tensorStartParam = Param{Name: "start", Kind: Choice, Default: "auto", Choices: []string{"auto", "classic"}, Meaning: "where the reweighting begins; auto: the least outlying half of the samples, classic: the one-shot decomposition as in the papers"}
	learnRankParam   = Param{Name: "learn-rank", Kind: Text, Default: "auto", Meaning: "learn the weights at this smaller rank, such as 12x12; auto: 3/8 of each length (off with start=classic); off: at the full rank as in the papers"}
	meanParam        = Param{Name: "mean", Kind: Choice, Default: "weighted", Choices: []string{"weighted", "sample"}, Meaning: "centre: estimated with the factors, or the plain mean as in the methods before corr-tensor"}
	normaliseParam   = Param{Name: "normalise", Kind: Choice, Default: "none", Choices: []string{"none", "mean-norm"}, Meaning: "unit of a given bandwidth: that of the data, or the samples' mean norm"}
	betaParam        = Param{Name: "beta", Kind: Number, Default: "auto", Min: loss.MinScale, Max: loss.MaxScale, Choices: []string{"auto", "silverman"}, Meaning: "bandwidth of the residual norm; auto: 2 median residuals"}
	alphaParam       = Param{Name: "alpha", Kind: Number, Default: "2", Min: 0.01, Max: 100, Meaning: "shape of the correntropy kernel; 2 is the Gaussian"}
	tensorPowerParam = Param{Name: "p", Kind: Number, Default: "2", Min: 0.01, Max: 100, Meaning: "order of the loss in kernel space; 2 is correntropy"}
	neighboursParam  = Param{Name: "neighbours", Kind: Integer, Default: "5", Min: 1, Max: 1000, Meaning: "nearest images that describe an image"}
)

// tensorFitter is what every tensor configuration can do.
type tensorFitter interface {
	Fit(ctx context.Context, x linalg.Source) (*tensor.Model, error)
}

func init() {
	const corr = "Zhang, Gao, Sun, Blumenstein: Robust tensor decomposition for image representation based on generalized correntropy"
	const npp = "Zhang, Li, Zhao, Zhang, Yan: Robust neighborhood preserving projection by nuclear/L2,1-norm regularization (built from the definition; the paper was not at hand)"
	reweighted := []Param{rankParam, tensorShareParam, shapeParam, tensorStartParam, learnRankParam, meanParam, maxStepsParam, tolParam, controlParam}
	oneSided := []Param{columnsRankParam, tensorShareParam, shapeParam}
	registerTensor(&Method{
		Name: "2dpca", Title: "2DPCA: images reduced along their rows", Paper: "Yang, Zhang, Frangi, Yang: Two-dimensional PCA",
		About:  "One-sided: every row of an image is projected on the same few directions, factor_1; factor_0 is the identity. Least squares, so outliers count fully. With more than two modes the second one is reduced.",
		Params: oneSided,
	}, func(v Values, o tensor.Options) (tensorFitter, error) { return tensor.PCA2D{Options: o}, nil })
	registerTensor(&Method{
		Name: "l1-2dpca", Title: "L1-2DPCA: largest sum of absolute projections of image rows", Paper: "Li, Pang, Yuan: L1-norm-based 2DPCA",
		About:  "One-sided and greedy, by sign flips from the 2DPCA directions. Limits how much an image can pull but never rejects one; not rotation invariant.",
		Params: append(slices.Clone(oneSided), maxStepsParam),
	}, func(v Values, o tensor.Options) (tensorFitter, error) { return tensor.L1PCA2D{Options: o}, nil })
	registerTensor(&Method{
		Name: "2dsvd", Title: "2DSVD, GLRAM: images reduced on both sides by least squares", Paper: "Ding, Ye: 2-dimensional singular value decomposition; Ye: Generalized low rank approximations of matrices",
		About: "X = mean + L M R' with the smallest sum of squared residuals. iterate=off gives the one-shot solution. Samples with more than two modes get one factor per mode: the truncated HOSVD, iterated HOOI. The baseline.",
		Params: []Param{rankParam, tensorShareParam, shapeParam,
			{Name: "iterate", Kind: Choice, Default: "on", Choices: []string{"on", "off"}, Meaning: "sweep until the residual stands still (GLRAM), or stop at the one-shot solution"},
			maxStepsParam, tolParam},
	}, func(v Values, o tensor.Options) (tensorFitter, error) {
		return tensor.SVD2D{Options: o, Once: v.Is("iterate", "off")}, nil
	})
	registerTensor(&Method{
		Name: "r1-2dsvd", Title: "R1-2DSVD: residual norms instead of their squares", Paper: "Huang, Ding: Robust tensor factorization using R1 norm",
		About:  "Weights 1/||residual||: bad images lose most of their vote but never all of it (only those ten times further off than regular ones are left out, unless start=classic). Rotation invariant. learn-rank=auto is off here.",
		Params: reweighted,
	}, func(v Values, o tensor.Options) (tensorFitter, error) { return tensor.R1SVD2D{Options: o}, nil })
	for name, norm := range map[string]tensor.Norm{"n-2dnpp": tensor.Nuclear, "s-2dnpp": tensor.Sparse} {
		title := map[tensor.Norm]string{tensor.Nuclear: "N-2DNPP: neighbourhood preserving projection, nuclear norm", tensor.Sparse: "S-2DNPP: neighbourhood preserving projection, L2,1 norm"}[norm]
		registerTensor(&Method{
			Name: name, Title: title, Paper: npp,
			About:  "One-sided: images that their nearest neighbours describe well should still be described by them after reduction of their columns. The error of each image is measured by a norm that grows more slowly than the square.",
			Params: append([]Param{neighboursParam}, append(slices.Clone(oneSided), maxStepsParam, Param{Name: "tol", Kind: Number, Default: "0.0001", Min: 0, Max: 1, Open: true, Meaning: tolParam.Meaning})...),
		}, func(v Values, o tensor.Options) (tensorFitter, error) {
			return tensor.NPP2D{Options: o, Norm: norm, Neighbours: v.Int("neighbours")}, nil
		})
	}
	for name, title := range map[string]string{"corr-2dsvd": "Corr-2DSVD: images reduced on both sides by generalised correntropy", "corr-tensor": "Corr-Tensor: samples of any order reduced by generalised correntropy"} {
		registerTensor(&Method{
			Name: name, Title: title, Paper: corr,
			About:  "The loss (1 - exp(-(r/beta)^alpha))^(p/2) of each sample's residual norm r: bad samples lose their vote entirely. Mean and one factor per mode are estimated together. On images corr-2dsvd and corr-tensor are the same.",
			Params: append([]Param{alphaParam, betaParam, tensorPowerParam, normaliseParam}, append(slices.Clone(reweighted), rescaleParam)...),
		}, func(v Values, o tensor.Options) (tensorFitter, error) {
			return tensor.Corr{Options: o, Alpha: v.Float("alpha"), P: v.Float("p"), Beta: rule(v.Text("beta")), MeanNorm: v.Is("normalise", "mean-norm"), Rescale: rescale(v), Name: name}, nil
		})
	}
	registerTensor(&Method{
		Name: "tensor-robust", Title: "robust Tucker decomposition with any loss", Paper: corr + "; and all others as special cases",
		About:  "Reweighted decomposition of samples of any order with the loss named by --loss; square gives the HOOI.",
		Params: append(slices.Clone(reweighted), normaliseParam, rescaleParam), Loss: true, Default: tensor.DefaultLoss.String(),
	}, func(v Values, o tensor.Options) (tensorFitter, error) {
		spec, err := loss.Parse(v.Text("loss"))
		if err != nil {
			return nil, &UsageError{Problem: err.Error(), Hint: "inlier losses lists them"}
		}
		return tensor.Robust{Options: o, Loss: spec, MeanNorm: v.Is("normalise", "mean-norm"), Rescale: rescale(v)}, nil
	})
}

// registerTensor completes an entry of the family and adds it to the table.
func registerTensor(m *Method, configure func(v Values, o tensor.Options) (tensorFitter, error)) {
	m.Family, m.Tasks, m.Restore = "tensor", []Task{Reduce}, restoreTensor
	m.Build = func(v Values) (Fitter, error) {
		o, err := tensorOptions(v)
		if err != nil {
			return nil, err
		}
		if _, err := configure(v, o); err != nil {
			return nil, err
		}
		return FitterFunc(func(ctx context.Context, data *dataset.Set, run Run) (Model, error) {
			o := o
			o.Seed, o.Weights, o.OnStep = run.Seed, run.Weights, run.OnStep
			if o.Shape == nil {
				o.Shape = data.Shape
			}
			f, err := configure(v, o)
			if err != nil {
				return nil, err
			}
			fitted, err := f.Fit(ctx, linalg.FromDense(data.X))
			if err != nil {
				return nil, explainTensor(err, data)
			}
			return &tensorModel{Model: fitted, description: describeTensor(m, fitted, v, data, run)}, nil
		}), nil
	}
	register(m)
}

// tensorOptions reads the parameters that all methods of the family share.
func tensorOptions(v Values) (tensor.Options, error) {
	o := tensor.Options{
		Share: v.Float("share"), Start: tensor.Start(v.Text("start")), Mean: tensor.Mean(v.Text("mean")),
		MaxSteps: v.Int("max-steps"), Tol: v.Float("tol"), Plain: v.Is("control", "off"), LearnFull: v.Is("learn-rank", "off"),
	}
	for name, into := range map[string]*[]int{"shape": &o.Shape, "rank": &o.Rank, "learn-rank": &o.LearnRank} {
		text := v.Text(name)
		if text == "" || text == "auto" || name == "learn-rank" && text == "off" {
			continue
		}
		lengths, err := dataset.ParseShape(text)
		if err != nil {
			hint := map[string]string{"shape": "shape is a list of lengths such as 64x64 or 64x64x3, or auto", "rank": "rank is a list of numbers such as 15x15, one number, or auto", "learn-rank": "learn-rank is a list of numbers such as 12x12, one number, auto or off"}
			return o, &UsageError{Problem: fmt.Sprintf("parameter %s=%s is not allowed", name, text), Hint: hint[name]}
		}
		*into = lengths
	}
	return o, nil
}

// explainTensor puts names of files and columns into errors that are the user's to mend.
func explainTensor(err error, data *dataset.Set) error {
	var missing *tensor.MissingError
	var shape *tensor.ShapeError
	var rank *tensor.RankError
	switch {
	case errors.As(err, &missing):
		return missingCell(data, missing.Row, missing.Column, math.NaN(), "tensor methods need every entry; leave the row out")
	case errors.As(err, &shape) && shape.Shape == nil:
		return &UsageError{Problem: fmt.Sprintf("%s: the rows of %d columns have no shape", data.Name, shape.Columns), Hint: "--set shape=64x64 says that a row is an image of 64 rows and 64 columns"}
	case errors.As(err, &shape):
		return &UsageError{Problem: fmt.Sprintf("%s: shape=%s does not multiply to the %d columns", data.Name, dataset.FormatShape(shape.Shape), shape.Columns), Hint: "the product of the lengths must be the number of columns"}
	case errors.As(err, &rank):
		return &UsageError{Problem: fmt.Sprintf("%s: %s=%s does not go with samples of shape %s", data.Name, rank.Name, dataset.FormatShape(rank.Rank), dataset.FormatShape(rank.Shape)), Hint: "one number per mode, from 1 to the mode's length; one-sided methods take a single number for the second mode"}
	}
	return refusal(err, data.Name)
}

// tensorModel is a fitted decomposition with its description.
type tensorModel struct {
	*tensor.Model
	description Description
}

func describeTensor(m *Method, fitted *tensor.Model, v Values, data *dataset.Set, run Run) Description {
	used := Parameters(maps.Clone(v))
	used["rank"], used["shape"] = dataset.FormatShape(fitted.Ranks()), dataset.FormatShape(fitted.Shape())
	if _, ok := used["learn-rank"]; ok {
		used["learn-rank"] = dataset.FormatShape(fitted.LearnRank())
	}
	if _, ok := used["beta"]; ok {
		beta := fitted.Loss().Scale()
		if unit := fitted.MeanNorm(); unit > 0 {
			beta /= unit
		}
		used["beta"] = strconv.FormatFloat(beta, 'g', -1, 64)
	}
	d := Description{
		Method: m.Name, Family: m.Family, Task: Reduce, Rows: fitted.Rows(), Columns: data.Dim(), Parameters: used,
		Status: fitted.Status().String(), Seed: run.Seed, ColumnNames: data.Columns, Shape: fitted.Shape(), Warnings: fitted.Warnings(),
		Outliers: fitted.Training().Count(), Effective: loss.EffectiveSampleSize(fitted.Weights()),
	}
	if fitted.Weighted() {
		d.Loss = fitted.Loss().String()
	}
	d.endedWith(fitted.Steps())
	e := fitted.TrainingErrors()
	d.Numbers = map[string]any{
		"explained_classical": fitted.Explained().Classical, "explained_robust": fitted.Explained().Robust,
		"reconstruction_error": e.Norm, "squared_reconstruction_error": e.Squared, "sweeps_at_full_rank": fitted.Sweeps(),
		"orthogonal_cutoff": fitted.Training().OrthogonalCutoff, "score_cutoff": fitted.Training().ScoreCutoff,
	}
	return d
}

// ResidualLimit is how far a further regular sample lies from what the factors keep.
func (p *tensorModel) ResidualLimit() float64 { return p.Parts().OrthogonalCutoff }

func (p *tensorModel) Describe() Description { return p.description }

// Trace is the trace of the reweighting, for convergence curves.
func (p *tensorModel) Trace() []irls.Step { return p.Model.Steps() }

func (p *tensorModel) ScoreNames() []string {
	size := 1
	for _, r := range p.Ranks() {
		size *= r
	}
	return scoreNames(size)
}

// CoreShape is the shape of a core, for methods that work on cores.
func (p *tensorModel) CoreShape() []int { return p.Ranks() }

// Transform returns the cores, row-major, one per row.
func (p *tensorModel) Transform(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	out, err := p.Model.Transform(ctx, x)
	return out, refusal(err, "")
}

// Reconstruct returns what the model keeps of each sample.
func (p *tensorModel) Reconstruct(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	out, err := p.Model.Reconstruct(ctx, x)
	return out, refusal(err, "")
}

// Outliers judges samples by residual and core; contributions are the residual's entries.
func (p *tensorModel) Outliers(ctx context.Context, data *dataset.Set) (*verdict.Rows, error) {
	judged, err := p.Judge(ctx, data.X)
	if err != nil {
		return nil, explainTensor(err, data)
	}
	if judged.Contributions, err = p.Residuals(ctx, data.X); err != nil {
		return nil, explainTensor(err, data)
	}
	return judged, nil
}

// TrainingOutliers marks the outlying training rows; nil for a model from a file.
func (p *tensorModel) TrainingOutliers() []bool {
	if judged := p.Training(); judged != nil {
		return judged.Outlier
	}
	return nil
}

// State lists arrays as the model file names them.
func (p *tensorModel) State() State {
	parts := p.Parts()
	s := State{
		Description: p.description,
		Arrays:      map[string]Array{"mean": {Shape: parts.Shape, Data: parts.Mean}, "weights": Vector(parts.Weights), "objective": objectives(parts.Steps)},
		Extra: map[string]any{
			"loss_at": parts.Loss, "judging_loss_at": parts.Judging, "largest_log_weight": parts.LargestLogWeight,
			"orthogonal_cutoff": parts.OrthogonalCutoff, "score_cutoff": parts.ScoreCutoff,
		},
	}
	for k, u := range parts.Factors {
		s.Arrays[fmt.Sprintf("factor_%d", k)] = Matrix(u)
		s.Extra[fmt.Sprintf("variances_%d", k)] = parts.Variances[k]
	}
	return s
}

func restoreTensor(s State) (Model, error) {
	shape := s.Description.Shape
	mean, ok := s.Arrays["mean"]
	if !ok {
		return nil, fmt.Errorf("array %q is missing", "mean")
	}
	if !slices.Equal(mean.Shape, shape) {
		return nil, fmt.Errorf("array %q has shape %v, the model's is %v", "mean", mean.Shape, shape)
	}
	r := s.read()
	parts := tensor.Parts{
		Method: s.Description.Method, Shape: shape, Mean: mean.Data, Weights: r.vector("weights"), Steps: r.trace(),
		Loss: r.text("loss_at"), Judging: r.text("judging_loss_at"), LargestLogWeight: r.number("largest_log_weight"),
		OrthogonalCutoff: r.number("orthogonal_cutoff"), ScoreCutoff: r.number("score_cutoff"), Status: r.status(),
	}
	for k := range shape {
		parts.Factors = append(parts.Factors, r.matrix(fmt.Sprintf("factor_%d", k)))
		parts.Variances = append(parts.Variances, r.numbers(fmt.Sprintf("variances_%d", k)))
	}
	if r.err == nil {
		parts.Status, r.err = irls.ParseStatus(s.Description.Status)
	}
	if r.err != nil {
		return nil, r.err
	}
	m, err := tensor.FromParts(parts)
	if err != nil {
		return nil, err
	}
	return &tensorModel{Model: m, description: s.Description}, nil
}

var _ interface {
	Transformer
	Detector
} = (*tensorModel)(nil)
