package linalg

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/refusal"
)

// Given refuses a source that is none: nil, or made of a matrix that is nil.
func Given(src Source) error {
	if m, ok := src.(*Matrix); src == nil || ok && (m == nil || m.m == nil) {
		return refusal.Data("there are no rows: the source is nil")
	}
	return nil
}

// checkWeights reports weights that are not n finite numbers >= 0; nil is fine and
// stands for ones.
func checkWeights(w []float64, n int) error {
	if w == nil {
		return nil
	}
	if len(w) != n {
		return refusal.Weights("linalg: %d weights for %d rows", len(w), n)
	}
	for i, x := range w {
		if !(x >= 0) || math.IsInf(x, 1) {
			return refusal.Weights("linalg: weight %v of row %d is not a finite number >= 0", x, i)
		}
	}
	return nil
}

// checkMean reports a mean that does not have d entries; nil is fine and stands for
// zeros.
func checkMean(mean []float64, d int) error {
	if mean != nil && len(mean) != d {
		return fmt.Errorf("linalg: mean of %d entries for %d columns", len(mean), d)
	}
	return nil
}

// checkBasis reports a matrix that does not have d rows; nil is fine and stands for no
// columns.
func checkBasis(v *mat.Dense, d int) error {
	if v == nil || v.IsEmpty() {
		return nil
	}
	if r, _ := v.Dims(); r != d {
		return fmt.Errorf("linalg: vectors of %d entries for %d columns", r, d)
	}
	return nil
}

// columnsOf returns the number of columns of v, 0 for nil.
func columnsOf(v *mat.Dense) int {
	if v == nil || v.IsEmpty() {
		return 0
	}
	_, c := v.Dims()
	return c
}

// weightAt returns w[i], or 1 when there are no weights.
func weightAt(w []float64, i int) float64 {
	if w == nil {
		return 1
	}
	return w[i]
}
