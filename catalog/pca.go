package catalog

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/pca"
	"github.com/inlier-ml/inlier/verdict"
)

// Parameters that PCA methods share.
var (
	componentsParam = Param{Name: "components", Kind: Integer, Default: "auto", Min: 1, Choices: []string{"auto"}, Meaning: "number of components; auto: the fewest that explain the share of the robust variance"}
	shareParam      = Param{Name: "share", Kind: Number, Default: "0.8", Min: 0, Max: 1, Open: true, Meaning: "share of the variance that components=auto must explain"}
	startParam      = Param{Name: "start", Kind: Choice, Default: "auto", Choices: []string{"auto", "classic", "spherical"}, Meaning: "where the reweighting begins; auto: the least outlying half of the rows, classic: ordinary PCA as in the papers"}
	learnParam      = Param{Name: "m_r", Kind: Integer, Default: "auto", Min: 1, Choices: []string{"auto", "off"}, Meaning: "learn the weights with this smaller number of components; auto: 10 when there are at least as many columns as rows and start is not classic"}
	scatterParam    = Param{Name: "scatter", Kind: Choice, Default: "auto", Choices: []string{"auto", "robust", "weighted"}, Meaning: "variances inside the subspace: robust against rows far out within it, or by the learned weights alone as in the papers; auto: robust unless start=classic"}
	maxStepsParam   = Param{Name: "max-steps", Kind: Integer, Default: "100", Min: 1, Max: 1e6, Meaning: "most steps of the reweighting"}
	tolParam        = Param{Name: "tol", Kind: Number, Default: "1e-06", Min: 0, Max: 1, Open: true, Meaning: "stop when the objective or the subspace changes by less"}
	missingParam    = Param{Name: "missing", Kind: Choice, Default: "error", Choices: []string{"error", "fit"}, Meaning: "missing values: refuse them, or let the low-rank fit itself fill them"}
	sigmaParam      = Param{Name: "sigma", Kind: Number, Default: "auto", Min: loss.MinScale, Max: loss.MaxScale, Choices: []string{"auto", "silverman"}, Meaning: "bandwidth; auto: from the median distance, silverman: eq. (30) of the kmpe paper"}
	rescaleParam    = Param{Name: "rescale", Kind: Choice, Default: "settle", Choices: []string{"settle", "once", "every-step"}, Meaning: "when an open bandwidth is computed; the papers: every-step"}
	controlParam    = Param{Name: "control", Kind: Choice, Default: "on", Choices: []string{"on", "off"}, Meaning: "shorten steps that would raise the objective; off: the papers' plain iteration"}
)

// fitter is what every PCA configuration can do.
type pcaFitter interface {
	Fit(ctx context.Context, x linalg.Source) (*pca.Model, error)
}

