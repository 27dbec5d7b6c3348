package check

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/words"
)

// equation says that the left column is a sum, constant + slope*x + ..., or a product,
// constant * (offset + slope*x)^power * ..., of others, up to the rounding of the numbers in the file.
type equation struct {
	left     int // column of the table
	terms    []term
	product  bool
	constant float64
	rounding rounding
	text     string
	implied  bool
	// exceptions is the share of rows that break it.
	exceptions float64
	// except are the marks of rows for which it does not hold.
	except where
	// ofWords are the factors of words among these.
	ofWords []ofWord
	// seconds are the factors by which rows that break it obey it.
	seconds []float64
	// mostly says that only most rows obey it.
	mostly   bool
	calendar calendar // of a law between dates that is no sum
	// spans are further constants of a law between two dates, less the first.
	spans []float64
	dated bool // between dates, which are whole days or seconds: there is no cent more or less
}

// term is a column's part in an equation.
type term struct {
	column        int
	offset, slope float64
	second        int // of a sum of products: one more than the column that it is multiplied with; 0: none
	power         int // of a factor: 2, 3, -1 or -2; 0: 1
}

// factor is the term as one of a product.
func (t *term) factor(v float64) float64 {
	base := t.offset + t.slope*v
	switch t.power {
	case -2:
		return 1 / (base * base)
	case -1:
		return 1 / base
	case 2:
		return base * base
	case 3:
		return base * base * base
	}
	return base
}

// factorSlope is how a factor changes with its column.
func (t *term) factorSlope(v float64) float64 {
	if t.power == 0 {
		return t.slope
	}
	power := float64(t.power)
	return power * t.slope * math.Pow(t.offset+t.slope*v, power-1)
}

// base is what a factor of this value has under its power, with the sign of the one that is there.
func (t *term) base(value, there float64) float64 {
	switch t.power {
	case 0:
		return value
	case -1:
		return 1 / value
	case 3:
		return math.Cbrt(value)
	}
	return math.Copysign(math.Pow(value, 1/float64(t.power)), there)
}

// times is what the column of a term of a sum is multiplied with.
func (t *term) times(at func(column int) float64) float64 {
	if t.second > 0 {
		return t.slope * at(t.second-1)
	}
	return t.slope
}

// rounding is how much of the difference between the sides of an equation the writing of the
// numbers explains.
type rounding int

const (
	exact      rounding = iota // none but that of the arithmetic
	leftSide                   // the left column was rounded when it was written
	allColumns                 // every column was
	sixDigits                  // every column was written with six digits
	roundings
)

// columns lists the columns of the equation, the left one first.
func (e *equation) columns() []int {
	out := []int{e.left}
	for _, t := range e.terms {
		if out = append(out, t.column); t.second > 0 {
			out = append(out, t.second-1)
		}
	}
	return out
}

// sides returns the difference left minus right side for values by column, and the tolerance at
// every rounding. Missing values give NaN.
func (e *equation) sides(at func(column int) float64, steps []float64) (difference float64, tolerance [roundings]float64) {
	left := at(e.left)
	if e.calendar != plainSum {
		for l := range tolerance {
			tolerance[l] = 1e-3
		}
		return left - e.right(at), tolerance
	}
	value, size, rounded := e.constant, math.Abs(e.constant), 0.0
	if e.product {
		for _, t := range e.terms {
			value *= t.factor(at(t.column))
		}
		size = math.Abs(value)
		for _, t := range e.terms { // a factor that was rounded to 0 as well
			if steps[t.column] > 0 {
				rounded += math.Abs(e.slope(t.column, at)) * steps[t.column] / 2
			}
		}
	} else {
		for _, t := range e.terms {
			times := t.times(at)
			v := times * at(t.column)
			value += v
			size += math.Abs(v)
			if rounded += math.Abs(times) * steps[t.column] / 2; t.second > 0 {
				rounded += math.Abs(t.slope*at(t.column)) * steps[t.second-1] / 2
			}
		}
	}
	size = max(size, math.Abs(left))
	float := 1e-10 * size
	tolerance[exact] = float
	tolerance[leftSide] = float + 0.501*steps[e.left]
	tolerance[allColumns] = tolerance[leftSide] + 1.001*rounded
	tolerance[sixDigits] = 5e-6 * size * float64(1+len(e.terms))
	if difference = left - value; e.spans != nil {
		difference = e.among(difference)
	}
	return difference, tolerance
}

// broken lists the rows of a table that break the equation beyond doubt, and in how many it could
// be asked.
func (e *equation) broken(t *tolerant.Table, l *laws) (rows []int, asked int) {
	for _, c := range e.columns() {
		if c >= len(t.Columns) || len(t.Columns[c].Values) < t.Rows {
			return nil, 0
		}
	}
	row := 0
	at := func(column int) float64 { return t.Columns[column].Values[row] }
	for ; row < t.Rows; row++ {
		difference, limit := l.misses(e, at)
		if difference != difference {
			continue
		}
		if math.Abs(difference) > limit || math.IsInf(difference, 0) {
			if e.except.has(t, row) {
				continue
			}
			rows = append(rows, row)
		}
		asked++
	}
	return rows, asked
}

