package scaling

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

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
		low[j], high[j] = s.reachOf(j)
	}
	return low, high
}

// reachOf are the values of one column beyond which a row is absurd.
func (s Scaling) reachOf(j int) (low, high float64) {
	middle, reach := s.Low[j]/2+s.High[j]/2, s.High[j]/2-s.Low[j]/2
	if reach == 0 {
		return math.Inf(-1), math.Inf(1)
	}
	return middle - beyondReach*reach, middle + beyondReach*reach
}

// AbsurdRow tells whether a row holds such a value; see Absurd.
func (s Scaling) AbsurdRow(row []float64) bool {
	if s.Low == nil {
		return false
	}
	for j, v := range row {
		if low, high := s.reachOf(j); v < low || v > high {
			return true
		}
	}
	return false
}

// Known fits the scaling by rows that hold no absurd value, since nothing can be learned
// from the others, and returns the weights of the rows, 0 for those that were left out, and
// which columns they are absurd in, nil where none was. Of rows with labels those are left
// out that are far from every class, which a class that lies far out as a whole is not; classes
// nil means no labels. Where rows were left out, limits of a column
// lie no farther out than what is left: beyond, nothing is known.
func Known(x *mat.Dense, r Rules, labels []int, classes *Classes) (s Scaling, weights []float64, left *Left) {
	if classes != nil && r.Clip < 0 {
		r.middles = classes.middles(labels, r.Weights)
	}
	s = Fit(x, r)
	if r.Clip == 0 {
		return s, r.Weights, nil
	}
	var absurd []bool
	if classes != nil {
		absurd = classes.FarRows(x)
	} else {
		absurd = s.Absurd(x)
	}
	if absurd == nil {
		return s, r.Weights, nil
	}
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
			left.Index = append(left.Index, i)
		}
		for j, v := range x.RawRowView(i) {
			out := v < low[j] || v > high[j]
			if far && classes != nil {
				out = math.Abs(v-classes.Center.At(labels[i], j)) > classes.Reach.At(labels[i], j)
			}
			if far && out {
				outside[j] = true
			} else if weights[i] > 0 {
				least[j], most[j] = min(least[j], v), max(most[j], v)
			}
		}
	}
	if left.Index == nil {
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
	Index   []int // of the rows
	Columns []int
	Stayed  bool // nothing was left out, because clipping is off
}

// Wild are the rows that clipping would leave out of a fit that does without; nil: none.
func Wild(x *mat.Dense, r Rules, labels []int, classes *Classes) *Left {
	if absurd := classes.FarRows(x); absurd == nil {
		return nil
	}
	r.Clip = -3
	_, _, left := Known(x, r, labels, classes)
	if left != nil {
		left.Stayed = true
	}
	return left
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
