package check

import (
	"fmt"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/internal/spill"
)

const (
	// noughtRows is how many values tell that 0 is none of them, and noughtGap the part of their width by which they stay away from it.
	noughtRows, noughtGap = 50, 0.25
	// noughtChance is that of such a 0 to be right: a degree of belief.
	noughtChance = 1e-6
)

// noughtsApart are the few cells of a column that are 0 where all others stay away from it: among marks from 30 to 100 it stands for an exam that was not
// taken. How far others thin out tells nothing, since what is written is no measurement.
func noughtsApart(v *view, f int) (found []Suspicion) {
	column := v.features[f].column
	c := &v.table.Columns[column]
	others := v.sampled(column)
	sorted := make([]float64, 0, len(others))
	for _, x := range others {
		if x == x && x != 0 {
			sorted = append(sorted, x)
		}
	}
	if len(sorted) < noughtRows {
		return nil
	}
	slices.Sort(sorted)
	least, most := sorted[0], sorted[len(sorted)-1]
	if !(least > noughtGap*(most-least)) {
		return nil
	}
	for i, x := range spill.Each(c.Values) {
		if x != 0 || v.agrees(f, i) {
			continue
		}
		if found = append(found, Suspicion{Row: i, Column: column, P: noughtChance, Expected: math.NaN(), Low: least, High: most,
			Why: fmt.Sprintf("%s is %s, all others lie between %s and %s", c.Name, amount(c, 0), amount(c, least), amount(c, most))}); len(found) > mostBeyond(len(c.Values)) {
			return nil
		}
	}
	return found
}
