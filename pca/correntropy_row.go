package pca

import (
	"fmt"
	"math"

	"github.com/inlier-ml/inlier/internal/workspace"
	"github.com/inlier-ml/inlier/verdict"
)

// TransformRow writes the scores of one row to dst, which has room for one number per
// component (nil: it is made), and returns it: what Transform returns for the row. It
// allocates nothing when the same model is asked again and again. The scores of a row with a
// missing or infinite number are NaN. It panics if the row or dst has another length than the model.
func (m *CorrentropyModel) TransformRow(dst, row []float64) []float64 {
	components, columns := m.beta.Dims()
	if dst == nil {
		dst = make([]float64, components)
	}
	if len(row) != columns || len(dst) != components {
		panic(fmt.Sprintf("pca: a row of %d columns and room for %d scores; the model has %d columns and %d components", len(row), len(dst), columns, components))
	}
	for _, v := range row {
		if v-v != 0 { // missing or infinite
			for j := range dst {
				dst[j] = math.NaN()
			}
			return dst
		}
	}
	read := m.reader()
	room := workspace.Get(read.widest + components)
	defer room.Put()
	scores := room.Take(components) // dst may be the row
	clear(scores)
	m.scoreRow(read, scores, row, room.Take(read.widest))
	copy(dst, scores)
	return dst
}

// JudgeRow is the verdict on one row: what Judge says of it. It allocates nothing when the
// same model is asked again and again. A row with a missing or infinite number cannot be
// judged: its kind is [verdict.Missing]. It panics if the row has another length than the model.
func (m *CorrentropyModel) JudgeRow(row []float64) verdict.Row {
	room := workspace.Get(len(m.values))
	defer room.Put()
	scores := m.TransformRow(room.Take(len(m.values)), row)
	if math.IsNaN(scores[0]) {
		return verdict.Row{Label: -1, Kind: verdict.Missing, Outlier: true}
	}
	out := verdict.Row{Weight: 1, Label: -1, Kind: verdict.Regular, ScoreDistance: m.scoreDistance(scores)}
	if out.ScoreDistance > m.cutoff {
		out.Kind, out.Outlier = verdict.RareValues, true
	}
	return out
}

// scoreRow adds the scores of one row to out; buffer has room for the widest expansion.
func (m *CorrentropyModel) scoreRow(read *reader, out, row, buffer []float64) {
	for i, v := range row {
		g := read.at(i, (v-m.offset[i])/m.scale[i], buffer)
		if read.level != nil {
			g += read.level[i]
		}
		for j := range out {
			out[j] += m.beta.At(j, i) * g
		}
	}
}

// reader evaluates the smoothed densities; it is made when it is first needed.
func (m *CorrentropyModel) reader() *reader {
	if r := m.reading.Load(); r != nil {
		return r
	}
	r := m.smooth.reader()
	if m.uncentered {
		r.level = make([]float64, len(r.rest))
		for i := range r.level {
			r.level[i] = r.cross(i, i)
		}
	}
	m.reading.Store(r) // of two that are made at once either will do
	return r
}
