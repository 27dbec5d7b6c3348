package elm

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/judging"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
)

// tell brings the weights of the training rows to those that verdicts tell: none above 1, 0 where the inputs are absurd.
func (m *Model) tell() {
	each := len(m.weights) / m.rows
	for i, w := range m.weights {
		if own := m.single(i % each); m.robust && own.largest > 0 {
			m.weights[i] = math.Min(w/own.largest, 1)
		}
	}
	if m.inputs.left == nil {
		return
	}
	for _, i := range m.inputs.left.Index {
		clear(m.weights[i*each : (i+1)*each])
	}
}

// same tells whether outputs do not differ from row to row but for rounding, although targets do.
func same(out, targets *mat.Dense) bool {
	n, k := out.Dims()
	differ := false
	for c := range k {
		first := out.At(0, c)
		for i := range n {
			if math.Abs(out.At(i, c)-first) > 1e-13*math.Abs(first) {
				return false
			}
			differ = differ || targets.At(i, c) != targets.At(0, c)
		}
	}
	return differ
}

// square is the one solve of Plain and Ridge.
func (f *fitting) square(ctx context.Context) error {
	if f.Lambda == 0 {
		if err := f.tune(ctx, f.Weights, mostFreedom); err != nil {
			return err
		}
	} else if err := f.measure(ctx, f.Weights); err != nil {
		return err
	}
	var err error
	w := weighting{w: f.Weights, k: f.prob.k, perRow: true}
	if f.beta, err = f.prob.solve(ctx, nil, w, true); err != nil {
		return err
	}
	if f.fitted, err = f.prob.h.times(ctx, f.beta); err != nil {
		return err
	}
	f.squared = f.prob.squares(f.fitted)
	f.loss = square
	f.penalty, f.used, f.of = f.prob.lambda, f.freedom, f.counted
	f.weights = slices.Repeat([]float64{1}, f.prob.Len())
	sum := 0.0
	for i, s := range f.squared {
		a := 1.0
		if f.prior != nil {
			a = f.prior[i]
		}
		sum += a * s
		f.lone.Add(a * s)
	}
	step := irls.Step{Number: 1, Objective: sum/f.prob.total + f.prob.Penalty(f.beta), Effective: f.prob.total, Damping: 1}
	f.steps = []irls.Step{step}
	f.status = irls.Converged
	if sum <= f.zero*f.prob.total {
		f.status = irls.PerfectFit
	}
	if f.OnStep != nil {
		f.OnStep(step)
	}
	return nil
}

// finish makes the model.
func (f *fitting) finish(ctx context.Context, layer *Layer) (*Model, error) {
	if f.of == 0 {
		f.used, f.of = f.freedom, f.prob.effective(f.Weights)
	}
	m := &Model{
		method: f.method, layer: layer, beta: f.beta, loss: f.loss, lambda: f.penalty, weights: f.weights, perRow: f.PerRow,
		rows: f.prob.h.n, steps: f.steps, status: f.status, robust: f.robust, flag: f.cutoff(),
	}
	if m.largest = 1; f.robust {
		m.largest = math.Min(math.Exp(judging.FullWeight(f.loss, f.squared, f.prior)), math.MaxFloat64)
	}
	var err error
	if m.scale, err = f.scales(ctx); err != nil {
		return nil, err
	}
	if f.robust && m.largest == 0 && m.status == irls.Converged {
		m.status = irls.Stalled
	}
	if f.widened > 0 {
		m.warnings = append(m.warnings, fmt.Sprintf("sigma=%g is too small for any row to have a weight; %.3g was used", f.widened, f.loss.Scale()))
	}
	if f.status == irls.StepLimit {
		m.warnings = append(m.warnings, "the step limit was reached before the objective stood still; raise max-steps")
	}
	m.warnings = f.lone.Warn(m.warnings, f.of, allSquares)
	if ess := f.effectiveSample(); f.robust && ess < 0.1*f.prob.total {
		m.warnings = append(m.warnings, fmt.Sprintf("the weights leave an effective sample of %.1f of %.0f; a wider bandwidth would use more of the data", ess, f.prob.total))
	}
	return m, nil
}

// effectiveRows is the effective sample size of what is told, in rows, each as often as w says (nil: once).
func (m *Model) effectiveRows(w []float64) float64 {
	counts, _ := univariate.Counted(m.rows, w)
	each := len(m.weights) / m.rows
	sum, squares := 0.0, 0.0
	for i, v := range m.weights {
		a := weighting{w: counts, k: 1}.at(i/each, 0)
		sum, squares = sum+a*v, squares+a*v*v
	}
	if squares == 0 {
		return 0
	}
	return sum * sum / squares / float64(each)
}

// effectiveSample is the effective sample size of the weights, each as often as it counts.
func (f *fitting) effectiveSample() float64 {
	if f.prior == nil {
		return loss.EffectiveSampleSize(f.weights)
	}
	sum, squares := 0.0, 0.0
	for i, w := range f.weights {
		sum, squares = sum+f.prior[i]*w, squares+f.prior[i]*w*w
	}
	if squares == 0 {
		return 0
	}
	return sum * sum / squares
}

// number64 is the shortest text that reads back as v.
func number64(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

const allSquares = "squared errors of all"
