package elm

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// A shift of the targets shifts what default machines say, and nothing else.
func TestShiftOfTargets(t *testing.T) {
	x, y := bends(90, 2, 1)
	for name, f := range map[string]fitter{
		"elm": elm.Plain{elm.Options{Hidden: 20, Scaling: elm.ScaleRobust}}, "relm": elm.Ridge{elm.Options{Hidden: 20}}, "elm-rcc": elm.RCC{Options: elm.Options{Hidden: 20}},
		"l1": elm.Robust{Options: elm.Options{Hidden: 20}, Loss: loss.MustParse("l1")},
	} {
		base, err := f.Fit(t.Context(), linalg.FromDense(x), y)
		if err != nil {
			t.Fatal(name, err)
		}
		want, _ := base.Predict(t.Context(), x)
		for _, shift := range []float64{3, -1e6, 1e8} {
			moved := mat.DenseCopyOf(y)
			moved.Apply(func(_, _ int, v float64) float64 { return v + shift }, moved)
			m, err := f.Fit(t.Context(), linalg.FromDense(x), moved)
			if err != nil {
				t.Fatal(name, err)
			}
			got, _ := m.Predict(t.Context(), x)
			for i := range 90 {
				if d := math.Abs(got.At(i, 0) - shift - want.At(i, 0)); d > 1e-3 {
					t.Errorf("%s, targets plus %g: row %d is %g off", name, shift, i, d)
					break
				}
			}
			if math.Abs(m.Scale()[0]/base.Scale()[0]-1) > 0.01 {
				t.Errorf("%s, targets plus %g: scale %g instead of %g", name, shift, m.Scale()[0], base.Scale()[0])
			}
		}
	}
}

// However small a bandwidth that is given: numbers come out, and weights that are all 0 are
// never called a fit that converged.
func TestSmallBandwidths(t *testing.T) {
	x, y := bends(30, 2, 4)
	for _, text := range []string{"welsch", "tukey", "cauchy", "kmpe:p=4", "kmpe:p=1.5", "huber"} {
		for _, sigma := range []float64{1e-2, 1e-12, 1e-130} {
			for _, lambda := range []float64{0, 1e-4} {
				for _, start := range []elm.Start{elm.StartRidge, elm.StartZero} {
					spec := loss.MustParse(text).WithRule(loss.FixedAt(sigma))
					m, err := elm.Robust{Options: elm.Options{Hidden: 8, Lambda: lambda, Start: start}, Loss: spec}.Fit(t.Context(), linalg.FromDense(x), y)
					if err != nil {
						t.Errorf("%s, sigma %g, lambda %g, start %s: %v", text, sigma, lambda, start, err)
						continue
					}
					out, _ := m.Predict(t.Context(), x)
					sum := 0.0
					for _, w := range m.Weights() {
						sum += w
					}
					if v := mat.Norm(out, 2); v-v != 0 || sum-sum != 0 || m.Lambda()-m.Lambda() != 0 {
						t.Errorf("%s, sigma %g, lambda %g, start %s: outputs of size %g, weights %g, penalty %g", text, sigma, lambda, start, v, sum, m.Lambda())
					}
					if sum == 0 && (m.Status() == irls.Converged || len(m.Warnings()) == 0) {
						t.Errorf("%s, sigma %g, lambda %g, start %s: %s with weights that are all 0 (%v)", text, sigma, lambda, start, m.Status(), m.Warnings())
					}
				}
			}
		}
	}
}
