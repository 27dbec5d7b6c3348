package catalog

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/scaling"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/verdict"
)

// A reduction that follows the largest columns of a table with unlike units says little about
// its classes, so that the first step of a chain sees columns of a common size. Methods that
// scale by themselves are left alone.

// scalingOfChain is the name, among the reduction's parameters, of how columns are scaled before it.
const scalingOfChain = "scaling"

// checkScaling takes the scaling out of the reduction's own parameters and returns it; "" for
// reductions that have one themselves.
func checkScaling(reducer *Method, own map[string]string) (string, error) {
	if reducer.scalesItself() {
		return "", nil
	}
	p := inputScalingParam("")
	text, given := own[scalingOfChain]
	if delete(own, scalingOfChain); !given {
		return p.Default, nil
	}
	if !slices.Contains(p.Choices, text) {
		return "", &UsageError{Parameter: ParametersField + reducePrefix + scalingOfChain, Problem: fmt.Sprintf("%sscaling=%s is not known", reducePrefix, text), Hint: "it is one of " + join(p.Choices)}
	}
	return text, nil
}

// scaledFitter fits a reduction to scaled columns.
type scaledFitter struct {
	Fitter
	how   string
	alone bool // no learner follows, and classes have no say
}

// Fit learns the scaling, applies it and fits.
func (f scaledFitter) Fit(ctx context.Context, src dataset.Source, run Run) (Model, error) {
	how := Values{scalingOfChain: f.how}
	settleScaling(how, scalingOfChain, src.Shape() == nil)
	if how.Is(scalingOfChain, string(scaling.None)) {
		return f.Fitter.Fit(ctx, src, run)
	}
	data, err := dataset.Read(ctx, src)
	if err != nil {
		return nil, err
	}
	if run.Weights != nil && len(run.Weights) != data.Rows() { // refused in the method's own words
		return f.Fitter.Fit(ctx, src, run)
	}
	s := scaling.Fit(data.X, scaling.Rules{Kind: scaling.Kind(how.Text(scalingOfChain)), Weights: run.Weights, Context: ctx})
	if f.alone {
		s = unitless(s)
	} else if how.Is(scalingOfChain, string(scaling.Robust)) && data.Target != nil && data.Target.Labels != nil {
		s.NarrowToClasses(ctx, data.X, run.Weights, rowsOfClasses(data.Target))
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m, err := f.Fitter.Fit(ctx, scaledSet(s, data).Source(), run)
	if err != nil {
		return nil, err
	}
	t, ok := m.(Transformer)
	if !ok {
		return m, nil
	}
	about := m.Describe()
	about.Parameters = maps.Clone(about.Parameters)
	if about.Parameters == nil {
		about.Parameters = Parameters{}
	}
	about.Parameters[scalingOfChain] = how.Text(scalingOfChain)
	return newScaled(t, s, about), nil
}

// rowsOfClasses are the numbers of the rows of each class.
func rowsOfClasses(t *dataset.Target) [][]int {
	out := make([][]int, len(t.Classes))
	for i, k := range t.Labels {
		out[k] = append(out[k], i)
	}
	return out
}

// scaledRows are rows in the common size. What is no finite number stays as it is, for the
// method to say so.
func scaledRows(s scaling.Scaling, x *mat.Dense) *mat.Dense {
	out := s.Apply(x)
	if out == x {
		return x
	}
	n, _ := x.Dims()
	for i := range n {
		for j, v := range x.RawRowView(i) {
			if v-v != 0 {
				out.Set(i, j, v)
			}
		}
	}
	return out
}

// scaledSet is a set with its rows scaled.
func scaledSet(s scaling.Scaling, data *dataset.Set) *dataset.Set {
	out := *data
	out.X = scaledRows(s, data.X)
	return &out
}

// scaledReducer is a reduction behind a scaling of the columns.
type scaledReducer struct {
	Transformer
	scale       scaling.Scaling
	description Description
}

// newScaled puts a scaling before a reduction; the result judges rows if that does.
func newScaled(inner Transformer, s scaling.Scaling, d Description) Transformer {
	r := &scaledReducer{Transformer: inner, scale: s, description: d}
	if _, ok := inner.(Detector); ok {
		return &scaledDetector{r}
	}
	return r
}

func (r *scaledReducer) Describe() Description { return r.description }

// State is that of the reduction with the scaling.
func (r *scaledReducer) State() State {
	s := r.Transformer.State()
	s.Description = r.description
	s.Arrays = maps.Clone(s.Arrays)
	r.scale.Store(s.Arrays)
	return s
}

func (r *scaledReducer) Transform(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	if err := r.fits(x); err != nil {
		return nil, err
	}
	return r.Transformer.Transform(ctx, scaledRows(r.scale, x))
}

func (r *scaledReducer) Reconstruct(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	if err := r.fits(x); err != nil {
		return nil, err
	}
	kept, err := r.Transformer.Reconstruct(ctx, scaledRows(r.scale, x))
	if err != nil {
		return nil, err
	}
	return r.back(kept), nil
}

// Inverse brings scores back to the columns as they came.
func (r *scaledReducer) Inverse(ctx context.Context, scores *mat.Dense) (*mat.Dense, error) {
	way, ok := As[interface {
		Inverse(context.Context, *mat.Dense) (*mat.Dense, error)
	}](r.Transformer)
	if !ok {
		return nil, fmt.Errorf("method %s has no way back from scores", r.description.Method)
	}
	kept, err := way.Inverse(ctx, scores)
	if err != nil {
		return nil, err
	}
	return r.back(kept), nil
}

// back turns scaled rows to the units they came in.
func (r *scaledReducer) back(z *mat.Dense) *mat.Dense {
	out := mat.DenseCopyOf(z)
	out.Apply(func(_, j int, v float64) float64 {
		return max(min(r.scale.Offset[j]+r.scale.Scale[j]*v, math.MaxFloat64), -math.MaxFloat64)
	}, out)
	return out
}

func (r *scaledReducer) fits(x *mat.Dense) error {
	if _, d := x.Dims(); d != len(r.scale.Offset) {
		return &UsageError{Problem: fmt.Sprintf("rows of %d columns; the model was fitted to %d", d, len(r.scale.Offset))}
	}
	return nil
}

// scaledDetector also judges, in the scaled columns.
type scaledDetector struct{ *scaledReducer }

func (r *scaledDetector) Outliers(ctx context.Context, data *dataset.Set) (*verdict.Rows, error) {
	if err := r.fits(data.X); err != nil {
		return nil, err
	}
	out, err := r.Transformer.(Detector).Outliers(ctx, scaledSet(r.scale, data))
	return r.inUnits(out), err
}

// TrainingOutliers marks the outlying training rows; nil for a model from a file.
func (r *scaledDetector) TrainingOutliers() []bool {
	if known, ok := r.Transformer.(Rememberer); ok {
		return known.TrainingOutliers()
	}
	return nil
}

// Trace is the course of the fit, for convergence curves.
func (r *scaledReducer) Trace() []irls.Step {
	if t, ok := r.Transformer.(interface{ Trace() []irls.Step }); ok {
		return t.Trace()
	}
	return nil
}

// splitScaling takes a scaling out of the state of a reduction. Methods that scale by themselves
// keep theirs, and files of old have none.
func splitScaling(method *Method, s State) (State, *scaling.Scaling, error) {
	if method.scalesItself() {
		return s, nil, nil
	}
	r := s.Reader()
	if !r.Has("input_scale") {
		return s, nil, nil
	}
	out := scaling.Restore(r, s.Description.Columns)
	if r.Err() != nil {
		return s, nil, r.Err()
	}
	s.Arrays = maps.Clone(s.Arrays)
	for _, name := range []string{"input_offset", "input_scale", "input_low", "input_high"} {
		delete(s.Arrays, name)
	}
	return s, &out, nil
}
