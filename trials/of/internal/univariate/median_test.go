package univariate_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

// TestMedianOfManyValues holds the median of many values against that of the sorted ones, for values that are in order, take
// turns, are equal, far, infinite or no numbers near the middle, and for any number of threads.
func TestMedianOfManyValues(t *testing.T) {
	draw := rand.New(rand.NewPCG(7, 7))
	const many = 1<<18 + 5
	kinds := map[string]func(i int) float64{
		"normal":           func(int) float64 { return draw.NormFloat64() },
		"ascending":        func(i int) float64 { return float64(i) },
		"descending":       func(i int) float64 { return -float64(i) },
		"two values":       func(i int) float64 { return float64(i % 2) },
		"constant":         func(int) float64 { return 3 },
		"turns of sixteen": func(i int) float64 { return float64(i%16) + 1e-3*draw.Float64() },
		"half far":         func(i int) float64 { return draw.NormFloat64() * math.Pow(1e300, float64(i%2)) },
		"half infinite":    func(i int) float64 { return []float64{math.Inf(1), draw.Float64()}[i%2] },
		"mostly infinite":  func(i int) float64 { return []float64{math.Inf(-1), math.Inf(-1), draw.Float64()}[i%3] },
		"a block of zeros": func(i int) float64 { return float64(max(i-many/2, 0)) },
		"largest numbers":  func(i int) float64 { return math.MaxFloat64 * (1 - draw.Float64()*1e-3) },
	}
	for name, value := range kinds {
		for _, n := range []int{many, many + 1} {
			x := make([]float64, n)
			for i := range x {
				x[i] = value(i)
			}
			before := slices.Clone(x)
			ordered := slices.Clone(x)
			slices.Sort(ordered)
			want := ordered[(n-1)/2]/2 + ordered[n/2]/2
			if n%2 == 1 {
				want = ordered[n/2]
			}
			for _, threads := range []int{1, 3} {
				linalg.SetThreads(threads)
				if got := univariate.MedianOf(x); got != want {
					t.Errorf("%s: the median of %d values is %v, not %v", name, n, got, want)
				}
				if got := univariate.WeightedMedian(x, slices.Repeat([]float64{2}, n)); got != want {
					t.Errorf("%s: the median of %d values with weights of 2 is %v, not %v", name, n, got, want)
				}
			}
			linalg.SetThreads(0)
			if !slices.Equal(x, before) {
				t.Errorf("%s: the values were reordered", name)
			}
			if got := univariate.Median(x); got != want {
				t.Errorf("%s: the median of %d values that may be reordered is %v, not %v", name, n, got, want)
			}
		}
	}
}
