package linalg

import (
	"context"
	"math"
	"slices"
	"sync/atomic"

	"gonum.org/v1/gonum/lapack"
	lapackgo "gonum.org/v1/gonum/lapack/gonum"
)

// divider finds eigenvalues and eigenvectors of a symmetric tridiagonal matrix by
// divide and conquer (Cuppen 1981; Gu and Eisenstat 1995): the matrix is cut into two
// and a correction of rank one, the halves are solved, and the correction is a secular
// equation whose solution multiplies the eigenvectors of the halves. That product runs
// on the matrix kernel, and columns that the correction leaves alone take no part.
type divider struct {
	ctx    context.Context // where it ends, the rest is left undone
	n      int
	d, e   []float64 // in: the matrix; out: d holds the eigenvalues, in no order
	z      []float64 // n x n; row i is the eigenvector of d[i]
	failed atomic.Bool
}

const (
	smallTridiagonal    = 24  // size up to which the implicit QL method is used
	parallelTridiagonal = 128 // size from which the two halves are solved at once
)

// solve treats rows and columns from to to-1 and returns their indices in ascending
// order of the eigenvalues. Only the last wanted of these eigenvectors are needed.
func (t *divider) solve(from, to, wanted int) []int {
	n := to - from
	if n <= smallTridiagonal {
		t.direct(from, to)
		order := make([]int, n)
		for i := range order {
			order[i] = from + i
		}
		return order
	}
	middle := from + n/2
	coupling := t.e[middle-1]
	strength := math.Abs(coupling)
	t.d[middle-1] -= strength
	t.d[middle] -= strength
	var lower, upper []int
	if n < parallelTridiagonal {
		lower, upper = t.solve(from, middle, n), t.solve(middle, to, n)
	} else {
		Parallel(2, func(half int) {
			if half == 0 {
				lower = t.solve(from, middle, n)
			} else {
				upper = t.solve(middle, to, n)
			}
		})
	}
	return t.join(from, middle, to, lower, upper, coupling, wanted)
}

// direct solves a small piece by implicit QL.
func (t *divider) direct(from, to int) {
	n := to - from
	vectors := make([]float64, n*n)
	work := make([]float64, max(1, 2*n-2))
	beside := append([]float64(nil), t.e[from:min(to-1, len(t.e))]...)
	if !(lapackgo.Implementation{}).Dsteqr(lapack.EVTridiag, n, t.d[from:to], beside, vectors, n, work) {
		t.failed.Store(true)
	}
	transpose(t.z[from*t.n+from:], t.n, vectors, n, n, n)
}

// join undoes the cut between middle-1 and middle. The indices lower and upper are in
// ascending order of the eigenvalues of the halves; those of the whole are returned.
func (t *divider) join(from, middle, to int, lower, upper []int, coupling float64, wanted int) []int {
	order := t.mergeOrder(lower, upper)
	if coupling == 0 || t.ctx.Err() != nil {
		return order
	}
	j := &join{divider: t, from: from, middle: middle, to: to, rho: 2 * math.Abs(coupling)}
	j.project(order, math.Copysign(1, coupling))
	j.deflate(order)
	if len(j.kept) > 0 {
		j.update(j.roots(), wanted)
	}
	return t.mergeOrder(order, nil)
}

// mergeOrder merges two lists of indices in ascending order of d.
func (t *divider) mergeOrder(a, b []int) []int {
	order := append(slices.Clone(a), b...)
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case t.d[i] < t.d[j]:
			return -1
		case t.d[i] > t.d[j]:
			return 1
		}
		return 0
	})
	return order
}
