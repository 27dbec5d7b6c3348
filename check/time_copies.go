package check

import (
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// A row that is there twice stands where it does not belong: its stamp comes twice or out of order and its values leave their series. It is wrong
// as a whole, and no cell of it is.

// thereTwice are the rows that are copies as a whole, names included, of those before them.
func thereTwice(keys []Suspicion, whole copies, twins map[int]twin, t *tolerant.Table) map[int]int {
	out := map[int]int{}
	for row, w := range twins {
		if w.column < 0 {
			out[row] = w.first
		}
	}
	for _, s := range keys { // names come twice where all else agrees, too
		if first, same := whole.of(s.Row); same && t.Text(first, s.Column) == t.Text(s.Row, s.Column) {
			out[s.Row] = first
		}
	}
	return out
}

// copied tells which rows are there twice, the first ones with them, and which of these stand where they do not belong: the copies, or the row that one in
// its place is of.
func (v *view) copied(stamps []float64) (twice, out map[int]bool) {
	twice, out = map[int]bool{}, map[int]bool{}
	for row, first := range v.again {
		twice[row], twice[first], out[row] = true, true, true
	}
	inPlace := func(row int) bool {
		before, behind := row-1, row+1
		for before >= 0 && (twice[before] || stamps[before] != stamps[before]) {
			before--
		}
		for behind < len(stamps) && (twice[behind] || stamps[behind] != stamps[behind]) {
			behind++
		}
		return (before < 0 || stamps[before] <= stamps[row]) && (behind == len(stamps) || stamps[row] <= stamps[behind])
	}
	for row, first := range v.again {
		if inPlace(row) && !inPlace(first) {
			out[first] = true
		}
	}
	return twice, out
}

// without leaves out the cells of rows.
func without(cells []Suspicion, rows map[int]bool) []Suspicion {
	return slices.DeleteFunc(cells, func(s Suspicion) bool { return rows[s.Row] })
}
