package irls

import (
	"context"
	"fmt"
	"math"

	"github.com/inlier-ml/inlier/loss"
)

const (
	// settleTol is the relative change of the bandwidth below which it counts as settled.
	settleTol = 1e-3
	// settleStages bounds how often an open bandwidth is recomputed.
	settleStages = 30
	// shortest is the smallest part of a step that step control tries.
	shortest = 1.0 / 1024
	// slack is the relative rise of the objective that counts as rounding.
	slack = 1e-11
)

// run is the state of one call of Run.
type run[S any] struct {
	p       Problem[S]
	set     Settings
	state   S
	s, next []float64 // squared residuals at state, at the candidate
	w       []float64
	loss    loss.Scaled
	target  float64 // bandwidth at the start
	stage   int
	obj     float64
	fall    float64 // relative fall of the objective in the step before
	steps   []Step
	status  Status
}

// begin makes the start a whole state: residuals, bandwidth, objective, weights.
func (r *run[S]) begin(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := r.p.Residuals(ctx, r.state, r.s); err != nil {
		return err
	}
	for i, v := range r.s {
		if math.IsNaN(v) && r.counts(i) {
			return fmt.Errorf("irls: the residual of observation %d is not a number at the start", i+1)
		}
	}
	r.set.Loss = r.set.Loss.Resolve(r.s, r.set.Prior)
	r.target = r.bandwidth()
	r.enter(r.target * r.set.Graduate)
	return nil
}

// counts tells whether an observation has prior weight.
func (r *run[S]) counts(i int) bool { return r.set.Prior == nil || r.set.Prior[i] > 0 }

// loop runs stage after stage.
func (r *run[S]) loop(ctx context.Context) error {
	wide := r.set.Graduate
	target := r.target
	for {
		if r.perfect() {
			r.status = PerfectFit
			return nil
		}
		open := r.open() || wide > 1
		last := !open || (r.set.Rescale == Settle && r.stage >= settleStages)
		limit := r.set.MaxSteps
		if !last {
			limit = min(limit, len(r.steps)) // one step between two looks at the bandwidth
		}
		done, err := r.descend(ctx, limit)
		switch {
		case err != nil:
			return err
		case last && done, r.status == PerfectFit:
			return nil
		case len(r.steps)-1 >= r.set.MaxSteps:
			if !done {
				r.status = StepLimit
			}
			return nil
		}
		before := r.loss.Scale()
		narrowing := wide > 1
		wide = math.Max(1, wide/2)
		if r.open() {
			target = r.bandwidth()
		}
		r.stage++
		switch {
		case narrowing:
		case r.set.Zero > 0 && max(target, before) <= math.Sqrt(r.set.Zero):
			// At least half of the rows are reproduced to rounding and the others have no
			// weight: what no row determines would go on turning for ever.
			r.status = Converged
			return nil
		case done && r.status == Stalled: // the state stays, and with it the bandwidth
			return nil
		case r.set.Rescale == EveryStep:
			if r.steps[len(r.steps)-1].Change <= r.set.Tol {
				r.status = Converged
				return nil
			}
		case math.Abs(target-before) <= settleTol*before:
			if done {
				return nil
			}
			// Settled: a last stage at this bandwidth, to convergence.
			r.set.Rescale, r.set.Loss, target = Once, r.set.Loss.WithRule(loss.FixedAt(before)), before
		}
		r.enter(target * wide)
	}
}

// open tells whether the bandwidth is still to be recomputed.
func (r *run[S]) open() bool {
	k := r.set.Loss.Rule().Kind
	return (k == loss.Auto || k == loss.Silverman) && r.set.Rescale != Once
}

// bandwidth applies the rule to the present residuals. It stays above the level of
// rounding, so that rows which are fitted exactly keep equal weights.
func (r *run[S]) bandwidth() float64 {
	b := r.set.Loss.Bandwidth(r.s, r.set.Prior, r.set.Kappa)
	if k := r.set.Loss.Rule().Kind; k == loss.Auto || k == loss.Silverman {
		b = math.Max(b, math.Sqrt(r.set.Zero))
	}
	return b
}

// enter begins a stage with the given bandwidth.
func (r *run[S]) enter(scale float64) {
	r.loss = r.set.Loss.At(scale)
	r.obj = r.objective(r.state, r.s)
	if len(r.steps) == 0 {
		r.weigh()
		r.record(0, 1)
	}
}

func (r *run[S]) objective(at S, s []float64) float64 {
	return meanLoss(r.loss, s, r.set.Prior) + r.p.Penalty(at)
}

// perfect tells whether every observation with prior weight is reproduced to rounding.
func (r *run[S]) perfect() bool {
	for i, v := range r.s {
		if !(v <= r.set.Zero) && r.counts(i) {
			return false
		}
	}
	return true
}

