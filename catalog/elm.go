package catalog

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/irls"
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
		{Name: "hidden", Kind: Integer, Default: "auto", Min: 1, Max: 1e9, Choices: []string{"auto"}, Meaning: "number of hidden nodes; auto: a third of the rows, from 10 to 200, up to 500 with many rows"},
		{Name: "activation", Kind: Choice, Default: "sigmoid", Choices: []string{"sigmoid", "tanh", "relu", "sine", "gaussian"}, Meaning: "function of the hidden nodes; gaussian: radial nodes"},
		{Name: "weight-low", Kind: Number, Default: "-1", Min: -1e6, Max: 1e6, Meaning: "random weights of the hidden layer: from"},
		{Name: "weight-high", Kind: Number, Default: "1", Min: -1e6, Max: 1e6, Meaning: "random weights of the hidden layer: to"},
		{Name: "bias-low", Kind: Number, Default: "0", Min: -1e6, Max: 1e6, Meaning: "random biases of the hidden layer: from"},
		{Name: "bias-high", Kind: Number, Default: "1", Min: -1e6, Max: 1e6, Meaning: "random biases of the hidden layer: to"},
		scalingParam(ScalingRobust),
		{Name: "task", Kind: Choice, Default: "auto", Choices: []string{"auto", "regress", "classify"}, Meaning: "learn numbers or classes; auto: classes when the target has them"},
	}
	elmLambdaParam   = Param{Name: "lambda", Kind: Number, Default: "auto", Min: 0, Open: true, Choices: []string{"auto"}, Meaning: "penalty on the output weights (lambda' of the paper's fixed-point equation); auto: by generalised cross-validation"}
	elmReweightParam = []Param{
		{Name: "weighting", Kind: Choice, Default: "element", Choices: []string{"element", "row"}, Meaning: "one weight per output of a row, as in the paper, or one per row"},
		{Name: "start", Kind: Choice, Default: "ridge", Choices: []string{"ridge", "zero"}, Meaning: "where the reweighting begins; zero: the paper's letter, with worse optima"},
		{Name: "max-steps", Kind: Integer, Default: "500", Min: 1, Max: 1e6, Meaning: "most steps of the reweighting"},
		{Name: "tol", Kind: Number, Default: "1e-10", Min: 0, Max: 1, Open: true, Meaning: "stop when the objective and the output weights change by less"},
		{Name: "control", Kind: Choice, Default: "on", Choices: []string{"on", "off"}, Meaning: "damp and shorten steps so that the objective never rises; off: the paper's plain iteration"},
		{Name: "rescale", Kind: Choice, Default: "settle", Choices: []string{"settle", "once", "every-step"}, Meaning: "when an open bandwidth is computed"},
	}
	elmSigmaParam = Param{Name: "sigma", Kind: Number, Default: "auto", Min: 0, Open: true, Choices: []string{"auto", "silverman"}, Meaning: "bandwidth in units of the target; auto: 2.11 robust scales of the errors, 1.5 for classes"}
)

func init() {
	const kmpe = "Chen, Xing, Wang, Qin, Zheng: Robust learning with kernel mean p-power error loss"
	with := func(own ...Param) []Param { return append(own, elmLayerParams...) }
	reweighted := func(own ...Param) []Param {
		return append(with(append([]Param{elmLambdaParam}, own...)...), elmReweightParam...)
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
		Params: reweighted(Param{Name: "p", Kind: Number, Default: "2", Min: 0, Max: 100, Open: true, Meaning: "power"}, elmSigmaParam),
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
			f, err := make(v, o)
			if err != nil {
				return nil, err
			}
			if row, column, count := data.Missing(); count > 0 {
				return nil, missingCell(data, row+1, column+1, math.NaN())
			}
			scaling := FitScaling(v.Text("scaling"), data.X)
			fitted, err := f.Fit(ctx, linalg.FromDense(scaling.Apply(data.X)), targets)
			if err != nil {
				return nil, explainELM(err, data)
			}
			model := &elmModel{Model: fitted, scaling: scaling, description: describeELM(m, task, fitted, v, data, run)}
			judged, err := model.Outliers(context.WithoutCancel(ctx), data)
			if err != nil {
				return nil, err
			}
			model.description.Outliers = judged.Count()
			return model, nil
		}), nil
	}
	register(m)
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

