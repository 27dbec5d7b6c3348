package check

import (
	"math"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// A running sum starts anew where another account begins or a meter is exchanged: the row before says nothing there.

// groups are the columns of names at whose changes the law begins again: the rows of each name stand together, and most
// changes of name break the law.
func (r *running) groups(w *walk) (out []int) {
	t := w.table
	for c := range t.Columns {
		column := &t.Columns[c]
		if c == r.sum || len(column.Values) != t.Rows || column.Kind == tolerant.Date || r.adds(c) {
			continue
		}
		seen := map[uint64]bool{}
		changes, broken, together := 0, 0, true
		for k := range t.Rows {
			if k > 0 && !r.changes(w, c, k) {
				continue
			}
			name := bits(column.Values[w.row(r, k)])
			if together = !seen[name]; !together {
				break
			}
			seen[name] = true
			if miss := r.misses(w, k); miss == miss {
				if changes++; miss != 0 {
					broken++
				}
			}
		}
		if together && 2*broken > changes {
			out = append(out, c)
		}
	}
	return out
}

// adds says that a column is one of the terms.
func (r *running) adds(column int) bool {
	for _, f := range r.terms {
		if f.column == column {
			return true
		}
	}
	return false
}

// changes says that a column is another at the k-th row than before it.
func (r *running) changes(w *walk, column, k int) bool {
	values := w.table.Columns[column].Values
	return bits(values[w.row(r, k)]) != bits(values[w.row(r, k-1)])
}

// outermost are the two least and the two greatest values of a column.
type outermost struct{ low, high [2]float64 }

func outermostOf(values []float64) outermost {
	s := outermost{[2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}}
	for _, v := range values {
		if v < s.low[0] {
			s.low = [2]float64{v, s.low[0]}
		} else if v < s.low[1] {
			s.low[1] = v
		}
		if v > s.high[0] {
			s.high = [2]float64{v, s.high[0]}
		} else if v > s.high[1] {
			s.high[1] = v
		}
	}
	return s
}

// without is where the other values lie than this one.
func (s *outermost) without(v float64) (low, high float64) {
	low, high = s.low[0], s.high[0]
	if v == low {
		low = s.low[1]
	}
	if v == high {
		high = s.high[1]
	}
	return low, high
}

// anew tells that the k-th row, which misses the law, is the first of another sum: its group begins there, or no term
// was ever of a size that could lead to it.
func (r *running) anew(w *walk) func(k int, miss float64) bool {
	groups, spans := r.groups(w), make([]outermost, len(r.terms))
	for i, f := range r.terms {
		spans[i] = outermostOf(w.table.Columns[f.column].Values)
	}
	return func(k int, miss float64) bool {
		for _, c := range groups {
			if k > 0 && k < w.rows && r.changes(w, c, k) {
				return true
			}
		}
		if miss != miss {
			return false
		}
		for i, f := range r.terms {
			v := w.table.Columns[f.column].Values[w.row(r, k)]
			low, high := spans[i].without(v)
			if v < low || v > high {
				return false // a far value explains itself
			}
			meant := miss / f.slope
			if v == v {
				meant += v
			}
			if width := high - low; meant >= low-width && meant <= high+width {
				return false
			}
		}
		return true
	}
}
