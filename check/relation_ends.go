package check

import (
	"math"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// endedTimes is how many rows at least stop at an end for each that lies beyond it and obeys.
const endedTimes = 5

// ends finds a column that stops at its least or greatest value where the equation would go beyond: what is paid is the claim less the deductible, and
// nothing where that is more; what is insured ends at 5000; a fee is at least 9.95. Rows with that value where the equation leads beyond it are left to
// themselves. It is none where other rows with the value obey, or more than a few beyond it.
func (e *equation) ends(t *tolerant.Table, l *laws) where {
	all := spacedRows(t.Rows, whereRows)
	var broken []int
	row := 0
	at := func(column int) float64 { return t.Columns[column].Values[row] }
	for _, row = range all {
		if difference, limit := l.misses(e, at); math.Abs(difference) > limit && !e.except.has(t, row) {
			broken = append(broken, row)
		}
	}
	if len(broken) < fewestMarked {
		return nil
	}
	for _, c := range e.columns() {
		ended := 0
		counts := map[mark]int{}
		var end mark
		for _, row = range broken {
			m := mark{column: c, sort: markFloor, value: at(c), law: e}
			if e.solve(c, at) > m.value {
				m.sort = markCeiling
			}
			if counts[m]++; counts[m] > ended && m.has(t, row) {
				end, ended = m, counts[m]
			}
		}
		if ended < fewestMarked {
			continue
		}
		beyond, there := 0, 0
		for _, row = range all {
			v, is := at(c), false
			if is = v < end.value; end.sort == markCeiling {
				is = v > end.value
			}
			if v != end.value && !is || e.except.has(t, row) {
				continue
			}
			if difference, limit := l.misses(e, at); v == end.value && difference == difference {
				there++
			} else if math.Abs(difference) <= limit { // slips lie beyond as well, and do not obey
				beyond++
			}
		}
		if endedTimes*beyond <= ended && float64(ended) >= markBroken*float64(there) {
			return where{end}
		}
	}
	return nil
}