// classTarget says what is wrong with the classes of a target.
func classTarget(data *dataset.Set) error {
	t := data.Target
	if t.Labels == nil {
		return &UsageError{Problem: fmt.Sprintf("%s: target %q holds numbers, not classes", data.Name, t.Name), Hint: "--task class takes every different number for a class"}
	}
	counts := make([]int, len(t.Classes))
	present := 0
	for i, label := range t.Labels {
		if label < 0 || label >= len(counts) {
			return &UsageError{Problem: fmt.Sprintf("%s: row %d: target %q is missing", data.Name, i+1, t.Name), Hint: "remove the row or fill in the class"}
		}
		if counts[label]++; counts[label] == 1 {
			present++
		}
	}
	if present < 2 {
		return &UsageError{Problem: fmt.Sprintf("%s: target %q has a single class; at least two are needed", data.Name, t.Name)}
	}
	return nil
}

// lonelyClasses names the classes with a single row, which nothing can be learned about.
func lonelyClasses(t *dataset.Target) []string {
	counts := make([]int, len(t.Classes))
	for _, label := range t.Labels {
		counts[label]++
	}
	var names []string
	for c, n := range counts {
		if n == 1 {
			names = append(names, t.Classes[c])
		}
	}
	return names
}

func explainELM(err error, data *dataset.Set) error {
	var cell *elm.CellError
	var memory *elm.MemoryError
	switch {
	case errors.As(err, &cell) && !cell.Target:
		return missingCell(data, cell.Row, cell.Column, cell.Value)
	case errors.As(err, &memory):
		return &UsageError{Problem: fmt.Sprintf("%s: %s", data.Name, strings.TrimPrefix(memory.Error(), "elm: ")), Hint: "choose a smaller hidden"}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return &UsageError{Problem: data.Name + ": " + err.Error()}
}

// elmModel is a fitted machine with its input scaling and description.
type elmModel struct {
	*elm.Model
	scaling     Scaling
	description Description
}

func describeELM(m *Method, task Task, fitted *elm.Model, v Values, data *dataset.Set, run Run) Description {
	used := maps.Clone(v)
	_, hidden, _ := fitted.Dims()
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	used["hidden"] = strconv.Itoa(hidden)
	used["task"] = string(task)
	if _, ok := used["lambda"]; ok {
		used["lambda"] = number(fitted.Lambda())
	}
	if _, ok := used["sigma"]; ok {
		used["sigma"] = number(fitted.Loss().Scale())
	}
	weights := fitted.Weights().RawMatrix() // one or several per row; the effective sample is in rows
	d := Description{
		Method: m.Name, Family: m.Family, Task: task, Rows: fitted.Rows(), Columns: data.Dim(), Parameters: Parameters(used), Loss: fitted.Loss().String(),
		Status: fitted.Status().String(), Seed: run.Seed, ColumnNames: data.Columns, Target: data.Target.Name, Shape: data.Shape,
		Warnings: fitted.Warnings(), Effective: loss.EffectiveSampleSize(weights.Data) / float64(weights.Cols),
	}
	if steps := fitted.Steps(); len(steps) > 0 {
		last := steps[len(steps)-1]
		d.Steps, d.Objective = last.Number, last.Objective
	}
	if task == Classify {
		d.Classes = data.Target.Classes
		for _, name := range lonelyClasses(data.Target) {
			d.Warnings = append(d.Warnings, fmt.Sprintf("class %q has a single row", name))
		}
	} else {
		d.Numbers = map[string]any{"scale": fitted.Scale()[0]}
	}
	return d
}

func (e *elmModel) Describe() Description { return e.description }

// Trace is the course of the fit, for convergence curves.
func (e *elmModel) Trace() []irls.Step { return e.Steps() }

// outputs are the machine's raw outputs.
func (e *elmModel) outputs(ctx context.Context, data *dataset.Set) (*mat.Dense, error) {
	if n, d := len(e.scaling.Offset), data.Dim(); n != d {
		return nil, &UsageError{Problem: fmt.Sprintf("%s: %d columns; the model has %d", data.Name, d, n)}
	}
	out, err := e.Model.Predict(ctx, e.scaling.Apply(data.X))
	if err != nil {
		return nil, explainELM(err, data)
	}
	return out, nil
}

func (e *elmModel) Predict(ctx context.Context, x *mat.Dense) (*Prediction, error) {
	out, err := e.outputs(ctx, &dataset.Set{Name: "data", X: x, Columns: e.description.ColumnNames})
	if err != nil {
		return nil, err
	}
	if e.description.Task == Classify {
		return &Prediction{Labels: elm.Largest(out), Scores: out}, nil
	}
	return &Prediction{Values: mat.Col(nil, 0, out)}, nil
}

// elmFlag is the absolute scaled residual beyond which a row of a regression is an outlier.
const elmFlag = 2.5

// The kinds of rows, for regression and classification.
var (
	elmRegressKinds  = []string{"regular", "vertical outlier"}
	elmClassifyKinds = []string{"regular", "doubtful label"}
)

// Outliers judges rows: by their scaled residual in a regression, by their margin, the
// score of their label less the best other score, in a classification.
func (e *elmModel) Outliers(ctx context.Context, data *dataset.Set) (*Outliers, error) {
	if e.description.Task == Classify {
		return e.doubts(ctx, data)
	}
	y, err := regressionTarget(e.description.Method, data)
	if err != nil {
		return nil, err
	}
	out, err := e.outputs(ctx, data)
	if err != nil {
		return nil, err
	}
	weight, err := e.Weigh(ctx, e.scaling.Apply(data.X), mat.NewDense(len(y), 1, slices.Clone(y)))
	if err != nil {
		return nil, err
	}
	o := &Outliers{Weight: weight, ResidualCutoff: elmFlag, Kinds: elmRegressKinds}
	scale := e.Scale()[0]
	for i, v := range y {
		r := (v - out.At(i, 0)) / scale
		flagged := math.Abs(r) > elmFlag
		o.Residual, o.Outlier = append(o.Residual, r), append(o.Outlier, flagged)
		kind := elmRegressKinds[0]
		if flagged {
			kind = elmRegressKinds[1]
		}
		o.Kind = append(o.Kind, kind)
	}
	return o, nil
}

// doubts flags rows to which the machine gives another label than they have.
func (e *elmModel) doubts(ctx context.Context, data *dataset.Set) (*Outliers, error) {
	if data.Target == nil || data.Target.Labels == nil {
		return nil, &UsageError{Problem: fmt.Sprintf("%s: judging the rows of a classifier needs their labels", data.Name), Hint: "--target names the column"}
	}
	scores, err := e.outputs(ctx, data)
	if err != nil {
		return nil, err
	}
	labels, err := e.known(data)
	if err != nil {
		return nil, err
	}
	weight, err := e.Weigh(ctx, e.scaling.Apply(data.X), elm.OneVsAll(labels, len(e.description.Classes)))
	if err != nil {
		return nil, err
	}
	o := &Outliers{Weight: weight, Kinds: elmClassifyKinds}
	for i, label := range labels {
		row := scores.RawRowView(i)
		other := math.Inf(-1)
		best := label
		for c, v := range row {
			if c != label && v > other {
				other = v
			}
			if v > row[best] {
				best = c
			}
		}
		doubtful := best != label
		kind := elmClassifyKinds[0]
		if doubtful {
			kind = elmClassifyKinds[1]
		}
		o.Residual, o.Outlier, o.Kind = append(o.Residual, row[label]-other), append(o.Outlier, doubtful), append(o.Kind, kind)
		o.Suggested = append(o.Suggested, e.description.Classes[best])
	}
	return o, nil
}

// known translates labels into the model's classes by name.
func (e *elmModel) known(data *dataset.Set) ([]int, error) {
	labels := make([]int, len(data.Target.Labels))
	for i, label := range data.Target.Labels {
		name := data.Target.Classes[label]
		if labels[i] = slices.Index(e.description.Classes, name); labels[i] < 0 {
			return nil, &UsageError{Problem: fmt.Sprintf("%s: row %d: the model knows no class %q", data.Name, i+1, name), Hint: "it knows " + join(e.description.Classes)}
		}
	}
	return labels, nil
}

// State lists arrays as the model file names them.
func (e *elmModel) State() State {
	p := e.Parts()
	objective := make([]float64, len(p.Steps))
	for i, s := range p.Steps {
		objective[i] = s.Objective
	}
	weights := Matrix(p.Weights)
	if _, each := p.Weights.Dims(); each == 1 {
		weights = Vector(weights.Data)
	}
	arrays := map[string]Array{
		"hidden_weights": Matrix(p.Layer.Weights), "hidden_bias": Vector(p.Layer.Bias), "output_weights": Matrix(p.OutputWeights),
		"weights": weights, "objective": Vector(objective),
	}
	e.scaling.Store(arrays)
	return State{
		Description: e.description, Arrays: arrays,
		Extra: map[string]any{
			"activation": string(p.Layer.Activation), "loss_at": p.Loss, "largest_weight": p.Largest, "lambda": p.Lambda, "scale": p.Scale,
			"per_row": p.PerRow, "robust": p.Robust,
		},
	}
}

func restoreELM(s State) (Model, error) {
	layer := &elm.Layer{}
	p := elm.Parts{Method: s.Description.Method, Layer: layer}
	var err error
	if layer.Weights, err = s.matrix("hidden_weights"); err != nil {
		return nil, err
	}
	if layer.Bias, err = s.vector("hidden_bias"); err != nil {
		return nil, err
	}
	if p.OutputWeights, err = s.matrix("output_weights"); err != nil {
		return nil, err
	}
	if weights, ok := s.Arrays["weights"]; ok && len(weights.Shape) == 1 && len(weights.Data) > 0 {
		p.Weights = mat.NewDense(len(weights.Data), 1, weights.Data)
	} else if p.Weights, err = s.matrix("weights"); err != nil {
		return nil, err
	}
	objective, err := s.vector("objective")
	if err != nil {
		return nil, err
	}
	for i, v := range objective {
		p.Steps = append(p.Steps, irls.Step{Number: i, Objective: v})
	}
	activation, err := s.text("activation")
	if err != nil {
		return nil, err
	}
	layer.Activation = elm.Activation(activation)
	if p.Loss, err = s.text("loss_at"); err != nil {
		return nil, err
	}
	if p.Largest, err = s.number("largest_weight"); err != nil {
		return nil, err
	}
	if p.Lambda, err = s.number("lambda"); err != nil {
		return nil, err
	}
	if p.Scale, err = s.numbers("scale"); err != nil {
		return nil, err
	}
	p.PerRow, _ = s.Extra["per_row"].(bool)
	p.Robust, _ = s.Extra["robust"].(bool)
	m, err := elm.FromParts(p)
	if err != nil {
		return nil, err
	}
	inputs, _, outputs := m.Dims()
	if s.Description.Task == Classify && len(s.Description.Classes) != outputs {
		return nil, fmt.Errorf("%d outputs for %d classes", outputs, len(s.Description.Classes))
	}
	scaling, err := s.scaling(inputs)
	if err != nil {
		return nil, err
	}
	return &elmModel{Model: m, scaling: scaling, description: s.Description}, nil
}

// numbers returns a list of finite numbers of Extra.
func (s State) numbers(name string) ([]float64, error) {
	if own, ok := s.Extra[name].([]float64); ok {
		return own, nil
	}
	list, ok := s.Extra[name].([]any)
	if !ok {
		return nil, fmt.Errorf("%q is not a list of numbers in the model's description", name)
	}
	out := make([]float64, len(list))
	for i, v := range list {
		if out[i], ok = v.(float64); !ok {
			return nil, fmt.Errorf("%q is not a list of numbers in the model's description", name)
		}
	}
	return out, nil
}

var _ interface {
	Predictor
	Detector
} = (*elmModel)(nil)
