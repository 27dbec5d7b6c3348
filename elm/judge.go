package elm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/judging"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
	"github.com/inlier-ml/inlier/verdict"
)

// classKinds are the kinds of rows of a classification. A regression has those of linear
// regression: the quarters of residual against distance of the inputs.
var classKinds = []verdict.Kind{verdict.Regular, verdict.DoubtfulLabel, verdict.FarFromAll}

// Judge compares rows with known targets, n x k, with what the machine says. Weight is what
// the loss makes of the errors: one per row, at most 1, the smallest over the outputs; Plain
// and Ridge weigh every row 1.
//
// In a regression Residual is the error in units of its scale, the largest over the outputs,
// and ScoreDistance how far out the inputs are (see Options.Leverage). Of classes
// (Options.Labels) Residual is the margin, the score of a row's label less the best other
// score (with the shifts that make scores probabilities), Label the class the machine would
// give, the most probable one. A label is doubtful by the rule of package classify: another class
// claims the row, and the label is less probable than by chance; training rows are judged by
// what the others say of them. Models of old files and of rows outside memory doubt
// every label but the one they would give. A row whose inputs are out of reach of every class
// is far from all of them, with weight 0.
func (m *Model) Judge(ctx context.Context, x, targets *mat.Dense) (*verdict.Rows, error) {
	ctx = given.Context(ctx)
	out, err := m.Predict(ctx, x)
	if err != nil {
		return nil, err
	}
	n, k := out.Dims()
	if rows, columns := targets.Dims(); rows != n || columns != k {
		return nil, refusal.Target("targets of %d x %d for outputs of %d x %d", rows, columns, n, k)
	}
	return m.judgeOutputs(x, out, targets), nil
}

// judgeTraining judges the rows that the machine learned from, whose outputs are known. The
// rows themselves are read only where something is said of their inputs.
func (m *Model) judgeTraining(ctx context.Context, src linalg.Source, fitted, targets *mat.Dense) error {
	if m.labels && m.inputs.places == nil && m.belief == nil || !m.labels && m.inputs.leverage == nil && m.inputs.scaling.Low == nil {
		m.training = m.judgeOutputs(nil, fitted, targets)
		return nil
	}
	_, k := targets.Dims()
	return src.Scan(ctx, func(first int, block *mat.Dense) error {
		rows, _ := block.Dims()
		part := func(of *mat.Dense) *mat.Dense { return of.Slice(first, first+rows, 0, k).(*mat.Dense) }
		m.training = m.training.Append(m.judgeOutputs(block, part(fitted), part(targets)))
		return nil
	})
}

// judgeOutputs is Judge for rows whose outputs are known.
func (m *Model) judgeOutputs(x, out, targets *mat.Dense) *verdict.Rows {
	if m.labels {
		return m.doubts(x, out, targets)
	}
	n, _ := out.Dims()
	j := judging.New(n, verdict.LineKinds)
	j.Weight, j.Residual, j.ResidualCutoff = make([]float64, n), make([]float64, n), m.flag
	if m.inputs.leverage != nil {
		j.ScoreDistance, j.ScoreCutoff = m.inputs.leverage.Distances(x), m.inputs.leverage.Cutoff
	}
	var absurd []bool
	if m.inputs.scaling.Low != nil {
		absurd = m.inputs.scaling.Absurd(x)
	}
	for i := range n {
		if missing(targets.RawRowView(i)) {
			judging.SetMissing(j, i)
			continue
		}
		distance := 0.0
		if j.ScoreDistance != nil {
			distance = j.ScoreDistance[i]
		}
		one := m.judgeErrors(out.RawRowView(i), targets.RawRowView(i), distance, absurd != nil && absurd[i])
		j.Weight[i], j.Residual[i] = one.Weight, one.Residual
		judging.Set(j, i, one.Kind, one.Outlier)
	}
	return j
}

