// Package scaling brings input columns to a common size. What is learned from training
// rows is stored with a model, so that new rows meet the same.
package scaling

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
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
	// Context ends the learning: what is not learned by then never is, and the caller asks it afterwards. Nil: never.
	Context context.Context
	// Clip pulls values in to the column's median plus or minus so many robust deviations,
	// before anything else. Zero: off. Negative: as many as its absolute value, with care
	// for columns that are merely skewed or of several groups; see limits.
	Clip float64
	// middles are those of the classes in every column: values up to there are not pulled in.
	middles func(j int) []float64
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
	_ = linalg.ParallelUntil(given.Context(r.Context), d, func(j int) {
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
			if r.middles != nil {
				s.Low[j], s.High[j] = reaching(r.middles(j), s.Low[j], s.High[j])
			}
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
