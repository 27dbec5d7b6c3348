package linalg

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// TopEigen returns the k largest eigenvalues, in descending order, and eigenvectors, as
// columns with signs fixed as by FixSigns, of a symmetric positive semidefinite matrix.
// start, d x anything, holds columns whose span is near that of the answer (the answer
// for a similar matrix), or is nil.
func TopEigen(a mat.Symmetric, k int, start *mat.Dense) (values []float64, vectors *mat.Dense, err error) {
	d := a.SymmetricDim()
	if k < 1 || k > d {
		return nil, nil, fmt.Errorf("linalg: %d eigenvectors of a matrix of %d columns", k, d)
	}
	if err := checkBasis(start, d); err != nil {
		return nil, nil, err
	}
	values, all, err := SymEigen(a)
	if err != nil {
		return nil, nil, err
	}
	return values[:k], mat.DenseCopyOf(all.Slice(0, d, 0, k)), nil
}