// learnExceptions looks for populations of which the equation does not hold.
func (e *equation) learnExceptions(t *tolerant.Table, l *laws) {
	row := 0
	at := func(column int) float64 { return t.Columns[column].Values[row] }
	e.except = whereLearned(t, e.columns(), func(r int) (broken, asked bool) {
		row = r
		difference, limit := l.misses(e, at)
		return math.Abs(difference) > limit, difference == difference
	})
	e.except = append(e.except, e.ends(t, l)...)
	e.learnSeconds(t, l)
	e.learnWords(t, l)
	if len(e.except) > 0 {
		rows, asked := e.broken(t, l)
		e.exceptions = brokenShare(len(rows), asked)
	}
}

// misses is by how much a row misses an equation, and how much is no mistake: what rounding explains, and
// where that is nothing beside the column's spread, a cent more or less.
func (l *laws) misses(e *equation, at func(column int) float64) (difference, limit float64) {
	difference, tolerance := e.sides(at, l.steps)
	limit = tolerance[e.rounding]
	if wide := 2 * tolerance[allColumns]; !e.dated && wide <= 0.1*l.spreads[e.left] {
		limit = max(limit, wide)
	}
	return difference, limit
}

// solve returns what a column would have to be for the equation to hold in a row; NaN if nothing
// would.
func (e *equation) solve(column int, at func(column int) float64) float64 {
	if e.calendar != plainSum {
		return e.calendarSolve(column, at)
	}
	value := e.constant
	if e.product {
		left := at(e.left)
		var own *term
		for k := range e.terms {
			if t := &e.terms[k]; t.column == column {
				own = t
			} else {
				value *= t.factor(at(t.column))
			}
		}
		switch {
		case own == nil:
			return value
		case value == 0:
			return math.NaN()
		}
		return (own.base(left/value, at(column)) - own.offset) / own.slope
	}
	for k := range e.terms {
		if t := &e.terms[k]; t.column != column && t.second-1 != column {
			value += t.times(at) * at(t.column)
		}
	}
	if column == e.left {
		return value
	}
	return (at(e.left) - value) / e.slope(column, at)
}

// write makes the text.
func (e *equation) write(t *tolerant.Table) {
	if slices.ContainsFunc(e.columns(), func(c int) bool { return t.Columns[c].Kind == tolerant.Date && !t.Columns[c].Lap() }) {
		e.writeDates(t)
		return
	}
	lasts := func(c int) bool { return strings.HasPrefix(t.Columns[c].Layout, "15h") && t.Columns[c].Lap() }
	alone := slices.ContainsFunc(e.columns(), lasts) && slices.ContainsFunc(e.columns(), func(c int) bool { return !lasts(c) })
	name := func(c int) string {
		switch {
		case alone && lasts(c) && e.product:
			return t.Columns[c].Name + " (hours)"
		case alone && lasts(c):
			return t.Columns[c].Name + " (seconds)"
		}
		return t.Columns[c].Name
	}
	var b strings.Builder
	b.WriteString(name(e.left) + " = ")
	if e.product {
		constant := e.constant
		for _, f := range e.terms {
			if alone && lasts(f.column) {
				constant *= math.Pow(3600, cmp.Or(float64(f.power), 1))
			}
		}
		if alone && lasts(e.left) {
			constant /= 3600
		}
		if constant, _ = shortest(constant, 1e-9*math.Abs(constant)); constant != 1 {
			b.WriteString(words.Short(constant) + " * ")
		}
		for k, f := range e.terms {
			if k > 0 {
				b.WriteString(map[bool]string{false: " * ", true: " / "}[f.power < 0])
			}
			b.WriteString(factorText(f, name(f.column)))
		}
		e.text = b.String()
		return
	}
	for k, f := range e.terms {
		slope := f.slope
		switch {
		case k > 0 && slope < 0:
			b.WriteString(" - ")
			slope = -slope
		case k > 0:
			b.WriteString(" + ")
		}
		switch slope {
		case 1:
		case -1:
			b.WriteString("-")
		default:
			b.WriteString(words.Short(slope) + " * ")
		}
		if b.WriteString(name(f.column)); f.second > 0 {
			b.WriteString(" * " + name(f.second-1))
		}
	}
	if e.constant > 0 {
		b.WriteString(" + " + words.Short(e.constant))
	} else if e.constant < 0 {
		b.WriteString(" - " + words.Short(-e.constant))
	}
	e.text = b.String()
}

// factorText writes a factor: "price", "(1 - discount/100)", "height^2"; what is divided by as well.
func factorText(f term, name string) string {
	if f.offset == 0 {
		if power := max(f.power, -f.power); power > 1 {
			name += fmt.Sprintf("^%d", power)
		}
		return name
	}
	sign, slope := " + ", f.slope
	if slope < 0 {
		sign, slope = " - ", -slope
	}
	if slope == 0.01 {
		name += "/100"
	}
	return "(" + words.Short(f.offset) + sign + name + ")"
}
