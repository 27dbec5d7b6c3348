package linear

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linear"
	"gonum.org/v1/gonum/mat"
)

// tableWithIdleColumn is y = x1 + 2 x3 + noise; the second column does not matter.
func tableWithIdleColumn(seed uint64, n int) (*mat.Dense, []float64) {
	draw := rand.New(rand.NewPCG(seed, 3))
	x, y := mat.NewDense(n, 3, nil), make([]float64, n)
	for i := range y {
		for j := range 3 {
			x.Set(i, j, draw.NormFloat64())
		}
		y[i] = x.At(i, 0) + 2*x.At(i, 2) + draw.NormFloat64()/2
	}
	return x, y
}

// One absurd cell in a column that does not matter: the fit goes through the row, whatever its target is, so that it must
// not vote; the result is as without it, and the row is told.
func TestOneFarCellInAnIdleColumn(t *testing.T) {
	const trials = 6
	for _, far := range []float64{1e3, -1e9, 1e300} {
		for _, off := range []float64{0, 50} { // of the target
			told, moved := 0, 0.0
			for seed := range uint64(trials) {
				x, y := tableWithIdleColumn(seed, 100)
				clean, err := linear.Robust{Seed: seed}.Fit(context.Background(), linalg.FromDense(x), y)
				if err != nil {
					t.Fatal(err)
				}
				x.Set(7, 1, far)
				y[7] += off
				m, err := linear.Robust{Seed: seed}.Fit(context.Background(), linalg.FromDense(x), y)
				if err != nil {
					t.Fatal(err)
				}
				if v := m.Training(); v.Outlier[7] && v.Weight[7] < 0.01 {
					told++
				}
				one := m.JudgeRow(x.RawRowView(7), y[7])
				if math.Abs(one.Weight-m.Training().Weight[7]) > 1e-9 {
					t.Errorf("%g: the row weighs %g in the fit and %g alone", far, m.Training().Weight[7], one.Weight)
				}
				_, columns := clean.Table()
				for j, c := range columns {
					moved = max(moved, math.Abs(m.Coef()[j]-clean.Coef()[j])/c.Error)
				}
			}
			if told < trials || moved > 1 {
				t.Errorf("cell %g, target off by %g: told in %d of %d, coefficients moved by %.2g standard errors", far, off, told, trials, moved)
			}
		}
	}
}

// A row far beyond all others whose target is where the others say it must be is right, and its vote is worth a lot.
func TestFarRowsThatOthersConfirm(t *testing.T) {
	x, y := tableWithIdleColumn(1, 1000)
	x.Set(7, 2, 150)
	y[7] = x.At(7, 0) + 2*150
	m, err := linear.Robust{}.Fit(context.Background(), linalg.FromDense(x), y)
	if err != nil {
		t.Fatal(err)
	}
	if v := m.Training(); v.Outlier[7] || v.Weight[7] < 0.9 {
		t.Errorf("the row is told, weight %g", v.Weight[7])
	}
	if off := math.Abs(m.Coef()[2] - 2); off > 0.01 {
		t.Errorf("the coefficient is off by %g", off)
	}
}

// A column with heavy tails has far rows by nature; where it does not matter they are told no more often than others.
func TestHeavyTailsInAnIdleColumn(t *testing.T) {
	told, rows := 0, 0
	for seed := range uint64(10) {
		x, y := tableWithIdleColumn(seed, 300)
		draw := rand.New(rand.NewPCG(seed, 5))
		for i := range y {
			x.Set(i, 1, math.Exp(2.5*draw.NormFloat64()))
		}
		m, err := linear.Robust{Seed: seed}.Fit(context.Background(), linalg.FromDense(x), y)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range m.Training().Outlier {
			rows++
			if v {
				told++
			}
		}
	}
	if told > rows/66 {
		t.Errorf("%d of %d clean rows are told", told, rows)
	}
}
