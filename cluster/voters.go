package cluster

import (
	"context"
	"math"

	"github.com/inlier-ml/inlier/internal/univariate"
)

// absurdlyFar is how many times as far from the middle as most rows a row must be to have no
// vote whatever the others are, if it repeats a value: no group of the bulk can be meant by it.
const absurdlyFar = 1e6

// voters is the table without votes of rows that are absurdly far: a sentinel in a third of the rows
// is a group of its own for any loss, the tightest of all. It is the table itself where there are
// none, where so many are that the bulk is not known, or where they differ: rows of one tight group
// are absurdly far from another.
func (t *table) voters(ctx context.Context) (*table, error) {
	limit := absurdlyFar * absurdlyFar * t.typical
	var far []int
	weight := 0.0
	for i, s := range t.norms {
		if w := t.weight(i); w > 0 && s > limit {
			far = append(far, i)
			weight += w
		}
	}
	if len(far) == 0 || !(t.typical > 0) || 2*weight >= t.total {
		return t, nil
	}
	if repeated, err := t.repeated(ctx, far); err != nil || !repeated {
		return t, err
	}
	out := &table{
		src: t.src, n: t.n, d: t.d, weights: make([]float64, t.n), total: t.total - weight, counted: t.counted - len(far),
		origin: t.origin, norms: t.norms, typical: t.typical, offset: t.offset, near: t.near, unit: t.unit, clip: t.clip,
	}
	for i, s := range t.norms {
		if s <= limit {
			out.weights[i] = t.weight(i)
			out.scatter += t.weight(i) * s
		}
	}
	return out, nil
}

// repeated tells whether half or more of far rows, by weight, share with others the value that
// is the farthest out, as sentinels do.
func (t *table) repeated(ctx context.Context, far []int) (bool, error) {
	const some = 1000
	if len(far) > some {
		sample := univariate.NewRows(len(far), nil).Spaced(some, univariate.Staggered())
		for k, at := range sample {
			sample[k] = far[at]
		}
		far = sample
	}
	x, err := t.pick(ctx, far)
	if err != nil {
		return false, err
	}
	type cell struct {
		column int
		value  float64
	}
	cells, rows, weights := make([]cell, len(far)), map[cell]int{}, map[cell]float64{}
	for k, i := range far {
		most := -1.0
		for j, v := range x[k*t.d : (k+1)*t.d] {
			if away := math.Abs(v); away > most {
				cells[k], most = cell{j, v}, away
			}
		}
		rows[cells[k]]++
		weights[cells[k]] += t.weight(i)
	}
	shared, all := 0.0, 0.0
	for k, i := range far {
		if all += t.weight(i); rows[cells[k]] > 1 || weights[cells[k]] >= 2 {
			shared += t.weight(i)
		}
	}
	return 2*shared >= all, nil
}
