package univariate

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The window of least variance, found by trying all of them.
func TestDensestHalfIsTheBestWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 1, 40).Draw(t, "values")
		h := rapid.IntRange(1, len(x)).Draw(t, "h")
		slices.Sort(x)
		best := math.Inf(1)
		for first := 0; first+h <= len(x); first++ {
			mean, ss := 0.0, 0.0
			for _, v := range x[first : first+h] {
				mean += v / float64(h)
			}
			for _, v := range x[first : first+h] {
				ss += (v - mean) * (v - mean)
			}
			best = math.Min(best, ss)
		}
		want := math.Sqrt(best / float64(h) * centralFactor(float64(h), float64(len(x))))
		if _, got := DensestHalf(slices.Clone(x), h); math.Abs(got-want) > 1e-6*want+1e-9 {
			t.Fatalf("h=%d of %v: scale %v, want %v", h, x, got, want)
		}
	})
}
