package check

import "github.com/inlier-ml/inlier/internal/spill"

// Predictions are learned from most rows. Where rows of one kind (a word, one of few values, an empty cell, or those for which a
// law does not hold) are odd to them by the dozen, it is the prediction that does not know of the kind.

const (
	// kindOdd is the share of the rows of a kind that are odd at least.
	kindOdd = 0.3
	// kindRows is the share of the table that a kind is at least, unless a law tells of it.
	kindRows = 0.005
)

// populations acquits the odd rows of such kinds.
func (m *Model) populations(v *view, l *looks, found []candidate) {
	n, tests := v.table.Rows, float64(max(m.judged, 1))
	odd := spill.Make[bool](v.table.Room(), n)
	for i := range v.table.Room().Rows(n, 4) {
		odd[i] = 4*max(l.row[i], l.joint[i], l.lonely[i]) < suspicious
	}
	for k := range found {
		if c := &found[k]; tests*c.verified < suspicious {
			odd[c.row] = true
		}
	}
	var kinds where
	if v.learned == nil { // the kinds of another table are those of its laws
		s := &markSearch{table: v.table, least: kindOdd, fewest: max(fewestMarked, int(kindRows*float64(n)))}
		kinds = s.marks(func(row int) (broken, asked bool) { return odd[row], true })
	}
	for _, w := range v.kinds {
		for k := range w {
			of := tally{}
			for row := range v.table.Room().Rows(n, 2) {
				if w[k].has(v.table, row) {
					of.count(odd[row])
				}
			}
			if float64(of.broken) > kindOdd*float64(of.rows) {
				kinds = append(kinds, w[k])
			}
		}
	}
	for _, k := range kinds {
		v.odd = append(v.odd, oddKind{k, odd})
	}
	if len(kinds) == 0 {
		return
	}
	for k := range found {
		if c := &found[k]; kinds.has(v.table, c.row) {
			c.verified = 1
		}
	}
	for i := range v.table.Room().Rows(n, 3) {
		if odd[i] && kinds.has(v.table, i) {
			l.joint[i] = 1
		}
	}
}
