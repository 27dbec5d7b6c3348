package scaling

import (
	"math"
	"slices"

	"github.com/inlier-ml/inlier/internal/univariate"
)

// size returns what to subtract from a column and what to divide it by then, and whether
// it never changes.
func size(column, weights []float64, how Kind) (offset, scale float64, constant bool) {
	if how == None {
		return 0, 1, false
	}
	if len(column) == 0 {
		return 0, 1, true
	}
	switch how {
	case MinMax:
		offset = slices.Min(column)
		scale = slices.Max(column) - offset
	case Robust:
		offset, scale = medianDeviation(column, weights)
	default:
		offset, scale = meanDeviation(column, weights)
	}
	if !(scale > 1e-13*math.Abs(offset)) || math.IsInf(scale, 0) || math.IsInf(offset, 0) { // constant up to rounding
		return max(min(offset, math.MaxFloat64), -math.MaxFloat64), 1, true
	}
	return offset, scale, false
}

// medianDeviation is the median and the median absolute deviation from it, as a standard
// deviation of normal values. Where at least half of the values are equal it is the mean
// absolute deviation instead, likewise, each counted up to ten times the median one of
// the values that differ.
func medianDeviation(column, weights []float64) (median, deviation float64) {
	if median, deviation = univariate.WeightedDeviation(column, weights); deviation > 0 {
		return median, deviation
	}
	most, _ := rare(column, weights, median)
	mean, total := 0.0, 0.0
	for i, v := range column {
		a := 1.0
		if weights != nil {
			a = weights[i]
		}
		total += a
		mean += a * (min(math.Abs(v-median), rareReach*most) - mean) / total
	}
	return median, math.Sqrt(math.Pi/2) * mean
}

// meanDeviation is the weighted mean and standard deviation (divisor: the total weight).
func meanDeviation(column, weights []float64) (mean, deviation float64) {
	weight := func(i int) float64 {
		if weights == nil {
			return 1
		}
		return weights[i]
	}
	largest := 0.0 // brings squares into reach
	for _, v := range column {
		largest = max(largest, math.Abs(v))
	}
	if largest == 0 || largest > 1e-140 && largest < 1e140 {
		largest = 1
	}
	total := 0.0
	for i, v := range column {
		total += weight(i)
		mean += weight(i) * (v/largest - mean) / total
	}
	sum := 0.0
	for i, v := range column {
		sum += weight(i) * (v/largest - mean) * (v/largest - mean)
	}
	return mean * largest, math.Sqrt(sum/total) * largest
}
