package catalog

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/internal/scaling"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linear"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/verdict"
)

// elmModel is a fitted machine with its input scaling and description.
type elmModel struct {
	*elm.Model
	scaling     scaling.Scaling
	offset      float64          // added to the outputs of a regression
	leverage    *linear.Leverage // of a regression, where distances of the inputs can be told
	description Description
}

// elmLeverageColumns is the most inputs whose distances are told: beyond, a robust
// covariance of the inputs would take longer than the machine itself.
const elmLeverageColumns = 100

// elmLeverage learns where the bulk of the inputs is: the robust distance that is drawn
// against the residuals in R's plot.lmrob. A machine is flat or wild far from there, so
// rows far out decide alone what it learns around them.
func elmLeverage(ctx context.Context, task Task, data *dataset.Set, run Run) (*linear.Leverage, error) {
	if task == Classify || data.Dim() > elmLeverageColumns {
		return nil, nil
	}
	return linear.NewLeverage(ctx, data.X, run.Weights, run.Seed)
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
	warnings := slices.Clone(fitted.Warnings())
	if given := v.Float("sigma"); given > 0 && fitted.Loss().Scale() > given*(1+1e-9) {
		warnings = append(warnings, fmt.Sprintf("sigma=%s is too small for any row to have a weight; %.3g was used", v.Text("sigma"), fitted.Loss().Scale()))
	}
	weights := fitted.Weights().RawMatrix() // one or several per row; the effective sample is in rows
	d := Description{
		Method: m.Name, Family: m.Family, Task: task, Rows: fitted.Rows(), Columns: data.Dim(), Parameters: Parameters(used), Loss: fitted.Loss().String(),
		Status: fitted.Status().String(), Seed: run.Seed, ColumnNames: data.Columns, Target: data.Target.Name, Shape: data.Shape,
		Warnings: warnings, Effective: loss.EffectiveSampleSize(weights.Data) / float64(weights.Cols),
	}
	d.endedWith(fitted.Steps())
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
	if err := elmFinite(data); err != nil {
		return nil, err
	}
	out, err := e.Model.Predict(ctx, e.scaling.Apply(data.X))
	if err != nil {
		return nil, explainELM(err, data)
	}
	if e.offset != 0 {
		out.Apply(func(_, _ int, v float64) float64 { return v + e.offset }, out)
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

// elmClassifyKinds are the kinds of rows of a classification. A regression has those of
// linear regression: the quarters of residual against distance of the inputs.
var elmClassifyKinds = []verdict.Kind{verdict.Regular, verdict.DoubtfulLabel}

// Outliers judges rows: by their scaled residual in a regression, by their margin, the
// score of their label less the best other score, in a classification. Regressions tell
// also how far out the inputs of each row are.
func (e *elmModel) Outliers(ctx context.Context, data *dataset.Set) (*verdict.Rows, error) {
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
	target := mat.NewDense(len(y), 1, nil)
	for i, v := range y {
		target.Set(i, 0, v-e.offset)
	}
	weight, err := e.Weigh(ctx, e.scaling.Apply(data.X), target)
	if err != nil {
		return nil, err
	}
	o := verdict.New(len(y), verdict.LineKinds)
	o.Weight, o.ResidualCutoff, o.Residual = weight, e.Flag(), make([]float64, len(y))
	if e.leverage != nil {
		o.ScoreDistance, o.ScoreCutoff = e.leverage.Distances(data.X), e.leverage.Cutoff()
	}
	scale := e.Scale()[0]
	absurd := e.scaling.Absurd(data.X)
	for i, v := range y {
		o.Residual[i] = math.Max(math.Min((v-out.At(i, 0))/scale, math.MaxFloat64), -math.MaxFloat64)
		off, far := math.Abs(o.Residual[i]) > e.Flag(), o.ScoreDistance != nil && o.ScoreDistance[i] > o.ScoreCutoff
		if absurd != nil && absurd[i] { // nothing was learned about such inputs
			off, far, weight[i] = true, true, 0
		}
		o.Set(i, verdict.OnLine(off, far), off)
	}
	return o, nil
}

// doubts flags rows to which the machine gives another label than they have.
func (e *elmModel) doubts(ctx context.Context, data *dataset.Set) (*verdict.Rows, error) {
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
	o := verdict.New(len(labels), elmClassifyKinds)
	o.Weight, o.Label, o.Residual = weight, make([]int, len(labels)), make([]float64, len(labels))
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
		if o.Label[i], o.Residual[i] = best, row[label]-other; best != label {
			o.Set(i, verdict.DoubtfulLabel, true)
		}
	}
	suggestNames(o, e.description.Classes)
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
	weights := Matrix(p.Weights)
	if _, each := p.Weights.Dims(); each == 1 {
		weights = Vector(weights.Data)
	}
	arrays := map[string]Array{
		"hidden_weights": Matrix(p.Layer.Weights), "hidden_bias": Vector(p.Layer.Bias), "output_weights": Matrix(p.OutputWeights),
		"weights": weights, "objective": objectives(p.Steps),
	}
	storeScaling(arrays, e.scaling)
	extra := map[string]any{
		"activation": string(p.Layer.Activation), "loss_at": p.Loss, "largest_weight": p.Largest, "lambda": p.Lambda, "scale": p.Scale, "flag": p.Flag,
		"per_row": p.PerRow, "robust": p.Robust, "target_offset": e.offset,
	}
	if e.leverage != nil {
		far := e.leverage.Parts()
		storeLeverage(arrays, far)
		extra["leverage_cutoff"] = far.Cutoff
	}
	return State{Description: e.description, Arrays: arrays, Extra: extra}
}

func restoreELM(s State) (Model, error) {
	r := s.read()
	p := elm.Parts{
		Method:        s.Description.Method,
		Layer:         &elm.Layer{Weights: r.matrix("hidden_weights"), Bias: r.vector("hidden_bias"), Activation: elm.Activation(r.text("activation"))},
		OutputWeights: r.matrix("output_weights"), Steps: r.trace(), Loss: r.text("loss_at"), Largest: r.number("largest_weight"),
		Lambda: r.number("lambda"), Scale: r.numbers("scale"),
	}
	if weights := s.Arrays["weights"]; len(weights.Shape) == 1 && len(weights.Data) > 0 {
		p.Weights = mat.NewDense(len(weights.Data), 1, weights.Data)
	} else {
		p.Weights = r.matrix("weights")
	}
	far := r.leverage()
	p.Status = r.status()
	if r.err != nil {
		return nil, r.err
	}
	if _, ok := s.Extra["flag"]; ok {
		p.Flag = r.number("flag")
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
	restored := &elmModel{Model: m, scaling: r.scaling(inputs), description: s.Description}
	if _, ok := s.Extra["target_offset"]; ok { // files of old have none
		restored.offset = r.number("target_offset")
	}
	if r.err != nil {
		return nil, r.err
	}
	if len(far.Columns) > 0 {
		if restored.leverage, err = linear.LeverageFromParts(far, inputs); err != nil {
			return nil, err
		}
	}
	return restored, nil
}

var _ interface {
	Predictor
	Detector
} = (*elmModel)(nil)
