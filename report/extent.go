package report

import (
	"math"
	"slices"
)

// An extent gathers the range of the data along one axis. It keeps a sample beside the
// extremes, because a range must show the bulk: one value of 1e300, or rounding noise on
// a logarithmic axis, stands at the edge of the picture instead of setting its scale.
type extent struct {
	log      bool
	any      bool    // there is a value to draw at its true place
	min, max float64 // of those values

	below, above bool    // values that stand at the lower and at the upper edge
	cutoff       float64 // a value that the data are measured by; 0 = none

	fenced     bool // only values from low to high are drawn at their true place
	low, high  float64
	sample     []float64
	seen, skip int
}

// sampleSize is the number of values that quartiles are taken from.
const sampleSize = 8192

// add widens the extent to v.
func (e *extent) add(v float64) {
	switch {
	case math.IsNaN(v):
		return
	case v > 1e300 || e.fenced && v > e.high:
		e.above = true
		return
	case e.log && v < 1e-300, v < -1e300, e.fenced && v < e.low:
		e.below = true
		return
	}
	if !e.fenced {
		e.keep(v)
	}
	if !e.any {
		e.min, e.max, e.any = v, v, true
		return
	}
	e.min, e.max = math.Min(e.min, v), math.Max(e.max, v)
}

// keep puts every so many-th value into the sample.
func (e *extent) keep(v float64) {
	if e.seen++; e.seen <= e.skip {
		return
	}
	e.seen = 0
	e.sample = append(e.sample, v)
	if len(e.sample) == sampleSize {
		for i := range sampleSize / 2 {
			e.sample[i] = e.sample[2*i]
		}
		e.sample = e.sample[:sampleSize/2]
		e.skip = 2*e.skip + 1
	}
}

func (e *extent) addAll(values []float64) {
	for _, v := range values {
		e.add(v)
	}
}

// gather fills an extent, and fills it again without what lies absurdly far from the bulk.
func gather(log bool, fill func(e *extent)) extent {
	e := extent{log: log}
	fill(&e)
	if e.any {
		if low, high := e.fence(); e.min < low || e.max > high {
			e = extent{log: log, fenced: true, low: low, high: high}
			fill(&e)
		}
	}
	return e
}

// rangeOf is the range of the values without absurd ones.
func rangeOf(list ...[]float64) extent {
	return gather(false, func(e *extent) {
		for _, values := range list {
			e.addAll(values)
		}
	})
}

// Range is the range of the values that a picture shows: all of them but those that are
// absurdly far from the bulk, such as 1e300 or sentinels. Without any value it is empty:
// low is greater than high.
func Range(list ...[]float64) (low, high float64) {
	if e := rangeOf(list...); e.any {
		return e.min, e.max
	}
	return 1, 0
}

// How far from the middle half of the values a picture reaches. On a linear axis that is
// a multiple of the width of this half: beyond a thousand widths the bulk is thinner than
// a line. Few values are a list in which each one counts. A logarithmic axis shows many
// decades at once, more of large values (outliers) than of small ones (noise).
const (
	nothing     = 1e-4 // of a cut-off: rounding noise, or as good as zero
	fewValues   = 50
	reachMany   = 1e3
	reachFew    = 1e6
	decadesUp   = 16 // so that rounding noise and what is no noise find room together
	decadesDown = 6
)

// fence is the range within which values are drawn at their true place.
func (e *extent) fence() (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	if len(e.sample) < 5 {
		return low, high
	}
	s := slices.Clone(e.sample)
	if e.log {
		for i, v := range s {
			s[i] = math.Log10(v)
		}
	}
	slices.Sort(s)
	q1, q3 := quantile(s, 0.25), quantile(s, 0.75)
	width := q3 - q1
	if e.log {
		low, high = math.Pow(10, q1-decadesDown-3*width), math.Pow(10, q3+decadesUp+3*width)
		if e.cutoff > 0 { // most of the data may be noise
			low, high = math.Max(low, e.cutoff*nothing), math.Max(high, e.cutoff*math.Pow(10, decadesUp))
		}
		return low, high
	}
	width = math.Max(width, e.cutoff/4)
	if width <= 0 { // mostly one value: the others tell how far values differ
		var apart []float64
		for _, v := range s {
			if v != q1 {
				apart = append(apart, math.Abs(v-q1))
			}
		}
		if len(apart) == 0 {
			return low, high
		}
		slices.Sort(apart)
		width = quantile(apart, 0.5)
	}
	reach := reachFew * width
	if len(s) >= fewValues {
		reach = reachMany * width
	}
	return q1 - reach, q3 + reach
}
