package catalog

import (
	"context"
	"math"

	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/internal/scaling"
	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// classifyParams are shared by all machines of the family.
var classifyParams = []Param{
	{Name: "kernel", Kind: Choice, Default: "linear", Choices: []string{"linear", "rbf"}, Meaning: "scores are linear in the columns, or in the RBF kernel exp(-gamma |x-y|^2) with training rows"},
	{Name: "gamma", Kind: Number, Default: "auto", Min: 0, Open: true, Choices: []string{"auto"}, Meaning: "inverse width of the rbf kernel; auto: two over the median squared distance of the scaled rows, for square one"},
	{Name: "lambda", Kind: Number, Default: "auto", Min: 0, Open: true, Choices: []string{"auto"}, Meaning: "penalty on the squared norm of the coefficients, beside the mean loss; the intercept is free; auto: 1/(2n) of n rows, twice that for linear square, a sixteenth for logistic with the rbf kernel; where more than 5 % of the labels seem wrong, linear regmaxcem takes 10 or 100 times and other machines with the rbf kernel 4 or 16 times as much if held-out labels are clearly more probable by it (rbf with fewer than 500 rows: 4 times also where they seem right), regmaxcem with the rbf kernel up to twice as much, with less weight of rows whose label fits without them contradict; 0.01 with variant=paper"},
	{Name: "class-weights", Kind: Choice, Default: "none", Choices: []string{"none", "balanced"}, Meaning: "none: every row counts once; balanced: every class counts the same"},
	scalingParam(scaling.Standard),
	{Name: "clip", Kind: Number, Default: "auto", Min: 0, Open: true, Choices: []string{"auto", "off"}, Meaning: "pull values in to the column's median plus or minus so many 1.4826 MAD; auto: 5, wider where a column is skewed or has several groups; rows five times as far out have no say; off with variant=paper"},
	{Name: "approximation", Kind: Choice, Default: "auto", Choices: []string{"auto", "exact", "nystrom", "fourier"}, Meaning: "how the rbf kernel is computed; auto: exactly up to 10000 rows (hinge: 20000), nystrom beyond"},
	{Name: "features", Kind: Integer, Default: "auto", Min: 1, Max: 100000, Choices: []string{"auto"}, Meaning: "landmarks of nystrom or random features of fourier; auto: a fifth of the rows, from 500 to 2000"},
	{Name: "calibration", Kind: Choice, Default: "auto", Choices: []string{"auto", "folds", "holdout", "off"}, Meaning: "where probabilities and doubt about labels are learned: three-fold cross-validation, one fifth held out, or not at all; auto: folds up to 5000 rows; logistic has probabilities without it too"},
	{Name: "max-steps", Kind: Integer, Default: "auto", Min: 1, Max: 1e6, Choices: []string{"auto"}, Meaning: "most reweightings, Newton steps, or passes over the rows; auto: 100, for hinge 1000 (with fewer than 128 columns interior-point steps, at most 100)"},
	{Name: "tol", Kind: Number, Default: "1e-06", Min: 0, Max: 1, Open: true, Meaning: "stop when the objective or the coefficients change by less"},
}

// classifier is what every configuration of the family can do.
type classifier interface {
	Fit(ctx context.Context, src linalg.Source, labels []int, classes int) (*classify.Model, error)
	FitBeside(ctx context.Context, table linalg.Source, counts []int) (*classify.Model, error)
}

func init() {
	addClassify(&Method{
		Name: "square", Title: "least-squares classifier", Paper: "Rifkin, Yeo, Poggio: Regularized least-squares classification",
		About:  "One score per class, fitted to +1 on its rows and -1 on others by ridge regression. Fast, closed form; wrong labels pull it, each a little.",
		Params: classifyParams,
	}, func(v Values, o classify.Options) classifier { return classify.Square{Options: o} })
	addClassify(&Method{
		Name: "hinge", Title: "support vector machine", Paper: "Cortes, Vapnik: Support-vector networks",
		About:  "One against all with the hinge loss: rows on the right side of the margin have no say, rows with wrong labels a bounded pull each. With a kernel and wrong labels two by two, where that tells held-out labels better.",
		Params: append([]Param{{Name: "power", Kind: Choice, Default: "auto", Choices: []string{"auto", "1", "2"}, Meaning: "power of what a score falls short of its margin by: 1 as in the paper, or 2; auto: 2 with kernel=linear"}}, classifyParams...),
	}, func(v Values, o classify.Options) classifier {
		return classify.Hinge{Options: o, Power: v.Int("power")}
	})
	addClassify(&Method{
		Name: "logistic", Title: "logistic regression", Paper: "Cox: The regression analysis of binary sequences",
		About:  "Logarithms of the classes' probabilities are linear in the columns, all learned together; with a kernel one class against all. Probabilities are checked on held-out rows and corrected, as for the others.",
		Params: append([]Param{{Name: "multiclass", Kind: Choice, Default: "auto", Choices: []string{"auto", "joint", "one-vs-all"}, Meaning: "how more than two classes are learned: all together (multinomial; kernel=linear), or each against all others; auto: together with kernel=linear"}}, classifyParams...),
	}, func(v Values, o classify.Options) classifier {
		return classify.Logistic{Options: o, Multiclass: classify.Multiclass(v.Text("multiclass"))}
	})
	own := []Param{
		{Name: "variant", Kind: Choice, Default: "auto", Choices: []string{"auto", "joint", "row", "element", "paper"}, Meaning: "one weight per row, from the probability of its label (joint; kernel=linear) or from its misses of one-sided margins (row), one per row and class (element, eq. 8), or the paper's Algorithm 1 as printed; auto: row; with kernel=linear and neither lambda nor sigma given joint, or what held-out labels are most probable by where many seem wrong"},
		{Name: "sigma", Kind: Number, Default: "auto", Min: loss.MinScale, Max: loss.MaxScale, Choices: []string{"auto", "paper", "cv"}, Meaning: "bandwidth in units of the targets +1 and -1 (variant=joint: a row counts as the power 1/sigma^2 of its label's probability); auto: 1.5, with variant=paper the paper's rule; cv: from 1, 1.5, 2, 3 by cross-validation"},
		{Name: "anneal", Kind: Number, Default: "4", Min: 1, Max: 1e6, Meaning: "factor by which the bandwidth is too wide at first; 1: no annealing"},
		{Name: "margin", Kind: Choice, Default: "auto", Choices: []string{"auto", "one-sided", "two-sided"}, Meaning: "whether scores beyond their target are charged; auto: not with variant=row; the other variants are two-sided"},
		{Name: "penalty", Kind: Choice, Default: "auto", Choices: []string{"auto", "function", "coefficients"}, Meaning: "what lambda punishes in a kernel machine: the norm of the function, or the coefficients as in eq. 7; auto: coefficients with variant=paper"},
	}
	addClassify(&Method{
		Name: "regmaxcem", Title: "regularised maximum correntropy machine", Paper: "Wang, Wang, Jing, Gao: Regularized maximum correntropy machine",
		About:  "Reweighted least squares with Gaussian weights of how far a row's scores miss their targets: rows whose label the others contradict lose their vote. For data with wrong labels; inlier outliers lists them.",
		Params: append(own, classifyParams...),
	}, func(v Values, o classify.Options) classifier {
		m := classify.RegMaxCEM{Options: o, Variant: classify.Variant(v.Text("variant")), Sigma: v.Float("sigma"), Anneal: v.Float("anneal"), TwoSided: v.Is("margin", "two-sided")}
		if m.Sigma == 0 {
			m.Rule = classify.SigmaRule(v.Text("sigma"))
		}
		m.Penalty = classify.Penalty(v.Text("penalty"))
		return m
	})
}

var classifyFamily = &family{
	name: "classify", tasks: []Task{Classify}, learns: learnClasses, restore: restoring(classify.Restore), learner: true, proba: true, missing: "fill or remove such rows first",
}

// addClassify adds an entry of the family.
func addClassify(m *Method, configure func(v Values, o classify.Options) classifier) {
	m.Beside = true
	add(m, classifyFamily, func(v Values) error {
		if v.Is("variant", "auto") && !v.Is("margin", "auto") {
			v["variant"] = string(classify.PerRow)
		}
		if v.Is("margin", "one-sided") && !v.Is("variant", "row") {
			return &UsageError{Parameter: ParametersField + "margin", Problem: "margin=one-sided belongs to variant=row", Hint: "leave margin or variant out"}
		}
		if v.Is("penalty", "auto") {
			if v["penalty"] = string(classify.OnFunction); v.Is("variant", string(classify.AsPrinted)) {
				v["penalty"] = string(classify.OnCoefficients)
			}
		}
		return nil
	}, func(ctx context.Context, v Values, data *lesson, run Run) (Typed, error) {
		o := classify.Options{
			Kernel: kernel.Kernel{Kind: kernel.Kind(v.Text("kernel")), Gamma: v.Float("gamma")}, Lambda: v.Float("lambda"),
			ClassWeights: classify.ClassWeights(v.Text("class-weights")), Scaling: classify.Scaling(v.Text("scaling")), Clip: v.Float("clip"),
			Approximation: classify.Approximation(v.Text("approximation")), Features: v.Int("features"), Calibration: classify.Calibration(v.Text("calibration")),
			MaxSteps: v.Int("max-steps"), Tol: v.Float("tol"), Seed: run.Seed, Weights: run.Weights, OnStep: run.OnStep,
		}
		if v.Is("clip", "off") {
			o.Clip = math.Inf(1)
		}
		if v.Is("kernel", "linear") {
			o.Kernel.Gamma = 0
		}
		if data.beside != nil {
			return configure(v, o).FitBeside(ctx, data.beside, data.counts)
		}
		return configure(v, o).Fit(ctx, data.rows(), data.labels, len(data.classes))
	})
}
