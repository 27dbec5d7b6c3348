package check

import (
	"slices"

	"github.com/inlier-ml/inlier/internal/spill"
)

// bottom is the least value of a column, such as 0, but for a few that are wrong, and whether many rows have it.
type bottom struct {
	least float64
	many  bool
}

// bottomBelow is the share of the rows that may be below the bottom, bottomMany that of those at it from which on they are left out.
const bottomBelow, bottomMany = 0.01, 0.02

func bottomOf(values []float64, rows []int) (b bottom) {
	sorted := sortedValues(pick(values, rows))
	if len(sorted) == 0 {
		return b
	}
	b.least = sorted[int(bottomBelow*float64(len(sorted)))]
	first, _ := slices.BinarySearch(sorted, b.least)
	at := first
	for at < len(sorted) && sorted[at] == b.least {
		at++
	}
	b.many = float64(at-first) > bottomMany*float64(len(sorted))
	return b
}

// telling are the rows that tell whether low <= high: not those at the bottom of low where high hardly ever is below it. Bread without fibre has no
// more of it than sugar in any case, and its many differences of 0 would be a sharp edge.
func (b bottom) telling(low, high []float64, rows []int) []int {
	if !b.many {
		return rows
	}
	out, room, below := make([]int, 0, len(rows)), spill.Of(low), 0
	for _, r := range rows {
		room.Touched(2)
		if high[r] < b.least {
			below++
		}
		if low[r] != b.least || high[r] < b.least {
			out = append(out, r)
		}
	}
	if float64(below) > bottomBelow*float64(len(rows)) {
		return rows
	}
	return out
}
