package pca

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// correntropyMatrix returns the smoothers of the columns and the matrix, centred or not.
func correntropyMatrix(ctx context.Context, columns [][]float64, mass []float64, sigma float64, centred bool) (*smoother, *mat.SymDense, error) {
	s, err := newSmoother(ctx, columns, mass, sigma)
	if err != nil {
		return nil, nil, err
	}
	v := mat.NewSymDense(len(columns), nil)
	if centred && s.whole() {
		return s, v, s.covariance(ctx, v, columns, mass)
	}
	err = eachColumn(ctx, len(columns), func(i int) {
		buffer := make([]float64, 1024)
		for j := i; j < len(columns); j++ {
			e := meanKernel(columns[i], columns[j], mass, sigma, buffer)
			if centred {
				e -= s.cross(i, j)
			}
			v.SetSym(i, j, e)
		}
	})
	return s, v, err
}

// meanKernel is the mean of kappa(x_k - y_k), row by row.
func meanKernel(x, y, mass []float64, sigma float64, buffer []float64) float64 {
	total := 0.0
	for first := 0; first < len(x); first += len(buffer) {
		b := buffer[:min(len(buffer), len(x)-first)]
		for k := range b {
			u := (x[first+k] - y[first+k]) / sigma
			b[k] = -u * u / 2
		}
		linalg.Exp(b, b)
		sum := 0.0
		for k, e := range b {
			sum += mass[first+k] * e
		}
		total += sum
	}
	return total
}

// covariance writes the centred matrix as the sum over features of their covariances
// between columns: no digits are lost when the kernel is far wider than the data.
func (s *smoother) covariance(ctx context.Context, v *mat.SymDense, columns [][]float64, mass []float64) error {
	e, l, n := s.expansions[0], len(columns), len(mass)
	const block = 256
	rows := mat.NewDense(block*e.count, l, nil)
	out := make([]float64, e.count)
	for first := 0; first < n; first += block {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows.Zero()
		for k := first; k < min(first+block, n); k++ {
			root := math.Sqrt(mass[k])
			for i, col := range columns {
				e.evaluate(col[k], nil, out)
				for f, a := range out {
					rows.Set((k-first)*e.count+f, i, root*(a-s.means.At(i, f)))
				}
			}
		}
		v.AddSym(v, linalg.RowProducts(rows.T()))
	}
	return nil
}

// eachColumn calls do(0) .. do(n-1) on linalg.Threads() goroutines and stops early when
// the context ends. Every call owns its part of the result, so that the result does not
// depend on the number of goroutines.
func eachColumn(ctx context.Context, n int, do func(i int)) error {
	linalg.Parallel(n, func(i int) {
		if ctx.Err() == nil {
			do(i)
		}
	})
	return ctx.Err()
}

// descendingEigen returns all eigenpairs, largest first, with signs fixed so that the
// largest entry of each vector is positive.
func descendingEigen(ctx context.Context, a *mat.SymDense) (values []float64, vectors *mat.Dense, err error) {
	if values, vectors, err = linalg.SymEigen(ctx, a); err != nil {
		return nil, nil, fmt.Errorf("pca: correntropy: %w", err)
	}
	linalg.FixSigns(vectors)
	return values, vectors, nil
}
