package classify

import (
	"fmt"
	"math"

	"github.com/inlier-ml/inlier/internal/workspace"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
)

// PredictRow is the class of one row, from 0: the most probable one, or that with the highest
// score where there are no probabilities, the first of equals. The scores are written to dst, which has room for one number per class; nil: they
// are not wanted. It returns what Predict returns for the row, to rounding, and allocates
// nothing. The class of a row with a missing or infinite number is -1 and its scores are NaN.
// It panics if the row or dst has another length than the model.
func (m *Model) PredictRow(dst, row []float64) int {
	k := len(m.parts.Intercept)
	if dst != nil && len(dst) != k {
		panic(fmt.Sprintf("classify: room for %d scores of %d classes", len(dst), k))
	}
	room := workspace.Get(len(row) + k)
	defer room.Put()
	scores := room.Take(k)
	best := -1
	if m.scoreRow(scores, row, room.Take(len(row))) {
		best = m.best(scores)
	}
	copy(dst, scores)
	return best
}

// JudgeRow is the verdict on one row, and on its label unless that is -1: what Judge says of
// it, to rounding. It allocates nothing. A row with a missing or infinite number cannot be
// judged: its kind is [verdict.Missing]. It panics if the row has another length than the
// model, or the label is none of it.
func (m *Model) JudgeRow(row []float64, label int) verdict.Row {
	k := len(m.parts.Intercept)
	if label < -1 || label >= k {
		panic(fmt.Sprintf("classify: label %d; labels run from 0 to %d", label, k-1))
	}
	room := workspace.Get(len(row) + 2*k)
	defer room.Put()
	scores := room.Take(k)
	if !m.scoreRow(scores, row, room.Take(len(row))) {
		return verdict.Row{Label: -1, Outlier: true, Kind: verdict.Missing}
	}
	return m.judgeScores(row, scores, label, m.best(scores), room.Take(k))
}

// scoreRow writes the scores of a row; false and NaN if it holds a number that is none.
// scaled is room for the row.
func (m *Model) scoreRow(scores, row, scaled []float64) bool {
	if len(row) != len(m.parts.Scaling.Offset) {
		panic(fmt.Sprintf("classify: a row of %d columns; the model was trained on %d", len(row), len(m.parts.Scaling.Offset)))
	}
	for _, v := range row {
		if v-v != 0 {
			for l := range scores {
				scores[l] = math.NaN()
			}
			return false
		}
	}
	m.parts.Scaling.ApplyRow(scaled, row)
	copy(scores, m.parts.Intercept)
	switch p := &m.parts; {
	case p.Frequencies != nil:
		raw := p.Frequencies.RawMatrix()
		size := 1 / math.Sqrt(float64(raw.Cols))
		for q := range raw.Cols {
			angle := 0.0
			for j, v := range scaled {
				angle += v * raw.Data[j*raw.Stride+q]
			}
			sin, cos := math.Sincos(angle)
			if math.IsNaN(sin) { // so far off that the angle overflows: like no other row
				sin, cos = 0, 0
			}
			m.addFeature(scores, 2*q, size*cos)
			m.addFeature(scores, 2*q+1, size*sin)
		}
	case p.Support != nil:
		for q := range p.Support.RawMatrix().Rows {
			m.addFeature(scores, q, m.kernel.At(scaled, p.Support.RawRowView(q)))
		}
	default:
		for l := range scores {
			scores[l] += linalg.Dot(p.Coef.RawRowView(l), scaled)
		}
	}
	return true
}

// addFeature adds what a feature contributes to the scores.
func (m *Model) addFeature(scores []float64, feature int, value float64) {
	raw := m.parts.Coef.RawMatrix()
	for l := range scores {
		scores[l] += value * raw.Data[l*raw.Stride+feature]
	}
}
