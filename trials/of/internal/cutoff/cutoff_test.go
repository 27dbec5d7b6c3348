package cutoff

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/internal/cutoff"
)

// Weights that are shares of one say no more and no less than equal ones.
func TestWeightsThatAreShares(t *testing.T) {
	const n = 100
	g := rand.New(rand.NewPCG(1, 1))
	labels, squared := make([]int, n), make([]float64, n)
	for i := range n {
		labels[i], squared[i] = i%2, g.ExpFloat64()
	}
	ones := slices.Repeat([]float64{1}, n)
	want := cutoff.PerGroup(labels, squared, nil, ones, 2, 0)
	for _, sum := range []float64{1, 1e-300, 50} {
		got := cutoff.PerGroup(labels, squared, slices.Repeat([]float64{sum / n}, n), ones, 2, 0)
		for k, v := range want {
			if math.Abs(got[k]-v) > 1e-9*v {
				t.Errorf("weights that sum to %g: limits %g, without weights %g", sum, got, want)
			}
		}
	}
}
