package outlying

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/internal/outlying"
	"gonum.org/v1/gonum/stat/distuv"
)

// lengthsOf are squared lengths of n vectors of so many numbers, each of which draw makes of a standard normal one; rows share a factor.
func lengthsOf(n, directions int, seed uint64, draw func(z float64) float64, factor func(r *rand.Rand) float64) []float64 {
	r := rand.New(rand.NewPCG(seed, 21))
	out := make([]float64, n)
	for i := range out {
		f := factor(r)
		for range directions {
			v := f * draw(r.NormFloat64())
			out[i] += v * v
		}
	}
	return out
}

func one(*rand.Rand) float64 { return 1 }

func studentThree(r *rand.Rand) float64 {
	a, b, c := r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
	return math.Sqrt(3 / (a*a + b*b + c*c))
}

func shareBeyond(squared []float64, limit float64) float64 {
	beyond := 0.0
	for _, v := range squared {
		if v > limit*limit {
			beyond++
		}
	}
	return beyond / float64(len(squared))
}

// Long tails are followed, those of normal rows left alone; outliers beyond a gap move neither.
func TestOwnLimit(t *testing.T) {
	const n = 1000
	same := func(z float64) float64 { return z }
	for _, c := range []struct {
		name       string
		directions int
		draw       func(z float64) float64
		factor     func(r *rand.Rand) float64
		long       bool
	}{
		{"normal, one direction", 1, same, one, false},
		{"normal, ten directions", 10, same, one, false},
		{"t of three degrees, two directions", 2, same, studentThree, true},
		{"t of three degrees, eight directions", 8, same, studentThree, true},
		{"lognormal, two directions", 2, func(z float64) float64 { return math.Exp(z) - 1 }, one, true},
		{"lognormal, eight directions", 8, func(z float64) float64 { return math.Exp(z) - 1 }, one, true},
	} {
		for _, unit := range []float64{1, 1e-140, 1e140} {
			for _, far := range []int{0, 50, 200, 400} {
				const seeds = 5
				share, usual := 0.0, 0.0 // of clean rows beyond the limit and beyond that of the law
				for seed := range uint64(seeds) {
					s := lengthsOf(n, c.directions, seed, c.draw, c.factor)
					reach := math.Sqrt(slices.Max(s))
					for i := range s {
						s[i] *= unit * unit
					}
					clean := s[far:]
					law := outlying.Limit(clean, nil, float64(len(clean)), outlying.Middle)
					if !c.long {
						law = unit * math.Sqrt(distuv.ChiSquared{K: float64(c.directions)}.Quantile(outlying.Level))
					}
					for i := range far { // as far out again as the furthest
						s[i] = math.Pow(2*reach*(1+0.2*float64(i)/float64(far))*unit, 2)
					}
					got := outlying.OwnLimit(s, nil, n, law, outlying.MostLong)
					share += shareBeyond(clean, got) / seeds
					usual += shareBeyond(clean, law) / seeds
					if !c.long && got > 1.2*law || far > 0 && !(got < 2*reach*unit) {
						t.Errorf("%s, unit %g, %d far, seed %d: limit %g, by the law %g; far ones begin at %g", c.name, unit, far, seed, got, law, 2*reach*unit)
					}
				}
				if !c.long && math.Abs(share-0.025) > 0.006 || c.long && (usual < 0.05 || share > 0.03 || share < 0.005) {
					t.Errorf("%s, unit %g, %d far: %.1f %% of the clean values lie beyond, %.1f %% by the law", c.name, unit, far, 100*share, 100*usual)
				}
			}
		}
	}
}

// Integer weights act like repeated rows, few rows show no tail, nor do rows that lie in the subspace, and most rows are none.
func TestOwnLimitWeights(t *testing.T) {
	s := lengthsOf(300, 3, 5, func(z float64) float64 { return math.Exp(z) - 1 }, one)
	w, repeated := make([]float64, len(s)), []float64(nil)
	sum := 0.0
	for i, v := range s {
		w[i] = float64(i % 4)
		sum += w[i]
		for range i % 4 {
			repeated = append(repeated, v)
		}
	}
	law := outlying.Limit(repeated, nil, sum, outlying.Middle)
	a, b := outlying.OwnLimit(s, w, sum, law, outlying.MostLong), outlying.OwnLimit(repeated, nil, sum, law, outlying.MostLong)
	if a != b || a == law {
		t.Errorf("limit %g with weights, %g with repeated rows, %g by the law", a, b, law)
	}
	if got := outlying.OwnLimit(s[:190], nil, 190, law, outlying.MostLong); got != law {
		t.Errorf("limit %g of few rows, given %g", got, law)
	}
	if got := outlying.OwnLimit(s, nil, 300, law/10, outlying.MostLong); got != law/10 {
		t.Errorf("limit %g where most rows lie beyond %g", got, law/10)
	}
	for i := range 160 {
		s[i] = 0
	}
	if got := outlying.OwnLimit(s, nil, 300, law, outlying.MostLong); got != law {
		t.Errorf("limit %g where half of the rows lie in the subspace, given %g", got, law)
	}
}
