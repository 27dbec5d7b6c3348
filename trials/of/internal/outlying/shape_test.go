package outlying

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/internal/outlying"
	"gonum.org/v1/gonum/stat/distuv"
)

// The corrected limit of values that stand for the chi-square law of k directions is its quantile.
func TestShortIsThatOfChiSquare(t *testing.T) {
	const n = 2000
	for k := 1; k <= 8; k++ {
		law := distuv.ChiSquared{K: float64(k)}
		squared, variances := make([]float64, n), make([]float64, k)
		for i := range squared {
			squared[i] = law.Quantile((float64(i) + 0.5) / n)
		}
		for j := range variances {
			variances[j] = 7
		}
		got, want := outlying.Limit(squared, nil, n, outlying.Middle)*outlying.Short(variances), math.Sqrt(law.Quantile(outlying.Level))
		if math.Abs(got-want) > 0.01*want {
			t.Errorf("%d directions: limit %.3f, that of chi-square is %.3f", k, got, want)
		}
	}
}

// Lengths of vectors whose variances fall lie beyond the corrected limit as often as is meant, in any unit.
func TestShortOfFallingVariances(t *testing.T) {
	const n = 40000
	for _, c := range []struct{ factor, unit float64 }{{0.64, 1}, {0.25, 1}, {0.25, 1e-150}, {0.01, 1e150}} {
		r := rand.New(rand.NewPCG(3, 4))
		squared, variances := make([]float64, n), make([]float64, 10)
		for j := range variances {
			variances[j] = c.unit * math.Pow(c.factor, float64(j))
		}
		for i := range squared {
			for _, v := range variances {
				z := r.NormFloat64()
				squared[i] += v * z * z
			}
		}
		limit := outlying.Limit(squared, nil, n, outlying.Middle)
		short := outlying.Short(variances)
		before, after := 0.0, 0.0
		for _, s := range squared {
			if s > limit*limit {
				before += 100.0 / n
			}
			if s > limit*limit*short*short {
				after += 100.0 / n
			}
		}
		if before < 3.2 || math.Abs(after-2.5) > 0.3 {
			t.Errorf("factor %g: %.1f %% beyond, %.1f %% corrected", c.factor, before, after)
		}
	}
	if outlying.Short([]float64{0, 0}) != 1 || outlying.Short([]float64{2, 0}) != outlying.Short([]float64{1}) {
		t.Error("variances of 0 count")
	}
}
