package elm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
)

// retunes bounds how often an open penalty is chosen again, and roughSteps the steps
// of the reweighting between two choices.
const (
	retunes    = 6
	roughSteps = 40
)

// from reweights from the start. An open penalty is chosen for the start, with at most so
// much freedom per row, where outliers can make it far too large, and then with the
// weights that were found and twice the freedom, until it stands still: a better fit has
// a smaller scale of errors, which shows more outliers, without which the next choice can
// allow a closer fit.
func (f *fitting) from(ctx context.Context, most float64) error {
	open := f.spec.Rule().Kind == loss.Auto || f.spec.Rule().Kind == loss.Silverman
	if open || f.Lambda == 0 {
		if err := f.tune(ctx, f.Weights, most); err != nil {
			return err
		}
	}
	var err error
	if f.Start == StartZero {
		f.beta = mat.NewDense(f.prob.h.l, f.prob.k, nil)
	} else if f.beta, err = f.prob.solve(ctx, nil, weighting{w: f.Weights, k: f.prob.k, perRow: true}, true); err != nil {
		return err
	}
	if f.Lambda != 0 {
		return f.reweight(ctx, false)
	}
	for range retunes {
		if err := f.reweight(ctx, true); err != nil {
			return err
		}
		if f.status == irls.Cancelled || f.status == irls.PerfectFit {
			return nil
		}
		before, bounded := f.prob.lambda, most < mostFreedom
		most = math.Min(2*most, mostFreedom)
		if err := f.tune(ctx, f.rowWeights(), most); err != nil {
			return err
		}
		// the largest eigenvalue changes with the weights, and the choice with it
		if !bounded && math.Abs(math.Log10(f.prob.lambda/before)) < 0.2 {
			break
		}
	}
	return f.reweight(ctx, false)
}

// rowWeights are the present weights, prior included, averaged over each row's entries
// and brought to a largest of one.
func (f *fitting) rowWeights() []float64 {
	n := f.prob.h.n
	w := make([]float64, n)
	each := len(f.weights) / n
	largest := 0.0
	for i, v := range f.weights {
		w[i/each] += v / float64(each)
	}
	counts := weighting{w: f.Weights, k: 1}
	for i, v := range w {
		if counts.at(i, 0) > 0 {
			largest = math.Max(largest, v)
		}
	}
	for i, v := range w {
		if largest > 0 {
			w[i] = math.Min(v/largest, 1)
		} else { // no row is nearer than others
			w[i] = 1
		}
		w[i] *= counts.at(i, 0)
	}
	return w
}

// bandwidth applies the rule to squared errors. The rule auto looks at the errors as
// they would be on new rows, not shrunk by the output weights' freedom to follow them.
func (f *fitting) bandwidth(s []float64) float64 {
	b := f.spec.Bandwidth(s, f.prior, loss.KappaScalar)
	if f.spec.Rule().Kind == loss.Auto {
		rows := f.prob.total
		if !f.PerRow {
			rows /= float64(f.prob.k)
		}
		b *= math.Sqrt(rows / math.Max(rows-f.freedom, rows/10))
	}
	return math.Max(b, math.Sqrt(f.zero))
}

// visible doubles a bandwidth until some row that counts has a weight to speak of at it:
// with none, the penalty alone would decide.
func (f *fitting) visible(width float64, s []float64) float64 {
	for ; width < loss.MaxScale/2; width *= 2 {
		at := f.spec.At(width)
		for i, v := range s {
			if (f.prior == nil || f.prior[i] > 0) && at.Weight(v) > 1e-3 {
				return width
			}
		}
	}
	return width
}

// stages bounds how often an open bandwidth is recomputed.
const stages = 30

// reweight runs the engine from f.beta. An open bandwidth is recomputed between short
// stages until it stands still; the last stage has a fixed one and runs to convergence.
// A rough run is for the weights alone and ends where the bandwidth stands still.
func (f *fitting) reweight(ctx context.Context, rough bool) error {
	kind := f.spec.Rule().Kind
	open := kind == loss.Auto || kind == loss.Silverman
	s := make([]float64, f.prob.Len())
	number, stage := 0, 0
	if len(f.steps) > 0 {
		number, stage = f.steps[len(f.steps)-1].Number, f.steps[len(f.steps)-1].Stage+1
	}
	limit := number + f.MaxSteps
	if rough {
		limit = number + min(f.MaxSteps, roughSteps)
	}
	last := !open || f.rescale == irls.Once
	width := f.spec.Rule().Value
	if kind != loss.None {
		if err := f.prob.Residuals(ctx, f.beta, s); err != nil {
			return err
		}
	}
	if open {
		width = f.bandwidth(s)
	} else if kind != loss.None {
		if seen := f.visible(width, s); seen != width {
			f.widened, width = width, seen
		}
	}
	for round := 0; ; round++ {
		if err := f.stage(ctx, width, number, stage, limit, last, rough); err != nil {
			return err
		}
		number = f.steps[len(f.steps)-1].Number
		if last || f.status == irls.Cancelled || f.status == irls.PerfectFit || number >= limit {
			return nil
		}
		stage++
		next := f.bandwidth(f.squared)
		if f.rescale == irls.EveryStep {
			if f.steps[len(f.steps)-1].Change <= f.Tol {
				f.status = irls.Converged
				return nil
			}
		} else if math.Abs(next-width) <= 1e-3*width || round == stages {
			if rough {
				return nil
			}
			last, next = true, width
		}
		width = next
	}
}

