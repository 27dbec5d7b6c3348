// Package scaling brings input columns to a common size. What is learned from training
// rows is stored with a model, so that new rows meet the same.
package scaling

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

// Kind names how columns are brought to a common size.
type Kind string

// The kinds.
const (
	None     Kind = "none"     // as they are
	MinMax   Kind = "minmax"   // smallest value to 0, largest to 1
	Robust   Kind = "robust"   // median to 0, 1.4826 median absolute deviations to 1
	Standard Kind = "standard" // mean to 0, standard deviation to 1
)

// Kinds are all of them.
var Kinds = []Kind{Robust, MinMax, Standard, None}

// Rules say how a scaling is learned.
type Rules struct {
	Kind    Kind
	Weights []float64 // of the rows; nil: ones. A row of weight 0 does not count.
	// Clip pulls values in to the column's median plus or minus so many robust deviations,
	// before anything else. Zero: off. Negative: 3, in columns with at most a tenth of
	// the rows outside.
	Clip float64
}

// Scaling turns x into (clip(x) - Offset) / Scale, column by column. A Scale of +Inf marks
// a column that never changed, up to rounding: it becomes 0, also in new rows.
type Scaling struct {
	Offset, Scale []float64
	Low, High     []float64 // limits of clipping; nil: none
}

// Fit learns the scaling of the columns of x. Missing values are left out.
func Fit(x *mat.Dense, r Rules) Scaling {
	n, d := x.Dims()
	s := Scaling{Offset: make([]float64, d), Scale: make([]float64, d)}
	if r.Clip != 0 {
		s.Low, s.High = make([]float64, d), make([]float64, d)
	}
	linalg.Parallel(d, func(j int) {
		column := make([]float64, 0, n)
		var weights []float64
		for i := range n {
			v := x.At(i, j)
			if math.IsNaN(v) || r.Weights != nil && r.Weights[i] == 0 {
				continue
			}
			if r.Weights != nil {
				weights = append(weights, r.Weights[i])
			}
			column = append(column, v)
		}
		if r.Clip != 0 {
			s.Low[j], s.High[j] = limits(column, r.Clip)
			for i, v := range column {
				column[i] = min(max(v, s.Low[j]), s.High[j])
			}
		}
		s.Offset[j], s.Scale[j] = size(column, weights, r.Kind)
	})
	return s
}

// clipShare is the share of a column's rows outside the limits beyond which automatic
// clipping leaves the column alone: so many are its shape, not dirt.
const clipShare = 0.1

// limits are the median plus and minus clip deviations; a negative clip stands for 3
// with care. A column more than half of which are equal has no limits.
func limits(column []float64, clip float64) (low, high float64) {
	centre, deviation := 0.0, 0.0
	if len(column) > 0 {
		centre, deviation = univariate.Deviation(slices.Clone(column))
	}
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

// size returns what to subtract from a column and what to divide it by then. It may
// overwrite the column.
func size(column, weights []float64, how Kind) (offset, scale float64) {
	if how == None {
		return 0, 1
	}
	if len(column) == 0 {
		return 0, math.Inf(1)
	}
	switch how {
	case MinMax:
		offset = slices.Min(column)
		scale = slices.Max(column) - offset
	case Robust:
		offset, scale = medianDeviation(column)
	default:
		offset, scale = meanDeviation(column, weights)
	}
	if !(scale > 1e-13*math.Abs(offset)) || math.IsInf(scale, 0) { // constant up to rounding
		return offset, math.Inf(1)
	}
	return offset, scale
}

// medianDeviation is the median and the median absolute deviation from it, as a standard
// deviation of normal values. Where at least half of the values are equal it is the mean
// absolute deviation instead, likewise.
func medianDeviation(column []float64) (median, deviation float64) {
	if median, deviation = univariate.Deviation(column); deviation > 0 {
		return median, deviation
	}
	mean := 0.0
	for _, away := range column {
		mean += away / float64(len(column))
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

// Identity leaves d columns as they are.
func Identity(d int) Scaling {
	return Scaling{Offset: make([]float64, d), Scale: slices.Repeat([]float64{1}, d)}
}

// Constant is the number of columns that never changed.
func (s Scaling) Constant() int {
	n := 0
	for _, v := range s.Scale {
		if math.IsInf(v, 1) {
			n++
		}
	}
	return n
}

// identity tells whether Apply would change nothing.
func (s Scaling) identity() bool {
	for j, v := range s.Scale {
		if v != 1 || s.Offset[j] != 0 {
			return false
		}
	}
	return s.Low == nil
}

// Apply returns scaled rows; x itself when there is nothing to do.
func (s Scaling) Apply(x *mat.Dense) *mat.Dense {
	if s.identity() {
		return x
	}
	n, d := x.Dims()
	out := mat.NewDense(n, d, nil)
	factor := make([]float64, d)
	for j, v := range s.Scale {
		factor[j] = 1 / v // 0 for constant columns
	}
	const block = 2048
	linalg.Parallel((n+block-1)/block, func(b int) {
		for i := b * block; i < min((b+1)*block, n); i++ {
			to := out.RawRowView(i)
			for j, v := range x.RawRowView(i) {
				if s.Low != nil {
					v = min(max(v, s.Low[j]), s.High[j])
				}
				to[j] = (v - s.Offset[j]) * factor[j]
			}
		}
	})
	return out
}

// Valid tells whether the arrays have d columns and every number is usable: offsets
// finite, scales above 0.
func (s Scaling) Valid(d int) bool {
	if len(s.Offset) != d || len(s.Scale) != d || (s.Low == nil) != (s.High == nil) || s.Low != nil && (len(s.Low) != d || len(s.High) != d) {
		return false
	}
	for j, v := range s.Scale {
		if !(v > 0) || math.IsNaN(s.Offset[j]) || math.IsInf(s.Offset[j], 0) {
			return false
		}
		if s.Low != nil && !(s.Low[j] <= s.High[j]) {
			return false
		}
	}
	return true
}
