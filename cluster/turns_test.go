package cluster

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// A sample of rows in which kinds take turns, or come one after the other, holds each kind as
// often as the table does, whatever the period.
func TestSamplesOfRowsThatTakeTurns(t *testing.T) {
	const m = 5001
	for _, n := range []int{2 * m, 10 * m, 10*m + 3, 20 * m, 7 * m, 100000} {
		for _, period := range []int{2, 3, 5, 7, 10, 20, 24, 60, 100} {
			for _, turn := range []int{0, 1, period / 2, period - 1} {
				tab := &table{n: n, counted: n, total: float64(n)}
				hit := 0
				for _, i := range tab.spaced(m) {
					if i%period == turn {
						hit++
					}
				}
				if got, want := float64(hit)/m, 1/float64(period); math.Abs(got-want) > 0.01+0.1*want {
					t.Errorf("%d rows, number %d of every %d: %.3f of the sample, not %.3f", n, turn, period, got, want)
				}
			}
		}
		tab := &table{n: n, counted: n, total: float64(n)}
		half := 0
		for _, i := range tab.spaced(m) {
			if i < n/2 {
				half++
			}
		}
		if math.Abs(float64(half)/m-0.5) > 0.001 {
			t.Errorf("%d rows: %d of %d from the first half", n, half, m)
		}
	}
}

// Weights of whole numbers give the sample of the repeated rows.
func TestSpacedByWeight(t *testing.T) {
	weights := make([]float64, 3000)
	var repeated []int
	for i := range weights {
		weights[i] = float64(i % 4)
		for range i % 4 {
			repeated = append(repeated, i)
		}
	}
	n := len(repeated)
	plain := (&table{n: n, counted: n, total: float64(n)}).spaced(501)
	for a, i := range (&table{n: 3000, counted: 2250, total: float64(n), weights: weights}).spaced(501) {
		if i != repeated[plain[a]] {
			t.Fatalf("place %d: row %d by weight, row %d repeated", a, i, repeated[plain[a]])
		}
	}
}

// The reach of density peaks and the middle of many points do not come from the one row in two
// or ten that a fixed step would meet.
func TestReachAndMiddleOfRowsThatTakeTurns(t *testing.T) {
	const n = 2 * sampleRows
	p := &points{n: n, d: 1}
	for i := range n { // every other row is at one place
		v := 0.0
		if i%2 == 1 {
			v = math.Sin(float64(i)) * 1000
		}
		p.x = append(p.x, v)
	}
	p.norms = squaredLengths(p.x, 1)
	got, err := p.reach(context.Background(), 60)
	if err != nil || !(got > 100) { // a quarter of the pairs coincides
		t.Errorf("reach %g, %v", got, err)
	}
	x := mat.NewDense(10010, 1, nil)
	for i := range 10010 {
		x.Set(i, 0, math.Sin(float64(i)))
		if i%10 == 0 {
			x.Set(i, 0, -1e12)
		}
	}
	if m := medians(x); math.Abs(m[0]) > 0.5 {
		t.Errorf("middle %g", m[0])
	}
}
