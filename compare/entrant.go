// Package compare sets methods side by side: those that reduce rows by how well they agree
// and keep what is regular ([Reductions]), those that learn a target by how well they
// predict rows that they have not seen ([Learners]). Which methods take part and what they
// are held against follows from the catalog's table.
package compare

import (
	"context"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/univariate"
)

// with returns the parameters of an entrant with more added; those the method lacks are left out.
func with(e catalog.Entrant, shared map[string]string) (map[string]string, error) {
	m, err := catalog.Lookup(e.Method)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for name, value := range shared {
		if _, ok := m.Param(name); ok {
			all[name] = value
		}
	}
	for name, value := range e.Params {
		all[name] = value
	}
	return all, nil
}

// Fitted is an entrant after its fit.
type Fitted struct {
	catalog.Entrant
	Model   catalog.Model
	Seconds float64
}

// Enter fits an entrant with the parameters that all share, as far as its method has them.
func Enter(ctx context.Context, e catalog.Entrant, set *dataset.Set, shared map[string]string, run catalog.Run) (*Fitted, error) {
	ctx = given.Context(ctx)
	m, err := catalog.Lookup(e.Method)
	if err != nil {
		return nil, err
	}
	params, err := with(e, shared)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	made, err := m.Fit(ctx, set.Source(), params, run)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return &Fitted{Entrant: e, Model: made, Seconds: time.Since(began).Seconds()}, nil
}

// ErrorOn is the mean and the median distance of rows from their reconstruction.
func (f *Fitted) ErrorOn(ctx context.Context, x *mat.Dense) (mean, median float64, err error) {
	ctx = given.Context(ctx)
	distances, err := f.Distances(ctx, x)
	if err != nil {
		return 0, 0, err
	}
	return floats.Sum(distances) / float64(len(distances)), univariate.Median(distances), nil
}

// Distances are those of rows from their reconstruction, missing values left out.
func (f *Fitted) Distances(ctx context.Context, x *mat.Dense) ([]float64, error) {
	ctx = given.Context(ctx)
	t, ok := f.Model.(catalog.Transformer)
	if !ok {
		return nil, fmt.Errorf("%s models do not reconstruct", f.Method)
	}
	back, err := t.Reconstruct(ctx, x)
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	distances := make([]float64, n)
	for i := range distances {
		distances[i] = distance(x.RawRowView(i), back.RawRowView(i))
	}
	return distances, nil
}

// distance is that of two rows over the columns where the first is not missing.
func distance(row, other []float64) float64 {
	sum := 0.0
	for j, v := range row {
		if e := v - other[j]; !math.IsNaN(v) {
			sum += e * e
		}
	}
	return math.Sqrt(sum)
}

// figure is a number of the description's Numbers; ok is false when there is none.
func figure(d catalog.Description, name string) (v float64, ok bool) {
	v, ok = d.Numbers[name].(float64)
	return v, ok
}

// usage is a mistake in a field of the request.
func usage(field, hint, format string, args ...any) error {
	return &catalog.UsageError{Parameter: field, Problem: fmt.Sprintf(format, args...), Hint: hint}
}
