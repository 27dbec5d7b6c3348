package catalog

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/judging"
	"github.com/inlier-ml/inlier/internal/step"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/verdict"
)

// chainModel is a fitted chain.
type chainModel struct {
	reducer     Transformer
	learner     Model
	description Description
	apart       []float64 // distances from the subspace of classes that lie off it; 0, or nil: none
}

// newChain makes a chain that can do what its second step can do.
func newChain(reducer Transformer, learner Model, d Description, apart []float64) Model {
	c := &chainModel{reducer: reducer, learner: learner, description: d, apart: apart}
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
	s.Extra["learner"] = step.Pack(State{Description: second.Description})
	s.Extra["reducer"] = step.Pack(first)
	if c.apart != nil {
		s.Arrays[apartArray] = archive.Vector(c.apart)
	}
	return s
}

// apartArray is the name of the limits of classes that lie off the subspace.
const apartArray = "class_off_subspace"

// restoreReducer makes the model of a step that reduces.
func restoreReducer(s State) (Transformer, error) {
	method, err := Lookup(s.Description.Method)
	if err != nil {
		return nil, err
	}
	s, scale, err := splitScaling(method, s)
	if err != nil {
		return nil, fmt.Errorf("reduction %s: %w", method.Name, err)
	}
	m, err := method.Restore(s)
	if err != nil {
		return nil, fmt.Errorf("reduction %s: %w", method.Name, err)
	}
	t, ok := m.(Transformer)
	if !ok {
		return nil, fmt.Errorf("method %s does not reduce rows", method.Name)
	}
	if scale != nil {
		return newScaled(t, *scale, s.Description), nil
	}
	return t, nil
}

func restoreChain(s State, restore func(State) (Model, error)) (Model, error) {
	before, err := step.Unpack(s.Extra["reducer"])
	if err != nil {
		return nil, err
	}
	after, err := step.Unpack(s.Extra["learner"])
	if err != nil {
		return nil, err
	}
	after.Extra = map[string]any{}
	var apart []float64
	if a, ok := s.Arrays[apartArray]; ok { // files of old have none
		if apart = a.Data; len(apart) != len(s.Description.Classes) {
			return nil, fmt.Errorf("limits of %d classes for %d", len(apart), len(s.Description.Classes))
		}
	}
	for name, a := range s.Arrays {
		if rest, ok := strings.CutPrefix(name, reduceArrays); ok {
			before.Arrays[rest] = a
		} else if name != apartArray {
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
	return newChain(reducer, learner, s.Description, apart), nil
}

// predictingChain is a chain whose second step predicts.
type predictingChain struct{ *chainModel }

// Predict reduces the rows and asks the second step.
func (c *predictingChain) Predict(ctx context.Context, x *mat.Dense) (*Prediction, error) {
	ctx = given.Context(ctx)
	scores, err := c.reducer.Transform(ctx, x)
	if err != nil {
		return nil, err
	}
	return c.learner.(Predictor).Predict(ctx, scores)
}

// judgingChain is a chain whose second step also judges.
type judgingChain struct{ predictingChain }

// Outliers asks the second step and adds what the first one says: rows far from the
// subspace are outliers wherever their feet lie, unless their class lies there as a whole.
func (c *judgingChain) Outliers(ctx context.Context, data *dataset.Set) (*verdict.Rows, error) {
	ctx = given.Context(ctx)
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
	out.Kinds = append(slices.Clone(out.Kinds), verdict.OffSubspace)
	for i, kind := range before.Kind {
		if kind == verdict.Missing {
			judging.SetMissing(out, i)
			if out.Label != nil {
				out.Label[i] = -1
			}
			if out.Suggested != nil {
				out.Suggested[i] = ""
			}
		}
	}
	for i, d := range before.OrthogonalDistance {
		limit := before.OrthogonalCutoff
		if c.apart != nil && out.Label != nil && out.Label[i] >= 0 {
			limit = max(limit, c.apart[out.Label[i]])
		}
		if !out.Outlier[i] && before.OrthogonalCutoff > 0 && d > limit {
			judging.Set(out, i, verdict.OffSubspace, true)
		}
	}
	return out, nil
}

var (
	_ Chained   = (*judgingChain)(nil)
	_ Predictor = (*predictingChain)(nil)
	_ Detector  = (*judgingChain)(nil)
)
