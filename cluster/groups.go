package cluster

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// groups accumulates weighted sums of rows by label.
type groups struct {
	sums  []float64 // k x d
	mass  []float64 // weight of each group
	count []int     // rows with weight in each group
	*room
}

func (t *table) newGroups(k int) *groups {
	return &groups{sums: make([]float64, k*t.d), mass: make([]float64, k), count: make([]int, k), room: t.room()}
}

func (g *groups) merge(from *groups) {
	kernel.Daxpy(len(g.sums), 1, from.sums, 1, g.sums, 1)
	for c := range g.mass {
		g.mass[c] += from.mass[c]
		g.count[c] += from.count[c]
	}
}

// add counts row x of weight w into group c; w < 0 takes it out again.
func (g *groups) add(c int, w float64, x []float64) {
	sums := g.sums[c*len(x) : (c+1)*len(x)]
	if len(x) < 32 {
		for j, v := range x {
			sums[j] += w * v
		}
	} else {
		kernel.Daxpy(len(x), w, x, 1, sums, 1)
	}
	g.mass[c] += w
	if w > 0 {
		g.count[c]++
	} else {
		g.count[c]--
	}
}

// sum adds up the rows of every label with the given weights (nil: the table's own).
func (t *table) sum(ctx context.Context, labels []int32, weights []float64, k int) (*groups, error) {
	return linalg.Pass(ctx, t.src,
		func() *groups { return t.newGroups(k) },
		func(g *groups, first int, block *mat.Dense) {
			rows, _ := block.Dims()
			g.rows = grown(g.rows, t.d)
			for i := range rows {
				w := t.weight(first + i)
				if weights != nil {
					w = weights[first+i]
				}
				if w > 0 {
					subtract(g.rows, block.RawRowView(i), t.origin)
					g.add(int(labels[first+i]), w, g.rows)
				}
			}
		},
		func(into, from *groups) { into.merge(from); t.rooms.Put(from.room) })
}

// means returns the mean of every group; a group without weight gets the row of fallback.
func (g *groups) means(d int, fallback []float64) []float64 {
	out := make([]float64, len(g.sums))
	for c, mass := range g.mass {
		if !(mass > 0) || g.count[c] == 0 {
			copy(out[c*d:(c+1)*d], fallback[c*d:(c+1)*d])
			continue
		}
		for j := c * d; j < (c+1)*d; j++ {
			out[j] = g.sums[j] / mass
		}
	}
	return out
}
