package catalog

import (
	"context"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/pca"
)

// Parameters that PCA methods share.
var (
	componentsParam = Param{Name: "components", Kind: Integer, Default: "auto", Min: 1, Choices: []string{"auto"}, Meaning: "number of components; auto: the fewest that explain the share of the robust variance"}
	shareParam      = Param{Name: "share", Kind: Number, Default: "0.8", Min: 0, Max: 1, Open: true, Meaning: "share of the variance that components=auto must explain"}
	startParam      = Param{Name: "start", Kind: Choice, Default: "auto", Choices: []string{"auto", "classic", "spherical"}, Meaning: "where the reweighting begins; auto: the least outlying half of the rows, classic: ordinary PCA as in the papers"}
	// PCA-L1 has no reweighting that could begin anywhere; the word chooses its centre.
	centreStartParam = Param{Name: "start", Kind: Choice, Default: "auto", Choices: []string{"auto", "classic", "spherical"}, Meaning: "centre of the rows; auto and spherical: the spatial median, classic: the mean as in the paper (where components begin is set by starts)"}
	learnParam       = Param{Name: "learn-rank", Alias: "m_r", Kind: Integer, Default: "auto", Min: 1, Choices: []string{"auto", "off"}, Meaning: "learn the weights with this smaller number of components; auto: 10 when there are at least as many columns as rows and start is not classic"}
	scatterParam     = Param{Name: "scatter", Kind: Choice, Default: "auto", Choices: []string{"auto", "robust", "weighted"}, Meaning: "variances inside the subspace: robust against rows far out within it, or by the learned weights alone as in the papers; auto: robust unless start=classic"}
	maxStepsParam    = Param{Name: "max-steps", Kind: Integer, Default: "100", Min: 1, Max: 1e6, Meaning: "most steps of the reweighting"}
	tolParam         = Param{Name: "tol", Kind: Number, Default: "1e-06", Min: 0, Max: 1, Open: true, Meaning: "stop when the objective or the subspace changes by less"}
	missingParam     = Param{Name: "missing", Kind: Choice, Default: "error", Choices: []string{"error", "fit"}, Meaning: "missing values: refuse them, or let the low-rank fit itself fill them"}
	sigmaParam       = Param{Name: "sigma", Kind: Number, Default: "auto", Min: loss.MinScale, Max: loss.MaxScale, Choices: []string{"auto", "silverman"}, Meaning: "bandwidth; auto: from the median distance, silverman: eq. (30) of the kmpe paper"}
	rescaleParam     = Param{Name: "rescale", Kind: Choice, Default: "settle", Choices: []string{"settle", "once", "every-step"}, Meaning: "when an open bandwidth is computed; the papers: every-step"}
	controlParam     = Param{Name: "control", Kind: Choice, Default: "on", Choices: []string{"on", "off"}, Meaning: "shorten steps that would raise the objective; off: the papers' plain iteration"}
)

// fitter is what every PCA configuration can do.
type pcaFitter interface {
	Fit(ctx context.Context, x linalg.Source) (*pca.Model, error)
}

