package univariate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// The closed forms are those of the chi-square laws.
func TestCentralPartOfNormalValues(t *testing.T) {
	for _, part := range []float64{0.01, 0.5, 0.75, 0.975, 0.9999} {
		q := distuv.ChiSquared{K: 1}.Quantile(part)
		if got := centralReach(part); math.Abs(got*got-q) > 1e-9*q {
			t.Errorf("%g: %g, want %g", part, got*got, q)
		}
		if got, want := centralSquares(math.Sqrt(q)), (distuv.ChiSquared{K: 3}).CDF(q); math.Abs(got-want) > 1e-9*want {
			t.Errorf("%g: %g, want %g", part, got, want)
		}
	}
}
