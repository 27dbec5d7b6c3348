package pca

import (
	"context"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/judging"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
	"github.com/inlier-ml/inlier/verdict"
)

// cellwise is what a model of pca-cell knows beside a subspace.
type cellwise struct {
	centre, spread []float64 // medians and robust spreads of the columns
	unit           []float64 // what deviations of cells are measured in when a row is scored
	tolerance      []float64 // standard deviation of regular cells about the subspace
	loss           cellLoss
	rowCutoff      float64 // of the root of a row's mean loss; 0: none
	cellCutoff     float64 // of a cell's deviation in tolerances; 0: none

	rows sync.Pool // of *cellRow

	// derived of mean and basis
	at    cellState  // the subspace in those units
	back  *mat.Dense // scores there times it are the scores
	limit []float64
}

// derive works out what scoring needs.
func (c *cellwise) derive(mean []float64, basis *mat.Dense) {
	d, m := basis.Dims()
	mu, a := make([]float64, d), mat.DenseCopyOf(basis)
	c.limit = make([]float64, d)
	for j := range d {
		mu[j] = (mean[j] - c.centre[j]) / c.unit[j]
		c.limit[j] = marginalReach * c.spread[j] / c.unit[j]
		for l := range m {
			a.Set(j, l, a.At(j, l)/c.unit[j])
		}
	}
	c.at = cellState{mu: mu, a: a, scores: identity(m)}.orthonormal()
	// A row with scores s has there s*scores; the way back is its inverse, triangular.
	c.back = mat.NewDense(m, m, nil)
	if err := c.back.Inverse(c.at.scores); err != nil {
		_ = err // loadings that are next to dependent: as good as it gets
	}
	c.at.scores = nil
}

// cellMeasure is what is measured of rows.
type cellMeasure struct {
	loss     []float64 // mean loss of the cells
	distance []float64 // from the subspace, in units of the data
	worst    []float64 // largest absolute deviation of a cell in tolerances
	known    []float64 // number of cells that are known, and of those that are wrong
	wrong    []float64
	scores   *mat.Dense
	expected *mat.Dense // of cells; nil: not asked for
	off      *mat.Dense // deviations in tolerances, 0 where missing; likewise
	allow    *mat.Dense // tolerances of cells; likewise
}

// newCellMeasure has room for what is measured of the cells of as many rows.
func newCellMeasure(loss, distance []float64, scores *mat.Dense) *cellMeasure {
	n := len(loss)
	return &cellMeasure{loss: loss, distance: distance, scores: scores, worst: make([]float64, n), known: make([]float64, n), wrong: make([]float64, n)}
}

// note counts a cell of row i that is off by so many tolerances.
func (f *cellMeasure) note(i int, off, cutoff float64) {
	off = math.Abs(off)
	f.known[i]++
	f.worst[i] = math.Max(f.worst[i], off)
	if cutoff > 0 && off > cutoff {
		f.wrong[i]++
	}
}

// fewWrong is the share of a row's cells that may be wrong in a row that is right but for them.
const fewWrong = 0.25

// whole tells whether row i is off as a whole: its mean loss is beyond the limit, and not by some wrong
// cells alone.
func (c *cellwise) whole(f *cellMeasure, i int) bool {
	limit := c.rowCutoff * c.rowCutoff
	if !(limit > 0 && f.loss[i] > limit) {
		return false
	}
	known, wrong := f.known[i], f.wrong[i]
	if wrong == 0 || wrong > math.Max(1, fewWrong*known) || wrong == known {
		return true
	}
	most := c.loss.most()
	return most <= math.MaxFloat64 && (f.loss[i]*known-most*wrong)/(known-wrong) > limit
}

// measureCells scores rows, robustly, and measures their cells.
func (m *Model) measureCells(ctx context.Context, x *mat.Dense, cells bool) (*cellMeasure, error) {
	n, d := x.Dims()
	want, k := m.dims()
	if d != want {
		return nil, refusal.Columns(d, want)
	}
	if row, column, value := infinite(x); row > 0 {
		return nil, &refusal.CellError{Row: row, Column: column, Value: value}
	}
	out := newCellMeasure(make([]float64, n), make([]float64, n), mat.NewDense(n, k, nil))
	if cells {
		out.expected, out.off, out.allow = mat.NewDense(n, d, nil), mat.NewDense(n, d, nil), mat.NewDense(n, d, nil)
	}
	err := linalg.EachBlock(ctx, linalg.FromDense(x), m.newCellReader, func(r *cellReader, first int, block *mat.Dense) {
		rows, _ := block.Dims()
		r.read(out, first, block, out.scores.Slice(first, first+rows, 0, k).(*mat.Dense))
	})
	return out, err
}

