package elm

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
)

// record adds a reading to the trace.
func (b *many) record(now *look, k int, damping float64) {
	now.objective = b.objective(now.Loss, now.beta)
	step := irls.Step{Number: k, Stage: min(k, rescaled) - 1, Objective: now.objective, Scale: b.m.loss.Scale(), Effective: now.effective(), Damping: damping}
	b.m.steps = append(b.m.steps, step)
	if b.OnStep != nil {
		b.OnStep(step)
	}
}

// objective is that of output weights with such a sum of losses.
func (b *many) objective(losses float64, beta *mat.Dense) float64 {
	n := mat.Norm(beta, 2)
	return losses/b.total + b.m.loss.Slope()*b.m.lambda*n*n/b.total
}

// restated is the objective of a reading by penalty and bandwidth that were changed behind it, to the width of the counted errors; infinite where
// errors were too far off to be counted.
func (b *many) restated(now *look) float64 {
	sum := now.Loss
	if b.robust {
		if slices.ContainsFunc(now.Bins[fineBins:], func(n float64) bool { return n > 0 }) {
			return math.Inf(1)
		}
		sum = 0
		squared, counts := now.errors(b.typical)
		for i, s := range squared {
			sum += counts[i] * b.m.loss.Rho(s)
		}
	}
	const counted = 1e-3
	return b.objective(sum, now.beta) * (1 + counted)
}

// retune chooses what follows from the errors of all rows, and tells whether the problem is another one now.
func (b *many) retune(ctx context.Context, now *look, k int) (changed bool) {
	if k == 1 {
		before := b.m.lambda
		b.tune(ctx, now)
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
	scale := math.Max(math.Sqrt(median/medianChiSquare1)/room(b.used, b.of), b.least)
	for _, v := range b.m.inputs.offset { // no error is told that the targets' own rounding hides
		scale = math.Max(scale, math.Abs(v)*0x1p-50)
	}
	return scale
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
	out, lone := m.seen.Out, m.seen.Lone
	m.seen = &look{Flagged: m.seen.Flagged, Rows: m.seen.Rows}
	m.lonely = nil
	m.warnings = slices.DeleteFunc(m.warnings, func(text string) bool { return !strings.HasPrefix(text, "sigma=") }) // what was asked for and not done
	m.warnings = lone.Warn(m.warnings, b.rows, allSquares)
	if out > 0 {
		m.warnings = append(m.warnings, fmt.Sprintf("%d of %d rows were left out of the fit, because they are far outside all others; clip=off keeps them", out, m.rows))
	}
	if m.status == irls.StepLimit {
		m.warnings = append(m.warnings, fmt.Sprintf("the output weights had not settled when the last reading was made: a further step would have moved the outputs by %.1g of the scale of their errors", b.left))
	}
	return m
}
