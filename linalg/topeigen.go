package linalg

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
)

// TopEigen returns the k largest eigenvalues, in descending order, and eigenvectors, as
// columns with signs fixed as by FixSigns, of a symmetric positive semidefinite matrix.
// start, d x anything, holds columns whose span is near that of the answer (the answer
// for a similar matrix, say), or is nil.
//
// The residuals ||A v - value v|| are of the order of 1e-13 times the largest
// eigenvalue or less, whatever the start. Where the spectrum is flat at the cut between
// kept and dropped eigenvectors, the vectors near the cut are as badly determined as
// they are for any method.
//
// Given a start, or a large matrix, the method is block subspace iteration, accelerated
// by Chebyshev polynomials, with Rayleigh-Ritz and locking; a small matrix, a k that is
// a large part of d and a spectrum too flat for the iteration to pay get a
// tridiagonal decomposition. All of them end with the context.
func TopEigen(ctx context.Context, a mat.Symmetric, k int, start *mat.Dense) (values []float64, vectors *mat.Dense, err error) {
	return TopEigenWithin(ctx, a, k, start, 0)
}

// TopEigenWithin is TopEigen for callers that need less: residuals may be as large as
// the tolerance times the largest eigenvalue. The steps of an iteration that will
// improve on the answer anyway are up to twice as fast that way.
func TopEigenWithin(ctx context.Context, a mat.Symmetric, k int, start *mat.Dense, tolerance float64) (values []float64, vectors *mat.Dense, err error) {
	values, vectors, _, err = topEigen(given.Context(ctx), a, k, start, tolerance)
	return values, vectors, err
}

// effort is what a search for eigenvectors took.
type effort struct {
	products int  // of the matrix with a block of vectors
	direct   bool // the whole matrix was decomposed
}

func topEigen(ctx context.Context, a mat.Symmetric, k int, start *mat.Dense, tolerance float64) (values []float64, vectors *mat.Dense, spent effort, err error) {
	d := a.SymmetricDim()
	if k < 1 || k > d {
		return nil, nil, spent, fmt.Errorf("linalg: %d eigenvectors of a matrix of %d columns", k, d)
	}
	if err := checkBasis(start, d); err != nil {
		return nil, nil, spent, err
	}
	upper, err := upperOf(a)
	if err != nil {
		return nil, nil, spent, err
	}
	unit := toUnit(upper)
	warm := columnsOf(start) > 0 && allFinite(transposed(start))
	if s := newSubspace(upper, d, k, warm, tolerance); s != nil {
		if warm {
			s.begin(start)
		} else {
			s.begin(nil)
		}
		found, err := s.iterate(ctx)
		spent.products = s.products
		if err != nil {
			return nil, nil, spent, err
		}
		if found {
			values, vectors = s.result()
			scale(unit, values)
			return values, vectors, spent, nil
		}
	}
	spent.direct = true
	values, vectors, err = directEigen(ctx, upper, d, k)
	scale(unit, values)
	return values, vectors, spent, err
}
