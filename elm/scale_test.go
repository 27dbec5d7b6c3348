package elm

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

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
