package catalog

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/internal/scaling"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// elmFitter is what every configuration of the family can do.
type elmFitter interface {
	Fit(ctx context.Context, x linalg.Source, targets *mat.Dense) (*elm.Model, error)
}

// Parameters that the machines share.
var (
	elmLayerParams = []Param{
		{Name: "hidden", Kind: Integer, Default: "auto", Min: 1, Max: 1e9, Choices: []string{"auto"}, Meaning: "number of hidden nodes; auto: as many as rows (elm: a third), from 10 to 200, up to 500 with many rows"},
		{Name: "activation", Kind: Choice, Default: "sigmoid", Choices: []string{"sigmoid", "tanh", "relu", "sine", "gaussian"}, Meaning: "function of the hidden nodes; gaussian: radial nodes"},
		{Name: "weight-low", Kind: Number, Default: "-1", Min: -1e6, Max: 1e6, Meaning: "random weights of the hidden layer: from"},
		{Name: "weight-high", Kind: Number, Default: "1", Min: -1e6, Max: 1e6, Meaning: "random weights of the hidden layer: to"},
		{Name: "bias-low", Kind: Number, Default: "0", Min: -1e6, Max: 1e6, Meaning: "random biases of the hidden layer: from"},
		{Name: "bias-high", Kind: Number, Default: "1", Min: -1e6, Max: 1e6, Meaning: "random biases of the hidden layer: to"},
		scalingParam(scaling.Robust),
		{Name: "task", Kind: Choice, Default: "auto", Choices: []string{"auto", "regress", "classify"}, Meaning: "learn numbers or classes; auto: classes when the target has them"},
	}
	elmClipParam = func(otherwise string) Param {
		return Param{Name: "clip", Kind: Number, Default: otherwise, Min: 0, Open: true, Choices: []string{"auto", "off"}, Meaning: "pull inputs in to the column's median plus or minus so many 1.4826 MAD before scaling; auto: 20, wider where a column is skewed or has several groups"}
	}
	elmLambdaParam   = Param{Name: "lambda", Kind: Number, Default: "auto", Min: 0, Open: true, Choices: []string{"auto"}, Meaning: "penalty on the output weights (lambda' of the paper's fixed-point equation); auto: by generalised cross-validation with the weights of the rows"}
	elmReweightParam = []Param{
		{Name: "weighting", Kind: Choice, Default: "element", Choices: []string{"element", "row"}, Meaning: "one weight per output of a row, as in the paper, or one per row"},
		{Name: "start", Kind: Choice, Default: "ridge", Choices: []string{"ridge", "zero"}, Meaning: "where the reweighting begins; zero: the paper's letter, with worse optima"},
		{Name: "max-steps", Kind: Integer, Default: "500", Min: 1, Max: 1e6, Meaning: "most steps of the reweighting"},
		{Name: "tol", Kind: Number, Default: "1e-10", Min: 0, Max: 1, Open: true, Meaning: "stop when the objective and the output weights change by less"},
		{Name: "control", Kind: Choice, Default: "on", Choices: []string{"on", "off"}, Meaning: "damp and shorten steps so that the objective never rises; off: the paper's plain iteration"},
		{Name: "rescale", Kind: Choice, Default: "settle", Choices: []string{"settle", "once", "every-step"}, Meaning: "when an open bandwidth is computed"},
	}
	elmSigmaParam = Param{Name: "sigma", Kind: Number, Default: "auto", Min: loss.MinScale, Max: loss.MaxScale, Choices: []string{"auto", "silverman"}, Meaning: "bandwidth in units of the target; auto: 2.11 robust scales of the errors, 1.5 for classes"}
)

