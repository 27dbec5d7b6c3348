package elm

import (
	"math"
	"testing"

	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// Every machine of the same rows tells about the same scale of its errors, that of new rows:
// whatever was given and whatever was chosen. An open bandwidth is the loss's multiple of it.
func TestOneScaleOfErrors(t *testing.T) {
	x, y := bends(240, 2, 8)
	fresh, want := bends(400, 2, 9)
	o := elm.Options{Hidden: 60, Seed: 3}
	given := o
	given.Lambda = 1e-4
	for name, f := range map[string]fitter{
		"open": elm.RCC{Options: o}, "penalty given": elm.RCC{Options: given}, "bandwidth given": elm.RCC{Options: o, Sigma: loss.FixedAt(0.15)},
		"both given": elm.RCC{Options: given, Sigma: loss.FixedAt(0.15)},
	} {
		m, err := f.Fit(t.Context(), linalg.FromDense(x), y)
		if err != nil {
			t.Fatal(name, err)
		}
		out, _ := m.Predict(t.Context(), fresh)
		var errors []float64
		for i := range 400 {
			errors = append(errors, math.Abs(out.At(i, 0)-want.At(i, 0)))
		}
		actual := univariate.MedianOf(errors) / 0.6745
		if s := m.Scale()[0]; s < 0.8*actual || s > 1.25*actual {
			t.Errorf("%s: scale %.4f; errors of new rows have %.4f", name, s, actual)
		}
		if sigma := m.Loss().Scale(); name != "both given" && name != "bandwidth given" && math.Abs(sigma/m.Scale()[0]/2.11-1) > 0.02 {
			t.Errorf("%s: bandwidth %.4f is %.3f scales of %.4f", name, sigma, sigma/m.Scale()[0], m.Scale()[0])
		}
	}
}

// Weights that are powers of the errors have a unit, and a penalty is beside them: given as it was chosen, it leaves the fit as much freedom as it did then. Read beside
// weights up to one it left next to none or all of it, and errors were told twice (l1) or eight times as large (lp, p = 1.2) as they are.
func TestOneScaleOfPowers(t *testing.T) {
	x, y := bends(240, 2, 8)
	for _, text := range []string{"l1", "lp:p=1.2", "lp:p=1.6", "kmpe:p=1.2", "huber", "welsch"} {
		o := elm.Options{Hidden: 120, Seed: 3, WeightRange: elm.Range{Low: -1, High: 1}, BiasRange: elm.Range{Low: 0, High: 1}, Scaling: elm.ScaleStandard}
		open, err := elm.Robust{Options: o, Loss: loss.MustParse(text)}.Fit(t.Context(), linalg.FromDense(x), y)
		if err != nil {
			t.Fatal(text, err)
		}
		o.Lambda = open.Lambda()
		given, err := elm.Robust{Options: o, Loss: loss.MustParse(text)}.Fit(t.Context(), linalg.FromDense(x), y)
		if err != nil {
			t.Fatal(text, err)
		}
		if a, b := open.Scale()[0], given.Scale()[0]; b < .8*a || b > 1.25*a {
			t.Errorf("%s: scale %.4f with the penalty chosen, %.4f with the same one given", text, a, b)
		}
	}
}
