package catalog

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/internal/scaling"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// elmFitter is what every configuration of the family can do.
type elmFitter interface {
	Fit(ctx context.Context, x linalg.Source, targets *mat.Dense) (*elm.Model, error)
	FitBeside(ctx context.Context, table linalg.Source, classes int) (*elm.Model, error)
}

// Parameters that the machines share.
var (
	elmLayerParams = func(scale scaling.Kind) []Param {
		return []Param{
			{Name: "hidden", Kind: Integer, Default: "auto", Min: 1, Max: 1e9, Choices: []string{"auto"}, Meaning: "number of hidden nodes; auto: as many as rows (elm: a third), from 10 to 200, up to 500 with many rows"},
			{Name: "activation", Kind: Choice, Default: "sigmoid", Choices: []string{"sigmoid", "tanh", "relu", "sine", "gaussian"}, Meaning: "function of the hidden nodes; gaussian: radial nodes"},
			{Name: "weight-low", Kind: Number, Default: "auto", Min: -1e6, Max: 1e6, Choices: []string{"auto"}, Meaning: "random weights of the hidden layer: from; auto: -1, with lambda open and scaling=standard (elm, relm: or robust) -0.6 over the root of the number of columns"},
			{Name: "weight-high", Kind: Number, Default: "auto", Min: -1e6, Max: 1e6, Choices: []string{"auto"}, Meaning: "random weights of the hidden layer: to; auto: as weight-low, above 0"},
			{Name: "bias-low", Kind: Number, Default: "auto", Min: -1e6, Max: 1e6, Choices: []string{"auto"}, Meaning: "random biases of the hidden layer: from; auto: 0, with lambda open and scaling=standard (elm, relm: or robust) -1"},
			{Name: "bias-high", Kind: Number, Default: "auto", Min: -1e6, Max: 1e6, Choices: []string{"auto"}, Meaning: "random biases of the hidden layer: to; auto: 1, of radial nodes 1 over the number of columns"},
			scalingParam(scale),
			{Name: "task", Kind: Choice, Default: "auto", Choices: []string{"auto", "regress", "classify"}, Meaning: "learn numbers or classes; auto: classes when the target has them"},
		}
	}
	elmClipParam = func(otherwise string) Param {
		return Param{Name: "clip", Kind: Number, Default: otherwise, Min: 0, Open: true, Choices: []string{"auto", "off"}, Meaning: "pull inputs in to the column's median plus or minus so many 1.4826 MAD before scaling; auto: 20, wider where a column is skewed or has several groups"}
	}
	elmLambdaParam   = Param{Name: "lambda", Kind: Number, Default: "auto", Min: 0, Open: true, Choices: []string{"auto"}, Meaning: "penalty on the output weights (lambda' of the paper's fixed-point equation); auto: by the errors of left-out rows, with the weights of the rows (generalised cross-validation beyond twenty rows for each node)"}
	elmReweightParam = []Param{
		{Name: "weighting", Kind: Choice, Default: "auto", Choices: []string{"auto", "element", "row"}, Meaning: "one weight per output of a row, as in the paper, or one per row; auto: row from ten classes on where lambda is open, which is as good and many times faster"},
		{Name: "start", Kind: Choice, Default: "ridge", Choices: []string{"ridge", "zero"}, Meaning: "where the reweighting begins; zero: the paper's letter, with worse optima"},
		{Name: "max-steps", Kind: Integer, Default: "500", Min: 1, Max: 1e6, Meaning: "most steps of the reweighting"},
		{Name: "tol", Kind: Number, Default: "1e-10", Min: 0, Max: 1, Open: true, Meaning: "stop when the objective and the output weights change by less"},
		{Name: "control", Kind: Choice, Default: "on", Choices: []string{"on", "off"}, Meaning: "damp and shorten steps so that the objective never rises; off: the paper's plain iteration"},
		{Name: "rescale", Kind: Choice, Default: "settle", Choices: []string{"settle", "once", "every-step"}, Meaning: "when an open bandwidth is computed"},
	}
	elmSigmaParam = Param{Name: "sigma", Kind: Number, Default: "auto", Min: loss.MinScale, Max: loss.MaxScale, Choices: []string{"auto", "silverman"}, Meaning: "bandwidth in units of the target; auto: 2.11 robust scales of the errors, 1.5 for classes, 3 with one weight per row"}
)

