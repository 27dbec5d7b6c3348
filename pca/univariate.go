package pca

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// densestHalf returns location and scale of a sample by the univariate minimum covariance
// determinant: the h consecutive order statistics with the smallest variance, with the
// factor that makes the scale that of a normal sample (Rousseeuw and Leroy 1987, p. 171).
// The slice is sorted in place.
func densestHalf(x []float64, h int) (location, scale float64) {
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
	return middle + mean, math.Sqrt(variance * densestHalfFactor(h, n))
}

// densestHalfFactor makes the variance of the central part h/n of a normal sample
// consistent: (h/n) / P(chi2_3 <= q), q the h/n quantile of chi2_1.
func densestHalfFactor(h, n int) float64 {
	if h >= n {
		return 1
	}
	part := float64(h) / float64(n)
	q := distuv.ChiSquared{K: 1}.Quantile(part)
	return part / distuv.ChiSquared{K: 3}.CDF(q)
}

// centreAndSpread returns location and scale by the reweighted univariate minimum
// covariance determinant: mean and standard deviation of the values within 2.24 scales of
// the densest half, made consistent for a normal sample, ten times over. It breaks down at one half
// like the densest half but wastes little of a clean sample. The slice is sorted in place.
func centreAndSpread(x []float64, h int) (location, scale float64) {
	location, scale = densestHalf(x, h)
	reach := math.Sqrt(distuv.ChiSquared{K: 1}.Quantile(cutoffLevel))
	factor := cutoffLevel / distuv.ChiSquared{K: 3}.CDF(reach*reach)
	for round := 0; round < 10 && scale > 0; round++ {
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

// median returns the middle value; the slice is sorted in place.
func median(x []float64) float64 {
	n := len(x)
	if n == 0 {
		return math.NaN()
	}
	slices.Sort(x)
	if n%2 == 1 {
		return x[n/2]
	}
	return x[n/2-1]/2 + x[n/2]/2
}

// smallest returns the indices of the h smallest values in ascending order of index; ties
// go to the lower index.
func smallest(x []float64, h int) []int {
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	limit := sorted[h-1]
	ties := h
	for _, v := range x {
		if v < limit {
			ties--
		}
	}
	out := make([]int, 0, h)
	for i, v := range x {
		if v < limit {
			out = append(out, i)
		} else if v == limit && ties > 0 {
			out = append(out, i)
			ties--
		}
	}
	return out
}
