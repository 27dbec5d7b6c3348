package check

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// Deviations are by how much the cells of some rows of a table are off from what the others of their row suggest, in
// robust standard deviations: one line per row with one number per column of the table. It is NaN where a cell is
// missing, and 0 in columns that are not judged so.
func (m *Model) Deviations(t *tolerant.Table, rows []int) [][]float64 {
	out := make([][]float64, len(rows))
	for i, row := range rows {
		t.Room().Touched(len(t.Columns))
		out[i] = make([]float64, len(t.Columns))
		for j := range t.Columns {
			if v := t.Columns[j].Values; v != nil && v[row] != v[row] {
				out[i][j] = math.NaN()
			}
		}
	}
	if m.predict == nil || len(rows) == 0 || len(t.Columns) != m.columns {
		return out
	}
	t = m.goneOn(t)
	d := len(m.features)
	z, y, residual := mat.NewDense(len(rows), d, nil), mat.NewDense(len(rows), d, nil), mat.NewDense(len(rows), d, nil)
	for i, row := range rows {
		t.Room().Touched(d)
		fill(z.RawRowView(i), t, m.features, row)
	}
	m.predict.rows(z, y, residual, nil)
	for i := range rows {
		for j, f := range m.features {
			if v := residual.At(i, j); f.judged() && v == v {
				out[i][f.column] = v
			}
		}
	}
	return out
}
