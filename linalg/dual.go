package linalg

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// DualTopEigen returns the k largest eigenvalues and eigenvectors of the scatter, the
// sum of w (x-mean)(x-mean)' over the rows of x, as TopEigen would, without forming
// that d x d matrix. It goes through the n x n matrix of inner products of the rows and
// is the way for many more columns than rows. w nil means ones, mean nil zeros. Beyond
// the rank of the scatter the eigenvalues are zero and the eigenvectors an orthonormal
// completion.
//
// The eigenvectors of the inner products find the subspace; a singular value
// decomposition of the coordinates in it then finds values and axes, so that small
// eigenvalues do not suffer from the squaring.
func DualTopEigen(ctx context.Context, x *mat.Dense, w, mean []float64, k int) (values []float64, vectors *mat.Dense, err error) {
	n, d := x.Dims()
	if err := checkWeights(w, n); err != nil {
		return nil, nil, err
	}
	if err := checkMean(mean, d); err != nil {
		return nil, nil, err
	}
	if k < 1 || k > d {
		return nil, nil, fmt.Errorf("linalg: %d eigenvectors for %d columns", k, d)
	}
	rows := weightedRows(x, w, mean) // row i is sqrt(w_i) (x_i - mean)
	if !allFinite(rows) {
		return nil, nil, fmt.Errorf("linalg: table with an entry that is not finite")
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	inner := mat.NewSymDense(n, nil)
	gemm(Threads(), false, true, n, n, d, 1, rows, d, rows, d, 0, inner.RawSymmetric().Data, n)
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	m := min(n, k)
	_, u, err := TopEigen(inner, m, nil)
	if err != nil {
		return nil, nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	// The rows of basis span the wanted subspace of the columns of x.
	basis := make([]float64, k*d)
	uRaw := u.RawMatrix()
	gemm(Threads(), true, false, m, d, n, 1, uRaw.Data, uRaw.Stride, rows, d, 0, basis, d)
	orthonormaliseRows(basis, k, d, 0, true)
	coords := mat.NewDense(n, k, nil)
	gemm(Threads(), false, true, n, k, d, 1, rows, d, basis, d, 0, coords.RawMatrix().Data, k)
	singular, axes, err := rightSingular(coords)
	if err != nil {
		return nil, nil, err
	}
	vectors = mat.NewDense(d, k, nil)
	gemm(Threads(), true, false, d, k, k, 1, basis, d, axes.RawMatrix().Data, k, 0, vectors.RawMatrix().Data, k)
	FixSigns(vectors)
	for i, s := range singular {
		singular[i] = s * s
	}
	return singular, vectors, nil
}

// weightedRows returns sqrt(w_i) (x_i - mean), row after row.
func weightedRows(x *mat.Dense, w, mean []float64) []float64 {
	raw := x.RawMatrix()
	n, d := raw.Rows, raw.Cols
	rows := make([]float64, n*d)
	Parallel(n, func(i int) {
		out := rows[i*d : (i+1)*d]
		copy(out, raw.Data[i*raw.Stride:i*raw.Stride+d])
		if mean != nil {
			for j := range out {
				out[j] -= mean[j]
			}
		}
		if w != nil {
			scale(math.Sqrt(w[i]), out)
		}
	})
	return rows
}

// rightSingular returns the k singular values of an n x k matrix, descending, with
// zeros where n < k, and its right singular vectors as columns of a k x k matrix.
func rightSingular(a *mat.Dense) (values []float64, vectors *mat.Dense, err error) {
	n, k := a.Dims()
	if n < k {
		wide := mat.NewDense(k, k, nil)
		wide.Slice(0, n, 0, k).(*mat.Dense).Copy(a)
		a = wide
	}
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDFullV) {
		return nil, nil, fmt.Errorf("linalg: the singular value iteration did not converge")
	}
	vectors = &mat.Dense{}
	svd.VTo(vectors)
	return svd.Values(nil), vectors, nil
}
