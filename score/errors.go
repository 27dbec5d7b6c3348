package score

import (
	"fmt"
	"math"
	"slices"
)

// heldErrors is up to how many rows [Errors] keeps what it is given.
var heldErrors = 1 << 18

// Errors measures the predictions of a regression one part of the rows after the other. Of many rows it keeps sums, and
// counts of errors by their size; then all rows have to be given a second time, in the same order.
type Errors struct {
	truth, predicted []float64 // of all rows, as long as they are few
	many             bool
	again            bool // the second reading

	rows       int
	first      float64 // truth
	shift      float64 // mean of truth less first
	top, size  float64 // the largest number, and true one
	absolute   float64 // sum of errors
	squares    squareSum
	bins       map[uint64]*errorBin
	deviations squareSum // of truth from its mean; second reading
	exact      []float64 // errors of the bins that the median and the tenth fall into, sorted
	sought     map[uint64]bool
}

// ErrorsOf measures predictions that are all at hand.
func ErrorsOf(truth, predicted []float64) *Errors { return &Errors{truth: truth, predicted: predicted} }

// errorBin counts errors of nearly the same size: those that share the leading twenty bits.
type errorBin struct {
	count   int
	squares squareSum
}

func binOf(e float64) uint64 { return math.Float64bits(e) >> 43 }

// squareSum is a sum of squares over that of the largest number.
type squareSum struct{ top, sum float64 }

func (s *squareSum) add(v float64) { s.merge(squareSum{v, 1}) }

func (s *squareSum) merge(o squareSum) {
	if o.top > s.top {
		*s, o = o, *s
	}
	if s.top > 0 && o.sum > 0 {
		s.sum += o.sum * (o.top / s.top) * (o.top / s.top)
	}
}

// rootMean is the root of the mean square of n numbers.
func (s squareSum) rootMean(n int) float64 { return s.top * math.Sqrt(s.sum/float64(n)) }

// Add takes in further rows.
func (e *Errors) Add(truth, predicted []float64) error {
	if len(truth) == 0 {
		return nil
	}
	if err := checkNumbersAfter("errors", e.rows+len(e.truth), truth, predicted); err != nil {
		return err
	}
	switch {
	case e.again:
		e.second(truth, predicted)
		return nil
	case !e.many && len(e.truth)+len(truth) <= heldErrors:
		e.truth, e.predicted = append(e.truth, truth...), append(e.predicted, predicted...)
		return nil
	case !e.many:
		e.many, e.bins, e.first = true, map[uint64]*errorBin{}, truth[0]
		if len(e.truth) > 0 {
			e.first = e.truth[0]
		}
		e.count(e.truth, e.predicted)
		e.truth, e.predicted = nil, nil
	}
	e.count(truth, predicted)
	return nil
}

func (e *Errors) count(truth, predicted []float64) {
	for i, t := range truth {
		e.rows++
		e.size = max(e.size, math.Abs(t))
		e.top = max(e.top, math.Abs(t), math.Abs(predicted[i]))
		e.shift += (t/2 - e.first/2 - e.shift) / float64(e.rows) // of halves, whose difference does not overflow
		v := math.Abs(t - predicted[i])
		e.absolute += (v/2 - e.absolute) / float64(e.rows)
		e.squares.add(v)
		bin := e.bins[binOf(v)]
		if bin == nil {
			bin = new(errorBin)
			e.bins[binOf(v)] = bin
		}
		bin.count++
		bin.squares.add(v)
	}
}

// Again tells whether all rows are needed a second time, and begins that reading.
func (e *Errors) Again() bool {
	if !e.many || e.again {
		return false
	}
	e.again, e.sought = true, map[uint64]bool{}
	for _, place := range e.places() {
		at := 0
		for _, key := range e.keys() {
			if at += e.bins[key].count; place < at {
				e.sought[key] = true
				break
			}
		}
	}
	return true
}

// places are the ranks of the errors that are needed exactly: the one or two in the middle, and the last that is kept.
func (e *Errors) places() [3]int {
	return [3]int{(e.rows - 1) / 2, e.rows / 2, e.rows - e.left() - 1}
}

// left is how many errors are left out of the trimmed mean.
func (e *Errors) left() int { return min(int(trimmedShare*float64(e.rows)+1e-9), e.rows-1) }

// trimmedShare of the rows is left out by Trimmed.
const trimmedShare = 0.1

func (e *Errors) keys() []uint64 {
	keys := make([]uint64, 0, len(e.bins))
	for key := range e.bins {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func (e *Errors) second(truth, predicted []float64) {
	for i, t := range truth {
		v := math.Abs(t - predicted[i])
		if e.sought[binOf(v)] {
			e.exact = append(e.exact, v)
		}
		e.deviations.add(math.Abs((t/2 - e.first/2) - e.shift))
	}
}

// ErrorFigures are what the functions of the same names say of all rows; Trimmed leaves out a tenth.
type ErrorFigures struct{ RMSE, MAE, MedianAE, Trimmed, R2 float64 }

// Figures are those of all rows.
func (e *Errors) Figures() (f ErrorFigures, err error) {
	if !e.many {
		for _, one := range []struct {
			to *float64
			of func(truth, predicted []float64) (float64, error)
		}{{&f.RMSE, RMSE}, {&f.MAE, MAE}, {&f.MedianAE, MedianAE}, {&f.R2, R2},
			{&f.Trimmed, func(t, p []float64) (float64, error) { return TrimmedRMSE(t, p, trimmedShare) }}} {
			if *one.to, err = one.of(e.truth, e.predicted); err != nil {
				return f, err
			}
		}
		return f, nil
	}
	slices.Sort(e.exact)
	ranked := func(place int) float64 {
		at, before := 0, 0 // errors in smaller bins, and those of them that are in the list
		for _, key := range e.keys() {
			n := e.bins[key].count
			if place < at+n {
				break
			}
			if at += n; e.sought[key] {
				before += n
			}
		}
		if k := before + place - at; k < len(e.exact) {
			return e.exact[k]
		}
		return math.NaN()
	}
	places := e.places()
	f.RMSE, f.MAE = e.squares.rootMean(e.rows), 2*e.absolute
	f.MedianAE = ranked(places[0])/2 + ranked(places[1])/2
	last := ranked(places[2])
	if math.IsNaN(last + f.MedianAE) {
		return f, fmt.Errorf("score: the rows of the second reading are others")
	}
	var kept squareSum
	for _, key := range e.keys() {
		if key < binOf(last) {
			kept.merge(e.bins[key].squares)
		}
	}
	open := places[2] + 1 // of the errors up to last, those in its own bin
	for key, bin := range e.bins {
		if key < binOf(last) {
			open -= bin.count
		}
	}
	for _, v := range e.exact {
		if binOf(v) == binOf(last) && open > 0 {
			kept.add(v)
			open--
		}
	}
	f.Trimmed = kept.rootMean(places[2] + 1)
	f.R2 = e.determination()
	return f, nil
}

// determination is R2 of all rows.
func (e *Errors) determination() float64 {
	const rounding = 0x1p-50
	switch {
	case e.top == 0:
		return 1
	case 2*e.deviations.top <= rounding*e.size:
		if e.squares.top <= rounding*e.size {
			return 1
		}
		return 0
	}
	ratio := e.squares.rootMean(e.rows) / e.deviations.rootMean(e.rows) / 2
	return max(1-ratio*ratio, -math.MaxFloat64)
}