func init() {
	const kmpe = "Chen, Xing, Wang, Qin, Zheng: Robust learning with kernel mean p-power error loss"
	reweighted := []Param{componentsParam, shareParam, startParam, learnParam, scatterParam, maxStepsParam, tolParam, controlParam, missingParam}
	with := func(own ...Param) []Param { return append(own, reweighted...) }
	registerPCA(&Method{
		Name: "pca", Title: "ordinary principal component analysis", Paper: "Jolliffe: Principal component analysis",
		About:  "The subspace with the smallest sum of squared distances. Every row has the same vote, so a few outliers can turn it. The baseline.",
		Params: []Param{componentsParam, shareParam, missingParam}, Missing: true,
	}, func(v Values, o pca.Options) (pcaFitter, error) { return pca.Classic{Options: o}, nil })
	registerPCA(&Method{
		Name: "pca-l1", Title: "PCA-L1: largest sum of absolute scores", Paper: "Kwak: Principal component analysis based on L1-norm maximization",
		About:  "Greedy sign iteration from several starts. Limits how much a row can pull but never rejects one.",
		Params: []Param{componentsParam, shareParam, {Name: "starts", Kind: Integer, Default: "8", Min: 1, Max: 10000, Meaning: "starts per component"}, startParam},
	}, func(v Values, o pca.Options) (pcaFitter, error) {
		return pca.L1{Options: o, Starts: v.Int("starts")}, nil
	})
	registerPCA(&Method{
		Name: "r1-pca", Title: "R1-PCA: Huber's loss of the distance", Paper: "Ding, Zhou, He, Zha: R1-PCA, rotational invariant L1-norm PCA",
		About:   "Rows beyond the cut-off count by distance instead of squared distance. Far rows keep a little pull, so many of them together can still turn it; rows more than ten cut-offs from the start's subspace have none, unless start=classic.",
		Params:  with(Param{Name: "cutoff", Kind: Number, Default: "auto", Min: loss.MinScale, Max: loss.MaxScale, Choices: []string{"auto"}, Meaning: "cut-off of Huber's loss; auto: the median distance at the start"}),
		Missing: true,
	}, func(v Values, o pca.Options) (pcaFitter, error) {
		return pca.R1{Options: o, Cutoff: v.Float("cutoff")}, nil
	})
	registerPCA(&Method{
		Name: "hq-pca", Title: "HQ-PCA: maximum correntropy", Paper: "He, Hu, Zheng, Kong: Robust PCA based on maximum correntropy criterion",
		About:  "Gaussian weights exp(-s/2 sigma^2) of the squared distance s: far rows lose their vote entirely. The same as pca-kmpe with p=2.",
		Params: with(sigmaParam, rescaleParam), Missing: true,
	}, func(v Values, o pca.Options) (pcaFitter, error) {
		return pca.HQ{Options: o, Sigma: rule(v.Text("sigma")), Rescale: rescale(v)}, nil
	})
	registerPCA(&Method{
		Name: "pca-kmpe", Title: "PCA-KMPE: kernel mean p-power error", Paper: kmpe,
		About:   "The loss (1 - exp(-s/2 sigma^2))^(p/2). p=2 is correntropy; p above 2 is not concave, so steps are shortened where needed.",
		Params:  with(Param{Name: "p", Kind: Number, Default: "2", Min: 0.01, Max: 100, Meaning: "power"}, sigmaParam, rescaleParam),
		Missing: true,
	}, func(v Values, o pca.Options) (pcaFitter, error) {
		return pca.KMPE{Options: o, P: v.Float("p"), Sigma: rule(v.Text("sigma")), Rescale: rescale(v)}, nil
	})
	registerPCA(&Method{
		Name: "pca-gm", Title: "PCA-GM: generalised mean of the squared distances", Paper: "Oh, Kwak: Generalized mean for robust principal component analysis",
		About: "The generalised mean of power p < 1 listens to small distances. Its centre is the generalised sample mean. Far rows keep a little pull, so many of them together can still turn it; rows more than ten cut-offs from the start's subspace have none, unless start=classic.",
		Params: with(Param{Name: "p", Kind: Number, Default: "0.3", Min: 0.01, Max: 1, Meaning: "power; 1 is ordinary PCA"},
			Param{Name: "delta", Kind: Choice, Default: "anneal", Choices: []string{"anneal", "paper"}, Meaning: "constant that keeps weights finite: lowered step by step, or the paper's 0.01 times the smallest squared distance"}),
		Missing: true,
	}, func(v Values, o pca.Options) (pcaFitter, error) {
		return pca.GeneralisedMean{Options: o, P: v.Float("p"), Delta: pca.Delta(v.Text("delta"))}, nil
	})
	registerPCA(&Method{
		Name: "pca-robust", Title: "robust PCA with any loss", Paper: kmpe + "; and all others as special cases",
		About:  "Reweighted PCA with the loss named by --loss. The default, Welsch's loss, survives 45 % of outliers and loses almost nothing on clean data. With huber, l1, lp and gm, which never reject a row, those more than ten cut-offs from the start's subspace are left out, unless start=classic.",
		Params: with(rescaleParam), Loss: true, Default: pca.DefaultLoss.String(), Missing: true,
	}, func(v Values, o pca.Options) (pcaFitter, error) {
		spec, err := loss.Parse(v.Text("loss"))
		if err != nil {
			return nil, &UsageError{Problem: err.Error(), Hint: "inlier losses lists them"}
		}
		return pca.Robust{Options: o, Loss: spec, Rescale: rescale(v)}, nil
	})
}

