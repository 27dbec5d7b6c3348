package catalog

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
)

// A chain reduces rows and learns from what is left of them. A method that can be the
// second step has the parameter reduce, which names the first; the parameters of the
// reduction are written reduce.NAME: reduce=pca-robust, reduce.components=10. Both steps
// are one model and one model file. The first sees columns of a common size: reduce.scaling,
// robust for tables and none for images unless it is given.

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

// makeChain gives an entry the parameter reduce; its Build and Restore, which know nothing
// of that, become those of a chain.
func makeChain(m *Method) {
	m.Params = slices.Concat(m.Params, []Param{reduceParam(noReduction, "method that reduces the rows first; its parameters are written reduce.NAME, and reduce.scaling (auto, robust, minmax, standard, none; auto: robust for tables, none for images) is how columns are scaled before it")})
	build, restore := m.Build, m.Restore
	m.Build = func(v Values) (Fitter, error) {
		learner, err := build(v)
		if err != nil || v.Is("reduce", noReduction) {
			return learner, err
		}
		how := v[reducePrefix+scalingOfChain]
		if first, err := Lookup(v.Text("reduce")); err != nil {
			return nil, err
		} else if first.scalesItself() {
			how = ""
		} else {
			v = maps.Clone(v)
			delete(v, reducePrefix+scalingOfChain)
		}
		reducer, err := v.reducer()
		if err != nil {
			return nil, err
		}
		if how != "" {
			reducer = scaledFitter{Fitter: reducer, how: how}
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

// Fit fits the first step, transforms the rows and fits the second.
func (c chainFitter) Fit(ctx context.Context, src dataset.Source, run Run) (Model, error) {
	data, err := dataset.Read(ctx, src)
	if err != nil {
		return nil, err
	}
	before := run
	before.Votes = nil // they are those of what learns
	first, err := c.reducer.Fit(ctx, data.Source(), before)
	if err != nil {
		return nil, err
	}
	reducer, ok := first.(Transformer)
	if !ok {
		return nil, &UsageError{Problem: fmt.Sprintf("method %s does not reduce rows", first.Describe().Method)}
	}
	if err := ctx.Err(); err != nil { // nothing is learned yet, however whole the reduction is
		return nil, err
	}
	reduced, err := reduce(ctx, reducer, data)
	if err != nil {
		return nil, err
	}
	apart, distances, err := apartClasses(ctx, reducer, data, run.Weights)
	if err != nil {
		return nil, err
	}
	run.votes = trainingWeights(reducer, data.Rows(), run.Weights)
	if apart != nil {
		run.votes = trustApart(run.votes, apart, distances, data.Target.Labels)
	}
	second, err := c.learner.Fit(ctx, reduced.Source(), run)
	if err != nil {
		return nil, err
	}
	about := describeChain(reducer, second, data)
	if apart != nil {
		apart = limitsByModel(apart, data.Target.Classes, about.Classes)
	}
	m := newChain(reducer, second, about, apart)
	if d, ok := m.(Detector); ok {
		count, err := countOutliers(given.Rest(ctx), d, data)
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
	if cores, ok := As[interface{ Ranks() []int }](reducer); ok {
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

// trainingWeights are the votes that a reduction gave its n training rows beside the weights
// that they came with, the largest being 1; nil when it has none or makes no difference
// between rows.
func trainingWeights(reducer Model, n int, given []float64) []float64 {
	a, ok := reducer.State().Arrays["weights"]
	if !ok || len(a.Data) != n {
		return nil
	}
	out := slices.Clone(a.Data)
	largest, smallest := 0.0, math.Inf(1)
	for i, w := range given {
		if out[i] = 0; w > 0 {
			out[i] = a.Data[i] / w
		}
	}
	for i, w := range out {
		if given == nil || given[i] > 0 {
			largest, smallest = math.Max(largest, w), math.Min(smallest, w)
		}
	}
	if !(largest > 0) || largest-smallest <= 1e-15*largest {
		return nil
	}
	for i := range out {
		out[i] /= largest
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
