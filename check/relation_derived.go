package check

import (
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// judged says that the cells of a feature are held against what the others of their row predict.
func (f *feature) judged() bool { return !f.few && !f.derived }

// derive marks one column of every exact law as derived from the others: it says nothing that they do
// not say, and where the law is bent by the columns' transformations it would accuse cells that obey it.
func (l *laws) derive(features []feature) {
	at := func(c int) int {
		return slices.IndexFunc(features, func(f feature) bool { return f.column == c && f.level < 0 && !f.few })
	}
	for c := range l.derived(func(c int) bool { return at(c) >= 0 }) {
		features[at(c)].derived = true
	}
}

// derived are columns, one for every exact law, that the others give; among those that may be.
func (l *laws) derived(may func(column int) bool) map[int]bool {
	out := map[int]bool{}
	for k := range l.equations {
		e := &l.equations[k]
		// Rows for which a law does not hold have nothing else that judges them, and factors that were exchanged keep a product.
		if e.implied || e.exceptions > brokenSurely || len(e.except) > 0 || e.product && out[e.left] {
			continue
		}
		for _, c := range e.columns() {
			if !out[c] && may(c) {
				out[c] = true
				break
			}
		}
	}
	return out
}

// obeyed tells in which rows of a table an exact law of a column can be asked and holds: one that holds
// whatever the column is (of a product with 0) says nothing of it.
func (l *laws) obeyed(t *tolerant.Table) func(row, column int) bool {
	var sums []func(row, column int) bool
	for k := range l.running {
		sums = append(sums, l.running[k].obeyed(t))
	}
	return func(row, column int) bool {
		at := func(c int) float64 {
			if row >= len(t.Columns[c].Values) {
				return math.NaN()
			}
			return t.Columns[c].Values[row]
		}
		for k := range l.equations {
			e := &l.equations[k]
			if e.exceptions > brokenSurely || !slices.Contains(e.columns(), column) || !beyondZeros(e, at) ||
				column != e.left && e.slope(column, at) == 0 {
				continue
			}
			if difference, tolerance := e.sides(at, l.steps); math.Abs(difference) <= tolerance[e.rounding] && !math.IsInf(difference, 0) {
				return true
			}
		}
		return slices.ContainsFunc(sums, func(obeyed func(row, column int) bool) bool { return obeyed(row, column) })
	}
}
