package linalg

import (
	"errors"

	"gonum.org/v1/gonum/mat"
)

var errEigen = errors.New("linalg: the eigenvalue iteration did not converge")

// SymEigen returns all eigenvalues of a symmetric matrix in descending order and its
// eigenvectors as columns in the same order, with signs fixed as by FixSigns.
func SymEigen(a mat.Symmetric) (values []float64, vectors *mat.Dense, err error) {
	n := a.SymmetricDim()
	if err := checkSymmetric(a); err != nil {
		return nil, nil, err
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(a, true) {
		return nil, nil, errEigen
	}
	ascending := eigen.Values(nil)
	var columns mat.Dense
	eigen.VectorsTo(&columns)
	values = make([]float64, n)
	vectors = mat.NewDense(n, n, nil)
	for c := range n {
		values[c] = ascending[n-1-c]
		for r := range n {
			vectors.Set(r, c, columns.At(r, n-1-c))
		}
	}
	FixSigns(vectors)
	return values, vectors, nil
}

// checkSymmetric reports an empty matrix and entries that are not finite.
func checkSymmetric(a mat.Symmetric) error {
	n := a.SymmetricDim()
	if n == 0 {
		return errors.New("linalg: eigenvectors of an empty matrix")
	}
	for i := range n {
		for j := i; j < n; j++ {
			if x := a.At(i, j); x-x != 0 {
				return errors.New("linalg: matrix with an entry that is not finite")
			}
		}
	}
	return nil
}