// missing tells whether a target is missing or infinite: the row cannot be judged.
func missing(targets []float64) bool {
	for _, t := range targets {
		if t-t != 0 {
			return true
		}
	}
	return false
}

// judgeErrors is the verdict on a row of a regression with these outputs and targets, whose
// inputs are so far out. Nothing was learned about absurd inputs.
func (m *Model) judgeErrors(out, targets []float64, distance float64, absurd bool) verdict.Row {
	v := verdict.Row{Weight: m.weigh(out, targets), ScoreDistance: distance, Label: -1}
	for c, t := range targets {
		if r := (t - out[c]) / m.scale[c]; c == 0 || math.Abs(r) > math.Abs(v.Residual) {
			v.Residual = max(min(r, math.MaxFloat64), -math.MaxFloat64)
		}
	}
	far := m.inputs.leverage != nil && distance > m.inputs.leverage.Cutoff
	v.Outlier = math.Abs(v.Residual) > m.flag
	if absurd {
		v.Outlier, far, v.Weight = true, true, 0
	}
	v.Kind = judging.OnLine(v.Outlier, far)
	return v
}

// doubts flags rows to which the machine gives another label than they have, and those that
// are far from all classes; x may be nil where nothing is known about rows.
func (m *Model) doubts(x, scores, targets *mat.Dense) *verdict.Rows {
	n, k := scores.Dims()
	j := judging.New(n, classKinds)
	j.Weight, j.Residual, j.Label = make([]float64, n), make([]float64, n), make([]int, n)
	room := make([]float64, k)
	for i := range n {
		if missing(targets.RawRowView(i)) {
			judging.SetMissing(j, i)
			j.Label[i] = m.class(scores.RawRowView(i))
			continue
		}
		var row []float64
		if x != nil {
			row = x.RawRowView(i)
		}
		one := m.judgeLabel(row, scores.RawRowView(i), targets.RawRowView(i), room)
		j.Weight[i], j.Residual[i], j.Label[i] = one.Weight, one.Residual, one.Label
		judging.Set(j, i, one.Kind, one.Outlier)
	}
	return j
}

// judgeLabel is the verdict on a row of a classification with these scores and targets; room holds
// a number for each class.
func (m *Model) judgeLabel(row, scores, targets, room []float64) verdict.Row {
	best, label := m.class(scores), largest(targets)
	out := verdict.Row{Weight: m.weigh(scores, targets), Label: best, Kind: verdict.Regular}
	doubt := false
	if m.belief != nil {
		out.Residual = m.belief.Margin(scores, label)
		if found, known := m.known.Find(row, label); !known {
			copy(room, scores)
			m.belief.True(room)
			doubt = m.belief.Doubts(room, label)
		} else if found.Doubt {
			doubt, out.Label, out.Residual = true, found.Label, found.Margin
		}
	} else {
		other := math.Inf(-1)
		for c, v := range scores {
			if c != label {
				other = max(other, v)
			}
		}
		out.Residual = scores[label] - other
		if doubt = scores[best] > scores[label]; !doubt {
			out.Label = label
		}
	}
	if doubt {
		out.Kind, out.Outlier = verdict.DoubtfulLabel, true
	}
	if m.inputs.places.Far(row) {
		out.Kind, out.Outlier, out.Weight = verdict.FarFromAll, true, 0
	}
	return out
}

// weigh returns what the loss makes of the errors of a row.
func (m *Model) weigh(predicted, targets []float64) float64 {
	if !m.robust || m.largest == 0 {
		return 1
	}
	w, sum := 1.0, 0.0
	for c, t := range targets {
		own := m.single(c)
		e := (t - predicted[c]) / own.unit
		sum += e * e
		if !m.perRow && own.largest > 0 {
			w = math.Min(w, own.loss.Weight(e*e)/own.largest)
		}
	}
	if m.perRow {
		w = math.Min(1, m.loss.Weight(sum)/m.largest)
	}
	return w
}
