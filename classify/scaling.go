package classify

import (
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

// clipShare is the share of a column's rows outside the limits beyond which automatic
// clipping leaves the column alone: so many are its shape, not dirt.
const clipShare = 0.1

// scaling brings columns to comparable size: x becomes (clip(x) - offset) * factor.
type scaling struct {
	offset, factor []float64
	low, high      []float64 // limits of clipping; nil: none
}

// newScaling learns it from rows with weights (nil: ones). Rows of weight zero do not count.
func newScaling(x *mat.Dense, prior []float64, o Options) *scaling {
	n, d := x.Dims()
	s := &scaling{offset: make([]float64, d), factor: make([]float64, d)}
	if o.Clip != 0 {
		s.low, s.high = make([]float64, d), make([]float64, d)
	}
	linalg.Parallel(d, func(j int) {
		column := make([]float64, 0, n)
		var weights []float64
		for i := range n {
			if prior != nil {
				if prior[i] == 0 {
					continue
				}
				weights = append(weights, prior[i])
			}
			column = append(column, x.At(i, j))
		}
		if o.Clip != 0 {
			s.low[j], s.high[j] = limits(column, o.Clip)
			for i, v := range column {
				column[i] = min(max(v, s.low[j]), s.high[j])
			}
		}
		s.offset[j], s.factor[j] = size(column, weights, o.Scale)
	})
	return s
}

// limits are the median plus and minus clip deviations; a negative clip stands for 3
// with care. A column more than half of which are equal has no limits.
func limits(column []float64, clip float64) (low, high float64) {
	centre, deviation := medianDeviation(column)
	if deviation == 0 {
		return -math.MaxFloat64, math.MaxFloat64
	}
	careful := clip < 0
	if careful {
		clip = 3
	}
	low, high = centre-clip*deviation, centre+clip*deviation
	if careful {
		outside := 0
		for _, v := range column {
			if v < low || v > high {
				outside++
			}
		}
		if float64(outside) > clipShare*float64(len(column)) {
			return -math.MaxFloat64, math.MaxFloat64
		}
	}
	return low, high
}

// size returns what to subtract from a column and what to multiply it by then.
func size(column, weights []float64, how Scale) (offset, factor float64) {
	spread := 1.0
	switch how {
	case ScaleNone:
		return 0, 1
	case ScaleRange:
		low, high := slices.Min(column), slices.Max(column)
		offset, spread = low, high-low
	case ScaleRobust:
		offset, spread = medianDeviation(column)
		if spread == 0 {
			_, spread = meanDeviation(column, weights)
		}
	default:
		offset, spread = meanDeviation(column, weights)
	}
	if !(spread > 1e-13*math.Abs(offset)) || math.IsInf(spread, 0) { // constant up to rounding
		return offset, 0
	}
	return offset, 1 / spread
}

// medianDeviation is the median and the median absolute deviation from it, as a standard
// deviation of normal numbers.
func medianDeviation(column []float64) (centre, deviation float64) {
	if len(column) == 0 {
		return 0, 0
	}
	return univariate.Deviation(slices.Clone(column))
}

// meanDeviation is the weighted mean and standard deviation (divisor: the total weight).
func meanDeviation(column, weights []float64) (mean, deviation float64) {
	weight := func(i int) float64 {
		if weights == nil {
			return 1
		}
		return weights[i]
	}
	total := 0.0
	for i, v := range column {
		total += weight(i)
		mean += weight(i) * (v - mean) / total
	}
	sum := 0.0
	for i, v := range column {
		sum += weight(i) * (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(sum / total)
}

// apply returns the scaled rows.
func (s *scaling) apply(x *mat.Dense) *mat.Dense {
	n, d := x.Dims()
	out := mat.NewDense(n, d, nil)
	const block = 2048
	linalg.Parallel((n+block-1)/block, func(b int) {
		for i := b * block; i < min((b+1)*block, n); i++ {
			to := out.RawRowView(i)
			for j, v := range x.RawRowView(i) {
				if s.low != nil {
					v = min(max(v, s.low[j]), s.high[j])
				}
				to[j] = (v - s.offset[j]) * s.factor[j]
			}
		}
	})
	return out
}

// word tells whether text is one of the words of a list separated by spaces.
func word(text, list string) bool { return slices.Contains(strings.Fields(list), text) }
