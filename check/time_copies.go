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

// copied tells which rows stand out of order, or twice, since they are copies, or the rows that copies in the right place are of.
func (v *view) copied(stamps []Suspicion) map[int]bool {
	odd, out := map[int]bool{}, map[int]bool{}
	for _, s := range stamps {
		odd[s.Row] = true
	}
	for row, first := range v.again {
		out[row] = true
		if odd[first] && !odd[row] { // the copy is in its place
			out[first] = true
		}
	}
	return out
}

// without leaves out the cells of rows.
func without(cells []Suspicion, rows map[int]bool) []Suspicion {
	return slices.DeleteFunc(cells, func(s Suspicion) bool { return rows[s.Row] })
}