// registerPCA completes an entry of the family and adds it to the table.
func registerPCA(m *Method, make func(v Values, o pca.Options) (pcaFitter, error)) {
	m.Family, m.Tasks, m.Restore = "pca", []Task{Reduce}, restorePCA
	m.Build = func(v Values) (Fitter, error) {
		o := pca.Options{
			Components: v.Int("components"), Share: v.Float("share"), Start: pca.Start(v.Text("start")), Scatter: pca.Scatter(v.Text("scatter")),
			LearnRank: v.Int("m_r"), MaxSteps: v.Int("max-steps"), Tol: v.Float("tol"), Plain: v.Is("control", "off"), Missing: v.Is("missing", "fit"),
		}
		if v.Is("m_r", "off") {
			o.LearnRank = -1
		}
		if _, err := make(v, o); err != nil {
			return nil, err
		}
		return FitterFunc(func(ctx context.Context, data *dataset.Set, run Run) (Model, error) {
			o := o
			o.Seed, o.Weights, o.OnStep = run.Seed, run.Weights, run.OnStep
			f, err := make(v, o)
			if err != nil {
				return nil, err
			}
			fitted, err := f.Fit(ctx, linalg.FromDense(data.X))
			if err != nil {
				return nil, explainPCA(err, data)
			}
			return &pcaModel{Model: fitted, description: describePCA(m, fitted, v, data, run)}, nil
		}), nil
	}
	register(m)
}

// explainPCA puts names of files and columns into errors that are the user's to mend.
func explainPCA(err error, data *dataset.Set) error {
	var missing *pca.MissingError
	var rank *pca.RankError
	switch {
	case errors.As(err, &missing):
		return missingCell(data, missing.Row, missing.Column, math.NaN(), "--set missing=fit lets the low-rank fit fill it")
	case errors.As(err, &rank):
		return &UsageError{Problem: fmt.Sprintf("%s: components=%d is more than possible: %s", data.Name, rank.Asked, rank.Why), Hint: fmt.Sprintf("components is an integer from 1 to %d here, or auto", rank.Most)}
	}
	return refusal(err, data.Name)
}

// rule is the bandwidth rule of a text that the parameter's range has let through: a word
// that a rule knows, or a number between loss.MinScale and loss.MaxScale.
func rule(text string) loss.Rule {
	r, err := loss.ParseRule(text)
	if err != nil {
		panic("catalog: a bandwidth that its parameter's range lets through: " + err.Error())
	}
	return r
}

func rescale(v Values) irls.Rescale {
	switch v.Text("rescale") {
	case "once":
		return irls.Once
	case "every-step":
		return irls.EveryStep
	}
	return irls.Settle
}

// pcaModel is a fitted subspace with its description.
type pcaModel struct {
	*pca.Model
	description Description
}

