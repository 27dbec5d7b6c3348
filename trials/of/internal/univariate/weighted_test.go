package univariate

import (
	"math"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/internal/univariate"
	"pgregory.net/rapid"
)

// repeatedValues draws values with integer weights and the same values repeated.
func repeatedValues(t *rapid.T) (x, w, repeated []float64) {
	x = values(t)
	w = make([]float64, len(x))
	for i := range w {
		times := rapid.IntRange(0, 3).Draw(t, "weight")
		w[i] = float64(times)
		repeated = append(repeated, slices.Repeat([]float64{x[i]}, times)...)
	}
	return x, w, repeated
}

func TestWeightedFormsAreThoseOfRepeatedValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, w, repeated := repeatedValues(t)
		if len(repeated) == 0 {
			return
		}
		same := func(what string, got, want float64) {
			if !(math.Abs(got-want) <= 1e-9*(1+math.Abs(want))) {
				t.Fatalf("%s of %v by %v is %v, of repeated values %v", what, x, w, got, want)
			}
		}
		q := rapid.Float64Range(0, 1).Draw(t, "share")
		same("quantile", univariate.WeightedQuantile(x, w, q), univariate.WeightedQuantile(repeated, nil, q))
		c, d := univariate.WeightedDeviation(x, w)
		rc, rd := univariate.Deviation(slices.Clone(repeated))
		same("median", c, rc)
		same("deviation", d, rd)
		h := len(repeated)/2 + 1
		_, scale := univariate.WeightedDensestHalf(x, w, float64(h))
		_, want := univariate.DensestHalf(slices.Clone(repeated), h)
		same("densest half", scale, want)
		location, scale := univariate.WeightedReweighted(x, w, float64(len(repeated)), 0.975)
		rl, rs := reweighted(slices.Clone(repeated), len(repeated), 0.975)
		same("reweighted location", location, rl)
		same("reweighted scale", scale, rs)
		part := univariate.SmallestWeight(x, w, float64(h))
		taken := make([]float64, len(x))
		owner := make([]int, 0, len(repeated))
		for i, a := range w {
			owner = append(owner, slices.Repeat([]int{i}, int(a))...)
		}
		for _, k := range univariate.Smallest(repeated, h) {
			taken[owner[k]]++
		}
		if !slices.Equal(part, taken) {
			t.Fatalf("smallest %d of %v by %v: %v, want %v", h, x, w, part, taken)
		}
		place := rapid.Float64Range(0, float64(len(repeated))-1e-9).Draw(t, "place")
		if got, want := univariate.NewRows(len(x), w).At(place), owner[univariate.NewRows(len(repeated), nil).At(place)]; got != want {
			t.Fatalf("row at %v of %v is %d, want %d", place, w, got, want)
		}
	})
}

// Values that are far off on both sides must not change a digit of what the others say.
func TestDensestHalfWithFarValues(t *testing.T) {
	const n = 400
	r := random.New(3, "far values")
	clean := make([]float64, n)
	for i := range clean {
		clean[i] = 5 + r.NormFloat64()
	}
	for _, share := range []int{20, 5} { // one in so many on each side
		var kept []float64
		for i, v := range clean {
			if i%share > 1 {
				kept = append(kept, v)
			}
		}
		var wantLocation, wantScale float64
		for exponent := 2; exponent <= 300; exponent += 2 {
			x := slices.Clone(kept)
			for i := range clean {
				switch i % share {
				case 0:
					x = append(x, -math.Pow(10, float64(exponent)))
				case 1:
					x = append(x, math.Pow(10, float64(exponent))*(1+float64(i)/n/10))
				}
			}
			location, scale := reweighted(x, n/2+1, 0.975)
			if exponent == 2 {
				wantLocation, wantScale = location, scale
			}
			near(t, "location", location, wantLocation)
			near(t, "scale", scale, wantScale)
		}
	}
	// A whole sample in huge or tiny units.
	_, unit := univariate.DensestHalf(slices.Clone(clean), n/2+1)
	for _, factor := range []float64{1e-300, 1e-160, 1e160, 1e290} {
		x := slices.Clone(clean)
		for i := range x {
			x[i] *= factor
		}
		_, scale := univariate.DensestHalf(x, n/2+1)
		near(t, "scale in other units", scale/factor, unit)
	}
	if _, scale := univariate.DensestHalf([]float64{-math.MaxFloat64, math.MaxFloat64}, 2); math.IsNaN(scale) {
		t.Error("the scale of the two largest numbers is NaN")
	}
}

func TestCounted(t *testing.T) {
	for name, c := range map[string]struct {
		w, want []float64
		total   float64
	}{
		"integers":   {[]float64{1, 0, 3}, []float64{1, 0, 3}, 4},
		"normalised": {[]float64{0.25, 0, 0.75}, []float64{0.5, 0, 1.5}, 2},
		"tiny":       {[]float64{1e-300, 3e-300}, []float64{0.5, 1.5}, 2},
		"huge":       {[]float64{1e308, 1e308, 0}, []float64{5e11, 5e11, 0}, 1e12},
		"none":       {[]float64{0, 0}, []float64{0, 0}, 0},
	} {
		got, total := univariate.Counted(len(c.w), c.w)
		near(t, name, total, c.total)
		for i, v := range got {
			near(t, name, v, c.want[i])
		}
	}
	if got, total := univariate.Counted(3, nil); got != nil || total != 3 {
		t.Errorf("no weights become %v, %v", got, total)
	}
}

// Values by R 4: quantile(c(1,2,4,8,16,32), c(0,.25,.5,.75,1)); equal values have no others between them.
func TestInterpolatedQuantiles(t *testing.T) {
	x := []float64{1, 2, 4, 8, 16, 32}
	for q, want := range map[float64]float64{0: 1, 0.25: 2.5, 0.5: 6, 0.75: 14, 1: 32} {
		if got := univariate.Interpolated(x, q); math.Abs(got-want) > 1e-12 {
			t.Errorf("quantile %v is %v, R says %v", q, got, want)
		}
	}
	equal, far := slices.Repeat([]float64{0.1}, 77), []float64{-math.MaxFloat64, math.MaxFloat64}
	for k := range 1000 {
		if q := float64(k) / 999; univariate.Interpolated(equal, q) != 0.1 || !(math.Abs(univariate.Interpolated(far, q)) <= math.MaxFloat64) {
			t.Fatalf("at %v: %v and %v", q, univariate.Interpolated(equal, q), univariate.Interpolated(far, q))
		}
	}
	if !math.IsNaN(univariate.Interpolated(nil, 0.5)) || !math.IsInf(univariate.Interpolated([]float64{1, math.Inf(1)}, 0.5), 1) || univariate.Interpolated([]float64{1, math.Inf(1)}, 0) != 1 {
		t.Error("without values, or with infinite ones")
	}
}
