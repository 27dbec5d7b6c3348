package check

import (
	"math"
	"slices"

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
		blank(f.column, func(v float64) bool { return v > low && v < high })
	}
	return out
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
