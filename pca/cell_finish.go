package pca

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/judging"
	"github.com/inlier-ml/inlier/internal/outlying"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
)

// wrongCells is the share of regular rows that have a cell beyond the cut-off of cells.
const wrongCells = 0.005

// finishCells turns the end of a cellwise reweighting into a model. Rows are scored from nothing,
// as new ones will be.
func (o Options) finishCells(ctx context.Context, t *cellTable, res irls.Result[cellState]) (*Model, error) {
	at := res.State
	n, d := t.z.Dims()
	m := at.rank()
	u, err := t.score(ctx, at, at.scores)
	if err != nil {
		return nil, err
	}
	model := &Model{method: "pca-cell", rows: n, status: res.Status, steps: res.Steps, loss: res.Loss, weights: res.Weights, options: o, largest: judging.FullWeight(res.Loss, u, t.prior)}
	model.options.Weights = t.prior
	count := total(t.prior, n)
	excess := newRowExcess(m, effective(res.Weights, t.prior))
	c := &cellwise{
		centre: t.centre, spread: t.spread, unit: t.unit, loss: t.loss, tolerance: make([]float64, d),
		rowCutoff: outlying.DensestLimit(u, t.prior, count, outlying.HalfSize(count, 0)) * excess,
	}
	distance, vague := t.leaveOut(at) // the table holds deviations from now on
	for j, v := range t.spreads(t.z, vague) {
		least := math.Max(1e-9*t.spread[j], 1e-13*math.Abs(t.centre[j]))
		c.tolerance[j] = math.Max(v*t.unit[j]*excess, least)
	}
	if m < d {
		each := 1 - math.Pow(1-wrongCells, 1/float64(d))
		c.cellCutoff = math.Sqrt2 * math.Erfinv(1-each)
	} else {
		c.rowCutoff = 0
	}
	model.cells = c
	scores, err := model.settleAxes(ctx, t, at, u)
	if err != nil {
		return nil, err
	}
	if rank := scoreRank(scores, t.prior); rank < m {
		return nil, &refusal.RankError{Name: "components", Asked: m, Most: rank, Why: fmt.Sprintf("is more than possible: the rows span only %d dimensions", rank)}
	}
	c.derive(model.mean, model.basis)
	return model, model.judgeTraining(ctx, t, newCellMeasure(u, distance, scores))
}

// newRowExcess is how many times as large deviations of new rows are as those of training rows, which m
// components and a centre were turned towards.
func newRowExcess(m int, n float64) float64 {
	part := math.Min(float64(m+1)/math.Max(n, 1), 0.5)
	return math.Sqrt((1 + part) / (1 - part))
}

// settleAxes finds centre, principal axes and variances in units of the data, and returns the
// scores of the training rows there.
func (m *Model) settleAxes(ctx context.Context, t *cellTable, at cellState, u []float64) (*mat.Dense, error) {
	n, d := t.z.Dims()
	k := at.rank()
	loadings, mean := mat.DenseCopyOf(at.a), make([]float64, d)
	for j := range d {
		mean[j] = t.centre[j] + t.unit[j]*at.mu[j]
		for l := range k {
			loadings.Set(j, l, loadings.At(j, l)*t.unit[j])
		}
	}
	now := cellState{mu: mean, a: loadings, scores: at.scores}.orthonormal()
	keep, limit := make([]float64, n), m.cells.rowCutoff
	for i := range keep {
		if limit == 0 || u[i] <= limit*limit {
			keep[i] = weightAt(t.prior, i)
		}
	}
	var centre []float64
	var scatter *mat.SymDense
	var used []float64
	if m.options.Scatter == ScatterRobust {
		var err error
		if centre, scatter, used, err = inner(ctx, now.scores, keep, m.options.Seed); err != nil {
			return nil, err
		}
	}
	if used == nil {
		var err error
		if _, centre, scatter, err = linalg.WeightedMoments(ctx, linalg.FromDense(now.scores), m.weights); err != nil {
			return nil, err
		}
		scatter.ScaleSym(1/divisor(m.weights, t.prior), scatter)
		used = m.weights
	}
	values, rotation, err := linalg.SymEigen(ctx, scatter)
	if err != nil {
		return nil, err
	}
	shift := mat.NewVecDense(d, nil)
	linalg.MulVec(shift, now.a, mat.NewVecDense(k, centre))
	for j := range mean {
		mean[j] += shift.AtVec(j)
	}
	m.mean, m.basis, m.eigenvalues = mean, new(mat.Dense), values
	linalg.Mul(m.basis, now.a, rotation)
	flips := signs(m.basis)
	turn(now.scores, centre, rotation, flips)
	for l := range values {
		values[l] = math.Max(values[l], 0)
	}
	m.scoreCutoff = scoreCutoff(k, total(used, n))
	return now.scores, nil
}

