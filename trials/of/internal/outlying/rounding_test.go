package outlying

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/internal/outlying"
	"gonum.org/v1/gonum/mat"
)

// A sum of two rounded numbers misses the rounded sum by one step in a quarter of the rows, by the
// law of rounding: so many are rounding, clearly fewer are faults, however few rows there are.
func TestMissesOfASum(t *testing.T) {
	for _, n := range []int{150, 300, 600} {
		for seed := range uint64(20) {
			g := rand.New(rand.NewPCG(seed, 17))
			rounded, exact := mat.NewDense(n, 3, nil), mat.NewDense(n, 3, nil)
			faults := 0.20 - 2/math.Sqrt(float64(n))*0.4 // 13 % of 150 rows, 15 % of 300, 17 % of 600
			for i := range n {
				a, b := 1000*g.Float64(), 1000*g.Float64()
				rounded.SetRow(i, []float64{math.Round(a), math.Round(b), math.Round(a + b)})
				off := 0.0
				if float64(i) < faults*float64(n) {
					off = float64(1 - 2*(i%2))
				}
				exact.SetRow(i, []float64{math.Round(a), math.Round(b), math.Round(a) + math.Round(b) + off})
			}
			noise := func(x *mat.Dense) float64 {
				s := make([]float64, n)
				for i := range s { // from the plane a + b = c
					off := x.At(i, 0) + x.At(i, 1) - x.At(i, 2)
					s[i] = off * off / 3
				}
				return outlying.RoundingNoise(x, nil, s, 500, func(int) float64 { return 1. / 3 })
			}
			if got := noise(rounded); math.Abs(got-1./12) > 1e-9 {
				t.Errorf("%d rows, seed %d: rounded sums have noise %g", n, seed, got)
			}
			if got := noise(exact); got != 0 {
				t.Errorf("%d rows, seed %d: %.0f %% of faults are rounding of variance %g", n, seed, 100*faults, got)
			}
		}
	}
}
