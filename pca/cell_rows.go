package pca

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// The scores of a row are a robust regression of its cells on the loadings, with as many local
// optima as there are ways to give up cells. It is solved from two places, and the better end counts: from
// all cells, with a loss that begins too wide, and from those that are not far out in their own column, with
// the loss asked for, since a wide one would let the far ones in again. Training rows and new rows are scored alike.

// cellStages are how many times too wide the loss of cells is, and the most steps there.
var cellStages = []struct {
	wide  float64
	steps int
}{{6, 3}, {3, 3}, {1.5, 3}, {1, 30}}

// marginalReach is how far out in its own column, in spreads, a cell is left out at the start.
const marginalReach = 2

// asGood is by how much of its loss a second end must be better to count: a row whose cells are all out of
// reach loses the same at both, and rounding would choose.
const asGood = 1e-9

// score writes the scores of all rows, found from nothing, and returns the mean loss of the cells
// of each.
func (t *cellTable) score(ctx context.Context, at cellState, scores *mat.Dense) ([]float64, error) {
	u := make([]float64, t.n())
	limit := t.marginal()
	err := linalg.EachBlock(ctx, linalg.FromDense(t.z), func() *cellScorer { return newCellScorer(at, t.loss, limit) }, func(s *cellScorer, first int, block *mat.Dense) {
		rows, _ := block.Dims()
		s.score(block, scores.Slice(first, first+rows, 0, at.rank()).(*mat.Dense), u[first:first+rows])
	})
	return u, err
}

// marginal is how far from the medians cells of each column are left out at the start.
func (t *cellTable) marginal() []float64 {
	limit := make([]float64, len(t.unit))
	for j := range limit {
		limit[j] = marginalReach * t.spread[j] / t.unit[j]
	}
	return limit
}

// cellScorer finds the scores of blocks of rows.
type cellScorer struct {
	desk   *cellDesk
	stages []cellLoss
	limit  []float64
	done   []bool
	again  []int // rows with cells that are far out in their column
	some   *mat.Dense
	other  *mat.Dense // their scores
	better []float64
}

func newCellScorer(at cellState, l cellLoss, limit []float64) *cellScorer {
	s := &cellScorer{desk: newCellDesk(at), limit: limit}
	for _, stage := range cellStages {
		s.stages = append(s.stages, l.wider(stage.wide))
	}
	return s
}

// score writes the scores of a block and the mean loss of the cells of each row.
func (s *cellScorer) score(block, z *mat.Dense, u []float64) {
	s.descend(block, z, u, false)
	s.again = s.again[:0]
	rows, d := block.Dims()
	for i := range rows {
		near, far := 0, 0
		for j, v := range block.RawRowView(i) {
			if math.Abs(v) > s.limit[j] {
				far++
			} else if v == v {
				near++
			}
		}
		if far > 0 && near >= s.desk.m { // fewer do not determine scores
			s.again = append(s.again, i)
		}
	}
	if len(s.again) == 0 {
		return
	}
	s.some, s.other = roomFor(s.some, len(s.again), d), roomFor(s.other, len(s.again), s.desk.m)
	s.better = slices.Grow(s.better[:0], len(s.again))[:len(s.again)]
	some, other, better := s.some, s.other, s.better
	for k, i := range s.again {
		some.SetRow(k, block.RawRowView(i))
	}
	s.descend(some, other, better, true)
	for k, i := range s.again {
		if better[k] < u[i]*(1-asGood) {
			u[i] = better[k]
			z.SetRow(i, other.RawRowView(k))
		}
	}
}

// descend finds the scores from the least squares of all cells, or of those near the middle of
// their columns.
func (s *cellScorer) descend(block, z *mat.Dense, u []float64, near bool) {
	k := s.desk
	k.load(block)
	z.Zero()
	if len(s.done) < k.rows {
		s.done = make([]bool, k.rows)
	}
	done := s.done[:k.rows]
	clear(done)
	k.e.Copy(k.off)
	for i := range k.rows {
		v, x := k.v.RawRowView(i), block.RawRowView(i)
		for j := range v {
			v[j] = 1
			if near && math.Abs(x[j]) > s.limit[j] {
				v[j] = 0
			}
		}
	}
	k.blank(k.v)
	k.improve(z, nil)
	last := len(cellStages) - 1
	for at, stage := range cellStages[:last] {
		if near {
			break
		}
		for range stage.steps {
			k.deviate(z)
			k.weigh(s.stages[at])
			k.improve(z, nil)
		}
	}
	s.settle(block, z, done, cellStages[last].steps)
	k.load(block)
	k.deviate(z)
	k.meanLoss(s.stages[last], u)
}

// settle makes steps with the loss asked for until every row of the loaded block stands still. Once half of
// the rows do, the others go on alone.
func (s *cellScorer) settle(block, z *mat.Dense, done []bool, steps int) {
	k := s.desk
	for ; steps > 0; steps-- {
		k.deviate(z)
		k.weigh(s.stages[len(s.stages)-1])
		k.improve(z, done)
		count := 0
		for _, is := range done {
			if !is {
				count++
			}
		}
		if count > len(done)/2 {
			continue
		}
		if count > 0 {
			left := make([]int, 0, count)
			for i, is := range done {
				if !is {
					left = append(left, i)
				}
			}
			some, scores := mat.NewDense(len(left), k.d, nil), mat.NewDense(len(left), k.m, nil)
			for at, i := range left {
				some.SetRow(at, block.RawRowView(i))
				scores.SetRow(at, z.RawRowView(i))
			}
			k.load(some)
			s.settle(some, scores, make([]bool, len(left)), steps-1)
			for at, i := range left {
				z.SetRow(i, scores.RawRowView(at))
			}
		}
		return
	}
}
