package linalg

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func randomDense(r *rand.Rand, n, d int) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, r.NormFloat64())
		}
	}
	return x
}

// The triangle has the same products of columns as the matrix, in the order returned, and
// a diagonal that falls down to the rank.
func TestPivotedQR(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	const rows, p, width, rank = 40, 30, 32, 17
	var a mat.Dense
	a.Mul(randomDense(r, rows, rank), randomDense(r, rank, width))
	s := mat.DenseCopyOf(&a)
	pivot := pivotedQR(s.RawMatrix().Data, rows, p, width)
	for i := range rows {
		for j := range min(i, p) {
			s.Set(i, j, 0)
		}
	}
	order := append(append([]int(nil), pivot...), p, p+1)
	for i := range width {
		for j := range width {
			got, want := mat.Dot(s.ColView(i), s.ColView(j)), mat.Dot(a.ColView(order[i]), a.ColView(order[j]))
			if math.Abs(got-want) > 1e-9 {
				t.Fatalf("product of columns %d and %d: %v, was %v", i, j, got, want)
			}
		}
	}
	for k := 1; k < p; k++ {
		now, before := math.Abs(s.At(k, k)), math.Abs(s.At(k-1, k-1))
		if now > before*(1+1e-9) && now > 1e-10 {
			t.Errorf("diagonal %d is %v after %v", k, now, before)
		}
		if (now > 1e-10) != (k < rank) {
			t.Errorf("diagonal %d is %v at rank %d", k, now, rank)
		}
	}
}
