package outlying

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

// Limit is the distance that a further regular row stays below with probability 0.975, from
// squared distances most of which are regular. Their cube roots are nearly normal where
// distances are norms of many small things (Wilson and Hilferty): location and scale are
// those of scale, then mean and standard deviation of what lies within 2.24 scales, made
// consistent, until they stand still. n is the number of rows that the weights stand for.
func Limit(squared, w []float64, n float64, scale Scale) float64 {
	return limit(squared, w, n, scale, 1)
}

// DensestLimit is [Limit] by the densest part of the rows of weight h, wide enough for the few that spread comes from: of
// 20 normal values it is too small by a fifth, of 10 by a third, so that one new row in twelve would lie beyond (6,000
// simulated samples of each size; from 100 on nothing is lacking).
func DensestLimit(squared, w []float64, n, h float64) float64 {
	return limit(squared, w, n, Densest(h), 1+math.Max(40*math.Pow(math.Max(n, 5), -1.8)-0.01, 0))
}

func limit(squared, w []float64, n float64, scale Scale, wider float64) float64 {
	power := make([]float64, len(squared))
	linalg.Spans(len(power), func(from, to int) {
		for i := from; i < to; i++ {
			power[i] = math.Cbrt(squared[i])
		}
	})
	location, width := scale(append([]float64(nil), power...), w)
	location, width = univariate.WeightedRefine(power, w, location, width, Level)
	student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: math.Max(n-1, 1)}.Quantile(Level)
	return math.Pow(location+wider*width*student*math.Sqrt(1+1/n), 1.5) * (1 + 1e-9) // equal rows differ by rounding
}

// SkewedLimit is [Limit] where a part of the signal stands in the distances, so that their
// cube roots are skewed: they are brought to the power, not above that of the cube roots,
// at which their quantiles of 20 and 80 % are symmetric: up to a fifth may be outliers.
func SkewedLimit(squared, w []float64, n float64, scale Scale) float64 {
	low, middle, high := univariate.WeightedQuantile(squared, w, 0.2), univariate.WeightedMedian(squared, w), univariate.WeightedQuantile(squared, w, 0.8)
	if !(low > 0 && middle > low && high > middle && high <= math.MaxFloat64) {
		return Limit(squared, w, n, scale)
	}
	least, power := -0.5, 1.0/3
	skew := func(p float64) float64 { // rises with the power
		return bent(high/middle, p) + bent(low/middle, p)
	}
	if skew(power) <= 0 {
		return Limit(squared, w, n, scale)
	}
	for range 40 {
		if p := (least + power) / 2; skew(p) > 0 {
			power = p
		} else {
			least = p
		}
	}
	at := make([]float64, len(squared))
	for i, v := range squared {
		at[i] = bent(v/middle, power)
	}
	location, width := scale(append([]float64(nil), at...), w)
	location, width = univariate.WeightedRefine(at, w, location, width, Level)
	student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: math.Max(n-1, 1)}.Quantile(Level)
	top := location + width*student*math.Sqrt(1+1/n)
	out := math.Exp(top)
	if math.Abs(power) > 1e-9 {
		if out = math.Inf(1); 1+power*top > 0 {
			out = math.Pow(1+power*top, 1/power)
		}
	}
	return math.Sqrt(middle*math.Min(out, high/middle*1e3)) * (1 + 1e-9)
}

// bent is (u^p - 1)/p, log u for p = 0: it is 0 at 1 and rises there with slope 1.
func bent(u, p float64) float64 {
	if math.Abs(p) <= 1e-9 {
		return math.Log(math.Max(u, math.SmallestNonzeroFloat64))
	}
	return (math.Pow(math.Max(u, 1e-100), p) - 1) / p
}