func init() {
	const kmpe = "Chen, Xing, Wang, Qin, Zheng: Robust learning with kernel mean p-power error loss"
	with := func(own ...Param) []Param {
		return append(append(own, elmLayerParams(scaling.Standard)...), elmClipParam("auto"))
	}
	reweighted := func(own ...Param) []Param {
		list := append(append([]Param{elmLambdaParam}, own...), elmLayerParams(scaling.Robust)...) // rows with strange inputs move means and standard deviations
		return append(append(list, elmClipParam("auto")), elmReweightParam...)
	}
	addELM(&Method{
		Name: "elm", Title: "extreme learning machine, by pseudo-inverse", Paper: "Huang, Zhu, Siew: Extreme learning machine: theory and applications",
		About:  "A hidden layer of random nodes and the least-squares output weights of smallest norm. The baseline: fast, and helpless against outliers and too many nodes.",
		Params: with(),
	}, func(v Values, o elm.Options) elmFitter { return elm.Plain{Options: o} })
	addELM(&Method{
		Name: "relm", Title: "regularised extreme learning machine (ridge)", Paper: "Huang, Zhou, Ding, Zhang: Extreme learning machine for regression and multiclass classification",
		About:  "As elm, with a penalty on the output weights that keeps them from following noise.",
		Params: with(elmLambdaParam), Beside: true,
	}, func(v Values, o elm.Options) elmFitter { return elm.Ridge{Options: o} })
	addELM(&Method{
		Name: "elm-rcc", Title: "extreme learning machine with correntropy", Paper: "Xing, Wang: Training extreme learning machine via regularized correntropy criterion",
		About:  "Gaussian weights exp(-e^2/2 sigma^2) of the errors: far targets lose their vote. The same as elm-kmpe with p=2.",
		Params: reweighted(elmSigmaParam), Beside: true,
	}, func(v Values, o elm.Options) elmFitter {
		return elm.RCC{Options: o, Sigma: rule(v.Text("sigma")), Rescale: rescale(v)}
	})
	addELM(&Method{
		Name: "elm-kmpe", Title: "ELM-KMPE: kernel mean p-power error", Paper: kmpe,
		About:  "The loss (1 - exp(-e^2/2 sigma^2))^(p/2). With p above 2, where the printed iteration cycles, steps are damped and the fit converges.",
		Params: reweighted(Param{Name: "p", Kind: Number, Default: "2", Min: 0.01, Max: 100, Meaning: "power"}, elmSigmaParam), Beside: true,
	}, func(v Values, o elm.Options) elmFitter {
		return elm.KMPE{Options: o, P: v.Float("p"), Sigma: rule(v.Text("sigma")), Rescale: rescale(v)}
	})
	addELM(&Method{
		Name: "elm-robust", Title: "extreme learning machine with any loss", Paper: kmpe + "; and all others as special cases",
		About:  "Reweighted output weights with the loss named by --loss.",
		Params: reweighted(), Loss: true, Default: elm.DefaultLoss.String(), Beside: true,
	}, func(v Values, o elm.Options) elmFitter {
		return elm.Robust{Options: o, Loss: v.loss(), Rescale: rescale(v)}
	})
}

// elmClip is how many robust deviations from the median an input counts at most: more than
// good leverage points are out, which a machine should learn, and far enough for its nodes to
// stand at their ends.
const elmClip = 20

// elmManyClasses is the number of classes from which on rows have one weight. Every class has its
// own normal equations otherwise. On digits and on generated sets of 20 classes, clean and with 20 %
// wrong labels, rows were right as often (within .6 points) in a third of the time and less; on
// leaf, with 30 classes of 8 rows, 2 points less often; of few classes nothing is gained.
const elmManyClasses = 10

var elmFamily = &family{
	name: "elm", tasks: []Task{Regress, Classify}, restore: restoring(elm.Restore), learner: true, proba: true, missing: fillIn,
	learns: func(method string, v Values, data *lesson) error {
		if v.Is("task", string(Classify)) || v.Is("task", "auto") && data.target != nil && data.target.Labels != nil {
			return learnClasses(method, v, data)
		}
		if err := learnNumbers(method, v, data); err != nil {
			return err
		}
		return refuseConstant(data)
	},
}

// elmRange is a range of the random layer; zero: the machine's own. Of one that is given by half the
// other end is the papers'.
func elmRange(v Values, name string) elm.Range {
	low, high := name+"-low", name+"-high"
	if v.Is(low, "auto") && v.Is(high, "auto") {
		return elm.Range{}
	}
	r := elm.Range{Low: v.Float(low), High: v.Float(high)}
	if v.Is(low, "auto") && name == "weight" {
		r.Low = -1
	}
	if v.Is(high, "auto") {
		r.High = 1
	}
	return r
}

// addELM adds an entry of the family.
func addELM(m *Method, configure func(v Values, o elm.Options) elmFitter) {
	add(m, elmFamily, func(v Values) error {
		for _, name := range []string{"weight", "bias"} {
			if r := elmRange(v, name); r != (elm.Range{}) && r.Low >= r.High {
				return &UsageError{Parameter: ParametersField + name + "-low", Problem: fmt.Sprintf("%s-low=%g is not below %s-high=%g", name, r.Low, name, r.High)}
			}
		}
		return nil
	}, func(ctx context.Context, v Values, data *lesson, run Run) (Typed, error) {
		o := elm.Options{
			Hidden: v.Int("hidden"), Activation: elm.Activation(v.Text("activation")), Lambda: v.Float("lambda"), PerRow: v.Is("weighting", "row"),
			WeightRange: elmRange(v, "weight"), BiasRange: elmRange(v, "bias"),
			Start: elm.Start(v.Text("start")), MaxSteps: v.Int("max-steps"), Tol: v.Float("tol"), Plain: v.Is("control", "off"),
			Scaling: elm.Scaling(v.Text("scaling")), Clip: v.Float("clip"), Leverage: true, Labels: data.task == Classify,
			Seed: run.Seed, Weights: run.Weights, OnStep: run.OnStep,
		}
		if v.Is("clip", "auto") {
			o.Clip = -elmClip
		}
		if v.Is("weighting", "auto") {
			o.PerRow = o.Labels && o.Lambda == 0 && len(data.classes) >= elmManyClasses
		}
		if data.beside != nil {
			return configure(v, o).FitBeside(ctx, data.beside, len(data.classes))
		}
		var targets *mat.Dense
		if o.Labels {
			targets = elm.OneVsAll(data.labels, len(data.classes))
		} else {
			targets = mat.NewDense(len(data.values), 1, slices.Clone(data.values))
		}
		return configure(v, o).Fit(ctx, data.rows(), targets)
	})
}
