package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/irls"
)

// A chain reduces rows and learns from what is left of them. A method that can be the
// second step has the parameter reduce, which names the first; the parameters of the
// reduction are written reduce.NAME: reduce=pca-robust, reduce.components=10. Both steps
// are one model and one model file.

const (
	// reducePrefix stands before the reduction's parameters.
	reducePrefix = "reduce."
	// reduceArrays stands before the reduction's arrays in a model file.
	reduceArrays = "reduce_"
	// noReduction is the value of reduce for a method on its own.
	noReduction = "none"
)

// Chained is a model of two steps.
type Chained interface {
	Model
	// Reducer is the first step.
	Reducer() Transformer
	// Learner is the second step: a model of the reduced rows.
	Learner() Model
}

// reduceParam is the parameter that names the first step. Its choices, the methods that
// reduce, are filled in when all methods are known.
func reduceParam(standard, meaning string) Param {
	p := Param{Name: "reduce", Kind: Choice, Default: standard, Meaning: meaning}
	if standard == noReduction {
		p.Choices = []string{noReduction}
	}
	return p
}

// offerReductions fills in the choices of every parameter reduce.
var offerReductions = sync.OnceFunc(func() {
	var names []string
	for name, m := range table {
		if slices.Contains(m.Tasks, Reduce) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, m := range table {
		for i, p := range m.Params {
			if p.Name == "reduce" {
				m.Params[i].Choices = append(p.Choices, names...)
			}
		}
	}
})

// checkReduction checks the parameters of the first step, once v["reduce"] is known, and
// fills in their defaults.
func (m *Method) checkReduction(given map[string]string, v Values) error {
	if _, chain := m.Param("reduce"); !chain {
		return nil
	}
	own, first := map[string]string{}, ""
	for name, text := range given {
		if rest, ok := strings.CutPrefix(name, reducePrefix); ok {
			own[rest] = text
			if first == "" || name < first {
				first = name
			}
		}
	}
	if v.Is("reduce", noReduction) {
		if len(own) > 0 {
			return &UsageError{Problem: fmt.Sprintf("parameter %s needs a reduction to go to", first), Hint: "reduce names one, such as reduce=pca-robust"}
		}
		return nil
	}
	reducer, err := Lookup(v.Text("reduce"))
	if err != nil {
		return err
	}
	checked, err := reducer.Check(own)
	if err != nil {
		var usage *UsageError
		if errors.As(err, &usage) {
			return &UsageError{Problem: "reduce=" + reducer.Name + ": " + usage.Problem, Hint: usage.Hint}
		}
		return err
	}
	for name, text := range checked {
		v[reducePrefix+name] = text
	}
	return nil
}

// reduction returns the method of the first step and its checked parameters.
func (v Values) reduction() (*Method, Values, error) {
	m, err := Lookup(v.Text("reduce"))
	if err != nil {
		return nil, nil, err
	}
	own := Values{}
	for name, text := range v {
		if rest, ok := strings.CutPrefix(name, reducePrefix); ok {
			own[rest] = text
		}
	}
	return m, own, nil
}

// registerLearner adds an entry that also works on reduced rows.
func registerLearner(m *Method) {
	makeChain(m)
	register(m)
}

// makeChain gives an entry the parameter reduce; its Build and Restore, which know nothing
// of that, become those of a chain.
func makeChain(m *Method) {
	m.Params = slices.Concat(m.Params, []Param{reduceParam(noReduction, "method that reduces the rows first; its parameters are written reduce.NAME")})
	build, restore := m.Build, m.Restore
	m.Build = func(v Values) (Fitter, error) {
		learner, err := build(v)
		if err != nil || v.Is("reduce", noReduction) {
			return learner, err
		}
		method, own, err := v.reduction()
		if err != nil {
			return nil, err
		}
		reducer, err := method.Build(own)
		if err != nil {
			return nil, err
		}
		return chainFitter{reducer: reducer, learner: learner}, nil
	}
	m.Restore = func(s State) (Model, error) {
		if _, chain := s.Extra["reducer"]; !chain {
			return restore(s)
		}
		return restoreChain(s, restore)
	}
}

// chainFitter fits one step on what the other leaves.
type chainFitter struct{ reducer, learner Fitter }

// reducedFitter is a learner that wants to know how its rows were reduced.
type reducedFitter interface {
	// FitReduced is Fit; weights are what the reduction made of the rows, 1 or less, nil
	// when it has none.
	FitReduced(ctx context.Context, reduced *dataset.Set, weights []float64, run Run) (Model, error)
}

// Fit fits the first step, transforms the rows and fits the second.
func (c chainFitter) Fit(ctx context.Context, data *dataset.Set, run Run) (Model, error) {
	first, err := c.reducer.Fit(ctx, data, run)
	if err != nil {
		return nil, err
	}
	reducer, ok := first.(Transformer)
	if !ok {
		return nil, &UsageError{Problem: fmt.Sprintf("method %s does not reduce rows", first.Describe().Method)}
	}
	reduced, err := reduce(ctx, reducer, data)
	if err != nil {
		return nil, err
	}
	var second Model
	if l, ok := c.learner.(reducedFitter); ok {
		second, err = l.FitReduced(ctx, reduced, trainingWeights(reducer, data.Rows()), run)
	} else {
		second, err = c.learner.Fit(ctx, reduced, run)
	}
	if err != nil {
		return nil, err
	}
	m := newChain(reducer, second, describeChain(reducer, second, data))
	if d, ok := m.(Detector); ok {
		count, err := countOutliers(ctx, d, data)
		if err != nil {
			return nil, err
		}
		m.(interface{ flag(int) }).flag(count)
	}
	return m, nil
}

// reduce returns the set with its rows reduced.
func reduce(ctx context.Context, reducer Transformer, data *dataset.Set) (*dataset.Set, error) {
	scores, err := reducer.Transform(ctx, data.X)
	if err != nil {
		return nil, err
	}
	out := &dataset.Set{Name: data.Name, X: scores, Columns: reducer.ScoreNames(), Target: data.Target}
	// The cores of images are small images.
	if cores, ok := reducer.(interface{ Ranks() []int }); ok {
		out.Shape = cores.Ranks()
	}
	return out, nil
}

// countOutliers judges the rows in blocks, to bound memory.
func countOutliers(ctx context.Context, d Detector, data *dataset.Set) (int, error) {
	const block = 4096
	n, columns := data.X.Dims()
	count := 0
	for first := 0; first < n; first += block {
		last := min(first+block, n)
		part := *data
		part.X = data.X.Slice(first, last, 0, columns).(*mat.Dense)
		if t := data.Target; t != nil {
			target := *t
			if t.Labels != nil {
				target.Labels = t.Labels[first:last]
			}
			if t.Values != nil {
				target.Values = t.Values[first:last]
			}
			part.Target = &target
		}
		judged, err := d.Outliers(ctx, &part)
		if err != nil {
			return 0, err
		}
		count += judged.Count()
	}
	return count, nil
}

// trainingWeights are the weights that a reduction gave its n training rows, the largest
// being 1; nil when it has none or makes no difference between rows.
func trainingWeights(reducer Model, n int) []float64 {
	a, ok := reducer.State().Arrays["weights"]
	if !ok || len(a.Data) != n {
		return nil
	}
	largest := slices.Max(a.Data)
	if !(largest > 0) || largest == slices.Min(a.Data) {
		return nil
	}
	out := make([]float64, n)
	for i, w := range a.Data {
		out[i] = w / largest
	}
	return out
}

func describeChain(reducer, learner Model, data *dataset.Set) Description {
	first, d := reducer.Describe(), learner.Describe()
	d.Rows, d.Columns = data.X.Dims()
	d.ColumnNames, d.Shape = data.Columns, data.Shape
	used := Parameters{}
	for name, text := range d.Parameters {
		used[name] = text
	}
	used["reduce"] = first.Method
	for name, text := range first.Parameters {
		used[reducePrefix+name] = text
	}
	d.Parameters = used
	warnings := slices.Clone(d.Warnings)
	for _, w := range first.Warnings {
		warnings = append(warnings, "reduce="+first.Method+": "+w)
	}
	d.Warnings = warnings
	return d
}

// chainModel is a fitted chain.
type chainModel struct {
	reducer     Transformer
	learner     Model
	description Description
}

// newChain makes a chain that can do what its second step can do.
func newChain(reducer Transformer, learner Model, d Description) Model {
	c := &chainModel{reducer: reducer, learner: learner, description: d}
	_, predicts := learner.(Predictor)
	_, judges := learner.(Detector)
	switch {
	case predicts && judges:
		return &judgingChain{predictingChain{c}}
	case predicts:
		return &predictingChain{c}
	}
	return c
}

func (c *chainModel) Describe() Description { return c.description }
func (c *chainModel) Reducer() Transformer  { return c.reducer }
func (c *chainModel) Learner() Model        { return c.learner }
func (c *chainModel) flag(outliers int)     { c.description.Outliers = outliers }

// Trace is that of the second step.
func (c *chainModel) Trace() []irls.Step {
	if t, ok := c.learner.(interface{ Trace() []irls.Step }); ok {
		return t.Trace()
	}
	return nil
}

// State holds the second step's arrays under their names and the first step's under
// reduce_NAME.
func (c *chainModel) State() State {
	first, second := c.reducer.State(), c.learner.State()
	s := State{Description: c.description, Arrays: map[string]Array{}, Extra: map[string]any{}}
	for name, a := range second.Arrays {
		s.Arrays[name] = a
	}
	for name, a := range first.Arrays {
		s.Arrays[reduceArrays+name] = a
	}
	for name, v := range second.Extra {
		s.Extra[name] = v
	}
	s.Extra["learner"] = packStep(State{Description: second.Description})
	s.Extra["reducer"] = packStep(first)
	return s
}

// packStep is what a model file keeps of a step beside its arrays.
func packStep(s State) map[string]any {
	return map[string]any{"description": describePlainly(s.Description), "extra": s.Extra}
}

// unpackStep is the way back; the arrays are still to come.
func unpackStep(packed any) (State, error) {
	var step struct {
		Description Description    `json:"description"`
		Extra       map[string]any `json:"extra"`
	}
	text, err := json.Marshal(packed)
	if err == nil {
		err = json.Unmarshal(text, &step)
	}
	if err != nil || step.Description.Method == "" {
		return State{}, errors.New("the description of a step is missing or damaged")
	}
	return State{Description: step.Description, Extra: step.Extra, Arrays: map[string]Array{}}, nil
}

// restoreReducer makes the model of a step that reduces.
func restoreReducer(s State) (Transformer, error) {
	method, err := Lookup(s.Description.Method)
	if err != nil {
		return nil, err
	}
	m, err := method.Restore(s)
	if err != nil {
		return nil, fmt.Errorf("reduction %s: %w", method.Name, err)
	}
	t, ok := m.(Transformer)
	if !ok {
		return nil, fmt.Errorf("method %s does not reduce rows", method.Name)
	}
	return t, nil
}

func restoreChain(s State, restore func(State) (Model, error)) (Model, error) {
	before, err := unpackStep(s.Extra["reducer"])
	if err != nil {
		return nil, err
	}
	after, err := unpackStep(s.Extra["learner"])
	if err != nil {
		return nil, err
	}
	after.Extra = map[string]any{}
	for name, a := range s.Arrays {
		if rest, ok := strings.CutPrefix(name, reduceArrays); ok {
			before.Arrays[rest] = a
		} else {
			after.Arrays[name] = a
		}
	}
	for name, v := range s.Extra {
		if name != "reducer" && name != "learner" {
			after.Extra[name] = v
		}
	}
	reducer, err := restoreReducer(before)
	if err != nil {
		return nil, err
	}
	learner, err := restore(after)
	if err != nil {
		return nil, err
	}
	return newChain(reducer, learner, s.Description), nil
}

// describePlainly is a description as JSON has it, without numbers that JSON cannot
// express.
func describePlainly(d Description) map[string]any {
	if math.IsNaN(d.Objective) || math.IsInf(d.Objective, 0) {
		d.Objective = 0
	}
	if math.IsNaN(d.Effective) || math.IsInf(d.Effective, 0) {
		d.Effective = 0
	}
	text, err := json.Marshal(d)
	if err != nil { // a result that is not finite: the rest is worth keeping
		d.Numbers = nil
		if text, err = json.Marshal(d); err != nil {
			return map[string]any{"method": d.Method}
		}
	}
	out := map[string]any{}
	if json.Unmarshal(text, &out) != nil {
		return map[string]any{"method": d.Method}
	}
	return out
}

// predictingChain is a chain whose second step predicts.
type predictingChain struct{ *chainModel }

// Predict reduces the rows and asks the second step.
func (c *predictingChain) Predict(ctx context.Context, x *mat.Dense) (*Prediction, error) {
	scores, err := c.reducer.Transform(ctx, x)
	if err != nil {
		return nil, err
	}
	return c.learner.(Predictor).Predict(ctx, scores)
}

// judgingChain is a chain whose second step also judges.
type judgingChain struct{ predictingChain }

// offSubspace is the kind of a row that the second step finds regular only because what
// is strange about it was lost in the reduction.
const offSubspace = "off the subspace"

// Outliers asks the second step and adds what the first one says: rows far from the
// subspace are outliers wherever their feet lie.
func (c *judgingChain) Outliers(ctx context.Context, data *dataset.Set) (*Outliers, error) {
	reduced, err := reduce(ctx, c.reducer, data)
	if err != nil {
		return nil, err
	}
	out, err := c.learner.(Detector).Outliers(ctx, reduced)
	if err != nil {
		return nil, err
	}
	first, ok := c.reducer.(Detector)
	if !ok {
		return out, nil
	}
	before, err := first.Outliers(ctx, data)
	if err != nil {
		return nil, err
	}
	out.OrthogonalDistance, out.OrthogonalCutoff = before.OrthogonalDistance, before.OrthogonalCutoff
	out.ScoreDistance, out.ScoreCutoff = before.ScoreDistance, before.ScoreCutoff
	out.Contributions = before.Contributions
	out.Kinds = append(slices.Clone(out.Kinds), offSubspace)
	for i, d := range before.OrthogonalDistance {
		if !out.Outlier[i] && before.OrthogonalCutoff > 0 && d > before.OrthogonalCutoff {
			out.Outlier[i], out.Kind[i] = true, offSubspace
		}
	}
	return out, nil
}

var (
	_ Chained   = (*judgingChain)(nil)
	_ Predictor = (*predictingChain)(nil)
	_ Detector  = (*judgingChain)(nil)
)
