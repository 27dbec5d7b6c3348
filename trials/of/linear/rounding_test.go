package linear

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linear"
	"gonum.org/v1/gonum/mat"
)

// sums makes rows of an exact relation whose numbers are rounded to a step each (0: not).
func sums(n int, step []float64, seed uint64) (*mat.Dense, []float64) {
	draw := rand.New(rand.NewPCG(seed, 5))
	round := func(v, step float64) float64 {
		if step == 0 {
			return v
		}
		return math.Round(v/step) * step
	}
	d := len(step) - 1
	x, y := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		for j := range d {
			v := 100 * draw.Float64()
			y[i] += v
			x.Set(i, j, round(v, step[j]))
		}
		y[i] = round(y[i], step[d])
	}
	return x, y
}

// Numbers that obey a relation exactly still show rows that are wrong by the smallest step.
func TestExactRelationsShowSmallErrors(t *testing.T) {
	draw := rand.New(rand.NewPCG(4, 5))
	for _, n := range []int{30, 300} {
		x, y := mat.NewDense(n, 2, nil), make([]float64, n)
		var want []int
		for i := range n {
			a, b := float64(draw.IntN(100)), float64(draw.IntN(100))
			x.SetRow(i, []float64{a, b})
			if y[i] = a + b; i%20 == 7 {
				y[i]++
				want = append(want, i)
			}
		}
		m, err := linear.Robust{}.Fit(context.Background(), linalg.FromDense(x), y)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for i, out := range m.Training().Outlier {
			if out {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d rows: outliers %v, not %v", n, got, want)
		}
	}
}

// Whole numbers are not rounded ones: rows that are wrong by less than their sum could be
// rounded by, yet by a hundred times the noise, are outliers, also where the target has few
// decimals.
func TestWholeNumbersAreExact(t *testing.T) {
	const n, noise = 200, 0.01
	for _, decimals := range []float64{0, 100, 10} {
		for _, share := range []int{10, 4, 3} {
			for _, d := range []int{2, 3, 5} {
				draw := rand.New(rand.NewPCG(1, 5))
				x, y := mat.NewDense(n, d, nil), make([]float64, n)
				for i := range n {
					y[i] = noise * draw.NormFloat64()
					if decimals > 0 {
						y[i] *= 100 / decimals
					}
					for j := range d {
						x.Set(i, j, float64(draw.IntN(100)))
						y[i] += (1.3 + 0.2*float64(j)) * x.At(i, j)
					}
					if i%share == 0 {
						y[i] += 1.3
					}
					if decimals > 0 {
						y[i] = math.Round(y[i]*decimals) / decimals
					}
				}
				m, err := linear.Robust{Samples: 40}.Fit(context.Background(), linalg.FromDense(x), y)
				if err != nil {
					t.Fatal(err)
				}
				for i, out := range m.Training().Outlier {
					if i%share == 0 && !out {
						t.Errorf("%g, one in %d, %d columns: row %d is no outlier (scale %g)", decimals, share, d, i+1, m.Scale())
						break
					}
				}
			}
		}
	}
}

// Rows of weight 0 say nothing about rounding.
func TestRoundingOfRowsThatCount(t *testing.T) {
	x, y := sums(300, []float64{0.01, 0.01, 0.01, 0.01}, 1)
	more, _ := sums(600, []float64{0, 0, 0, 0}, 1)
	for i := range 300 {
		more.SetRow(i, x.RawRowView(i))
	}
	targets, weights := make([]float64, 600), make([]float64, 600)
	for i := range targets {
		targets[i] = math.Pi * float64(i)
		if i < 300 {
			targets[i], weights[i] = y[i], 1
		}
	}
	m, err := linear.Robust{Samples: 40, Weights: weights}.Fit(context.Background(), linalg.FromDense(more), targets)
	if err != nil {
		t.Fatal(err)
	}
	for i, out := range m.Training().Outlier[:300] {
		if out {
			t.Fatalf("row %d is an outlier (scale %g)", i+1, m.Scale())
		}
	}
}
