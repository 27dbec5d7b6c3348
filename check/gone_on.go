package check

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/spill"
)

// Time goes on between a table and the batches that are held against it: their dates follow those that were learned, and
// so do the readings of meters; running sums are wherever they have got to. That is no mistake of their rows, and the numeric core does not look at such cells. Those that
// are far from the rest of their batch as well, as a wrong year is, it does.

const (
	// goneRows cells tell where a batch is; goneWidths is how many widths of what was learned fewer may lie behind it, where
	// that follows itself.
	goneRows, goneWidths = 8, 10
	// goneEnd is the share of the learned cells beyond each end of where they lie, as they may hold mistakes.
	goneEnd = 0.01
)

// goneOn is a batch without its dates and readings behind those that were learned; the same table where it has none.
func (m *Model) goneOn(t *tolerant.Table) *tolerant.Table {
	if t == m.trained {
		return t
	}
	out := t
	learned := m.view.table
	inOrder := slices.ContainsFunc(learned.Columns, func(c tolerant.Column) bool { return c.Kind == tolerant.Date && advances(c.Values) })
	blank := func(column int, gone func(v float64) bool) {
		values := t.Columns[column].Values
		if !slices.ContainsFunc(values, gone) {
			return
		}
		if out == t {
			copied := *t
			out, copied.Columns = &copied, slices.Clone(t.Columns)
		}
		left := spill.Clone(values)
		for i, v := range left {
			if gone(v) {
				left[i] = math.NaN()
			}
		}
		out.Columns[column].Values = left
	}
	var dates, ahead []int // columns, and those of them that have gone on
	for _, f := range m.features {
		was := &learned.Columns[f.column]
		if f.level < 0 && m.view.laws != nil && m.view.laws.runs(f.column) { // wherever a balance is, its law judges it
			blank(f.column, func(v float64) bool { return v == v })
			continue
		}
		if was.Kind != tolerant.Date && !(was.Kind == tolerant.Number && f.level < 0 && inOrder && advances(was.Values)) {
			continue
		}
		low, high := behind(was, t.Columns[f.column].Values)
		if was.Kind == tolerant.Date {
			dates = append(dates, f.column)
			if low < high && slices.ContainsFunc(t.Columns[f.column].Values, func(v float64) bool { return v > low && v < high }) {
				ahead = append(ahead, f.column)
			}
		}
		blank(f.column, func(v float64) bool { return v > low && v < high })
	}
	for _, column := range dates { // the ends of later periods begin among those of earlier ones
		if slices.Contains(ahead, column) || !slices.ContainsFunc(ahead, func(a int) bool { return m.followsTime(column, a) }) {
			continue
		}
		low, high := onward(&learned.Columns[column], t.Columns[column].Values)
		blank(column, func(v float64) bool { return v >= low && v <= high })
	}
	return out
}

// followsLeast is the least correlation of a column of dates with another that has gone on by which it goes on with it.
const followsLeast = 0.5

// followsTime says that a column of dates was later where another was, when they were learned.
func (m *Model) followsTime(column, ahead int) bool {
	t := m.view.table
	rows := spacedRows(len(m.view.sample), straightRows)
	for k, i := range rows {
		rows[k] = m.view.sample[i]
	}
	a, b := pick(t.Columns[column].Values, rows), pick(t.Columns[ahead].Values, rows)
	var x, y []float64
	for _, values := range [][]float64{a, b} { // wrong years say nothing
		sorted := sortedValues(values)
		low, high := quantile(sorted, goneEnd), quantile(sorted, 1-goneEnd)
		for k, v := range values {
			if v < low || v > high {
				values[k] = math.NaN()
			}
		}
	}
	for k := range a {
		if d := a[k] - b[k]; d == d {
			x, y = append(x, a[k]), append(y, b[k])
		}
	}
	return len(x) >= goneRows && stat.Correlation(x, y, nil) >= followsLeast
}

// onward is where the cells of a batch lie whose time has gone on, those between the learned ones among them.
func onward(was *tolerant.Column, values []float64) (low, high float64) {
	before, now := sortedValues(was.Values), sortedValues(values)
	defer spill.Free(now)
	defer spill.Free(before)
	if len(before) == 0 || len(now) == 0 {
		return 1, 0
	}
	first, last, middle := quantile(before, goneEnd), quantile(before, 1-goneEnd), quantile(now, 0.5)
	if len(now) < goneRows { // they bear nobody out
		return first, last + (last - first)
	}
	return min(first, middle), max(last, middle) + max(last-first, 2*(quantile(now, 0.9)-quantile(now, 0.1)))
}

// behind is where the cells of a batch lie that have gone on, between two values; empty where none can.
func behind(was *tolerant.Column, values []float64) (low, high float64) {
	before, now := sortedValues(was.Values), sortedValues(values)
	defer spill.Free(now)
	defer spill.Free(before)
	if len(before) < goneRows || len(now) == 0 {
		return 0, 0
	}
	first, last := quantile(before, goneEnd), quantile(before, 1-goneEnd)
	width, middle := last-first, quantile(now, 0.5)
	many := len(now) >= goneRows || len(now) > 1 && was.Kind == tolerant.Date && (middle > last || middle < first) // they bear each other out
	reach := max(width, 2*(quantile(now, 0.9)-quantile(now, 0.1)))
	switch {
	case many && was.Kind == tolerant.Date && middle < first: // a batch of earlier days
		return middle - reach, first
	case many && (middle > last && was.Kind == tolerant.Date || advances(was.Values)):
		return last, max(middle, last) + reach
	case !many && (advances(was.Values) || was.Kind == tolerant.Date && len(now) == 1):
		return last, last + goneWidths*width
	case !many && was.Kind == tolerant.Date:
		return last, last + width
	}
	return 0, 0
}

// advances says that the values of a table follow each other, the latest last or first.
func advances(values []float64) bool {
	if ascending(values, false) {
		return true
	}
	turned := spill.Clone(values)
	defer spill.Free(turned)
	slices.Reverse(turned)
	return ascending(turned, false)
}

// runs says that a column is an exact running sum.
func (l *laws) runs(column int) bool {
	return slices.ContainsFunc(l.running, func(r running) bool { return r.sum == column && r.exceptions <= brokenSurely })
}
