package linear

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/loss"
)

// Kind is one of the four quarters of the regression outlier map (Rousseeuw and van
// Zomeren 1990).
type Kind uint8

// The kinds of rows.
const (
	Regular         Kind = iota // on the line, among the others
	GoodLeverage                // on the line, far out in the columns: steadies the fit
	VerticalOutlier             // off the line, among the others
	BadLeverage                 // off the line and far out in the columns: the dangerous kind
)

// Kinds are the names of the kinds in order.
var Kinds = []string{"regular", "good leverage", "vertical outlier", "bad leverage"}

// String is the kind's name.
func (k Kind) String() string { return Kinds[k] }

// Judgement is what a model thinks of rows.
type Judgement struct {
	Residual       []float64 // target minus prediction, in units of the scale
	Leverage       []float64 // robust distance of the columns from their centre
	Weight         []float64 // what the loss makes of the residual, 1 = full vote
	Kind           []Kind
	ResidualCutoff float64
	LeverageCutoff float64
}

// Outlier tells whether row i is off the line. A good leverage point is none.
func (j *Judgement) Outlier(i int) bool { return j.Kind[i]&VerticalOutlier != 0 }

// Count is the number of outliers.
func (j *Judgement) Count() int {
	n := 0
	for i := range j.Kind {
		if j.Outlier(i) {
			n++
		}
	}
	return n
}

// Judge returns scaled residuals, leverage, weights and kinds of rows, training rows and
// new ones alike. After an exact fit the residuals are in units of rounding.
func (m *Model) Judge(ctx context.Context, x *mat.Dense, y []float64) (*Judgement, error) {
	fitted, err := m.Predict(ctx, x)
	if err != nil {
		return nil, err
	}
	if len(y) != len(fitted) {
		return nil, fmt.Errorf("linear: %d rows and %d targets", len(fitted), len(y))
	}
	n := len(y)
	unit := m.scale
	if unit == 0 {
		unit = m.zero
	}
	j := &Judgement{
		Residual: fitted, Leverage: m.leverage.distances(x), Weight: make([]float64, n), Kind: make([]Kind, n),
		ResidualCutoff: m.flag, LeverageCutoff: m.leverage.cutoff,
	}
	weight := relativeWeight(m.loss, m.largest)
	err = eachRow(ctx, n, func(i int) error {
		if err := checkTarget(i, y[i]); err != nil {
			return err
		}
		r := y[i] - fitted[i]
		j.Residual[i] = max(min(r/unit, math.MaxFloat64), -math.MaxFloat64)
		switch {
		case !m.exact:
			j.Weight[i] = weight(r * r)
		case math.Abs(r) <= m.zero:
			j.Weight[i] = 1
		}
		if math.Abs(j.Residual[i]) > m.flag {
			j.Kind[i] |= VerticalOutlier
		}
		if m.leverage.cutoff > 0 && j.Leverage[i] > m.leverage.cutoff {
			j.Kind[i] |= GoodLeverage
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return j, nil
}

// relativeWeight returns the weight of a squared residual over the largest, whose logarithm
// is given: 1 at most.
func relativeWeight(l loss.Loss, largest float64) func(s float64) float64 {
	if largest == 0 {
		return func(s float64) float64 { return min(l.Weight(s), 1) }
	}
	return func(s float64) float64 { return min(math.Exp(l.LogWeight(s)-largest), 1) }
}
