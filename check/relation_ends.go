package check

import (
	"math"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// ends finds a column that is 0 where the equation would make it negative: what is paid is the claim less the deductible, and nothing where
// that is more. Rows with the 0 are left to themselves. It is none where most rows with a 0 obey, or other cells of the column
// are negative.
func (e *equation) ends(t *tolerant.Table, l *laws) where {
	if e.product {
		return nil
	}
	row := 0
	at := func(column int) float64 { return t.Columns[column].Values[row] }
	for _, c := range e.columns() {
		nought, below, negative := 0, 0, 0
		for _, row = range spacedRows(t.Rows, whereRows) {
			difference, limit := l.misses(e, at)
			if at(c) < 0 {
				negative++
			}
			if difference != difference || at(c) != 0 {
				continue
			}
			if nought++; math.Abs(difference) > limit && e.solve(c, at) < 0 {
				below++
			}
		}
		if negative == 0 && below >= fewestMarked && float64(below) >= markBroken*float64(nought) {
			return where{{column: c, value: 0}}
		}
	}
	return nil
}
