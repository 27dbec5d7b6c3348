package report

import "math"

// An Axis describes one axis of a chart. The zero Axis is linear, unlabelled and
// fits the data.
type Axis struct {
	Label    string
	Log      bool     // logarithmic; values that are not positive stand at the lower edge; linear when no value is positive
	Min, Max float64  // fixed range when Min < Max
	Names    []string // names of the positions 0, 1, 2, ... instead of numbers
	Whole    bool     // ticks at whole numbers only (components, steps, rows)
	Zero     bool     // the range includes zero

	downwards bool   // y: position 0 at the top
	exact     bool   // no margin around the data
	marks     []tick // instead of numbers
}

// A scale maps data to the unit interval.
type scale struct {
	min, max  float64
	log       bool
	downwards bool
	edged     bool // what lies outside is drawn at the edge
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
	s.edged = true
	if !e.any {
		return s
	}
	s.min, s.max = e.min, e.max
	if a.Zero && !a.Log {
		s.min, s.max = math.Min(s.min, 0), math.Max(s.max, 0)
	}
	const margin = 0.04
	below, above := margin, margin // values at the edge stand apart from the others
	if e.below {
		below = 2 * margin
	}
	if e.above {
		above = 2 * margin
	}
	switch {
	case a.Log && s.max <= s.min*(1+1e-9):
		s.min, s.max = s.min/3, s.max*3
	case a.Log && !a.exact:
		span := math.Log(s.max) - math.Log(s.min)
		s.min, s.max = math.Max(s.min/math.Exp(below*span), 1e-305), math.Min(s.max*math.Exp(above*span), 1e305)
	case a.Log:
	case s.max-s.min <= 1e-12*math.Max(math.Abs(s.min), math.Abs(s.max)) || s.max-s.min < 1e-300:
		room := math.Abs(s.max) * 0.1
		if room < 1e-300 {
			room = 1
		}
		s.min, s.max = s.min-room, s.max+room
	case !a.exact:
		span := s.max - s.min
		if e.below || !(a.Zero && s.min == 0) {
			s.min -= below * span
		}
		if e.above || !(a.Zero && s.max == 0) {
			s.max += above * span
		}
	}
	return s
}

// unit is the position of v: 0 at the start of the axis, 1 at its end; NaN when v
// cannot be drawn.
func (s scale) unit(v float64) float64 {
	u := s.position(v)
	if s.edged {
		u = min(max(u, 0), 1)
	}
	if math.IsInf(u, 0) {
		return math.NaN()
	}
	return u
}

// outside reports values that are drawn at the edge instead of at their place.
func (s scale) outside(v float64) bool {
	u := s.position(v)
	return s.edged && (u < -1e-9 || u > 1+1e-9)
}

// position is the true position of v, which may lie outside and be infinite.
func (s scale) position(v float64) float64 {
	var u float64
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		u = v
	case s.log && v <= 0:
		u = math.Inf(-1)
	case s.log:
		u = (math.Log(v) - math.Log(s.min)) / (math.Log(s.max) - math.Log(s.min))
	default:
		u = v/(s.max-s.min) - s.min/(s.max-s.min)
		if w := v - s.min; !math.IsInf(w, 0) {
			u = w / (s.max - s.min)
		}
	}
	if s.downwards {
		return 1 - u
	}
	return u
}
