package cluster

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

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
	return m.judgeRow(label, d)
}

// PredictRow is the cluster of one row, from 0: that of the nearest training row, the first of
// equals, as [PeakModel.Predict] says. It looks at every training row and allocates nothing. It
// is -1 for a row with a missing or infinite number, and panics if the row has another length
// than the model.
func (m *PeakModel) PredictRow(row []float64) int {
	nearest, _ := closestRow(row, m.support)
	if nearest < 0 {
		return -1
	}
	return m.leads[nearest]
}

// JudgeRow is the verdict on one row: what [PeakModel.Judge] says of it. It looks at every
// training row and allocates nothing. A row with a missing or infinite number cannot be judged:
// its kind is [verdict.Missing]. It panics if the row has another length than the model.
func (m *PeakModel) JudgeRow(row []float64) verdict.Row {
	label := m.PredictRow(row)
	if label < 0 {
		return verdict.Row{Label: -1, Outlier: true, Kind: verdict.Missing}
	}
	return m.judgeRow(label, linalg.Distance(row, m.centers.RawRowView(label)))
}

// judgeRow is the verdict on a row of a cluster at a distance from its center.
func (m *Model) judgeRow(label int, d float64) verdict.Row {
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
	return closestRow(row, m.centers)
}

// closestRow is the nearest of some points and the distance from it, as closestRows finds them;
// -1 for a row with a number that is none.
func closestRow(row []float64, points *mat.Dense) (nearest int, d float64) {
	k, columns := points.Dims()
	if len(row) != columns {
		panic(fmt.Sprintf("cluster: the row has %d columns; the model has %d", len(row), columns))
	}
	nearest, least := 0, math.Inf(1)
	for c := range k {
		s := linalg.SquaredDistance(row, points.RawRowView(c))
		if !(s >= leastSquare && s <= mostSquare) { // squares do not tell
			for _, v := range row {
				if v-v != 0 {
					return -1, 0
				}
			}
			nearest = closestOf(row, points)
			break
		}
		if s < least {
			nearest, least = c, s
		}
	}
	return nearest, linalg.Distance(row, points.RawRowView(nearest))
}
