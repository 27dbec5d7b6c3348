package pca

import (
	"context"
	"errors"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/mcd"
	"github.com/inlier-ml/inlier/internal/outlying"
	"github.com/inlier-ml/inlier/linalg"
)

// cutoffLevel is the share of regular rows that lie within each cut-off.
const cutoffLevel = outlying.Level

// innerRounds bounds the rounds of reweighting that let further rows in.
const innerRounds = 10

// innerRows is how many rows a robust scatter of m scores needs.
func innerRows(m int) float64 { return float64(5*m + 5) }

// inner estimates centre and scatter of the scores inside the subspace so that rows far
// out within it do not count: a reweighted minimum covariance determinant (package mcd)
// that starts from the least outlying half. z is n x m; keep are the
// weights of the rows that may take part, 0 for others. It returns the weights of the rows
// that counted in the end, nil when there are too few for it or they lie in a plane.
func inner(ctx context.Context, z *mat.Dense, keep []float64, seed uint64) (centre []float64, scatter *mat.SymDense, counted []float64, err error) {
	_, m := z.Dims()
	return innerOf(ctx, z, keep, innerRows(m), startDirections, seed)
}

// innerOf is inner of at least so many rows, from the half that so many directions show.
func innerOf(ctx context.Context, z *mat.Dense, keep []float64, least float64, directions int, seed uint64) (centre []float64, scatter *mat.SymDense, counted []float64, err error) {
	if total(keep, 0) < least {
		return nil, nil, nil, nil
	}
	x, w, err := sampleRows(ctx, linalg.FromDense(z), Options{Seed: seed, Weights: keep}, startRows)
	if err != nil {
		return nil, nil, nil, err
	}
	sample := mcd.New(x, w, 0)
	start, err := sample.LeastOutlying(ctx, directions, seed)
	switch {
	case errors.Is(err, outlying.ErrEqual): // the rows that may take part
		return nil, nil, nil, nil
	case err != nil:
		return nil, nil, nil, err
	}
	half, err := sample.Densest(ctx, start)
	if half == nil {
		return nil, nil, nil, err
	}
	all, counted, err := mcd.New(z, keep, 0).Reweighted(ctx, half, innerRounds)
	if all == nil {
		return nil, nil, nil, err
	}
	return all.Centre, all.Scatter, counted, nil
}
