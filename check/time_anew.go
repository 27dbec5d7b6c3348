package check

import (
	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/univariate"
)

const (
	// anewRows is how many stamps before and after a row tell that the log begins anew there.
	anewRows = 10
	// oneLog is the share of rows that follow each other from which on a table is one log, and a clock that was set back in it a fault.
	oneLog = 0.8
)

// sections are the stretches of a log between rows at which its stamps begin anew, as where several series stand one below the other: prices
// of one share, then those of the next. A lone stamp that is out of order begins nothing: most of those before a beginning are later than most
// behind it.
func sections(stamps []float64) (out []stretch) {
	first, before := 0, 0.0
	room := make([]float64, 0, anewRows)
	for row, v := range spill.Each(stamps) {
		if row >= anewRows && row+anewRows <= len(stamps) && v < before && middleOf(room, stamps[row-anewRows:row]) > middleOf(room, stamps[row:row+anewRows]) {
			out = append(out, stretch{first, row})
			first = row
		}
		before = v
	}
	whole := stretch{0, len(stamps)}
	if len(out) == 0 {
		return []stretch{whole}
	}
	rows := whole.stamped(stamps)
	defer spill.Free(rows)
	following := longestAscending(stamps, rows)
	defer spill.Free(following)
	if float64(len(following)) > oneLog*float64(len(rows)) {
		return []stretch{whole}
	}
	return append(out, stretch{first, len(stamps)})
}

// stamped are the rows of a stretch that have a stamp.
func (s stretch) stamped(stamps []float64) []int {
	rows := spill.Make[int](spill.Of(stamps), s.end-s.first)[:0]
	for i, v := range spill.Each(stamps[s.first:s.end]) {
		if v == v {
			rows = append(rows, s.first+i)
		}
	}
	return rows
}

// middleOf is the median of the values that are there; there is room for them.
func middleOf(room, values []float64) float64 {
	for _, v := range values {
		if v == v {
			room = append(room, v)
		}
	}
	return univariate.Median(room)
}

// leavesWithin finds the excursions of each section: where one series ends and the next begins nothing leaves and returns.
func leavesWithin(parts []stretch, values []float64, least, columns int) (out []excursion) {
	for _, s := range parts {
		for _, e := range leaves(values[s.first:s.end], least, columns*len(parts)) {
			e.first, e.end = e.first+s.first, e.end+s.first
			out = append(out, e)
		}
	}
	return out
}
