package tensor

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/judging"
	"github.com/inlier-ml/inlier/internal/outlying"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
)

// finish turns the end of a fit into a model: variances of the cores, residuals and
// cut-offs of the training samples, warnings.
func (f *fit) finish(ctx context.Context, at bases, res irls.Result[bases]) (*Model, error) {
	m := &Model{
		method: f.plan.method, shape: append([]int(nil), f.o.Shape...), ranks: f.ranks, at: at,
		rows: f.p.n, weights: res.Weights, steps: res.Steps, status: res.Status, loss: res.Loss, unweighted: f.plan.unweighted,
		learnRank: f.p.ranks, refined: f.refined, unit: f.unit,
	}
	if err := m.findVariances(ctx, f.p.samples); err != nil {
		return nil, err
	}
	seen, err := m.measure(ctx, f.truth)
	if err != nil {
		return nil, err
	}
	outside, err := f.leftOut(ctx, m, seen)
	if err != nil {
		return nil, err
	}
	s := outside.squares()
	m.judging = m.loss
	if times(m.ranks) != times(m.learnRank) {
		// Residuals at the full rank are smaller: an open bandwidth follows them.
		m.judging = f.plan.spec.At(math.Max(f.plan.spec.Bandwidth(s, f.o.Weights, f.plan.kappa), math.Sqrt(f.zero())))
	}
	m.largest = judging.FullWeight(m.judging, s, f.o.Weights)
	if math.IsInf(m.largest, 0) {
		m.largest = 0
	}
	m.findCutoffs(outside, f)
	m.training = m.judge(outside.distances, outside.scores)
	m.errors = meanErrors(seen.distances)
	m.explain(seen, f.given)
	if f.plan.squares() {
		for i, v := range seen.norms {
			m.lone.Add(f.prior(i) * v)
		}
	}
	m.warn(res, f)
	return m, nil
}

// findVariances measures how much each direction of each mode varies: the weighted sum of
// squares of the core along it, over the weights.
func (m *Model) findVariances(ctx context.Context, all *samples) error {
	modes := make([]int, len(m.shape))
	for k := range modes {
		modes[k] = k
	}
	total, _, grams, err := all.modeGrams(ctx, m.weights, m.at.mean, true, m.at.factors, modes)
	if err != nil {
		return err
	}
	total = math.Max(total, math.SmallestNonzeroFloat64)
	for k, g := range grams {
		values := make([]float64, m.ranks[k])
		for j := range values {
			v := g.At(j, j)
			if u := m.at.factors[k]; u != nil {
				column := u.ColView(j)
				v = mat.Inner(column, g, column)
			}
			values[j] = math.Max(v, 0) / total
		}
		m.variances = append(m.variances, values)
	}
	return nil
}

// few tells whether there are too few samples to leave one out: those that made the factors say nothing of how others lie.
func (f *fit) few(m *Model) bool {
	return votes(f.p.n, f.o.Weights) < fewParts && product(m.ranks) < f.p.d
}

func (m *Model) findCutoffs(seen *measured, f *fit) {
	if f.few(m) {
		return
	}
	largest := 0.0
	for i, v := range seen.distances {
		if f.prior(i) > 0 {
			largest = math.Max(largest, v)
		}
	}
	m.scoreCutoff = limit(seen.scores, f.o.Weights, outlying.Limit)
	law := outlying.Limit
	if f.plan.signalLeft {
		law = outlying.SkewedLimit
	}
	if largest*largest > f.exact() {
		m.orthogonalCutoff = max(limit(seen.distances, f.o.Weights, law), 1e-12*f.p.spread, outlying.NoiseLimit(f.noise, f.p.d-product(m.ranks)))
	}
}

func (m *Model) explain(seen *measured, prior []float64) {
	s := seen.squares()
	top := slices.Max(seen.norms)
	share := func(counts func(i int) bool) float64 {
		rest, all := 0.0, 0.0
		for i, v := range s {
			a := 1.0
			if prior != nil {
				a = prior[i]
			}
			if counts(i) && top > 0 {
				rest += a * (v / top)
				all += a * (seen.norms[i] / top)
			}
		}
		if all == 0 {
			return 1
		}
		return 1 - rest/all
	}
	m.explained.Classical = share(func(int) bool { return true })
	m.explained.Robust = share(func(i int) bool { return !m.training.Outlier[i] })
}

// warn collects remarks on the fit.
func (m *Model) warn(res irls.Result[bases], f *fit) {
	add := func(format string, args ...any) { m.warnings = append(m.warnings, fmt.Sprintf(format, args...)) }
	if m.status == irls.StepLimit && f.plan.own == nil {
		add("the step limit was reached before the objective stood still; raise max-steps")
	}
	if f.few(m) {
		add("%.0f samples are too few to learn how far off others may lie: none is flagged for it", votes(f.p.n, f.o.Weights))
	}
	if m.unweighted {
		return
	}
	n := 0.0
	for i := range m.weights {
		if f.o.Weights == nil || f.o.Weights[i] > 0 {
			n++
		}
	}
	if ess := loss.EffectiveSampleSize(m.weights); ess < math.Min(n/2, math.Max(5, n/10)) {
		add("the weights leave an effective sample of %.1f of %.0f samples; a wider beta or a smaller alpha would use more of the data", ess, n)
	}
	if mid := univariate.MedianOf(res.Squared); mid > 0 && m.loss != nil && loss.RisesAt(m.loss, mid) {
		add("%s gives samples with the median residual less weight than samples further off; choose a smaller beta, alpha or p", m.loss)
	}
}
