package cluster

import (
	"context"
	"math"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

// size is the number of rows, repeated as often as whole weights say.
func (t *table) size() float64 { return math.Max(t.total, float64(t.counted)) }

// spaced lists m rows, or all, one from each of m equal parts of the weight, in order, so that
// rows which take turns are all seen. A heavy row may come several times.
func (t *table) spaced(m int) []int {
	return t.at(m, univariate.Staggered())
}

// at lists m rows in order, one from each of m equal parts of the weight: where u says, from
// 0 to 1. A table with rows repeated gives the same rows as one with whole weights. All rows
// with weight are listed where there are no more than m.
func (t *table) at(m int, u func() float64) []int {
	if t.size() <= float64(m) && t.weights == nil {
		return t.countedRows()
	}
	if t.weights != nil && t.size() <= float64(m) && t.whole() {
		var out []int
		for i, w := range t.weights {
			for range int(w) {
				out = append(out, i)
			}
		}
		return out
	}
	out := make([]int, m)
	row, sum := -1, 0.0
	for a := range out {
		place := (float64(a) + u()) / float64(m) * t.total
		if t.weights == nil {
			out[a] = min(int(place), t.n-1)
			continue
		}
		for row < 0 || sum <= place && row+1 < t.n {
			row++
			sum += t.weights[row]
		}
		for t.weights[row] == 0 { // rounding at the end
			row--
		}
		out[a] = row
	}
	return out
}

// whole tells whether all weights are whole numbers.
func (t *table) whole() bool {
	for _, w := range t.weights {
		if w != math.Trunc(w) {
			return false
		}
	}
	return true
}

// pick returns the given rows less the origin, in the given order.
func (t *table) pick(ctx context.Context, rows []int) ([]float64, error) {
	if len(rows) == 0 {
		return nil, ctx.Err()
	}
	x, err := linalg.Gather(ctx, t.src, rows)
	if err != nil {
		return nil, err
	}
	for a := range rows {
		row := x.RawRowView(a)
		subtract(row, row, t.origin)
	}
	return x.RawMatrix().Data, nil
}
