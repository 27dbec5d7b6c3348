package linear

import (
	"fmt"
	"math"

	"github.com/inlier-ml/inlier/internal/judging"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
)

// PredictRow returns intercept + row'coef: what Predict returns for the row, to rounding. It
// allocates nothing. It is NaN for a row with a missing or infinite number, and panics if the
// row has another length than the model.
func (m *Model) PredictRow(row []float64) float64 {
	if len(row) != len(m.coef) {
		panic(fmt.Sprintf("linear: the row has %d columns; the model has %d", len(row), len(m.coef)))
	}
	if out := m.intercept + linalg.Dot(row, m.coef); out-out == 0 {
		return out
	}
	for _, v := range row {
		if v-v != 0 {
			return math.NaN()
		}
	}
	return m.intercept + hugeDot(row, m.coef)
}

// JudgeRow is the verdict on one row and its target: what Judge says of it, to rounding. It
// allocates nothing. A row with a missing or infinite number, the target included, cannot be
// judged: its kind is [verdict.Missing]. It panics if the row has another length than the
// model.
func (m *Model) JudgeRow(row []float64, y float64) verdict.Row {
	fitted := m.PredictRow(row)
	if y-y != 0 || fitted != fitted {
		return verdict.Row{Label: -1, Outlier: true, Kind: verdict.Missing}
	}
	unit := m.scale
	if unit == 0 {
		unit = m.zero
	}
	r := y - fitted
	out := verdict.Row{Residual: max(min(r/unit, math.MaxFloat64), -math.MaxFloat64), Label: -1}
	switch {
	case m.exact && math.Abs(r) <= m.zero:
		out.Weight = 1
	case m.exact:
	case m.largest == 0:
		r /= m.unit
		out.Weight = min(m.loss.Weight(r*r), 1)
	default:
		r /= m.unit
		out.Weight = min(math.Exp(m.loss.LogWeight(r*r)-m.largest), 1)
	}
	out.ScoreDistance = m.leverage.Distance(row)
	out.Outlier = math.Abs(out.Residual) > m.flag
	out.Kind = judging.OnLine(out.Outlier, m.leverage.Cutoff > 0 && out.ScoreDistance > m.leverage.Cutoff)
	return out
}
