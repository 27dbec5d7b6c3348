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
	// before anything else. Zero: off. Negative: as many as its absolute value, with care
	// for columns that are merely skewed or of several groups; see limits.
	Clip float64
}

// Scaling turns x into (clip(x) - Offset) / Scale, column by column. A column that never
// changed, up to rounding, has the same Low, High and Offset: it becomes 0, also in new
// rows. A Scale of +Inf, as in files of old, says the same.
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
	constant := make([]bool, d)
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
			s.Low[j], s.High[j] = limits(column, weights, r.Clip)
			for i, v := range column {
				column[i] = min(max(v, s.Low[j]), s.High[j])
			}
		}
		s.Offset[j], s.Scale[j], constant[j] = size(column, weights, r.Kind)
	})
	for j, never := range constant {
		if !never {
			continue
		}
		if s.Low == nil {
			s.Low, s.High = slices.Repeat([]float64{-math.MaxFloat64}, d), slices.Repeat([]float64{math.MaxFloat64}, d)
		}
		s.Low[j], s.High[j] = s.Offset[j], s.Offset[j]
	}
	return s
}

const (
	// clipShare is the share of a column's rows up to which those outside the limits are
	// taken for its tail or for dirt, both of which may be pulled in.
	clipShare = 0.1
	// dirtShare is the share up to which far values can be dirt. More are a group of rows.
	dirtShare = 0.25
	// emptyShare is the share of the rows below which a stretch of a column counts as empty.
	emptyShare = 0.01
	// rareReach is how many median deviations, of the values that differ from the one that
	// most rows have, such values count at most.
	rareReach = 10
	// absurd is how many deviations no column of several groups reaches.
	absurd = 1e8
)

// limits are the median plus and minus clip deviations. A negative clip stands for as many
// with care: where more than a tenth of the rows lie outside, they may be the column's
// shape. Then the limits are widened until at most a quarter lies outside, since more are a
// group of their own, and a stretch behind them is empty up to ten times as far out, so
// that what lies beyond is no tail. In a column most of which are equal the deviation is
// that of the others, ten times.
func limits(column, weights []float64, clip float64) (low, high float64) {
	none := math.MaxFloat64
	if len(column) == 0 {
		return -none, none
	}
	centre, deviation := univariate.WeightedDeviation(column, weights)
	around := func(c float64) (low, high float64) {
		return max(centre-c*deviation, -none), min(centre+c*deviation, none)
	}
	if deviation == 0 {
		if deviation, _ = rare(column, weights, centre); deviation == 0 {
			return -none, none
		}
		return around(max(math.Abs(clip), rareReach))
	}
	if clip > 0 {
		return around(clip)
	}
	clip = -clip
	beyond := func(c float64) float64 { // share of the rows outside
		low, high := around(c)
		outside, total := 0.0, 0.0
		for i, v := range column {
			a := 1.0
			if weights != nil {
				a = weights[i]
			}
			if total += a; v < low || v > high {
				outside += a
			}
		}
		return outside / total
	}
	if beyond(clip) <= clipShare {
		return around(clip)
	}
	for c := clip; c < absurd; c *= math.Sqrt(10) {
		if share := beyond(c); share <= dirtShare && share-beyond(10*c) <= emptyShare {
			return around(c)
		}
	}
	return around(absurd)
}

