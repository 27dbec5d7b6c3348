package linalg

import (
	"context"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
)

// Rows at a distance of 1e-9 from a subspace in which they are of length 1000: the
// difference of squares would have no correct digit.
func TestResidualsOfRowsAlmostInTheSubspace(t *testing.T) {
	const n, d, m = 500, 40, 5
	q := random(1, d, m+1)
	linalg.Orthonormalize(q)
	v := mat.DenseCopyOf(q.Slice(0, d, 0, m))
	coords := random(2, n, m+1)
	for i := range n {
		for j := range m {
			coords.Set(i, j, 1000*coords.At(i, j))
		}
		coords.Set(i, m, 1e-9)
	}
	var x mat.Dense
	x.Mul(coords, q.T())
	for i := range d {
		x.Set(7, i, 0) // the mean itself
	}
	s := make([]float64, n)
	if err := linalg.Residuals(context.Background(), linalg.FromDense(&x), nil, v, s, nil); err != nil {
		t.Fatal(err)
	}
	for i, got := range s {
		if i == 7 {
			if got != 0 {
				t.Errorf("distance of the mean: %v", got)
			}
			continue
		}
		if got < 0 || math.Abs(math.Sqrt(got)-1e-9) > 1e-12 {
			t.Fatalf("row %d: distance %v, want 1e-9", i, math.Sqrt(got))
		}
	}
}
