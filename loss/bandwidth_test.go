package loss

import (
	"math"
	"testing"
)

// The constants behind the conversion give 95 % efficiency: (E psi')^2 / E psi^2 for a
// standard Gaussian, with psi(r) = r*Weight(r^2), by the trapezoidal rule; E psi' is
// E r*psi by parts.
func TestEfficiencyConstants(t *testing.T) {
	for text, constant := range map[string]float64{"welsch": welschEfficient, "huber": huberEfficient, "cauchy": cauchyEfficient, "tukey": tukeyEfficient} {
		l := MustParse(text).At(constant)
		var slope, square float64
		const h = 1e-3
		for r := -10.0; r <= 10; r += h {
			density := math.Exp(-r*r/2) / math.Sqrt(2*math.Pi) * h
			psi := r * l.Weight(r*r)
			slope += r * psi * density
			square += psi * psi * density
		}
		if e := slope * slope / square; math.Abs(e-0.95) > 5e-4 {
			t.Errorf("%v: efficiency %.5f, want 0.95", l, e)
		}
	}
}
