package outlying

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/internal/outlying"
)

// Of laws whose logarithms or reciprocals are normal the limit lets 2.5 % pass where that of
// cube roots lets far more; of squared lengths it stays where it is, in any unit, and a sixth
// of far values does not move it out of sight.
func TestSkewedLimit(t *testing.T) {
	const n = 4000
	for _, c := range []struct {
		name  string
		value func(r *rand.Rand) float64
		far   float64
	}{
		{"lengths of ten", func(r *rand.Rand) float64 {
			s := 0.0
			for range 10 {
				v := r.NormFloat64()
				s += v * v
			}
			return s
		}, 0},
		{"lognormal", func(r *rand.Rand) float64 { return math.Exp(0.8 * r.NormFloat64()) }, 0},
		{"reciprocal", func(r *rand.Rand) float64 { return math.Pow(math.Max(1+0.2*r.NormFloat64(), 0.1), -3) }, 0},
		{"lognormal and far ones", func(r *rand.Rand) float64 { return math.Exp(0.5 * r.NormFloat64()) }, 0.16},
	} {
		for _, unit := range []float64{1, 1e-200, 1e200} {
			r := rand.New(rand.NewPCG(1, 3))
			squared, clean := make([]float64, n), make([]float64, n)
			for i := range squared {
				clean[i] = c.value(r) * unit
				if squared[i] = clean[i]; r.Float64() < c.far {
					squared[i] *= 1e4
				}
			}
			limit := outlying.SkewedLimit(squared, nil, n, outlying.Middle)
			beyond := 0.0
			for _, v := range clean {
				if v > limit*limit {
					beyond += 1.0 / n
				}
			}
			t.Logf("%s, unit %g: %.1f %% of clean values", c.name, unit, 100*beyond)
			if beyond > 0.045 || c.far == 0 && beyond < 0.01 || limit*limit > 300*unit {
				t.Errorf("%s, unit %g: %.1f %% of clean values lie beyond %g", c.name, unit, 100*beyond, limit)
			}
		}
	}
}