// weigh fills the weights at the present state.
func (r *run[S]) weigh() {
	// A loss that rejects rows altogether (Tukey) may reject all of them when the bandwidth
	// is far too small for the start; the weights then come from a wider one.
	for wider := r.loss; ; wider = r.set.Loss.At(2 * wider.Scale()) {
		switch {
		case r.set.Absolute:
			loss.Weights(r.w, r.s, wider)
		case r.set.Prior == nil:
			loss.RelativeWeights(r.w, r.s, wider)
		default:
			r.relative(wider)
		}
		if !(wider.Scale() > 0 && wider.Scale() < loss.MaxScale/2) || anyPositive(r.w, r.set.Prior) {
			break
		}
	}
	for i, a := range r.set.Prior {
		if a == 0 {
			r.w[i] = 0 // also where the residual is not a number
		} else {
			r.w[i] *= a
		}
	}
}

// relative is loss.RelativeWeights among the observations that count.
func (r *run[S]) relative(l loss.Scaled) {
	largest := math.Inf(-1)
	for i, v := range r.s {
		r.w[i] = math.Inf(-1)
		if r.set.Prior[i] > 0 {
			r.w[i] = l.LogWeight(v)
			largest = math.Max(largest, r.w[i])
		}
	}
	for i, v := range r.w {
		switch {
		case math.IsInf(v, -1):
			r.w[i] = 0
		case v == largest:
			r.w[i] = 1
		default:
			r.w[i] = math.Exp(v - largest)
		}
	}
}

// anyPositive tells whether a row that counts has a weight.
func anyPositive(w, prior []float64) bool {
	for i, v := range w {
		if v > 0 && (prior == nil || prior[i] > 0) {
			return true
		}
	}
	return false
}

// descend makes steps at a fixed bandwidth until the objective stands still (done) or
// limit steps were made in all.
func (r *run[S]) descend(ctx context.Context, limit int) (done bool, err error) {
	for len(r.steps)-1 < limit {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		r.weigh()
		if !r.set.Absolute && !anyPositive(r.w, r.set.Prior) { // a loss without bandwidth that could be widened
			r.status = Stalled
			return true, nil
		}
		full, err := r.p.Solve(ctx, r.state, r.w)
		if err != nil {
			return false, err
		}
		t, next, obj, err := r.control(ctx, full)
		if err != nil {
			return false, err
		}
		if t == 0 {
			r.status = Stalled
			return true, nil
		}
		change := r.p.Distance(r.state, next)
		fall := (r.obj - obj) / math.Max(math.Abs(obj), math.SmallestNonzeroFloat64)
		r.state, r.obj = next, obj
		r.s, r.next = r.next, r.s
		r.weigh()
		r.record(change, t)
		if r.perfect() {
			r.status = PerfectFit
			return true, nil
		}
		still := change <= r.set.Tol
		if !r.set.Plain && t == 1 {
			still = still || fall <= r.set.Tol || r.nearlyStill(fall)
		}
		r.fall = fall
		if still {
			r.status = Converged
			return true, nil
		}
	}
	return false, nil
}

// nearlyStill tells whether the falls shrink so fast that what is left, were they to go on
// shrinking at that rate, is far below the tolerance.
func (r *run[S]) nearlyStill(fall float64) bool {
	rate := fall / r.fall
	return r.fall > 0 && rate <= 0.01 && fall*rate <= r.set.Tol/100
}

// control shortens the step from the present state to full until the objective does not
// rise. It returns the part taken, 0 when none helps; r.next holds the residuals there.
func (r *run[S]) control(ctx context.Context, full S) (t float64, next S, obj float64, err error) {
	next = full
	for t = 1; ; t /= 2 {
		if t < 1 {
			if next, err = r.p.Between(r.state, full, t); err != nil {
				return 0, next, 0, err
			}
		}
		if err = r.p.Residuals(ctx, next, r.next); err != nil {
			return 0, next, 0, err
		}
		obj = r.objective(next, r.next)
		if r.set.Plain && !math.IsNaN(obj) || obj <= r.obj+slack*math.Abs(r.obj) {
			return t, next, obj, nil
		}
		if t <= shortest {
			return 0, r.state, r.obj, nil
		}
	}
}

func (r *run[S]) record(change, damping float64) {
	step := Step{
		Number: len(r.steps), Stage: r.stage, Objective: r.obj, Scale: r.loss.Scale(),
		Effective: loss.EffectiveSampleSize(r.w), Change: change, Damping: damping,
	}
	r.steps = append(r.steps, step)
	if r.set.OnStep != nil {
		r.set.OnStep(step)
	}
}
