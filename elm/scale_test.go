package elm

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// Every machine of the same rows tells about the same scale of its errors, that of new rows:
// whatever was given and whatever was chosen. An open bandwidth is the loss's multiple of it.
func TestOneScaleOfErrors(t *testing.T) {
	x, y := bends(240, 2, 8)
	fresh, want := bends(400, 2, 9)
	o := Options{Hidden: 60, Seed: 3}
	given := o
	given.Lambda = 1e-4
	for name, f := range map[string]fitter{
		"open": RCC{Options: o}, "penalty given": RCC{Options: given}, "bandwidth given": RCC{Options: o, Sigma: loss.FixedAt(0.15)},
		"both given": RCC{Options: given, Sigma: loss.FixedAt(0.15)},
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

// Degrees of freedom are the trace of the hat matrix.
func TestFreedomIsTheTrace(t *testing.T) {
	x, _ := bends(50, 2, 10)
	layer := RandomLayer(12, 2, Sigmoid, Range{-1, 1}, Range{0, 1}, 4)
	h, _ := layer.Outputs(x)
	for _, lambda := range []float64{1e-6, 1e-2, 10} {
		sum := linalg.NewTSQR(12, 1)
		if err := sum.Add(h, mat.NewDense(50, 1, nil), nil); err != nil {
			t.Fatal(err)
		}
		got, err := freedomOf(sum, lambda)
		if err != nil {
			t.Fatal(err)
		}
		var svd mat.SVD
		svd.Factorize(h, mat.SVDNone)
		want := 0.0
		for _, v := range svd.Values(nil) {
			want += v * v / (v*v + lambda)
		}
		if math.Abs(got-want) > 1e-8 {
			t.Errorf("penalty %g: %g degrees of freedom, singular values say %g", lambda, got, want)
		}
	}
}
