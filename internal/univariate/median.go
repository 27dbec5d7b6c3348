// Package univariate describes samples of single numbers so that up to half of them may
// be anything: where the middle is ([Median], [DensestHalf]), how wide the regular ones
// spread ([Deviation], [WeightedReweighted]) and which ones are the smallest ([Select],
// [Smallest]), and what they were rounded to ([Resolution]). Most have a form with weights, in
// which an integer weight is the same as repeating the value; [Rows] draws rows in the same
// sense.
//
// Scales are those of a normal sample: on clean normal values they estimate the standard
// deviation. Functions that reorder their argument say so; none allocates more than a
// copy of it.
package univariate

import (
	"math"
	"slices"

	"github.com/inlier-ml/inlier/linalg"
)

// Normal makes a median absolute deviation consistent for a normal sample: one over the
// upper quartile of the standard normal distribution.
const Normal = 1.482602218505602

// Median returns the middle value, the mean of the two middle ones of an even number, and
// NaN without values. The slice may be reordered.
func Median(x []float64) float64 {
	n := len(x)
	if n == 0 {
		return math.NaN()
	}
	if median, ok := medianAround(x); ok {
		return median
	}
	upper := Select(x, n/2)
	if n%2 == 1 {
		return upper
	}
	return slices.Max(x[:n/2])/2 + upper/2 // halves first: the sum could overflow
}

// MedianOf is Median of a copy: the slice stays as it is.
func MedianOf(x []float64) float64 {
	if median, ok := medianAround(x); ok {
		return median
	}
	return Median(slices.Clone(x))
}

// Deviation returns the median and [Normal] times the median absolute deviation from it.
// The slice is overwritten by
// the absolute deviations, in any order.
func Deviation(x []float64) (centre, deviation float64) {
	centre = Median(x)
	linalg.Spans(len(x), func(from, to int) {
		for i, v := range x[from:to] {
			x[from+i] = math.Abs(v - centre)
		}
	})
	return centre, Normal * Median(x)
}