// measureRow measures the cells of a row against the fit, less the mean, and against what the rest
// of the row lets expect.
func (m *Model) measureRow(out *cellMeasure, i int, row, fit, shift, grow []float64) {
	c := m.cells
	for j, v := range row {
		fit[j] += m.mean[j]
		expected, allow := fit[j]+shift[j]*c.unit[j], c.tolerance[j]*grow[j]
		if out.expected != nil {
			out.expected.Set(i, j, finite(expected))
			out.allow.Set(i, j, finite(allow))
		}
		if v != v {
			continue
		}
		out.distance[i] = math.Hypot(out.distance[i], v/2-fit[j]/2) // halves: the difference could overflow
		off := finite((v/2 - expected/2) / allow * 2)
		out.note(i, off, c.cellCutoff)
		if out.off != nil {
			out.off.Set(i, j, off)
		}
	}
	out.distance[i] = math.Min(2*out.distance[i], math.MaxFloat64)
}

// infinite is the place, from 1, and value of the first infinite number; 0: there is none.
func infinite(x *mat.Dense) (row, column int, value float64) {
	n, _ := x.Dims()
	for i := range n {
		for j, v := range x.RawRowView(i) {
			if math.IsInf(v, 0) {
				return i + 1, j + 1, v
			}
		}
	}
	return 0, 0, 0
}

// judgeCells fills in distances and weights; settleCells has to follow.
func (m *Model) judgeCells(found *cellMeasure) *verdict.Rows {
	n := len(found.loss)
	j := judging.New(n, verdict.CellKinds)
	j.OrthogonalDistance, j.ScoreDistance, j.Weight, j.Residual = found.distance, make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range found.loss {
		j.ScoreDistance[i], j.Weight[i], j.Residual[i] = m.cellNumbers(found, i)
	}
	return j
}

// cellNumbers are score distance, weight and residual of a row.
func (m *Model) cellNumbers(found *cellMeasure, i int) (score, weight, residual float64) {
	u, z := found.loss[i], found.scores.RawRowView(i)
	if score = math.Sqrt(squaredOver(z, m.eigenvalues)); math.IsInf(score, 1) {
		score = lengthOver(z, m.eigenvalues)
	}
	if m.cells.rowCutoff > 0 {
		residual = math.Max(math.Sqrt(u)/m.cells.rowCutoff, found.worst[i]/m.cells.cellCutoff)
	}
	return score, math.Min(1, math.Exp(m.loss.LogWeight(u)-m.largest)), residual
}

// cellKind is the kind of a row with this score distance: off as a whole, with wrong cells, or far out within the subspace.
func (m *Model) cellKind(found *cellMeasure, i int, score float64) verdict.Kind {
	off := m.cells.whole(found, i)
	if !off && m.cells.cellCutoff > 0 && found.worst[i] > m.cells.cellCutoff {
		return verdict.BadCells
	}
	return judging.OnMap(off, score > m.scoreCutoff)
}

// settleCells sets the kinds by the cut-offs.
func (m *Model) settleCells(j *verdict.Rows, found *cellMeasure) {
	j.OrthogonalCutoff, j.ScoreCutoff, j.ResidualCutoff = m.orthogonalCutoff, m.scoreCutoff, 0
	if m.cells.rowCutoff > 0 {
		j.ResidualCutoff = 1
	}
	for i := range j.Kind {
		k := m.cellKind(found, i, j.ScoreDistance[i])
		judging.Set(j, i, k, k != verdict.Regular)
	}
}

// judgeBoth judges rows and their cells.
func (m *Model) judgeBoth(ctx context.Context, x *mat.Dense) (*verdict.Rows, error) {
	found, err := m.measureCells(ctx, x, true)
	if err != nil {
		return nil, err
	}
	j := m.judgeCells(found)
	m.settleCells(j, found)
	judging.NoteMissing(j, x, len(m.eigenvalues))
	j.Cells = &verdict.Cells{Expected: found.expected, Deviation: found.off, Tolerance: found.allow, Cutoff: m.cells.cellCutoff}
	n, d := x.Dims()
	j.Contributions = mat.NewDense(n, d, nil)
	for i := range n {
		row, in, fit := j.Contributions.RawRowView(i), x.RawRowView(i), found.expected.RawRowView(i)
		for c := range row {
			switch {
			case in[c] != in[c]:
			case j.Kind[i] == verdict.GoodLeverage:
				row[c] = finite(fit[c] - m.mean[c])
			default:
				row[c] = finite(in[c] - fit[c])
			}
		}
	}
	return j, nil
}
