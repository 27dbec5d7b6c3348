package check

import (
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// A refund, a cancellation or a correction turns the signs of its row: of several amounts at once, or of one that is negative in
// many rows, or in those of one kind. A slip turns one sign. What is left of a reversal with its signs turned back must be
// as usual as any other row.

// mostReversed is the share of negative values up to which a column is one of amounts that have a sign by exception.
const mostReversed = 0.1

// signed is a column whose values are negative by exception.
type signed struct {
	column int
	most   float64 // the largest value
	often  bool    // more are negative than may be mistakes
	kinds  where   // marks of the rows that are negative by right
}

// signedColumns are those of a table in which negative values come at all.
func (v *view) signedColumns() (out []signed) {
	t := v.table
	if v.learned != nil {
		t = v.learned
	}
	order := sync.OnceValue(func() int { return orderColumn(t) })
	for c := range t.Columns {
		if t.Columns[c].Kind != tolerant.Number || len(t.Columns[c].Values) < t.Rows {
			continue
		}
		s := signed{column: c}
		below, known := 0, 0
		for _, x := range v.sampled(c) {
			if x == x {
				known++
				s.most = max(s.most, x)
			}
			if x < 0 {
				below++
			}
		}
		if float64(below) > mostReversed*float64(known) || below == 0 && v.learned == nil {
			continue
		}
		if s.often = below > mostBeyond(known); !s.often {
			search := lawSearch(t, []int{c})
			search.order = order
			s.kinds = search.marks(func(row int) (broken, asked bool) {
				x := t.Columns[c].Values[row]
				return x < 0, x == x
			})
		}
		out = append(out, s)
	}
	return out
}

// signs are [view.signedColumns], found out once.
func (v *view) signs() []signed {
	if v.signed == nil {
		all := v.signedColumns()
		v.signed = &all
	}
	return *v.signed
}

// reversed are the columns of a row whose signs are turned by right; nil: it is no reversal.
func (v *view) reversed(row int) []int {
	var negative []int
	amounts, by := 0, false
	signs := v.signs()
	for k := range signs {
		s := &signs[k]
		x := v.table.Columns[s.column].Values[row]
		if !(x < 0) {
			continue
		}
		if -x > s.most {
			return nil
		}
		if negative = append(negative, s.column); !sentinel(x) {
			amounts++
		}
		by = by || s.often || s.kinds.has(v.table, row)
	}
	if amounts > 0 && (len(negative) > 1 || by) {
		return negative
	}
	return nil
}

// tied says that other columns tell most of a column: what turns its sign would turn theirs.
func (m *Model) tied(column int) bool {
	for j, f := range m.features {
		if f.column == column && f.judged() {
			away := m.predict.scale[j] / m.predict.root[j]
			return away*away < 0.5
		}
	}
	return false
}

// reversals acquits the cells of reversed rows that are usual with the signs turned back.
func (m *Model) reversals(v *view, l *looks, found []candidate) {
	d, tests := len(m.features), float64(max(m.judged, 1))
	z, y, residual := mat.NewDense(1, d, nil), mat.NewDense(1, d, nil), mat.NewDense(1, d, nil)
	for from := 0; from < len(found); {
		row, end := found[from].row, from
		for end < len(found) && found[end].row == row {
			end++
		}
		some := found[from:end]
		from = end
		turned := v.reversed(row)
		if turned == nil || len(turned) == 1 && m.tied(turned[0]) {
			continue
		}
		zi := z.RawRowView(0)
		fill(zi, v.table, m.features, row)
		for j, f := range m.features {
			if slices.Contains(turned, f.column) {
				zi[j] = f.change.Forward(-bounded(v.table.Columns[f.column].Values[row]))
			}
		}
		m.predict.rows(z, y, residual, nil)
		usual := true
		for k := range some {
			c := &some[k]
			if p := min(m.cells[c.feature].unusual(residual.At(0, c.feature)), m.margins[c.feature].unusual(zi[c.feature])); tests*p >= suspicious {
				c.verified = 1
			} else {
				usual = false
			}
		}
		if usual {
			l.joint[row] = 1
		}
	}
}
