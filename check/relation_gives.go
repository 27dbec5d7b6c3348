package check

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/spill"
)

// gives is what exact laws say of cells that are not known, and the law that says it: total = net + vat, or a balance beside that of the
// row before. NaN where none does.
func (l *laws) gives(t *tolerant.Table) func(row, column int) (value float64, law string) {
	walks := make([]*walk, len(l.running))
	places := make([]func(int) int, len(l.running))
	for k := range l.running {
		if l.running[k].exceptions <= brokenSurely {
			walks[k] = newWalk(t, l.running[k].by, t.Rows)
			places[k] = walks[k].places(&l.running[k])
		}
	}
	return func(row, column int) (float64, string) {
		at := func(c int) float64 {
			if c == column || row >= len(t.Columns[c].Values) {
				return math.NaN()
			}
			return t.Columns[c].Values[row]
		}
		c := &t.Columns[column]
		for k := range l.equations {
			e := &l.equations[k]
			if e.exceptions > brokenSurely || !slices.Contains(e.columns(), column) || e.except.has(t, row) {
				continue
			}
			if v := e.solve(column, at); !math.IsNaN(v) && !math.IsInf(v, 0) {
				return inDecimals(c, v), e.text
			}
		}
		for k := range l.running {
			r, w := &l.running[k], walks[k]
			if w == nil || r.by >= 0 && w.order == nil {
				continue
			}
			if v := r.gives(w, places[k](row), column); v == v {
				return inDecimals(c, v), r.text
			}
		}
		return math.NaN(), ""
	}
}

// gives is what a cell of the k-th row would have to be; NaN where the law does not tell.
func (r *running) gives(w *walk, k, column int) float64 {
	values := w.table.Columns[r.sum].Values
	if column == r.sum {
		for _, next := range []int{k, k + 1} { // after the row before, or before the one behind
			if next < 1 || next >= w.rows || !w.joined(w.row(r, next), w.row(r, next-1)) {
				continue
			}
			_, added, _ := r.step(w, next)
			if v := values[w.row(r, next-1)] + added; next == k && v == v {
				return v
			}
			if v := values[w.row(r, next)] - added; next > k && v == v {
				return v
			}
		}
		return math.NaN()
	}
	for _, f := range r.terms {
		if f.column != column || k < 1 || k >= w.rows {
			continue
		}
		if next := r.misses(w, k+1); next == next && next != 0 { // the sum may be wrong as well
			return math.NaN()
		}
		step, added, _ := r.stepBut(w, k, column)
		return (step - added) / f.slope
	}
	return math.NaN()
}

// BornOut is a table in which numbers that were taken for marks of missing values, such as 99, are values again where a law of the table
// gives just these numbers; the same table where there are none.
func BornOut(ctx context.Context, t *tolerant.Table, seed uint64) (*tolerant.Table, error) {
	if !slices.ContainsFunc(t.Columns, func(c tolerant.Column) bool { return len(c.Sentinels) > 0 && len(c.Values) == t.Rows }) {
		return t, nil
	}
	l, err := learnLaws(ctx, t, seed)
	if err != nil {
		return nil, err
	}
	gives, out := l.gives(t), t
	for j := range t.Columns {
		c := &t.Columns[j]
		for _, mark := range c.Sentinels {
			rows := marked(t, j, mark)
			asked, same, law := 0, 0, ""
			for _, row := range rows {
				if v, text := gives(row, j); v == v {
					if asked++; math.Abs(v-mark) <= 1e-9*math.Abs(mark) {
						same, law = same+1, text
					}
				}
			}
			if same == 0 || 2*same < len(rows) || 10*same < 9*asked {
				continue
			}
			if out == t {
				copied := *t
				out, copied.Columns = &copied, slices.Clone(t.Columns)
			}
			reinstate(&out.Columns[j], mark, rows, law)
		}
	}
	return out, nil
}

// marked are the rows of a column whose cells are the number that was taken for missing.
func marked(t *tolerant.Table, column int, mark float64) (rows []int) {
	c := &t.Columns[column]
	for row, v := range spill.Each(c.Values) {
		if v == v {
			continue
		}
		if meant, ok := meantNumber(t.Text(row, column), c); ok && meant == mark {
			rows = append(rows, row)
		}
	}
	return rows
}

// reinstate makes marks of missing values what they are, in a column of its own.
func reinstate(c *tolerant.Column, mark float64, rows []int, law string) {
	c.Values = spill.Clone(c.Values)
	for _, row := range rows {
		c.Values[row] = mark
	}
	c.Missing -= len(rows)
	text := strconv.FormatFloat(mark, 'g', -1, 64)
	c.Sentinels = slices.DeleteFunc(slices.Clone(c.Sentinels), func(v float64) bool { return v == mark })
	c.Remarks = slices.DeleteFunc(slices.Clone(c.Remarks), func(r string) bool { return strings.HasPrefix(r, text+" in ") })
	c.Remarks = append(c.Remarks, fmt.Sprintf("%s stands apart and is a value: %s bears it out.", text, law))
}
