package pca

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
)

// cellReader measures blocks of rows by a model, in room of its own.
type cellReader struct {
	model       *Model
	scorer      *cellScorer
	back        mat.Matrix // the basis transposed
	z, inside   *mat.Dense // the block in the units of scoring, its scores there
	shift, grow *mat.Dense
}

func (m *Model) newCellReader() *cellReader {
	c := m.cells
	return &cellReader{model: m, scorer: newCellScorer(c.at, c.loss, c.limit), back: m.basis.T()}
}

// read scores the rows of a block, robustly, and measures their cells; first is the place of the first in out.
func (r *cellReader) read(out *cellMeasure, first int, block, scores *mat.Dense) {
	c, s := r.model.cells, r.scorer
	rows, d := block.Dims()
	_, k := scores.Dims()
	r.z, r.inside = roomFor(r.z, rows, d), roomFor(r.inside, rows, k)
	r.shift, r.grow = roomFor(r.shift, rows, d), roomFor(r.grow, rows, d)
	for i := range rows {
		row := r.z.RawRowView(i)
		for j, v := range block.RawRowView(i) {
			reach := cellReach * c.spread[j] / c.unit[j]
			row[j] = math.Max(-reach, math.Min(reach, standard(v, c.centre[j], c.unit[j])))
		}
	}
	s.score(r.z, r.inside, out.loss[first:first+rows])
	linalg.Mul(scores, r.inside, c.back)
	s.desk.load(r.z)
	s.desk.deviate(r.inside)
	s.desk.without(c.loss, r.shift, r.grow)
	fit := r.z // not needed any more
	linalg.Mul(fit, scores, r.back)
	for i := range rows {
		r.model.measureRow(out, first+i, block.RawRowView(i), fit.RawRowView(i), r.shift.RawRowView(i), r.grow.RawRowView(i))
	}
}

// cellRow has room for one row at a time.
type cellRow struct {
	reader *cellReader
	row    *mat.Dense
	found  *cellMeasure
}

// readRow measures one row, without infinite numbers; what is returned goes back to m.cells.rows.
func (m *Model) readRow(row []float64) *cellRow {
	one, _ := m.cells.rows.Get().(*cellRow)
	if one == nil {
		d, k := m.dims()
		one = &cellRow{reader: m.newCellReader(), row: mat.NewDense(1, d, nil)}
		one.found = newCellMeasure(make([]float64, 1), make([]float64, 1), mat.NewDense(1, k, nil))
	}
	copy(one.row.RawRowView(0), row)
	f := one.found
	f.distance[0], f.worst[0], f.known[0], f.wrong[0] = 0, 0, 0, 0
	one.reader.read(f, 0, one.row, f.scores)
	return one
}

// anyInfinite tells whether a row has an infinite number.
func anyInfinite(row []float64) bool {
	for _, v := range row {
		if math.IsInf(v, 0) {
			return true
		}
	}
	return false
}

// transformCells is TransformRow of pca-cell.
func (m *Model) transformCells(dst, row []float64) {
	if anyInfinite(row) {
		for c := range dst {
			dst[c] = math.NaN()
		}
		return
	}
	one := m.readRow(row)
	copy(dst, one.found.scores.RawRowView(0))
	m.cells.rows.Put(one)
}

// judgeCellRow is JudgeRow of pca-cell.
func (m *Model) judgeCellRow(row []float64) verdict.Row {
	if anyInfinite(row) {
		return verdict.Row{OrthogonalDistance: math.MaxFloat64, Label: -1, Outlier: true, Kind: verdict.Missing}
	}
	one := m.readRow(row)
	f := one.found
	out := verdict.Row{OrthogonalDistance: f.distance[0], Label: -1}
	out.ScoreDistance, out.Weight, out.Residual = m.cellNumbers(f, 0)
	out.Kind = m.cellKind(f, 0, out.ScoreDistance)
	if known := int(f.known[0]); known == 0 || known < len(row) && known <= len(m.eigenvalues) && out.Kind == verdict.Regular {
		out.Kind, out.Weight = verdict.Missing, 0
	}
	out.Outlier = out.Kind != verdict.Regular
	m.cells.rows.Put(one)
	return out
}
