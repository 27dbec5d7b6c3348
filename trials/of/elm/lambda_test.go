package elm

import (
	"context"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
)

// The chosen penalty is nearly as good on clean points as the best of fixed ones, with the
// tenth of wrong targets that the sinc has, and with every seventh far off besides.
func TestPenaltyIsNearlyTheBest(t *testing.T) {
	ctx := context.Background()
	grid, truth := mat.NewDense(101, 1, nil), mat.NewDense(101, 1, nil)
	for i := range 101 {
		v := -9.99 + 0.2*float64(i)
		grid.Set(i, 0, 0.13*v)
		truth.Set(i, 0, 8*math.Sin(v)/v)
	}
	for _, far := range []float64{0, 40} {
		x, y := sinc(200, false, 4)
		x.Scale(0.13, x)
		for i := 0; i < 200; i += 7 {
			y.Set(i, 0, y.At(i, 0)+far)
		}
		off := func(lambda float64) float64 {
			m, err := elm.RCC{Options: elm.Options{Hidden: 80, Lambda: lambda, Seed: 1, Tol: 1e-8}}.Fit(ctx, linalg.FromDense(x), y)
			p, err := must(t, m, err).Predict(ctx, grid)
			if err != nil {
				t.Fatal(err)
			}
			return relative(p, truth)
		}
		best := math.Inf(1)
		for exponent := -20.0; exponent <= 0; exponent += 4 {
			best = math.Min(best, off(math.Pow(10, exponent)))
		}
		if auto := off(0); auto > 1.3*best || best > 0.1 {
			t.Errorf("far targets %g: %.3f off, with the best fixed penalty %.3f", far, auto, best)
		}
	}
}
