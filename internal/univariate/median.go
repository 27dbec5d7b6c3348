// Package univariate describes samples of single numbers so that up to half of them may
// be anything: where the middle is ([Median], [WeightedMedian], [DensestHalf]), how wide
// the regular ones spread ([Deviation], [Reweighted]) and which ones are the smallest
// ([Select], [Smallest]).
//
// Scales are those of a normal sample: on clean normal values they estimate the standard
// deviation. Functions that reorder their argument say so; none allocates more than a
// copy of it.
package univariate

import (
	"math"
	"slices"
)

// Normal makes a median absolute deviation consistent for a normal sample: one over the
// upper quartile of the standard normal distribution.
const Normal = 1.482602218505602

// Median returns the middle value, the mean of the two middle ones of an even number, and
// NaN without values. The slice is reordered.
func Median(x []float64) float64 {
	n := len(x)
	if n == 0 {
		return math.NaN()
	}
	upper := Select(x, n/2)
	if n%2 == 1 {
		return upper
	}
	return slices.Max(x[:n/2])/2 + upper/2 // halves first: the sum could overflow
}

// MedianOf is Median of a copy: the slice stays as it is.
func MedianOf(x []float64) float64 { return Median(slices.Clone(x)) }

// Deviation returns the median and [Normal] times the median absolute deviation from it.
// The slice is overwritten by
// the absolute deviations, in any order.
func Deviation(x []float64) (centre, deviation float64) {
	centre = Median(x)
	for i, v := range x {
		x[i] = math.Abs(v - centre)
	}
	return centre, Normal * Median(x)
}

// WeightedMedian returns the value that halves the weight, the mean of two values where
// the half falls between them. Scaling the weights changes nothing, and an integer weight
// is the same as repeating the value, 0 as leaving it out. Without weights (nil) it is the median. The slices
// stay as they are.
func WeightedMedian(x, w []float64) float64 {
	if w == nil {
		return MedianOf(x)
	}
	order := make([]int, 0, len(x))
	total := 0.0
	for i, v := range w {
		if v > 0 { // others have no say, not even as the upper of two middle values
			order = append(order, i)
			total += v
		}
	}
	if len(order) == 0 {
		return math.NaN()
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case x[a] < x[b]:
			return -1
		case x[a] > x[b]:
			return 1
		}
		return a - b
	})
	sum := 0.0
	for k, i := range order {
		sum += w[i]
		if sum > total/2*(1+1e-12) {
			return x[i]
		}
		if sum >= total/2*(1-1e-12) && k+1 < len(order) {
			return x[i]/2 + x[order[k+1]]/2
		}
	}
	return x[order[len(order)-1]]
}
