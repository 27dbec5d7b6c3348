package random

import (
	"math"
	"testing"
)

// A table with rows repeated makes the same draws as weights.
func TestWeightedDrawsAreThoseOfRepeatedRows(t *testing.T) {
	weights := []float64{0, 3, 1, 0, 0, 2, 5, 0}
	var owner []int
	for i, w := range weights {
		for range int(w) {
			owner = append(owner, i)
		}
	}
	weighted, repeated := NewRows(len(weights), weights), NewRows(len(owner), nil)
	if weighted.Total() != repeated.Total() {
		t.Fatalf("totals %v and %v", weighted.Total(), repeated.Total())
	}
	a, b := New(1, "draws"), New(1, "draws")
	for range 10000 {
		if i, j := weighted.Draw(a), owner[repeated.Draw(b)]; i != j {
			t.Fatalf("weights draw row %d, repeated rows %d", i, j)
		}
	}
	for _, r := range []Rows{weighted, repeated} {
		if i := r.At(r.Total()); i != map[int]int{8: 6, 11: 10}[r.n] {
			t.Errorf("the end of %d rows belongs to row %d", r.n, i)
		}
	}
}

// Draws follow the weights, also when they are no integers.
func TestDrawsFollowWeights(t *testing.T) {
	weights := []float64{0.1, 0, 0.25, 0.65}
	rows, g := NewRows(4, weights), New(2, "draws")
	counts := make([]float64, 4)
	const n = 100000
	for range n {
		counts[rows.Draw(g)]++
	}
	for i, w := range weights {
		if d := math.Abs(counts[i]/n - w); d > 5*math.Sqrt(w*(1-w)/n) {
			t.Errorf("row %d of weight %v drawn with frequency %v", i, w, counts[i]/n)
		}
	}
}
