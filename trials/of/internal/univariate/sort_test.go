package univariate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/internal/univariate"
)

// Sorting on all cores, by digits and merging, is sorting: with ties, NaN, infinities and ends that no power of two divides.
func TestSort(t *testing.T) {
	const radixFewest, sortedAlone = 500, 1 << 15 // from which on digits, and merging, have their turn
	source := rand.New(rand.NewPCG(3, 4))
	odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 1e300, -1e300, 5e-324, -5e-324, -math.NaN()}
	for _, n := range []int{0, 1, radixFewest - 1, radixFewest, 5000, 2*sortedAlone - 1, 2 * sortedAlone, 2*sortedAlone + 1, 5*sortedAlone + 7, 9*sortedAlone - 3} {
		for _, levels := range []float64{0, 3} {
			x := make([]float64, n)
			for i := range x {
				x[i] = source.NormFloat64()
				if levels > 0 {
					x[i] = math.Round(x[i] * levels)
				}
				if i%100 == 17 {
					x[i] = odd[i/100%len(odd)]
				}
			}
			want := slices.Clone(x)
			slices.Sort(want)
			univariate.Sort(x)
			for i, v := range x {
				if v != want[i] && (v == v || want[i] == want[i]) {
					t.Fatalf("%d numbers: %g instead of %g at %d", n, v, want[i], i)
				}
			}
		}
	}
}

func BenchmarkSort(b *testing.B) {
	source := rand.New(rand.NewPCG(3, 4))
	x, y := make([]float64, 1<<20), make([]float64, 1<<20)
	for i := range x {
		x[i] = source.NormFloat64()
	}
	b.Run("slices", func(b *testing.B) {
		for range b.N {
			copy(y, x)
			slices.Sort(y)
		}
	})
	b.Run("all cores", func(b *testing.B) {
		for range b.N {
			copy(y, x)
			univariate.Sort(y)
		}
	})
}
