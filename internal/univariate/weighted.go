package univariate

import (
	"math"
	"slices"
	"sort"
)

// sorted returns the values that have weight in ascending order, with their weights; w
// nil stays nil.
func sorted(x, w []float64) (values, weights []float64) {
	if w == nil {
		values = slices.Clone(x)
		slices.Sort(values)
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
	if w == nil {
		return MedianOf(x)
	}
	return WeightedQuantile(x, w, 0.5)
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

// Rows finds rows by their place on the cumulative weight, so that draws treat an integer
// weight as that many copies of the row, one after the other: u*Total() with u uniform in
// [0, 1) draws a row in proportion to its weight, and the same u draws the same row from
// the table in which the row is repeated.
type Rows struct {
	n    int
	ends []float64 // cumulative weights; nil: ones
}

// NewRows takes the weights of n rows; nil means ones.
func NewRows(n int, w []float64) Rows {
	if w == nil {
		return Rows{n: n}
	}
	ends, sum := make([]float64, n), 0.0
	for i, v := range w {
		sum += v
		ends[i] = sum
	}
	return Rows{n: n, ends: ends}
}

// Total is the sum of the weights.
func (r Rows) Total() float64 {
	if r.ends == nil {
		return float64(r.n)
	}
	if r.n == 0 {
		return 0
	}
	return r.ends[r.n-1]
}

// At returns the row at a place from 0 up to Total; rows of weight 0 have no place.
func (r Rows) At(place float64) int {
	if r.ends == nil {
		return min(max(int(place), 0), r.n-1)
	}
	i := sort.Search(r.n, func(i int) bool { return r.ends[i] > place })
	if i == r.n { // rounding at the very end: the last row with weight
		i = sort.SearchFloat64s(r.ends, r.ends[r.n-1])
	}
	return i
}

// Spaced returns the rows at count places, one drawn by uniform from each of count equal
// stretches of the weight, in ascending order: a sample that holds each row at most
// weight/stretch + 2 times, and every row at most once where stretches are of at least
// two rows. uniform returns numbers in [0, 1).
func (r Rows) Spaced(count int, uniform func() float64) []int {
	out := make([]int, count)
	stretch := r.Total() / float64(count)
	for k := range out {
		out[k] = r.At((float64(k) + uniform()) * stretch)
	}
	return out
}

// Staggered returns places within stretches for [Rows.Spaced]: the same ones every time, spread
// evenly, and different from one stretch to the next. Rows that take turns (a sentinel in
// every tenth of them) would otherwise be all or none of a sample.
func Staggered() func() float64 {
	const golden = 0.6180339887498949 // its multiples are spread evenly
	k := 0.0
	return func() float64 {
		k++
		_, within := math.Modf(golden * k)
		return within
	}
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
