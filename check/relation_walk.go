package check

import (
	"cmp"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/spill"
)

// walk is an order of a table's first rows in which every running sum of a mixture stands by itself: the rows of one name of
// a column after those of another, as they follow each other in the table.
type walk struct {
	table *tolerant.Table
	by    int // the column; -1: rows stand as they are
	rows  int
	order []int // nil: as they are
}

func newWalk(t *tolerant.Table, by, rows int) *walk {
	w := &walk{table: t, by: by, rows: rows}
	if by >= 0 && len(t.Columns[by].Values) >= rows {
		values := t.Columns[by].Values
		w.order = allRows(t.Room(), rows)
		slices.SortStableFunc(w.order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	}
	return w
}

// mixes says that a column may tell sums apart: few names, each for several rows, that do not stand together.
func mixes(c *tolerant.Column, rows int) bool {
	if c.Kind != tolerant.Category && c.Kind != tolerant.Boolean && c.Kind != tolerant.Number || len(c.Values) < rows {
		return false
	}
	names, changes := map[uint64]bool{}, 0
	for row, v := range spill.Each(c.Values[:rows]) {
		if names[bits(v)] = true; len(names)*mixedSums > rows {
			return false
		}
		if row > 0 && bits(v) != bits(c.Values[row-1]) {
			changes++
		}
	}
	return len(names) > 1 && changes >= len(names)
}

// row is the k-th of the walk in the direction of a law.
func (w *walk) row(r *running, k int) int {
	if r.upwards {
		k = w.rows - 1 - k
	}
	if w.order == nil {
		return k
	}
	return w.order[k]
}

// places tells at which place of the walk a row is.
func (w *walk) places(r *running) func(row int) int {
	at := make([]int, len(w.order))
	for k, row := range w.order {
		at[row] = k
	}
	return func(row int) int {
		if w.order != nil {
			row = at[row]
		}
		if r.upwards {
			return w.rows - 1 - row
		}
		return row
	}
}

// joined says that two rows belong to one sum.
func (w *walk) joined(a, b int) bool {
	if w.order == nil {
		return true
	}
	values := w.table.Columns[w.by].Values
	return bits(values[a]) == bits(values[b])
}
