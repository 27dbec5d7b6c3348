package check

import (
	"math"
	"testing"
)

func TestRaised(t *testing.T) {
	for _, u := range []float64{1e-4, 0.3, 1, 1.0000001, 2, 17.25, 1e6, math.Inf(1)} {
		for eighths := 0; eighths <= 20; eighths++ {
			power := float64(eighths) / 8
			want := math.Pow(u, power)
			if got := raised(u, power); got != want && math.Abs(got-want) > 4e-15*want {
				t.Errorf("%g to the power of %g is %g, not %g", u, power, got, want)
			}
		}
		for _, power := range []float64{0.1, -0.25, 1.9} {
			if got, want := raised(u, power), math.Pow(u, power); got != want {
				t.Errorf("%g to the power of %g is %g, not %g", u, power, got, want)
			}
		}
	}
}
