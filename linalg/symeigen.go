package linalg

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
)

var errEigen = errors.New("linalg: the eigenvalue iteration did not converge")

// SymEigen returns all eigenvalues of a symmetric matrix in descending order and its
// eigenvectors as columns in the same order, with signs fixed as by FixSigns. Errors
// are of the order of rounding of the largest absolute eigenvalue.
//
// The matrix is brought to tridiagonal form by blocked Householder reflections, that is
// solved by divide and conquer, and the vectors are transformed back. Of a large one that takes minutes, and it ends
// with the context.
func SymEigen(ctx context.Context, a mat.Symmetric) (values []float64, vectors *mat.Dense, err error) {
	upper, err := upperOf(a)
	if err != nil {
		return nil, nil, err
	}
	n := a.SymmetricDim()
	return directEigen(given.Context(ctx), upper, n, n)
}

// directEigen returns the k largest eigenvalues and their eigenvectors of the n x n
// matrix in the upper triangle of a, which it overwrites.
func directEigen(ctx context.Context, a []float64, n, k int) (values []float64, vectors *mat.Dense, err error) {
	unit := toUnit(a)
	if n <= smallMatrix {
		return smallEigen(a, n, k, unit)
	}
	t := reduceToTridiagonal(ctx, a, n)
	s := &divider{ctx: ctx, n: n, d: t.diagonal, e: t.beside, z: make([]float64, n*n)}
	if err := ctx.Err(); err != nil { // what stands in t is half of it
		return nil, nil, err
	}
	order := s.solve(0, n, k)
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if s.failed.Load() {
		return nil, nil, errEigen
	}
	values = make([]float64, k)
	rows := make([]float64, k*n)
	for i := range k {
		index := order[n-1-i]
		values[i] = s.d[index] * unit
		copy(rows[i*n:(i+1)*n], s.z[index*n:(index+1)*n])
	}
	if err := t.apply(ctx, rows, k); err != nil {
		return nil, nil, err
	}
	vectors = mat.NewDense(n, k, nil)
	transpose(vectors.RawMatrix().Data, k, rows, n, n, k)
	FixSigns(vectors)
	return values, vectors, nil
}

// smallMatrix is the size up to which gonum's decomposition is as fast.
const smallMatrix = 40

// smallEigen is directEigen for small matrices; the values are multiplied by unit.
func smallEigen(a []float64, n, k int, unit float64) (values []float64, vectors *mat.Dense, err error) {
	var eigen mat.EigenSym
	if !eigen.Factorize(mat.NewSymDense(n, a), true) {
		return nil, nil, errEigen
	}
	ascending := eigen.Values(nil)
	var all mat.Dense
	eigen.VectorsTo(&all)
	values = make([]float64, k)
	vectors = mat.NewDense(n, k, nil)
	for c := range k {
		values[c] = ascending[n-1-c] * unit
		for r := range n {
			vectors.Set(r, c, all.At(r, n-1-c))
		}
	}
	FixSigns(vectors)
	return values, vectors, nil
}

// toUnit divides a by its largest absolute entry, which it returns, if that is so near
// to the ends of the range of numbers that squares would overflow or vanish; otherwise
// it leaves the size of a alone and returns 1. Entries beside the diagonal whose squares
// would vanish against it, far below its rounding, become 0: small decompositions divide
// by such squares.
func toUnit(a []float64) float64 {
	size, least := 0.0, math.Inf(1) // least: of those that are not 0
	for _, x := range a {
		x = math.Abs(x)
		size = max(size, x)
		if x < least && x != 0 {
			least = x
		}
	}
	if least < 1e-140*size {
		n := int(math.Sqrt(float64(len(a))) + 0.5)
		for i, x := range a {
			if x != 0 && math.Abs(x) < 1e-140*size && i%(n+1) != 0 {
				a[i] = 0
			}
		}
	}
	if size == 0 || size > 1e-100 && size < 1e100 {
		return 1
	}
	for i := range a {
		a[i] /= size
	}
	return size
}

// upperOf copies the upper triangle of a into an n x n matrix with zeros below. An
// empty matrix and entries that are not finite are errors.
func upperOf(a mat.Symmetric) ([]float64, error) {
	n := a.SymmetricDim()
	if n == 0 {
		return nil, errors.New("linalg: eigenvectors of an empty matrix")
	}
	out := make([]float64, n*n)
	dense, isDense := a.(*mat.SymDense)
	for i := range n {
		row := out[i*n : (i+1)*n]
		if isDense {
			raw := dense.RawSymmetric() // always the upper triangle
			copy(row[i:], raw.Data[i*raw.Stride+i:i*raw.Stride+n])
		} else {
			for j := i; j < n; j++ {
				row[j] = a.At(i, j)
			}
		}
		if !allFinite(row[i:]) {
			return nil, fmt.Errorf("linalg: row %d of a symmetric matrix has an entry that is not finite", i)
		}
	}
	return out, nil
}
