package cluster

import (
	"fmt"
	"math"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
)

// PredictRow is the cluster of one row, from 0: that of the nearest center, the first of
// equals. It allocates nothing. It is -1 for a row with a missing or infinite number, and
// panics if the row has another length than the model.
func (m *Model) PredictRow(row []float64) int {
	label, _ := m.closestRow(row)
	return label
}

// JudgeRow is the verdict on one row: what Judge says of it. It allocates nothing. A row with
// a missing or infinite number cannot be judged: its kind is [verdict.Missing]. It panics if
// the row has another length than the model.
func (m *Model) JudgeRow(row []float64) verdict.Row {
	label, d := m.closestRow(row)
	if label < 0 {
		return verdict.Row{Label: -1, Outlier: true, Kind: verdict.Missing}
	}
	cutoff := m.cutoffs[label]
	out := verdict.Row{Label: label, Residual: d / cutoff, Weight: m.vote(d), Kind: verdict.Regular}
	if d > cutoff {
		out.Kind, out.Outlier = verdict.FarFromCenter, true
	}
	return out
}

// vote is the weight of a row at a distance from its center.
func (m *Model) vote(d float64) float64 {
	switch {
	case m.loss != nil:
		return math.Min(1, math.Exp(m.loss.LogWeight(square(d))-m.largest))
	case m.radius > 0 && d > m.radius*(1+1e-12):
		return 0
	}
	return 1
}

// closestRow is the nearest center of a row and the distance from it; -1 if there is none.
func (m *Model) closestRow(row []float64) (label int, d float64) {
	k, columns := m.centers.Dims()
	if len(row) != columns {
		panic(fmt.Sprintf("cluster: the row has %d columns; the model has %d", len(row), columns))
	}
	label, least := 0, math.Inf(1)
	for c := range k {
		s := linalg.SquaredDistance(row, m.centers.RawRowView(c))
		if !(s >= leastSquare && s <= mostSquare) { // squares do not tell
			for _, v := range row {
				if v-v != 0 {
					return -1, 0
				}
			}
			label = closestOf(row, m.centers)
			break
		}
		if s < least {
			label, least = c, s
		}
	}
	return label, linalg.Distance(row, m.centers.RawRowView(label))
}
