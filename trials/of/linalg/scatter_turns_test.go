package linalg

import (
	"context"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
)

// Rows without weight in every eighth place, far off, do not hide that the others lie close
// together far from zero, where a mean taken off after the product costs digits.
func TestScatterOfRowsThatTakeTurns(t *testing.T) {
	const n, d, at = 64, 3, 1e8
	for turn := range 8 {
		x, near := mat.NewDense(n, d, nil), mat.NewDense(n, d, nil)
		w := make([]float64, n)
		for i := range n {
			for j := range d {
				x.Set(i, j, at+math.Sin(float64(1+i*d+j)))
				near.Set(i, j, x.At(i, j)-at) // exact
			}
			if w[i] = 1; i%8 == turn {
				w[i] = 0
				x.SetRow(i, []float64{1e9, 2e9, -1e9})
			}
		}
		v := mat.NewDense(d, 2, []float64{1, 2, 3, -1, 0.5, 1})
		got, err := linalg.ScatterTimes(context.Background(), linalg.FromDense(x), w, []float64{at, at, at}, v)
		if err != nil {
			t.Fatal(err)
		}
		want, err := linalg.ScatterTimes(context.Background(), linalg.FromDense(near), w, nil, v)
		if err != nil {
			t.Fatal(err)
		}
		var diff mat.Dense
		if diff.Sub(got, want); mat.Norm(&diff, 2) > 1e-12*mat.Norm(want, 2) {
			t.Errorf("number %d of every eight is far: off by %g of %g", turn, mat.Norm(&diff, 2), mat.Norm(want, 2))
		}
	}
}
