package linalg

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
)

// Wide is a matrix with more columns than rows, made ready for least squares with one set of weights after another: whatever
// the weights are, solutions lie in the span of the rows. With a = L Q, Q having orthonormal rows, the solution is x = Q'y where y
// solves the n x n problem with L in place of a, and Q is found once.
type Wide struct {
	basis []float64  // Q, row after row; rows of zeros where rows of a depend on one another
	small *mat.Dense // L
	p     int
}

// NewWide finds the span of the rows.
func NewWide(a *mat.Dense) (*Wide, error) {
	n, p := a.Dims()
	if n == 0 {
		return nil, fmt.Errorf("linalg: least squares without rows")
	}
	basis := mat.DenseCopyOf(a).RawMatrix().Data
	if !allFinite(basis) {
		return nil, fmt.Errorf("linalg: least squares with an entry that is not finite")
	}
	orthonormaliseRows(context.Background(), basis, n, p, 0, false)
	raw := a.RawMatrix()
	small := mat.NewDense(n, n, nil)
	gemm(Threads(), false, true, n, n, p, 1, raw.Data, raw.Stride, basis, p, 0, small.RawMatrix().Data, n)
	return &Wide{basis: basis, small: small, p: p}, nil
}

// RidgeAlike is [RidgeAlike] of the matrix.
func (m *Wide) RidgeAlike(ctx context.Context, b *mat.Dense, w []float64, lambda float64) (*mat.Dense, error) {
	return m.ridge(given.Context(ctx), b, w, lambda, true)
}

func (m *Wide) ridge(ctx context.Context, b *mat.Dense, w []float64, lambda float64, alike bool) (*mat.Dense, error) {
	n, q := b.Dims()
	if q == 0 {
		return nil, fmt.Errorf("linalg: least squares of %d rows and %d right-hand sides", n, q)
	}
	y, err := ridge(ctx, m.small, b, w, lambda, alike)
	if err != nil {
		return nil, err
	}
	x := mat.NewDense(m.p, q, nil)
	gemm(Threads(), true, false, m.p, q, n, 1, m.basis, m.p, y.RawMatrix().Data, q, 0, x.RawMatrix().Data, q)
	return x, nil
}
