package bounded

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

// observed returns the values of a column that are there, with their weights.
func observed(x *mat.Dense, w []float64, j int) (values, weights []float64) {
	n, _ := x.Dims()
	values = make([]float64, 0, n)
	for i := range n {
		v := x.At(i, j)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		values = append(values, v)
		if w != nil {
			weights = append(weights, w[i])
		}
	}
	return values, weights
}

// Rows lists the rows of a table of n rows that limits come from: all of few, of many one from
// each of equal stretches of the weight.
func Rows(n int, w []float64) []int {
	places := univariate.NewRows(n, w)
	if n > sampleRows || places.Total() > sampleRows {
		return places.Spaced(sampleRows, univariate.Staggered())
	}
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// sample returns those rows, with their weights where they are all.
func sample(ctx context.Context, src linalg.Source, w []float64) (*mat.Dense, []float64, error) {
	n, _ := src.Dims()
	rows := Rows(n, w)
	if n > sampleRows || univariate.NewRows(n, w).Total() > sampleRows {
		w = nil // rows were drawn by their weights
	} else if m, ok := src.(linalg.InMemory); ok {
		return m.Dense(), w, ctx.Err()
	}
	x, err := linalg.Gather(ctx, src, rows)
	return x, w, err
}