func init() {
	const kmpe = "Chen, Xing, Wang, Qin, Zheng: Robust learning with kernel mean p-power error loss"
	with := func(own ...Param) []Param { return append(append(own, elmLayerParams...), elmClipParam("off")) }
	reweighted := func(own ...Param) []Param {
		list := append(append([]Param{elmLambdaParam}, own...), elmLayerParams...)
		return append(append(list, elmClipParam("auto")), elmReweightParam...)
	}
	registerELM(&Method{
		Name: "elm", Title: "extreme learning machine, by pseudo-inverse", Paper: "Huang, Zhu, Siew: Extreme learning machine: theory and applications",
		About:  "A hidden layer of random nodes and the least-squares output weights of smallest norm. The baseline: fast, and helpless against outliers and too many nodes.",
		Params: with(),
	}, func(v Values, o elm.Options) (elmFitter, error) { return elm.Plain{Options: o}, nil })
	registerELM(&Method{
		Name: "relm", Title: "regularised extreme learning machine (ridge)", Paper: "Huang, Zhou, Ding, Zhang: Extreme learning machine for regression and multiclass classification",
		About:  "As elm, with a penalty on the output weights that keeps them from following noise.",
		Params: with(elmLambdaParam),
	}, func(v Values, o elm.Options) (elmFitter, error) { return elm.Ridge{Options: o}, nil })
	registerELM(&Method{
		Name: "elm-rcc", Title: "extreme learning machine with correntropy", Paper: "Xing, Wang: Training extreme learning machine via regularized correntropy criterion",
		About:  "Gaussian weights exp(-e^2/2 sigma^2) of the errors: far targets lose their vote. The same as elm-kmpe with p=2.",
		Params: reweighted(elmSigmaParam),
	}, func(v Values, o elm.Options) (elmFitter, error) {
		return elm.RCC{Options: o, Sigma: rule(v.Text("sigma")), Rescale: rescale(v)}, nil
	})
	registerELM(&Method{
		Name: "elm-kmpe", Title: "ELM-KMPE: kernel mean p-power error", Paper: kmpe,
		About:  "The loss (1 - exp(-e^2/2 sigma^2))^(p/2). With p above 2, where the printed iteration cycles, steps are damped and the fit converges.",
		Params: reweighted(Param{Name: "p", Kind: Number, Default: "2", Min: 0.01, Max: 100, Meaning: "power"}, elmSigmaParam),
	}, func(v Values, o elm.Options) (elmFitter, error) {
		return elm.KMPE{Options: o, P: v.Float("p"), Sigma: rule(v.Text("sigma")), Rescale: rescale(v)}, nil
	})
	registerELM(&Method{
		Name: "elm-robust", Title: "extreme learning machine with any loss", Paper: kmpe + "; and all others as special cases",
		About:  "Reweighted output weights with the loss named by --loss.",
		Params: reweighted(), Loss: true, Default: elm.DefaultLoss.String(),
	}, func(v Values, o elm.Options) (elmFitter, error) {
		spec, err := loss.Parse(v.Text("loss"))
		if err != nil {
			return nil, &UsageError{Problem: err.Error(), Hint: "inlier losses lists them"}
		}
		return elm.Robust{Options: o, Loss: spec, Rescale: rescale(v)}, nil
	})
}

// elmClip is how many robust deviations from the median an input counts at most: more than
// good leverage points are out, which a machine should learn, and far enough for its nodes to
// stand at their ends.
const elmClip = 20

