package univariate

import (
	"math"
	"slices"
)

// sorted returns the values that have weight in ascending order, with their weights; w
// nil stays nil.
func sorted(x, w []float64) (values, weights []float64) {
	if w == nil {
		values = slices.Clone(x)
		Sort(values)
		return values, nil
	}
	order := make([]int, 0, len(x))
	for i, v := range w {
		if v > 0 {
			order = append(order, i)
		}
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
	values, weights = make([]float64, len(order)), make([]float64, len(order))
	for k, i := range order {
		values[k], weights[k] = x[i], w[i]
	}
	return values, weights
}

// WeightedQuantile returns the value below which the share q of the weight lies, the mean
// of two values where the share ends between them (the second of the nine definitions of
// Hyndman and Fan): q = 1/2 is the [WeightedMedian]. Scaling the weights changes nothing,
// and an integer weight is the same as repeating the value, 0 as leaving it out. Without
// weight it is NaN. The slices stay as they are; w nil means ones.
func WeightedQuantile(x, w []float64, q float64) float64 {
	x, w = sorted(x, w)
	return SortedQuantile(x, w, q)
}

// Interpolated is the quantile of ascending values that R takes, between the two nearest (the seventh of the nine
// definitions); NaN of none.
func Interpolated(sorted []float64, q float64) float64 {
	last := len(sorted) - 1
	if last < 0 {
		return math.NaN()
	}
	at := q * float64(last)
	i := min(int(at), last)
	low, high, share := sorted[i], sorted[min(i+1, last)], at-float64(i)
	switch apart := high - low; {
	case share == 0 || low == high:
		return low
	case apart <= math.MaxFloat64:
		return low + share*apart
	}
	return low*(1-share) + high*share
}

// SortedQuantile is [WeightedQuantile] of values in ascending order, all of which have weight.
func SortedQuantile(x, w []float64, q float64) float64 {
	n := len(x)
	if n == 0 {
		return math.NaN()
	}
	if w == nil {
		target := q * float64(n)
		k := int(math.Ceil(target - 1e-12*float64(n))) // values up to the target
		k = min(max(k, 1), n)
		if float64(k) <= target+1e-12*float64(n) && k < n {
			return x[k-1]/2 + x[k]/2
		}
		return x[k-1]
	}
	total := 0.0
	for _, v := range w {
		total += v
	}
	target, sum := q*total, 0.0
	for k, v := range x {
		sum += w[k]
		if sum > target+1e-12*total {
			return v
		}
		if sum >= target-1e-12*total && k+1 < n {
			return v/2 + x[k+1]/2
		}
	}
	return x[n-1]
}

// WeightedMedian returns the value that halves the weight, the mean of two values where
// the half falls between them. Scaling the weights changes nothing, and an integer weight
// is the same as repeating the value, 0 as leaving it out. Without weights (nil) it is the
// median. The slices stay as they are.
func WeightedMedian(x, w []float64) float64 {
	if w == nil || alike(w) {
		return MedianOf(x)
	}
	return WeightedQuantile(x, w, 0.5)
}

// alike tells whether all weights are the same and positive.
func alike(w []float64) bool {
	for _, v := range w {
		if v != w[0] {
			return false
		}
	}
	return len(w) > 0 && w[0] > 0
}

// WeightedDeviation returns the weighted median and [Normal] times the weighted median
// absolute deviation from it. The slices stay as they are; w nil means ones.
func WeightedDeviation(x, w []float64) (centre, deviation float64) {
	away := slices.Clone(x)
	if w == nil {
		return Deviation(away)
	}
	centre = WeightedMedian(x, w)
	for i, v := range away {
		away[i] = math.Abs(v - centre)
	}
	return centre, Normal * WeightedMedian(away, w)
}

// SmallestWeight returns for each value the part of its weight that belongs to the
// smallest values of total weight h: all of it below the limit, none above, and at the
// limit as much as fits, the lower index first. An integer weight is the same as repeating
// the value. The slices stay as they are; w nil means ones.
func SmallestWeight(x, w []float64, h float64) []float64 {
	if w == nil && h == math.Floor(h) && h >= 1 && h <= float64(len(x)) {
		out := make([]float64, len(x))
		for _, i := range Smallest(x, int(h)) {
			out[i] = 1
		}
		return out
	}
	order := make([]int, 0, len(x))
	for i := range x {
		if w == nil || w[i] > 0 {
			order = append(order, i)
		}
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
	out := make([]float64, len(x))
	for _, i := range order {
		a := 1.0
		if w != nil {
			a = w[i]
		}
		if h <= a*1e-12 {
			break
		}
		out[i] = math.Min(a, h)
		h -= a
	}
	return out
}

// mostCounted is a number of repetitions beyond which nothing changes any more.
const mostCounted = 1e12

// Counted returns weights of n rows that count repetitions, nil for ones, and their sum. Weights of
// one and more do; a sum below the number of rows that have one comes from normalised
// weights, which are brought back to a mean of one. Nor do more than 1e12 repetitions say
// anything else than as many. The slice stays as it is.
func Counted(n int, w []float64) (counts []float64, total float64) {
	if w == nil {
		return nil, float64(n)
	}
	positive, largest := 0.0, 0.0
	for _, v := range w {
		if v > 0 {
			positive++
		}
		largest = max(largest, v)
		total += v
	}
	if total == 0 || positive <= total && total <= mostCounted {
		return w, total
	}
	sum := 0.0 // in units of the largest, so that it neither overflows nor vanishes
	for _, v := range w {
		sum += v / largest
	}
	want := max(min(total, mostCounted), positive)
	counts = make([]float64, n)
	for i, v := range w {
		counts[i] = v / largest * (want / sum)
	}
	return counts, want
}

// Part returns the weights of n rows from a first one on; nil, for ones, stays nil.
func Part(w []float64, first, n int) []float64 {
	if w == nil {
		return nil
	}
	return w[first : first+n]
}
