package check

import "math"

// wanted is what an equation wants a cell to be, give or take its slack.
type wanted struct {
	value, slack float64
	law          *equation
}

// agreed is the sharpest of the values that most of the equations can live with: a law between rounded
// columns leaves much open that an exact one knows. Among equals an equation that has the column on its left.
func agreed(values []wanted, c int) wanted {
	best, most := values[0], -1
	for _, v := range values {
		agree := 0
		for _, w := range values {
			if math.Abs(v.value-w.value) <= v.slack+w.slack+1e-9*math.Abs(v.value) {
				agree++
			}
		}
		sharper := v.slack < best.slack*(1-1e-6) || v.slack <= best.slack*(1+1e-6) && v.law.left == c && best.law.left != c
		if agree > most || agree == most && sharper {
			best, most = v, agree
		}
	}
	return best
}

// slack is how far from a value a column may be while the equation holds up to its rounding.
func (e *equation) slack(c int, value float64, at func(int) float64, steps []float64) float64 {
	_, tolerance := e.sides(func(j int) float64 {
		if j == c {
			return value
		}
		return at(j)
	}, steps)
	slack := tolerance[e.rounding]
	if e.left != c {
		if slope := math.Abs(e.slope(c, at)); slope > 0 {
			slack /= slope
		}
	}
	return slack
}

// beyondZeros says that the equation holds by more than zeros.
func beyondZeros(e *equation, at func(int) float64) bool {
	for _, c := range e.columns() {
		if v := at(c); v != 0 && v == v {
			return true
		}
	}
	return false
}

// slope is how much the right side changes with a column.
func (e *equation) slope(column int, at func(int) float64) float64 {
	if e.calendar != plainSum {
		return 1
	}
	if !e.product {
		for k := range e.terms {
			switch t := &e.terms[k]; column {
			case t.column:
				return t.times(at)
			case t.second - 1:
				return t.slope * at(t.column)
			}
		}
		return 0
	}
	value, found := e.constant, false
	for _, t := range e.terms {
		if t.column == column {
			value *= t.factorSlope(at(t.column))
			found = true
		} else {
			value *= t.factor(at(t.column))
		}
	}
	if !found {
		return 0
	}
	return value
}
