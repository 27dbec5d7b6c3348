package check

import (
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/words"
)

// A law may hold for most rows and not for others by right: grade = age - 5 of pupils, and not of their teachers. Rows that
// break it are another population where they share what obeying rows hardly ever have: a word, one of few values, an empty
// cell, or values beyond all of theirs. Slips do not: they come with any word, and change one cell, so that columns of
// the law itself tell of a population only where two of them do.

// mark is what a population has.
type mark struct {
	column int
	sort   markSort
	value  float64
	also   *mark     // what its rows have besides; nil: nothing more is asked
	law    *equation // that leads beyond an end
}

type markSort int

const (
	markIs    markSort = iota // the value, or no value at all where it is NaN
	markAbove                 // larger than it
	markBelow                 // smaller than it
	// The value, where the law leads below or above it.
	markFloor
	markCeiling
)

// where are the marks of the rows for which a law does not hold.
type where []mark

// has says that a row has one of the marks.
func (w where) has(t *tolerant.Table, row int) bool {
	return slices.ContainsFunc(w, func(m mark) bool { return m.has(t, row) })
}

func (m *mark) has(t *tolerant.Table, row int) bool {
	v := t.Columns[m.column].Values[row]
	is := false
	switch m.sort {
	case markIs:
		is = bits(v) == bits(m.value)
	case markAbove:
		is = v > m.value
	case markBelow:
		is = v < m.value
	case markFloor, markCeiling:
		if is = v == m.value; is {
			meant := m.law.solve(m.column, func(c int) float64 { return t.Columns[c].Values[row] })
			is = meant < v && m.sort == markFloor || meant > v && m.sort == markCeiling
		}
	}
	return is && (m.also == nil || m.also.has(t, row))
}

// text says for which rows the law does not hold; empty: for none.
func (w where) text(t *tolerant.Table) string {
	text := ""
	for k := range w {
		switch m := &w[k]; {
		case k == 0:
			text = " unless " + m.text(t)
		case m.column == w[k-1].column && m.sort == markIs && w[k-1].sort == markIs:
			text += " or " + m.worded(t)
		default:
			text += " or " + m.text(t)
		}
	}
	return text
}

func (m *mark) text(t *tolerant.Table) string {
	text := words.Clip(t.Columns[m.column].Name) + []string{markIs: " is ", markAbove: " is above ", markBelow: " is below ", markFloor: " would be below ", markCeiling: " would be above "}[m.sort] + m.worded(t)
	if m.also != nil {
		text += " and " + m.also.text(t)
	}
	return text
}

func (m *mark) worded(t *tolerant.Table) string {
	if m.value != m.value {
		return "empty"
	}
	return amount(&t.Columns[m.column], m.value)
}

// exception is a mark of rows with the law that they break.
type exception struct {
	mark   mark
	law    string
	breaks func(row int) bool
}

// exceptions lists the marks of all laws, those that others imply last. That a column is 0 where a law ends is none.
func (l *laws) exceptions(t *tolerant.Table) (out []exception) {
	for _, implied := range []bool{false, true} {
		for k := range l.equations {
			e := &l.equations[k]
			for _, m := range e.except {
				if e.implied != implied || m.also == nil && slices.Contains(e.columns(), m.column) {
					continue
				}
				out = append(out, exception{m, e.text, func(row int) bool {
					difference, limit := l.misses(e, func(c int) float64 { return t.Columns[c].Values[row] })
					return math.Abs(difference) > limit
				}})
			}
		}
	}
	for _, o := range l.orders {
		for _, m := range o.except {
			out = append(out, exception{m, o.text, func(row int) bool { return t.Columns[o.high].Values[row] < t.Columns[o.low].Values[row] }})
		}
	}
	return out
}

// sparedImplied takes rows from those that break what several laws say together where one of these laws does not hold by right.
func (l *laws) sparedImplied(t *tolerant.Table, broken [][]int) {
	for k := range l.equations {
		if !l.equations[k].implied || len(broken[k]) == 0 {
			continue
		}
		for j := range l.equations {
			e := &l.equations[j]
			if len(e.except) == 0 || !l.together(e.left, l.equations[k].left) {
				continue
			}
			broken[k] = slices.DeleteFunc(broken[k], func(row int) bool {
				difference, limit := l.misses(e, func(c int) float64 { return t.Columns[c].Values[row] })
				return math.Abs(difference) > limit && e.except.has(t, row)
			})
		}
	}
}
