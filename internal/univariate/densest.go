package univariate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// DensestHalf returns location and scale of a sample by the univariate minimum covariance
// determinant: the h consecutive order statistics with the smallest variance, with the
// factor that makes the scale that of a normal sample (Rousseeuw and Leroy 1987, p. 171).
// An h outside 1 to len(x) is moved there. The slice is sorted in place.
func DensestHalf(x []float64, h int) (location, scale float64) {
	n := len(x)
	slices.Sort(x)
	h = min(max(h, 1), n)
	// Sums are taken about the median, so that an offset costs no precision.
	middle := x[n/2]
	sum, squares := 0.0, 0.0
	for _, v := range x[:h] {
		e := v - middle
		sum += e
		squares += e * e
	}
	best, mean := math.Inf(1), 0.0
	for first := 0; ; first++ {
		if ss := squares - sum*sum/float64(h); ss < best {
			best, mean = ss, sum/float64(h)
		}
		if first+h >= n {
			break
		}
		out, in := x[first]-middle, x[first+h]-middle
		sum += in - out
		squares += in*in - out*out
	}
	variance := math.Max(best, 0) / float64(h)
	return middle + mean, math.Sqrt(variance * centralFactor(h, n))
}

// centralFactor makes the variance of the central part h/n of a normal sample
// consistent: (h/n) / P(chi2_3 <= q), q the h/n quantile of chi2_1.
func centralFactor(h, n int) float64 {
	if h >= n {
		return 1
	}
	return truncated(float64(h) / float64(n))
}

// truncated is the variance of a standard normal value over that of its central part.
func truncated(part float64) float64 {
	q := distuv.ChiSquared{K: 1}.Quantile(part)
	return part / distuv.ChiSquared{K: 3}.CDF(q)
}

// rounds is how often [Refine] reweights at most.
const rounds = 10

// Reweighted returns location and scale by the reweighted univariate minimum covariance
// determinant: [Refine] from the densest half. It breaks down at one half like
// [DensestHalf] but wastes little of a clean sample. The slice is sorted in place.
func Reweighted(x []float64, h int, level float64) (location, scale float64) {
	location, scale = DensestHalf(x, h)
	return Refine(x, location, scale, level)
}

// Refine improves a robust location and scale: mean and standard deviation of the values
// within reach, made consistent for a normal sample, ten times over. The share of a normal
// sample within reach is level, 0.975 for 2.24 scales. The slice stays as it is.
func Refine(x []float64, location, scale, level float64) (float64, float64) {
	reach := math.Sqrt(distuv.ChiSquared{K: 1}.Quantile(level))
	factor := level / distuv.ChiSquared{K: 3}.CDF(reach*reach)
	for round := 0; round < rounds && scale > 0; round++ {
		sum, squares, count := 0.0, 0.0, 0.0
		for _, v := range x {
			if e := v - location; math.Abs(e) <= reach*scale {
				sum += e
				squares += e * e
				count++
			}
		}
		if count < 2 {
			break
		}
		mean := sum / count
		location += mean
		scale = math.Sqrt(math.Max(squares-count*mean*mean, 0) / (count - 1) * factor)
	}
	return location, scale
}
