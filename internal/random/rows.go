package random

import (
	"math/rand/v2"
	"sort"
)

// Rows draws rows of a table in proportion to their weights, by position on the cumulative
// weight: row i owns the stretch of length w_i that begins where the rows before it end.
// Without weights every stretch has length 1. A table in which row i stands w_i times in
// succession therefore makes the same draws, row for row, as the table with weights w, and
// a row of weight 0 is never drawn.
type Rows struct {
	n   int
	end []float64 // where each row's stretch ends; nil without weights
}

// NewRows prepares n rows; weights may be nil, are not negative otherwise, and not all 0.
func NewRows(n int, weights []float64) Rows {
	if weights == nil {
		return Rows{n: n}
	}
	end := make([]float64, n)
	sum := 0.0
	for i, w := range weights {
		sum += w
		end[i] = sum
	}
	return Rows{n: n, end: end}
}

// Total is the weight of all rows, their number without weights.
func (r Rows) Total() float64 {
	if r.end == nil {
		return float64(r.n)
	}
	return r.end[r.n-1]
}

// At is the row whose stretch holds a position, 0 <= position < Total. Evenly spaced
// positions give a systematic sample.
func (r Rows) At(position float64) int {
	if r.end == nil {
		return min(max(int(position), 0), r.n-1)
	}
	i := sort.Search(r.n, func(i int) bool { return r.end[i] > position })
	if i < r.n {
		return i
	}
	// Rounding put the position at the very end: the last row that owns a stretch.
	return sort.SearchFloat64s(r.end, r.end[r.n-1])
}

// Draw draws one row, with replacement.
func (r Rows) Draw(g *rand.Rand) int { return r.At(g.Float64() * r.Total()) }
