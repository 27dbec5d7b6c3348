package univariate

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/internal/univariate"
)

// Units of integer weights are the rows as often as they say, and the same draws meet the same
// rows as in the table in which they are repeated; no unit is drawn twice.
func TestUnitsAreRepeatedRows(t *testing.T) {
	w := []float64{2, 0, 1, 3, 0}
	repeated := []int{0, 0, 2, 3, 3, 3}
	r := univariate.NewRows(len(w), w)
	if got := r.All(); !slices.Equal(got, repeated) {
		t.Fatalf("units belong to rows %v, want %v", got, repeated)
	}
	alone := univariate.NewRows(len(repeated), nil)
	for seed := range uint64(50) {
		for count := range 8 {
			var want []int
			for _, k := range alone.Draw(count, rand.New(rand.NewPCG(seed, 1))) {
				want = append(want, repeated[k])
			}
			got := r.Draw(count, rand.New(rand.NewPCG(seed, 1)))
			if !slices.Equal(got, want) || len(got) != min(count, 6) {
				t.Fatalf("%d rows are %v by weights, %v repeated", count, got, want)
			}
		}
		if got := alone.Draw(6, rand.New(rand.NewPCG(seed, 1))); !slices.Equal(got, []int{0, 1, 2, 3, 4, 5}) {
			t.Fatalf("all units are %v", got)
		}
	}
	if got := univariate.NewRows(3, []float64{0.4, 0.4, 0.4}).All(); !slices.Equal(got, []int{1, 2}) {
		t.Errorf("the units of parts belong to rows %v", got)
	}
}
