package elm

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
)

// record adds a reading to the trace.
func (b *many) record(now *look, k int) {
	n := mat.Norm(b.m.beta, 2)
	now.objective = now.Loss/b.total + b.m.loss.Slope()*b.m.lambda*n*n/b.total
	step := irls.Step{Number: k, Stage: min(k, rescaled) - 1, Objective: now.objective, Scale: b.m.loss.Scale(), Effective: now.effective(), Damping: 1}
	b.m.steps = append(b.m.steps, step)
	if b.OnStep != nil {
		b.OnStep(step)
	}
}

// retune chooses what follows from the errors of all rows, and tells whether the problem is another one now.
func (b *many) retune(now *look, k int) (changed bool) {
	if k == 1 {
		before := b.m.lambda
		b.tune(now)
		changed = before != b.m.lambda
	}
	if k <= rescaled && b.open() {
		squared, counts := now.errors(b.typical)
		width := b.spec.WithRule(b.plan.spec.Rule()).Bandwidth(squared, counts, loss.KappaScalar)
		if b.plan.spec.Rule().Kind == loss.Auto {
			width /= room(b.used, b.of)
		}
		if width > 0 && !math.IsInf(width, 1) {
			b.m.loss, changed = b.spec.At(width), true
		}
	}
	return changed
}

// scaleOf is the scale of the errors that a reading has found.
func (b *many) scaleOf(now *look) float64 {
	const medianChiSquare1 = 0.454936423119572
	squared, counts := now.errors(b.typical)
	median := univariate.WeightedMedian(squared, counts)
	if b.PerRow {
		median /= float64(b.k)
	}
	return math.Max(math.Sqrt(median/medianChiSquare1)/room(b.used, b.of), b.least)
}

// whole is the model with what the last reading says of all rows.
func (b *many) whole() *Model {
	m := b.m
	m.rows, _ = b.table.Dims()
	m.weights, m.training, m.forgot = nil, nil, true
	m.effective = m.seen.effective()
	for j := range m.inputs.span.least {
		m.inputs.span.least[j], m.inputs.span.most[j] = m.seen.Least[j], m.seen.Most[j]
	}
	m.seen = &look{Flagged: m.seen.Flagged, Rows: m.seen.Rows}
	m.warnings, m.lonely = nil, nil
	if m.status == irls.StepLimit {
		m.warnings = append(m.warnings, "the output weights had not settled to the last digits when the last reading was made")
	}
	return m
}
