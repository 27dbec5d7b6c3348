package linear

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/judging"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
	"github.com/inlier-ml/inlier/verdict"
)

// Judge returns scaled residuals, leverage, weights and kinds of rows, training rows and
// new ones alike. ScoreDistance is the leverage: the robust distance of the columns from their
// center. A good leverage point is no outlier. After an exact fit the residuals are in units of
// rounding.
func (m *Model) Judge(ctx context.Context, x *mat.Dense, y []float64) (*verdict.Rows, error) {
	ctx = given.Context(ctx)
	fitted, err := m.Predict(ctx, x)
	if err != nil {
		return nil, err
	}
	if len(y) != len(fitted) {
		return nil, refusal.Target("%d rows and %d targets", len(fitted), len(y))
	}
	n := len(y)
	unit := m.scale
	if unit == 0 {
		unit = m.zero
	}
	j := judging.New(n, verdict.LineKinds)
	j.Residual, j.ScoreDistance, j.Weight = fitted, m.leverage.Distances(x), make([]float64, n)
	j.ResidualCutoff, j.ScoreCutoff = m.flag, m.leverage.Cutoff
	weight := relativeWeight(m.loss, m.largest)
	err = eachRow(ctx, n, func(i int) error {
		if err := checkTarget(i, y[i]); err != nil {
			return err
		}
		r := y[i] - fitted[i]
		j.Residual[i] = max(min(r/unit, math.MaxFloat64), -math.MaxFloat64)
		switch {
		case !m.exact:
			j.Weight[i] = weight(r / m.unit * (r / m.unit))
		case math.Abs(r) <= m.zero:
			j.Weight[i] = 1
		}
		off := math.Abs(j.Residual[i]) > m.flag
		judging.Set(j, i, judging.OnLine(off, m.leverage.Cutoff > 0 && j.ScoreDistance[i] > m.leverage.Cutoff), off)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return j, nil
}

// relativeWeight returns the weight of a squared residual over the largest, whose logarithm
// is given: 1 at most.
func relativeWeight(l loss.Scaled, largest float64) func(s float64) float64 {
	if largest == 0 {
		return func(s float64) float64 { return min(l.Weight(s), 1) }
	}
	return func(s float64) float64 { return min(math.Exp(l.LogWeight(s)-largest), 1) }
}