// registerELM completes an entry of the family and adds it to the table.
func registerELM(m *Method, make func(v Values, o elm.Options) (elmFitter, error)) {
	m.Family, m.Tasks, m.Restore = "elm", []Task{Regress, Classify}, restoreELM
	m.Build = func(v Values) (Fitter, error) {
		o := elm.Options{
			Hidden: v.Int("hidden"), Activation: elm.Activation(v.Text("activation")), Lambda: v.Float("lambda"), PerRow: v.Is("weighting", "row"),
			WeightRange: elm.Range{Low: v.Float("weight-low"), High: v.Float("weight-high")},
			BiasRange:   elm.Range{Low: v.Float("bias-low"), High: v.Float("bias-high")},
			Start:       elm.Start(v.Text("start")), MaxSteps: v.Int("max-steps"), Tol: v.Float("tol"), Plain: v.Is("control", "off"),
		}
		for name, r := range map[string]elm.Range{"weight": o.WeightRange, "bias": o.BiasRange} {
			if r.Low >= r.High {
				return nil, &UsageError{Problem: fmt.Sprintf("%s-low=%g is not below %s-high=%g", name, r.Low, name, r.High)}
			}
		}
		if _, err := make(v, o); err != nil {
			return nil, err
		}
		return FitterFunc(func(ctx context.Context, data *dataset.Set, run Run) (Model, error) {
			task, targets, err := elmTargets(m.Name, v.Text("task"), data)
			if err != nil {
				return nil, err
			}
			o := o
			o.Seed, o.Weights, o.OnStep, o.Labels = run.Seed, run.Weights, run.OnStep, task == Classify
			if err := elmFinite(data); err != nil {
				return nil, err
			}
			rules := scaling.Rules{Kind: scaling.Kind(v.Text("scaling")), Weights: run.Weights, Clip: v.Float("clip")}
			if v.Is("clip", "auto") {
				rules.Clip = -elmClip
			}
			var labels []int
			if task == Classify {
				labels = data.Target.Labels
			}
			size, weights, left := scaling.Known(data.X, rules, labels)
			o.Weights = weights
			f, err := make(v, o)
			if err != nil {
				return nil, err
			}
			offset := 0.0
			if task == Regress {
				offset = targetOffset(targets.RawMatrix().Data, weights)
			}
			fitted, err := f.Fit(ctx, linalg.FromDense(size.Apply(data.X)), targets)
			if err != nil {
				return nil, explainELM(err, data)
			}
			model := &elmModel{Model: fitted, scaling: size, offset: offset, description: describeELM(m, task, fitted, v, data, run)}
			model.description.Warnings = append(model.description.Warnings, leftOut(left, data)...)
			if model.leverage, err = elmLeverage(context.WithoutCancel(ctx), task, data, run); err != nil {
				return nil, explainELM(err, data)
			}
			judged, err := model.Outliers(context.WithoutCancel(ctx), data)
			if err != nil {
				return nil, err
			}
			model.description.Outliers = judged.Count()
			return model, nil
		}), nil
	}
	registerLearner(m)
}

// farFromZero is how many robust deviations from 0 the targets of a machine may lie. It has no
// constant, and the penalty would keep it from reaching them.
const farFromZero = 100

// targetOffset subtracts the median from targets that lie farther from 0, and returns it.
func targetOffset(y, weights []float64) float64 {
	centre, deviation := univariate.WeightedDeviation(y, weights)
	if !(math.Abs(centre) > farFromZero*deviation) || deviation == 0 {
		return 0
	}
	for i := range y {
		y[i] -= centre
	}
	return centre
}

// elmFinite names the first cell that is missing or infinite: clipping would hide it.
func elmFinite(data *dataset.Set) error {
	n, _ := data.X.Dims()
	for i := range n {
		for j, v := range data.X.RawRowView(i) {
			if v-v != 0 {
				return missingCell(data, i+1, j+1, v, fillIn)
			}
		}
	}
	return nil
}

// elmTargets chooses the task and makes the target matrix.
func elmTargets(method, asked string, data *dataset.Set) (Task, *mat.Dense, error) {
	t := data.Target
	if t != nil && (asked == string(Classify) || asked == "auto" && t.Labels != nil) {
		if err := classTarget(data); err != nil {
			return Classify, nil, err
		}
		return Classify, elm.OneVsAll(t.Labels, len(t.Classes)), nil
	}
	values, err := regressionTarget(method, data)
	if err != nil {
		return Regress, nil, err
	}
	if err := refuseConstant(data, values); err != nil {
		return Regress, nil, err
	}
	return Regress, mat.NewDense(len(values), 1, slices.Clone(values)), nil
}

func explainELM(err error, data *dataset.Set) error {
	var cell *elm.CellError
	var memory *elm.MemoryError
	switch {
	case errors.As(err, &cell) && !cell.Target:
		return missingCell(data, cell.Row, cell.Column, cell.Value, fillIn)
	case errors.As(err, &memory):
		return &UsageError{Problem: fmt.Sprintf("%s: %s", data.Name, strings.TrimPrefix(memory.Error(), "elm: ")), Hint: "choose a smaller hidden"}
	}
	return refusal(err, data.Name)
}
