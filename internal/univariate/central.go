package univariate

import (
	"math"

	"github.com/inlier-ml/inlier/linalg"
)

// centralFactor makes the variance of the central part h/n of a normal sample
// consistent: (h/n) / P(chi2_3 <= q), q the h/n quantile of chi2_1.
func centralFactor(h, n float64) float64 {
	if h >= n {
		return 1
	}
	return truncated(h / n)
}

// truncated is the variance of a standard normal value over that of its central part.
func truncated(part float64) float64 {
	reach := centralReach(part)
	return part / centralSquares(reach)
}

// centralReach is the distance from 0 within which a standard normal value lies with the given
// probability: the root of a quantile of chi-square with one degree of freedom.
func centralReach(part float64) float64 { return math.Sqrt2 * math.Erfinv(part) }

// centralSquares is the part of the variance of a standard normal value that comes from
// within reach: the distribution function of chi-square with three degrees of freedom.
func centralSquares(reach float64) float64 {
	return math.Erf(reach/math.Sqrt2) - math.Sqrt(2/math.Pi)*reach*math.Exp(-reach*reach/2)
}

// WeightedReweighted returns location and scale by the reweighted univariate minimum covariance
// determinant: [WeightedRefine] from the densest half. It breaks down at one half like
// [DensestHalf] but wastes little of a clean sample. The slices are sorted in place.
func WeightedReweighted(x, w []float64, h, level float64) (location, scale float64) {
	location, scale = WeightedDensestHalf(x, w, h)
	return WeightedRefine(x, w, location, scale, level)
}

// WeightedRefine improves a robust location and scale: mean and standard deviation of the values
// within reach, made consistent for a normal sample, ten times over. The share of a normal
// sample within reach is level, 0.975 for 2.24 scales. An integer weight is the same as
// repeating the value. The slices stay as they are; w nil means ones.
func WeightedRefine(x, w []float64, location, scale, level float64) (float64, float64) {
	reach := centralReach(level)
	factor := level / centralSquares(reach)
	all := float64(len(x))
	if w != nil {
		all = 0
		for _, a := range w {
			all += a
		}
	}
	for round := 0; round < rounds && scale > 0; round++ {
		sums := linalg.Totals(len(x), 3, func(from, to int, sums []float64) {
			for i := from; i < to; i++ {
				// In units of the scale, so that squares neither overflow nor vanish.
				if e := (x[i] - location) / scale; math.Abs(e) <= reach {
					a := 1.0
					if w != nil {
						a = w[i]
					}
					sums[0] += a * e
					sums[1] += a * e * e
					sums[2] += a
				}
			}
		})
		sum, squares, count := sums[0], sums[1], sums[2]
		if count < 2 || count < all/2 { // fewer than half do not speak for the others: ties would draw all in
			break
		}
		mean := sum / count
		location += mean * scale
		scale *= math.Sqrt(math.Max(squares-count*mean*mean, 0) / (count - 1) * factor)
	}
	return location, scale
}
