package check

import (
	"math"
	"slices"

	"github.com/inlier-ml/inlier/internal/spill"
)

// Prices are more than costs, but by factors that thin out towards 1 and now and then fall below it. Among amounts of unlike sizes the differences
// have a sharp edge all the same, at the small ones; the factors do not.

// expectedBeyond is how many rows as far beyond an order as one that breaks it are expected from the factors of the others, from which on it is none
// that breaks a law.
const expectedBeyond = 0.5

// factors is how the logarithms of high/low end towards the order's edge; +Inf where amounts are not positive or too few. Where those of the rows that keep
// the order have a sharp edge themselves, these alone tell: the others would pass for the tail that they are held against.
func factors(low, high []float64, rows []int) edge {
	out, room, known := make([]float64, 0, len(rows)), spill.Of(low), 0
	for _, r := range rows {
		room.Touched(2)
		if high[r] == high[r] && low[r] == low[r] {
			known++
		}
		if f := factor(low[r], high[r]); f == f {
			out = append(out, f)
		}
	}
	if len(out) < known-mostBeyond(known) {
		return edge{at: math.Inf(1)}
	}
	slices.Sort(out)
	if _, sharp := orderMargin(out); sharp {
		broken, _ := slices.BinarySearch(out, 0)
		out = out[broken:]
	}
	lower, _ := edgesOf(out)
	return lower
}

func factor(low, high float64) float64 {
	if !(low > 0 && high > 0) {
		return math.NaN()
	}
	return math.Log(high) - math.Log(low)
}

// thinsOut says that a row beyond the order is one of a tail that goes on beyond it.
func (e *edge) thinsOut(low, high float64) bool {
	f := factor(low, high)
	return f == f && !math.IsInf(e.at, 1) && e.rows*e.p(-f) > expectedBeyond
}
