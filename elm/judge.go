package elm

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/verdict"
)

// classKinds are the kinds of rows of a classification. A regression has those of linear
// regression: the quarters of residual against distance of the inputs.
var classKinds = []verdict.Kind{verdict.Regular, verdict.DoubtfulLabel}

// Judge compares rows with known targets, n x k, with what the machine says. Weight is what
// the loss makes of the errors: one per row, at most 1, the smallest over the outputs; Plain
// and Ridge weigh every row 1.
//
// In a regression Residual is the error in units of its scale, the largest over the outputs,
// and ScoreDistance how far out the inputs are (see Options.Leverage). Of classes
// (Options.Labels) Residual is the margin, the score of a row's label less the best other
// score, Label the class the machine would give, and a label that is another is doubtful.
func (m *Model) Judge(ctx context.Context, x, targets *mat.Dense) (*verdict.Rows, error) {
	out, err := m.Predict(ctx, x)
	if err != nil {
		return nil, err
	}
	n, k := out.Dims()
	if rows, columns := targets.Dims(); rows != n || columns != k {
		return nil, fmt.Errorf("elm: targets of %d x %d for outputs of %d x %d", rows, columns, n, k)
	}
	if m.labels {
		return m.doubts(out, targets), nil
	}
	j := verdict.New(n, verdict.LineKinds)
	j.Weight, j.Residual, j.ResidualCutoff = m.weigh(out, targets), make([]float64, n), m.flag
	if m.inputs.leverage != nil {
		j.ScoreDistance, j.ScoreCutoff = m.inputs.leverage.Distances(x), m.inputs.leverage.Cutoff()
	}
	absurd := m.inputs.scaling.Absurd(x)
	for i := range n {
		for c, t := range targets.RawRowView(i) {
			if r := (t - out.At(i, c)) / m.scale[c]; c == 0 || math.Abs(r) > math.Abs(j.Residual[i]) {
				j.Residual[i] = max(min(r, math.MaxFloat64), -math.MaxFloat64)
			}
		}
		off, far := math.Abs(j.Residual[i]) > m.flag, j.ScoreDistance != nil && j.ScoreDistance[i] > j.ScoreCutoff
		if absurd != nil && absurd[i] { // nothing was learned about such inputs
			off, far, j.Weight[i] = true, true, 0
		}
		j.Set(i, verdict.OnLine(off, far), off)
	}
	return j, nil
}

// doubts flags rows to which the machine gives another label than they have.
func (m *Model) doubts(scores, targets *mat.Dense) *verdict.Rows {
	n, _ := scores.Dims()
	j := verdict.New(n, classKinds)
	j.Weight, j.Residual, j.Label = m.weigh(scores, targets), make([]float64, n), Largest(scores)
	for i, label := range Largest(targets) {
		row := scores.RawRowView(i)
		other := math.Inf(-1)
		for c, v := range row {
			if c != label {
				other = max(other, v)
			}
		}
		j.Residual[i] = row[label] - other
		if row[j.Label[i]] > row[label] {
			j.Set(i, verdict.DoubtfulLabel, true)
		} else {
			j.Label[i] = label
		}
	}
	return j
}

// weigh returns what the loss makes of the errors, one weight per row.
func (m *Model) weigh(predicted, targets *mat.Dense) []float64 {
	n, _ := predicted.Dims()
	w := slices.Repeat([]float64{1}, n)
	if !m.robust || m.largest == 0 {
		return w
	}
	for i := range w {
		sum := 0.0
		for c, t := range targets.RawRowView(i) {
			e := (t - predicted.At(i, c)) / m.unit
			sum += e * e
			if !m.perRow {
				w[i] = math.Min(w[i], m.loss.Weight(e*e)/m.largest)
			}
		}
		if m.perRow {
			w[i] = math.Min(1, m.loss.Weight(sum)/m.largest)
		}
	}
	return w
}