// rare is the median deviation from a centre of the values that differ from it, and their
// share.
func rare(column, weights []float64, centre float64) (deviation, share float64) {
	var away, others []float64
	total, different := 0.0, 0.0
	for i, v := range column {
		a := 1.0
		if weights != nil {
			a = weights[i]
		}
		total += a
		if v != centre {
			different += a
			away = append(away, min(math.Abs(v-centre), math.MaxFloat64))
			if weights != nil {
				others = append(others, a)
			}
		}
	}
	if len(away) == 0 {
		return 0, 0
	}
	return univariate.WeightedMedian(away, others), different / total
}

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
	if largest < 1e140 {
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

// beyondReach is how many times as far out as the limit a value must be for its row to be
// one that nothing was learned about.
const beyondReach = 5

// Absurd tells which rows hold a value five times as far from the middle of their column as
// its limits: pulled in it says nothing about the row any more. nil: none does.
func (s Scaling) Absurd(x *mat.Dense) []bool {
	if s.Low == nil {
		return nil
	}
	n, _ := x.Dims()
	low, high := s.reach()
	var out []bool
	for i := range n {
		for j, v := range x.RawRowView(i) {
			if v < low[j] || v > high[j] {
				if out == nil {
					out = make([]bool, n)
				}
				out[i] = true
				break
			}
		}
	}
	return out
}

// reach are the values of each column beyond which a row is absurd.
func (s Scaling) reach() (low, high []float64) {
	d := len(s.Offset)
	low, high = make([]float64, d), make([]float64, d)
	for j := range d {
		middle, reach := s.Low[j]/2+s.High[j]/2, s.High[j]/2-s.Low[j]/2
		if low[j], high[j] = middle-beyondReach*reach, middle+beyondReach*reach; reach == 0 {
			low[j], high[j] = math.Inf(-1), math.Inf(1)
		}
	}
	return low, high
}

// Known fits the scaling by rows that hold no absurd value, since nothing can be learned
// from the others, and returns the weights of the rows, 0 for those that were left out, and
// which columns they are absurd in, nil where none was. With labels a class most of which is
// absurd stays: that is where the class lies. Where rows were left out, limits of a column
// lie no farther out than what is left: beyond, nothing is known.
func Known(x *mat.Dense, r Rules, labels []int) (s Scaling, weights []float64, left *Left) {
	s = Fit(x, r)
	absurd := s.Absurd(x)
	if r.Clip == 0 || absurd == nil {
		return s, r.Weights, nil
	}
	keepClasses(absurd, r.Weights, labels)
	if weights = without(absurd, r.Weights); weights == nil {
		return s, r.Weights, nil
	}
	left = &Left{}
	low, high := s.reach()
	n, d := x.Dims()
	outside, least, most := make([]bool, d), make([]float64, d), make([]float64, d)
	for j := range d {
		least[j], most[j] = math.Inf(1), math.Inf(-1)
	}
	for i := range n {
		far := absurd[i] && (r.Weights == nil || r.Weights[i] > 0)
		if far {
			left.Rows++
		}
		for j, v := range x.RawRowView(i) {
			if far && (v < low[j] || v > high[j]) {
				outside[j] = true
			} else if weights[i] > 0 {
				least[j], most[j] = min(least[j], v), max(most[j], v)
			}
		}
	}
	if left.Rows == 0 {
		return s, r.Weights, nil
	}
	r.Weights = weights
	s = Fit(x, r)
	for j, far := range outside {
		if far {
			left.Columns = append(left.Columns, j)
			s.Low[j], s.High[j] = max(s.Low[j], min(least[j], s.High[j])), min(s.High[j], max(most[j], s.Low[j]))
		}
	}
	return s, weights, left
}

// Left are rows that a fit left out, and the columns in which they are too far off.
type Left struct {
	Rows    int
	Columns []int
}

// keepClasses takes classes out of the list that have more than half of their weight in it.
func keepClasses(absurd []bool, weights []float64, labels []int) {
	far, total := map[int]float64{}, map[int]float64{}
	for i, l := range labels {
		a := 1.0
		if weights != nil {
			a = weights[i]
		}
		if total[l] += a; absurd[i] {
			far[l] += a
		}
	}
	for i, l := range labels {
		if 2*far[l] > total[l] {
			absurd[i] = false
		}
	}
}

// without returns the weights (nil: ones) with 0 for rows that are absurd; nil where those
// have more than half of the weight.
func without(absurd []bool, weights []float64) []float64 {
	out := make([]float64, len(absurd))
	left, total := 0.0, 0.0
	for i, far := range absurd {
		a := 1.0
		if weights != nil {
			a = weights[i]
		}
		if total += a; !far {
			out[i] = a
			left += a
		}
	}
	if 2*left < total {
		return nil
	}
	return out
}

// Identity leaves d columns as they are.
func Identity(d int) Scaling {
	return Scaling{Offset: make([]float64, d), Scale: slices.Repeat([]float64{1}, d)}
}

// Constant is the number of columns that never changed.
func (s Scaling) Constant() int {
	n := 0
	for j, v := range s.Scale {
		if math.IsInf(v, 1) || s.Low != nil && s.Low[j] == s.High[j] {
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

// farthest is the largest scaled value: beyond, squares would overflow.
const farthest = 1e100

// huge tells whether a number of x is beyond it.
func huge(x *mat.Dense) bool {
	n, _ := x.Dims()
	for i := range n {
		for _, v := range x.RawRowView(i) {
			if math.Abs(v) > farthest {
				return true
			}
		}
	}
	return false
}

// Apply returns scaled rows, no number beyond 1e100; x itself when there is nothing to do.
func (s Scaling) Apply(x *mat.Dense) *mat.Dense {
	if s.identity() && !huge(x) {
		return x
	}
	n, d := x.Dims()
	out := mat.NewDense(n, d, nil)
	factor := make([]float64, d)
	for j, v := range s.Scale {
		factor[j] = 1 / v
	}
	const block = 2048
	linalg.Parallel((n+block-1)/block, func(b int) {
		for i := b * block; i < min((b+1)*block, n); i++ {
			to := out.RawRowView(i)
			for j, v := range x.RawRowView(i) {
				if s.Low != nil {
					v = min(max(v, s.Low[j]), s.High[j])
				}
				to[j] = min(max((v-s.Offset[j])*factor[j], -farthest), farthest)
			}
		}
	})
	return out
}

// ApplyRow writes a scaled row to dst, no number beyond 1e100.
func (s Scaling) ApplyRow(dst, row []float64) {
	for j, v := range row {
		if s.Low != nil {
			v = min(max(v, s.Low[j]), s.High[j])
		}
		dst[j] = min(max((v-s.Offset[j])*(1/s.Scale[j]), -farthest), farthest)
	}
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
