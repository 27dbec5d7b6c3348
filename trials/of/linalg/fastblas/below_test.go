package fastblas

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/linalg/fastblas"
)

// No difference below a bound lies before the place that Below names, and one of the eight from there on is, or they are the last: with every kernel,
// whatever is not a number, and wherever the one stands.
func TestBelowPassesNothingOver(t *testing.T) {
	defer fastblas.Force(fastblas.Kernel())
	r := rand.New(rand.NewPCG(1, 2))
	for _, kernel := range []string{"avx512", "avx2", "neon", "go"} {
		if fastblas.Force(kernel) != nil {
			continue
		}
		for n := range 70 {
			for at := range n + 1 { // n: nowhere
				x, y := make([]float64, n), make([]float64, n)
				for i := range x {
					x[i], y[i] = 1+r.Float64(), r.Float64()-1
					switch r.IntN(8) {
					case 0:
						x[i] = math.NaN()
					case 1:
						x[i] = math.Inf(1)
					case 2:
						x[i], y[i] = 1, 0 // the bound itself is not below it
					}
				}
				if at < n {
					x[at], y[at] = 0.5, 0
				}
				got := fastblas.Below(x, y, 1)
				if got < 0 || got > at || at < n && at >= got+8 || at == n && n-got >= 8 {
					t.Fatalf("%s: %d numbers, below at %d: told %d", kernel, n, at, got)
				}
			}
		}
		if got := fastblas.Below(make([]float64, 64), make([]float64, 64), math.Inf(1)); got != 0 {
			t.Fatalf("%s: nothing is below +Inf: %d", kernel, got)
		}
	}
}
