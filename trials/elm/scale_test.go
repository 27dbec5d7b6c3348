package elm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/linalg"
)

// The scale of the errors is that of new rows, also where rows count unequally: those that count ten times are followed closely.
func TestScaleOfUnequalRows(t *testing.T) {
	const n, fresh, draws = 40, 1000, 6
	ratio := 0.0
	for seed := range uint64(draws) {
		g := rand.New(rand.NewPCG(seed, 9))
		draw := func(n int) (*mat.Dense, *mat.Dense) {
			x, y := mat.NewDense(n, 3, nil), mat.NewDense(n, 1, nil)
			for i := range n {
				x.SetRow(i, []float64{g.NormFloat64(), g.NormFloat64(), g.NormFloat64()})
				y.Set(i, 0, math.Sin(2*x.At(i, 0))+x.At(i, 1)*x.At(i, 2)+0.3*g.NormFloat64())
			}
			return x, y
		}
		x, y := draw(n)
		weights := make([]float64, n)
		for i := range weights {
			weights[i] = []float64{1, 10}[g.IntN(2)]
		}
		m, err := elm.Ridge{Options: elm.Options{Hidden: 60, Scaling: elm.ScaleRobust, Weights: weights, Seed: seed}}.Fit(t.Context(), linalg.FromDense(x), y)
		if err != nil {
			t.Fatal(err)
		}
		x, y = draw(fresh)
		out, _ := m.Predict(t.Context(), x)
		errors := make([]float64, fresh)
		for i := range errors {
			errors[i] = math.Abs(out.At(i, 0) - y.At(i, 0))
		}
		slices.Sort(errors)
		ratio += m.Scale()[0] / (1.4826 * errors[fresh/2]) / draws
	}
	if !(ratio > 0.65 && ratio < 1.3) {
		t.Errorf("the scale is %.2f of that of new errors", ratio)
	}
}