// stage runs the engine at one bandwidth.
func (f *fitting) stage(ctx context.Context, width float64, number, stage, limit int, last, rough bool) error {
	spec := f.spec
	if spec.Rule().Kind != loss.None {
		spec = spec.WithRule(loss.FixedAt(width))
	}
	f.prob.slope, f.prob.damp = spec.At(width).Slope(), irls.Damping(spec)
	if f.Plain {
		f.prob.damp = 1
	}
	set := irls.Settings{Loss: spec, Prior: f.prior, Absolute: true, MaxSteps: limit - number, Tol: f.Tol, Zero: f.zero, Plain: f.Plain}
	if !last {
		set.MaxSteps, set.Tol = min(set.MaxSteps, 2), 1e-14
		if f.rescale == irls.EveryStep {
			set.MaxSteps = 1
		}
	}
	set.OnStep = func(s irls.Step) {
		if s.Number == 0 && len(f.steps) > 0 {
			return
		}
		s.Number, s.Stage, s.Damping = s.Number+number, stage, s.Damping*f.prob.damp
		f.steps = append(f.steps, s)
		if f.OnStep != nil {
			f.OnStep(s)
		}
	}
	res, err := irls.Run(ctx, f.prob, f.beta, set)
	if err != nil {
		return err
	}
	if last && !rough && !f.Plain && (res.Status == irls.Converged || res.Status == irls.Stalled) {
		if res, err = f.polish(ctx, res, set); err != nil {
			return err
		}
	}
	f.beta, f.status, f.loss, f.squared = res.State, res.Status, res.Loss, res.Squared
	f.penalty, f.used = f.prob.lambda, f.freedom
	f.weights = make([]float64, len(f.squared))
	for i, s := range f.squared {
		f.weights[i] = f.loss.Weight(s)
	}
	return nil
}

// polishSteps bounds the steps of polish; patience is how many may pass without progress.
const (
	polishSteps = 200
	patience    = 5
)

// polish goes on where the objective stands still to rounding. Near its minimum the
// objective is flat, so the output weights are then known to half of the digits only;
// plain steps bring the rest, until the weights too change by at most Tol or rounding
// stops them.
func (f *fitting) polish(ctx context.Context, res irls.Result[*mat.Dense], set irls.Settings) (irls.Result[*mat.Dense], error) {
	before := f.steps[len(f.steps)-1]
	if before.Change <= f.Tol || set.MaxSteps <= len(res.Steps) {
		return res, nil
	}
	inner, stop := context.WithCancel(ctx)
	defer stop()
	var more []irls.Step
	least, waited, rose := math.Inf(1), 0, false
	lowest := before.Objective
	set.Plain, set.MaxSteps = true, min(polishSteps, set.MaxSteps-len(res.Steps))
	set.OnStep = func(s irls.Step) {
		if s.Number == 0 {
			return
		}
		s.Number, s.Stage, s.Damping = before.Number+s.Number, before.Stage, f.prob.damp
		more = append(more, s)
		if waited++; s.Change < 0.9*least {
			least, waited = s.Change, 0
		}
		rose = rose || s.Objective > lowest*(1+1e-12)
		lowest = math.Min(lowest, s.Objective)
		if waited == patience || rose {
			stop()
		}
	}
	out, err := irls.Run(inner, f.prob, res.State, set)
	if ctx.Err() != nil { // where the objective stands still is a whole state
		res.Status = irls.Cancelled
		return res, nil
	}
	if err != nil {
		return res, err
	}
	if len(more) == 0 || rose {
		return res, nil
	}
	for _, s := range more {
		f.steps = append(f.steps, s)
		if f.OnStep != nil {
			f.OnStep(s)
		}
	}
	out.Status = res.Status
	return out, nil
}
