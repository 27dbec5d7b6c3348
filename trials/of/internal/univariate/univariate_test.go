package univariate

import (
	"math"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/internal/univariate"
	"pgregory.net/rapid"
)

// dirty is nine values near 2 and three that are not.
var dirty = []float64{2.11, 1.93, 2.44, 2.2, 9.5, 2.02, 2.37, -7.1, 1.8, 2.61, 2.5, 40}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12*math.Max(1, math.Abs(want))) {
		t.Errorf("%s is %.16g, want %.16g", what, got, want)
	}
}

// The values are those of R 4 with robustbase:
//
//	x <- c(2.11,1.93,2.44,2.2,9.5,2.02,2.37,-7.1,1.8,2.61,2.5,40)
//	print(c(median(x), mad(x, constant=1/qnorm(.75))), digits=16)
//	r <- covMcd(matrix(x), alpha=0.5, use.correction=FALSE)
//	print(c(r$quan, r$raw.center, r$raw.cov), digits=16)
func TestAgreesWithR(t *testing.T) {
	near(t, "median", univariate.MedianOf(dirty), 2.285)
	centre, deviation := univariate.Deviation(slices.Clone(dirty))
	near(t, "centre", centre, 2.285)
	near(t, "deviation", deviation, 0.4373676544591525)
	location, scale := univariate.DensestHalf(slices.Clone(dirty), 7)
	near(t, "location of the densest half", location, 2.3214285714285716)
	near(t, "its variance", scale*scale, 0.2001573471787056)
}

func TestReweightedOfNormalValues(t *testing.T) {
	const n = 20000
	r := random.New(1, "normal values")
	x := make([]float64, n)
	for i := range x {
		x[i] = 1e6 + 3*r.NormFloat64()
	}
	// The standard error of a mean and a deviation is about 3/sqrt(n) = 0.02.
	location, scale := reweighted(slices.Clone(x), n/2, 0.975)
	if math.Abs(location-1e6) > 0.1 || math.Abs(scale-3) > 0.1 {
		t.Errorf("clean sample: location %v, scale %v; want 1e6 and 3", location, scale)
	}
	for i := range 2 * n / 5 {
		x[i] = 1e9
	}
	location, scale = reweighted(x, n/2, 0.975)
	if math.Abs(location-1e6) > 0.2 || math.Abs(scale-3) > 0.2 {
		t.Errorf("40 %% outliers: location %v, scale %v; want 1e6 and 3", location, scale)
	}
}

func TestRefineStopsAtNoSpread(t *testing.T) {
	if location, scale := univariate.WeightedRefine([]float64{1, 1, 1, 5}, nil, 1, 0, 0.975); location != 1 || scale != 0 {
		t.Errorf("location %v, scale %v; want 1 and 0", location, scale)
	}
	if location, scale := reweighted([]float64{4}, 1, 0.975); location != 4 || scale != 0 {
		t.Errorf("one value: location %v, scale %v; want 4 and 0", location, scale)
	}
}

func values(t *rapid.T) []float64 {
	return rapid.SliceOfN(rapid.Map(rapid.IntRange(-9, 9), func(k int) float64 { return float64(k) }), 1, 60).Draw(t, "values")
}

func TestSelectIsTheSortedPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := values(t)
		k := rapid.IntRange(0, len(x)-1).Draw(t, "place")
		sorted := slices.Sorted(slices.Values(x))
		if got := univariate.Select(x, k); got != sorted[k] || x[k] != got {
			t.Fatalf("place %d of %v: %v", k, sorted, got)
		}
		if k > 0 && slices.Max(x[:k]) > x[k] || slices.Min(x[k:]) < x[k] {
			t.Fatalf("not parted at %d: %v", k, x)
		}
		if !slices.Equal(slices.Sorted(slices.Values(x)), sorted) {
			t.Fatalf("values were lost: %v of %v", x, sorted)
		}
	})
}

func TestSmallestAreTheLowestIndicesOfTheSmallestValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := values(t)
		h := rapid.IntRange(1, len(x)).Draw(t, "h")
		order := make([]int, len(x))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return int(x[a] - x[b]) })
		want := slices.Sorted(slices.Values(order[:h]))
		if got := univariate.Smallest(x, h); !slices.Equal(got, want) {
			t.Fatalf("%d smallest of %v: %v, want %v", h, x, got, want)
		}
	})
}

func TestMedianAtTheEdges(t *testing.T) {
	if !math.IsNaN(univariate.Median(nil)) || !math.IsNaN(univariate.WeightedMedian(nil, []float64{})) {
		t.Error("the median of nothing is a number")
	}
	if got := univariate.Median([]float64{math.MaxFloat64, math.MaxFloat64}); got != math.MaxFloat64 {
		t.Errorf("the median of two largest numbers is %v", got)
	}
	x := []float64{3, 1, 2}
	if got := univariate.WeightedMedian(x, nil); got != 2 || x[0] != 3 {
		t.Errorf("weighted median without weights is %v and leaves %v", got, x)
	}
}

// A group of equal values that is less than half of the sample does not draw the scale to
// zero.
func TestReweightedAndTies(t *testing.T) {
	x := make([]float64, 100)
	for i := range x {
		x[i] = float64(i) / 100
		if i < 40 {
			x[i] = 0.45
		}
	}
	if _, scale := reweighted(x, 51, 0.975); scale < 0.01 {
		t.Errorf("scale %g", scale)
	}
}

// reweighted is [univariate.WeightedReweighted] with weights of one.
func reweighted(x []float64, h int, level float64) (location, scale float64) {
	return univariate.WeightedReweighted(x, slices.Repeat([]float64{1}, len(x)), float64(h), level)
}