func init() {
	const kmpe = "Chen, Xing, Wang, Qin, Zheng: Robust learning with kernel mean p-power error loss"
	reweighted := []Param{componentsParam, shareParam, startParam, learnParam, scatterParam, maxStepsParam, tolParam, controlParam, missingParam}
	with := func(own ...Param) []Param { return append(own, reweighted...) }
	addPCA(&Method{
		Name: "pca", Updates: true, Title: "ordinary principal component analysis", Paper: "Jolliffe: Principal component analysis",
		About:  "The subspace with the smallest sum of squared distances. Every row has the same vote, so a few outliers can turn it. The baseline.",
		Params: []Param{componentsParam, shareParam, missingParam}, Missing: true,
	}, func(v Values, o pca.Options) pcaFitter { return pca.Classic{Options: o} })
	addPCA(&Method{
		Name: "pca-l1", Title: "PCA-L1: largest sum of absolute scores", Paper: "Kwak: Principal component analysis based on L1-norm maximization",
		About:  "Greedy sign iteration from several starts, one component after the other: the first m of a larger fit are the fit with m. Limits how much a row can pull but never rejects one.",
		Params: []Param{componentsParam, shareParam, {Name: "starts", Kind: Integer, Default: "8", Min: 1, Max: 10000, Meaning: "starts per component: the ordinary component, the longest row, then random rows"}, centreStartParam},
	}, func(v Values, o pca.Options) pcaFitter {
		return pca.L1{Options: o, Starts: v.Int("starts")}
	})
	addPCA(&Method{
		Name: "r1-pca", Updates: true, Title: "R1-PCA: Huber's loss of the distance", Paper: "Ding, Zhou, He, Zha: R1-PCA, rotational invariant L1-norm PCA",
		About:   "Rows beyond the cut-off count by distance instead of squared distance. Far rows keep a little pull, so many of them together can still turn it; rows more than ten cut-offs from the start's subspace have none, unless start=classic.",
		Params:  with(Param{Name: "mean", Kind: Choice, Default: "weighted", Choices: []string{"weighted", "sample"}, Meaning: "centre: estimated with the subspace, or the plain mean as in section 4.3 of the pca-gm paper"}, Param{Name: "cutoff", Kind: Number, Default: "auto", Min: loss.MinScale, Max: loss.MaxScale, Choices: []string{"auto"}, Meaning: "cut-off of Huber's loss; auto: the median distance at the start"}),
		Missing: true,
	}, func(v Values, o pca.Options) pcaFitter {
		return pca.R1{Options: o, Cutoff: v.Float("cutoff"), Mean: pca.Mean(v.Text("mean"))}
	})
	addPCA(&Method{
		Name: "hq-pca", Updates: true, Title: "HQ-PCA: maximum correntropy", Paper: "He, Hu, Zheng, Kong: Robust PCA based on maximum correntropy criterion",
		About:  "Gaussian weights exp(-s/2 sigma^2) of the squared distance s: far rows lose their vote entirely. The same as pca-kmpe with p=2.",
		Params: with(sigmaParam, rescaleParam), Missing: true,
	}, func(v Values, o pca.Options) pcaFitter {
		return pca.HQ{Options: o, Sigma: rule(v.Text("sigma")), Rescale: rescale(v)}
	})
	addPCA(&Method{
		Name: "pca-kmpe", Updates: true, Title: "PCA-KMPE: kernel mean p-power error", Paper: kmpe,
		About:   "The loss (1 - exp(-s/2 sigma^2))^(p/2). p=2 is correntropy; p above 2 is not concave, so steps are shortened where needed.",
		Params:  with(Param{Name: "p", Kind: Number, Default: "2", Min: 0.01, Max: 100, Meaning: "power"}, sigmaParam, rescaleParam),
		Missing: true,
	}, func(v Values, o pca.Options) pcaFitter {
		return pca.KMPE{Options: o, P: v.Float("p"), Sigma: rule(v.Text("sigma")), Rescale: rescale(v)}
	})
	addPCA(&Method{
		Name: "pca-gm", Title: "PCA-GM: generalised mean of the squared distances", Paper: "Oh, Kwak: Generalized mean for robust principal component analysis",
		About: "The generalised mean of power p < 1 listens to small distances. Its centre is the generalised sample mean. Far rows keep a little pull, so many of them together can still turn it; rows more than ten cut-offs from the start's subspace have none, unless start=classic.",
		Params: with(Param{Name: "p", Kind: Number, Default: "0.3", Min: 0.01, Max: 1, Meaning: "power; 1 is ordinary PCA"},
			Param{Name: "delta", Kind: Choice, Default: "anneal", Choices: []string{"anneal", "paper"}, Meaning: "constant that keeps weights finite: lowered step by step, or the paper's 0.01 times the smallest squared distance"}),
		Missing: true,
	}, func(v Values, o pca.Options) pcaFitter {
		return pca.GeneralizedMean{Options: o, P: v.Float("p"), Delta: pca.Delta(v.Text("delta"))}
	})
	addPCA(&Method{
		Name: "pca-robust", Updates: true, Title: "robust PCA with any loss", Paper: kmpe + "; and all others as special cases",
		About:  "Reweighted PCA with the loss named by --loss. The default, Welsch's loss, survives 45 % of outliers and loses almost nothing on clean data. With huber, l1, lp and gm, which never reject a row, those more than ten cut-offs from the start's subspace are left out, unless start=classic.",
		Params: with(rescaleParam), Loss: true, Default: pca.DefaultLoss.String(), Missing: true,
	}, func(v Values, o pca.Options) pcaFitter {
		return pca.Robust{Options: o, Loss: v.loss(), Rescale: rescale(v)}
	})
}

var pcaFamily = &family{
	name: "pca", tasks: []Task{Reduce}, restore: restoring(pca.Restore), renew: renewing[*pca.Model], raw: true, missing: "--set missing=fit lets the low-rank fit fill it",
}

// addPCA adds an entry of the family.
func addPCA(m *Method, configure func(v Values, o pca.Options) pcaFitter) {
	addCheckedPCA(m, nil, configure)
}

// addCheckedPCA is addPCA with a look at the parameters beyond what their ranges tell.
func addCheckedPCA(m *Method, check func(v Values) error, configure func(v Values, o pca.Options) pcaFitter) {
	add(m, pcaFamily, check, func(ctx context.Context, v Values, data *lesson, run Run) (Typed, error) {
		o := pca.Options{
			Components: v.Int("components"), Share: v.Float("share"), Start: pca.Start(v.Text("start")), Scatter: pca.Scatter(v.Text("scatter")),
			LearnRank: v.Int("learn-rank"), MaxSteps: v.Int("max-steps"), Tol: v.Float("tol"), Plain: v.Is("control", "off"), Missing: v.Is("missing", "fit"),
			Seed: run.Seed, Weights: run.Weights, Votes: run.Votes, OnStep: run.OnStep,
		}
		if v.Is("learn-rank", "off") {
			o.LearnRank = -1
		}
		return configure(v, o).Fit(ctx, data.rows())
	})
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

// loss is the loss named by --loss, which was looked at when the method was built.
func (v Values) loss() loss.Spec {
	spec, err := loss.Parse(v.Text("loss"))
	if err != nil {
		panic("catalog: a loss that was let through: " + err.Error())
	}
	return spec
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
