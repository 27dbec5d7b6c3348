package check

import (
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

const (
	// mostSteps is the number of steps that a ladder has at most: the months.
	mostSteps = 12
	// ladderMissed is how many times the rows beyond either end of a ladder one would expect, were it no end, from which on it is one.
	ladderMissed = 12
)

// ladders are the scales of answers, grades, months: all whole numbers from 0 or 1 up to an end. They are counted in all
// columns that share them, since one column of a questionnaire tells about the others. Keys are first and last step.
type ladders map[[2]float64]*ladder

// ladder counts rows by step, and those that are a step or two below and above.
type ladder struct {
	counts       []int
	below, above int
}

// laddersOf finds the ladders of the columns with few values.
func laddersOf(v *view) ladders {
	out := ladders{}
	for _, f := range v.features {
		if !f.few || f.level >= 0 || v.table.Columns[f.column].Kind != tolerant.Number {
			continue
		}
		values := v.sampled(f.column)
		low, high, ok := usualRange(values)
		if !ok || low != 0 && low != 1 || high-low < 2 || high-low >= mostSteps {
			continue
		}
		if slices.ContainsFunc(values, func(x float64) bool { return x >= low && x <= high && x != math.Trunc(x) }) {
			continue
		}
		l := out[[2]float64{low, high}]
		if l == nil {
			l = &ladder{counts: make([]int, int(high-low)+1)}
			out[[2]float64{low, high}] = l
		}
		for _, x := range values {
			switch {
			case x >= low && x <= high:
				l.counts[int(x-low)]++
			case x >= low-2 && x < low:
				l.below++
			case x > high && x <= high+2:
				l.above++
			}
		}
	}
	return out
}

// ends says that the ladder from low to high ends at both ends: steps that went on as the last two do would have come many
// times more. Counts, which thin out upwards, are no ladder.
func (l ladders) ends(low, high float64) bool {
	steps := l[[2]float64{low, high}]
	if steps == nil {
		return false
	}
	end := func(last, before, beyond int) bool {
		// Rows that fall off towards the end do so faster and faster, but hardly by more than another factor of three.
		expected := float64(last) * min(1, float64(last)/float64(max(before, 1))) / 3
		return expected >= ladderMissed*float64(max(beyond, 1))
	}
	n := len(steps.counts)
	return end(steps.counts[0], steps.counts[1], steps.below) && end(steps.counts[n-1], steps.counts[n-2], steps.above)
}