func describePCA(m *Method, fitted *pca.Model, v Values, data *dataset.Set, run Run) Description {
	columns, components := fitted.Dims()
	used := map[string]string{}
	for k, t := range v {
		used[k] = t
	}
	used["components"] = strconv.Itoa(components)
	if _, ok := used["sigma"]; ok {
		used["sigma"] = strconv.FormatFloat(fitted.Loss().Scale(), 'g', -1, 64)
	}
	if _, ok := used["cutoff"]; ok {
		used["cutoff"] = strconv.FormatFloat(fitted.Loss().Scale(), 'g', -1, 64)
	}
	d := Description{
		Method: m.Name, Family: m.Family, Task: Reduce, Rows: fitted.Rows(), Columns: columns, Parameters: used, Loss: fitted.Loss().String(),
		Status: fitted.Status().String(), Seed: run.Seed, ColumnNames: data.Columns, Shape: data.Shape, Warnings: fitted.Warnings(),
		Outliers: fitted.Training().Count(), Effective: loss.EffectiveSampleSize(fitted.Weights()),
	}
	d.endedWith(fitted.Steps())
	e := fitted.Explained()
	d.Numbers = map[string]any{
		"explained_variance_classical": e.Classical, "explained_variance_robust": e.Robust, "explained_by_component": e.Components,
		"eigenvalues": fitted.Eigenvalues(), "orthogonal_cutoff": fitted.Training().OrthogonalCutoff, "score_cutoff": fitted.Training().ScoreCutoff,
	}
	return d
}

// ResidualLimit is how far a further regular row lies from the subspace.
func (p *pcaModel) ResidualLimit() float64 { return p.Parts().OrthogonalCutoff }

func (p *pcaModel) Describe() Description { return p.description }

// Steps is the trace, for convergence curves.
func (p *pcaModel) Trace() []irls.Step { return p.Model.Steps() }

func (p *pcaModel) ScoreNames() []string {
	_, k := p.Dims()
	return scoreNames(k)
}

// Transform returns the scores.
func (p *pcaModel) Transform(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	out, err := p.Model.Transform(ctx, x)
	return out, refusal(err, "")
}

// Reconstruct returns what the model keeps of each row.
func (p *pcaModel) Reconstruct(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	out, err := p.Model.Reconstruct(ctx, x)
	return out, refusal(err, "")
}

func scoreNames(k int) []string {
	names := make([]string, k)
	for j := range names {
		names[j] = "pc" + strconv.Itoa(j+1)
	}
	return names
}

// Outliers judges rows by the outlier map.
func (p *pcaModel) Outliers(ctx context.Context, data *dataset.Set) (*verdict.Rows, error) {
	judged, err := p.Judge(ctx, data.X)
	if err != nil {
		return nil, explainPCA(err, data)
	}
	if judged.Contributions, err = p.Contributions(ctx, data.X); err != nil {
		return nil, explainPCA(err, data)
	}
	return judged, nil
}

// State lists arrays as the model file names them.
func (p *pcaModel) State() State {
	parts := p.Parts()
	return State{
		Description: p.description,
		Arrays: map[string]Array{
			"mean": Vector(parts.Mean), "components": Matrix(parts.Components), "eigenvalues": saturated(parts.Eigenvalues),
			"weights": Vector(parts.Weights), "objective": objectives(parts.Steps),
		},
		Extra: map[string]any{
			"loss_at": parts.Loss, "largest_log_weight": parts.LargestLogWeight,
			"orthogonal_cutoff": parts.OrthogonalCutoff, "score_cutoff": parts.ScoreCutoff,
		},
	}
}

func restorePCA(s State) (Model, error) {
	r := s.read()
	parts := pca.Parts{
		Method: s.Description.Method, Components: r.matrix("components"), Mean: r.vector("mean"), Eigenvalues: r.vector("eigenvalues"),
		Weights: r.vector("weights"), Steps: r.trace(), Loss: r.text("loss_at"), LargestLogWeight: r.number("largest_log_weight"),
		OrthogonalCutoff: r.number("orthogonal_cutoff"), ScoreCutoff: r.number("score_cutoff"), Status: r.status(),
	}
	if r.err != nil {
		return nil, r.err
	}
	if _, d := parts.Components.Dims(); d != s.Description.Columns {
		return nil, fmt.Errorf("components of %d columns do not go with a model of %d", d, s.Description.Columns)
	}
	m, err := pca.FromParts(parts)
	if err != nil {
		return nil, err
	}
	return &pcaModel{Model: m, description: s.Description}, nil
}

var _ interface {
	Transformer
	Detector
} = (*pcaModel)(nil)
