package check

import (
	"cmp"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/spill"
)

const (
	// sharedValues of a column are those that rows have to share before they are compared.
	sharedValues = 50
	// denseSteps are how many steps of one column apart rows are hardly different, if they differ in no other by more than this share of
	// its spread.
	denseSteps, denseShare = 4, 0.005
	// denseRows are compared at most, each with so many of the next.
	denseRows, denseNext = 200_000, 12
)

// dense says that rows which hardly differ are as frequent as rows that are equal: where wages of one grade are a cent apart, some
// are the same by chance, however many columns follow from them. Copies are equal, and next to nothing else is near.
func (d *twins) dense() bool {
	var coarse, fine []int // places
	about := make([]description, len(d.columns))
	for k, c := range d.columns {
		column := &d.table.Columns[c]
		about[k] = describe(pick(column.Values, spacedRows(d.table.Rows, 3000)))
		if about[k].distinct <= sharedValues || column.Kind == tolerant.Category || column.Kind == tolerant.Boolean || !(about[k].step > 0) {
			coarse = append(coarse, k)
		} else {
			fine = append(fine, k)
		}
	}
	hashes := d.hashes(coarse)
	defer spill.Free(hashes)
	rows := make([]int32, 0, min(d.table.Rows, denseRows))
	every := uint64(d.table.Rows/denseRows + 1)
	for i, h := range spill.Each(hashes) {
		if h%every == 0 {
			rows = append(rows, int32(i))
		}
	}
	for _, base := range fine {
		values := d.table.Columns[d.columns[base]].Values
		slices.SortFunc(rows, func(a, b int32) int {
			return cmp.Or(cmp.Compare(hashes[a], hashes[b]), cmp.Compare(values[a], values[b]), cmp.Compare(a, b))
		})
		equal, near := 0, 0
		for k, a := range rows {
			for _, b := range rows[k+1 : min(k+1+denseNext, len(rows))] {
				apart := (values[b] - values[a]) / about[base].step
				if hashes[a] != hashes[b] || !(apart < denseSteps+0.5) {
					break
				}
				differ := slices.ContainsFunc(fine, func(k int) bool {
					v := d.table.Columns[d.columns[k]].Values
					return k != base && !(math.Abs(v[a]-v[b]) <= denseShare*about[k].spread)
				})
				switch {
				case differ:
				case apart >= 0.5:
					near++
				default:
					if _, count := d.differ(int(a), int(b)); count == 0 {
						equal++
					}
				}
			}
		}
		if near >= 2*equal && near > 2 {
			return true
		}
	}
	return false
}