// leaveOut replaces the table by the deviations of its cells from what the rest of their rows lets
// expect, in units that allow for how much that is, and returns the distances of the rows from
// the subspace in units of the data, and which cells are vague.
func (t *cellTable) leaveOut(at cellState) (distance []float64, vague []bool) {
	n, d := t.z.Dims()
	distance, vague = make([]float64, n), make([]bool, n*d)
	_ = linalg.EachBlock(context.Background(), linalg.FromDense(t.z), func() *cellDesk { return newCellDesk(at) }, func(k *cellDesk, first int, block *mat.Dense) {
		k.load(block)
		k.deviate(k.scoresOf(at, first))
		shift, grow := mat.NewDense(k.rows, d, nil), mat.NewDense(k.rows, d, nil)
		k.without(t.loss, shift, grow)
		for i := range k.rows {
			row, e, to, times := t.z.RawRowView(first+i), k.e.RawRowView(i), shift.RawRowView(i), grow.RawRowView(i)
			for j, v := range row {
				if v == v {
					distance[first+i] = math.Hypot(distance[first+i], e[j]*t.unit[j])
					row[j] = (e[j] - to[j]) / times[j]
					vague[(first+i)*d+j] = times[j] > tooVague
				}
			}
		}
	})
	return distance, t.fewVague(vague)
}

// judgeTraining fills in the verdict on the training rows and what comes of it.
func (m *Model) judgeTraining(ctx context.Context, t *cellTable, found *cellMeasure) error {
	n, d := t.z.Dims()
	clean := make([]float64, n) // squared distances of what is not wrong
	linalg.Parallel(n, func(i int) {
		for j, e := range t.z.RawRowView(i) {
			if e != e {
				continue
			}
			e *= t.unit[j]
			deviation := math.Abs(e / m.cells.tolerance[j])
			found.note(i, deviation, m.cells.cellCutoff)
			if deviation <= m.cells.cellCutoff {
				clean[i] += e * e
			}
		}
	})
	squared := make([]float64, n)
	for i, v := range found.distance {
		squared[i] = math.Min(v*v, math.MaxFloat64)
	}
	if _, k := m.dims(); k < d {
		m.orthogonalCutoff = bulkLimit(squared, m.options) * newRowExcess(k, effective(m.weights, t.prior))
	}
	if err := m.measureFar(ctx, t, found); err != nil {
		return err
	}
	m.training = m.judgeCells(found)
	m.widenScoreCutoff(m.training.ScoreDistance, false)
	m.settleCells(m.training, found)
	for i, k := range t.known {
		if k < float64(d) && (k == 0 || k <= float64(len(m.eigenvalues))) {
			judging.SetMissing(m.training, i)
		}
	}
	m.measureVariance(clean, found.scores)
	m.warnCells()
	return m.warnMany(ctx, t.given, t.weight)
}

// measureFar measures the training rows with values that were moved in by their true values.
func (m *Model) measureFar(ctx context.Context, t *cellTable, found *cellMeasure) error {
	if t.far == nil {
		return nil
	}
	var rows []int
	for i, far := range t.far {
		if far {
			rows = append(rows, i)
		}
	}
	x, err := linalg.Gather(ctx, t.given, rows)
	if err != nil {
		return err
	}
	again, err := m.measureCells(ctx, x, false)
	if err != nil {
		return err
	}
	for k, i := range rows {
		found.loss[i], found.distance[i] = again.loss[k], again.distance[k]
		found.worst[i], found.known[i], found.wrong[i] = again.worst[k], again.known[k], again.wrong[k]
		found.scores.SetRow(i, again.scores.RawRowView(k))
	}
	return nil
}

// warnCells collects remarks on a cellwise fit.
func (m *Model) warnCells() {
	_, k := m.dims()
	if ess := effective(m.weights, m.options.Weights); ess < float64(2*k) {
		m.warnings = append(m.warnings, fmt.Sprintf("the weights leave an effective sample of %.1f rows for %d components; a wider bandwidth would use more of the data", ess, k))
	}
	if m.status == irls.StepLimit {
		m.warnings = append(m.warnings, "the step limit was reached before the objective stood still; raise max-steps")
	}
}
