package report

import "math"

// An Axis describes one axis of a chart. The zero Axis is linear, unlabelled and
// fits the data.
type Axis struct {
	Label    string
	Log      bool     // logarithmic; values that are not positive are left out
	Min, Max float64  // fixed range when Min < Max
	Names    []string // names of the positions 0, 1, 2, ... instead of numbers
	Whole    bool     // ticks at whole numbers only (components, steps, rows)
	Zero     bool     // the range includes zero

	downwards bool   // y: position 0 at the top
	exact     bool   // no margin around the data
	marks     []tick // instead of numbers
}

// An extent gathers the range of the data along one axis.
type extent struct {
	min, max float64
	log      bool
	any      bool
}

// add widens the extent to v; undrawable values are ignored.
func (e *extent) add(v float64) {
	if !finite(v) || e.log && v < 1e-300 {
		return
	}
	if !e.any {
		e.min, e.max, e.any = v, v, true
		return
	}
	e.min, e.max = math.Min(e.min, v), math.Max(e.max, v)
}

func (e *extent) addAll(values []float64) {
	for _, v := range values {
		e.add(v)
	}
}

// A scale maps data to the unit interval.
type scale struct {
	min, max  float64
	log       bool
	downwards bool
}

// fit makes the scale of an axis from the extent of its data.
func (a Axis) fit(e extent) scale {
	s := scale{log: a.Log, downwards: a.downwards, min: 0, max: 1}
	if a.Log {
		s.min, s.max = 1, 10
	}
	if len(a.Names) > 0 {
		s.min, s.max, s.log = -0.5, float64(len(a.Names))-0.5, false
		return s
	}
	fixedRange := a.Min < a.Max && finite(a.Min) && finite(a.Max) && (!a.Log || a.Min >= 1e-300)
	if fixedRange {
		s.min, s.max = a.Min, a.Max
		return s
	}
	if !e.any {
		return s
	}
	s.min, s.max = e.min, e.max
	if a.Zero && !a.Log {
		s.min, s.max = math.Min(s.min, 0), math.Max(s.max, 0)
	}
	const margin = 0.04
	switch {
	case a.Log && s.max <= s.min*(1+1e-9):
		s.min, s.max = s.min/3, s.max*3
	case a.Log && !a.exact:
		f := math.Exp(margin * (math.Log(s.max) - math.Log(s.min)))
		s.min, s.max = math.Max(s.min/f, 1e-305), s.max*f
	case a.Log:
	case s.max-s.min <= 1e-12*math.Max(math.Abs(s.min), math.Abs(s.max)) || s.max-s.min < 1e-300:
		room := math.Abs(s.max) * 0.1
		if room < 1e-300 {
			room = 1
		}
		s.min, s.max = s.min-room, s.max+room
	case !a.exact:
		room := margin * (s.max - s.min)
		if !(a.Zero && s.min == 0) {
			s.min -= room
		}
		if !(a.Zero && s.max == 0) {
			s.max += room
		}
	}
	return s
}

// unit is the position of v: 0 at the start of the axis, 1 at its end; NaN when v
// cannot be drawn.
func (s scale) unit(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) || s.log && v <= 0 {
		return math.NaN()
	}
	var u float64
	if s.log {
		u = (math.Log(v) - math.Log(s.min)) / (math.Log(s.max) - math.Log(s.min))
	} else {
		u = (v - s.min) / (s.max - s.min)
	}
	if s.downwards {
		return 1 - u
	}
	return u
}
