package nearest

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
)

const (
	// tiny is the smallest cut-off of rows of zeros alone.
	tiny = 1e-12
	// rounding is the share of the largest number that counts as rounding of a distance.
	rounding = 1e-13
)

// leastCutoff is the smallest distance that is more than rounding among numbers of a size.
func leastCutoff(size float64) float64 {
	if size == 0 {
		return tiny
	}
	return math.Max(rounding*size, math.SmallestNonzeroFloat64)
}

// limits finds the cut-offs of classes, none of them below the rounding of its own numbers, whose
// sizes are given: a class of huge numbers says nothing about the others. find knows the
// smallest rounding of all; a class of zeros has that one.
func limits(sizes []float64, find func(least float64) []float64) []float64 {
	smallest := math.Inf(1)
	for _, size := range sizes {
		if size > 0 {
			smallest = math.Min(smallest, size)
		}
	}
	if math.IsInf(smallest, 1) {
		smallest = 0
	}
	out := find(leastCutoff(smallest))
	for k, size := range sizes {
		out[k] = math.Max(out[k], leastCutoff(math.Max(size, smallest)))
	}
	return out
}

// largest is the largest absolute number.
func largest(row []float64) float64 {
	out := 0.0
	for _, v := range row {
		out = math.Max(out, math.Abs(v))
	}
	return out
}

// typicalSizes are the medians, over the rows of each class, of the largest absolute number.
func typicalSizes(x *mat.Dense, labels []int, weights []float64, classes int) []float64 {
	sizes, own := make([][]float64, classes), make([][]float64, classes)
	for i, c := range labels {
		sizes[c] = append(sizes[c], largest(x.RawRowView(i)))
		if weights != nil {
			own[c] = append(own[c], weights[i])
		}
	}
	out := make([]float64, classes)
	for c := range out {
		if len(sizes[c]) > 0 {
			out[c] = univariate.WeightedMedian(sizes[c], own[c])
		}
	}
	return out
}
