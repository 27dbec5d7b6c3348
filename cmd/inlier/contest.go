package main

import (
	"context"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/univariate"
)

// The method that comparisons hold the others against.
const defaultMethod = "pca-robust"

// entrant is a method with parameters under a name of its own.
type entrant struct {
	Label  string            // in tables
	Method string            // in the catalog
	Params map[string]string // beside those that all entrants share
}

// with returns the parameters with more added; those the method lacks are left out.
func (e entrant) with(shared map[string]string) (map[string]string, error) {
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

// fitted is an entrant after its fit.
type fitted struct {
	entrant
	model   catalog.Model
	seconds float64
}

// enter fits an entrant.
func enter(ctx context.Context, e entrant, set *dataset.Set, shared map[string]string, seed uint64) (*fitted, error) {
	m, err := catalog.Lookup(e.Method)
	if err != nil {
		return nil, err
	}
	params, err := e.with(shared)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	made, err := m.Fit(ctx, set, params, catalog.Run{Seed: seed})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return &fitted{entrant: e, model: made, seconds: time.Since(began).Seconds()}, nil
}

// errorOn is the mean and the median distance of rows from their reconstruction.
func (f *fitted) errorOn(ctx context.Context, x *mat.Dense) (mean, median float64, err error) {
	distances, err := f.distances(ctx, x)
	if err != nil {
		return 0, 0, err
	}
	return floats.Sum(distances) / float64(len(distances)), univariate.Median(distances), nil
}

// distances are those of rows from their reconstruction, missing values left out.
func (f *fitted) distances(ctx context.Context, x *mat.Dense) ([]float64, error) {
	t, ok := f.model.(catalog.Transformer)
	if !ok {
		return nil, fmt.Errorf("a %s model does not reconstruct", f.Method)
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

// paperPCA are the papers' PCA methods as they print them, started where they start.
func paperPCA() []entrant {
	classic := func(more ...string) map[string]string {
		p := map[string]string{"start": "classic"}
		for i := 0; i+1 < len(more); i += 2 {
			p[more[i]] = more[i+1]
		}
		return p
	}
	return []entrant{
		{"pca", "pca", nil},
		{"pca-l1", "pca-l1", classic()},
		{"r1-pca", "r1-pca", classic()},
		{"hq-pca", "hq-pca", classic("sigma", "silverman", "rescale", "every-step")},
		{"pca-gm", "pca-gm", classic("delta", "paper")},
		{"pca-kmpe", "pca-kmpe", classic("p", "4", "sigma", "silverman", "rescale", "every-step")},
	}
}
