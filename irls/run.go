package irls

import (
	"context"
	"fmt"
	"math"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

const (
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
	spec    loss.Spec   // of the present stage
	path    []loss.Spec // of the stages that follow it
	loss    loss.Scaled // spec at its bandwidth
	damp    float64     // part of a full step that suits it
	target  float64     // bandwidth asked for
	wide    float64     // how many times too wide the present one is
	settled bool        // an open bandwidth stands still
	rough   bool        // the run ends where the bandwidth stands still
	limit   int         // steps that may have been made at the end of the run
	stage   int
	looks   int // stages since the run began
	obj     float64
	usual   float64 // more than the loss of an observation that is like the others
	fall    float64 // relative fall of the objective in the step before
	steps   []Step
	status  Status
}

// made is the number of steps so far.
func (r *run[S]) made() int { return len(r.steps) - 1 }

// begin makes the start a whole state: residuals, bandwidth, objective, weights.
func (r *run[S]) begin(ctx context.Context) error {
	err := ctx.Err()
	if err == nil {
		err = r.p.Residuals(ctx, r.state, r.s)
	}
	if Ended(err) && r.set.Whole {
		err = r.p.Residuals(context.WithoutCancel(ctx), r.state, r.s)
	}
	if err != nil {
		return err
	}
	for i, v := range r.s {
		if math.IsNaN(v) && r.counts(i) {
			return fmt.Errorf("irls: the residual of observation %d is not a number at the start", i+1)
		}
	}
	r.open()
	return nil
}

// counts tells whether an observation has prior weight.
func (r *run[S]) counts(i int) bool { return r.set.Prior == nil || r.set.Prior[i] > 0 }

// enter begins a stage with the given bandwidth.
func (r *run[S]) enter(scale float64) {
	r.loss, r.damp = r.spec.At(scale), 1
	if r.set.Damped && !r.set.Plain {
		r.damp = Damping(r.spec)
	}
	if r.set.OnStage != nil {
		r.set.OnStage(r.loss)
	}
	r.obj, r.usual = r.objective(r.state, r.s), r.common()
	if len(r.steps) == 0 {
		r.weigh()
		r.record(0, 1)
	}
}

func (r *run[S]) objective(at S, s []float64) float64 {
	return meanLoss(r.loss, s, r.set.Prior) + r.loss.Slope()*r.p.Penalty(at)
}

const (
	// farOff is the squared residual, in median ones, of an observation that is unlike the others.
	farOff = 1e4
	// commonRows is how many observations tell what most are like.
	commonRows = 1001
)

// common is the loss of an observation a hundred times as far off as the median one; 0: nothing is known, since half of them are met exactly.
func (r *run[S]) common() float64 {
	some := make([]float64, 0, commonRows)
	for i, count := 0, len(r.s); i < min(count, commonRows); i++ {
		if at := i * count / min(count, commonRows); r.counts(at) {
			some = append(some, r.s[at])
		}
	}
	if len(some) == 0 {
		return 0
	}
	if middle := univariate.Select(some, len(some)/2); middle > r.set.Zero {
		return r.loss.Rho(farOff * middle)
	}
	return 0
}

// level is the size of the objective that its falls are measured by: of what most observations add to it. One that is 1e10 times as far off as
// they are, by a loss that grows without bound, would have the run end before they have had their say.
func (r *run[S]) level(at S, obj float64) float64 {
	if obj = math.Abs(obj); r.usual > 0 && obj > r.usual {
		return math.Min(obj, r.usual+math.Abs(r.loss.Slope()*r.p.Penalty(at)))
	}
	return obj
}

// perfect tells whether every observation with prior weight is reproduced to rounding.
func (r *run[S]) perfect() bool {
	for i, v := range r.s { // ends at the first row in nearly every fit
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
	for wider := r.loss; ; wider = r.spec.At(2 * wider.Scale()) {
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
	linalg.Spans(len(r.set.Prior), func(from, to int) {
		for i, a := range r.set.Prior[from:to] {
			if a == 0 {
				r.w[from+i] = 0 // also where the residual is not a number
			} else {
				r.w[from+i] *= a
			}
		}
	})
}

// relative is loss.RelativeWeights among the observations that count.
func (r *run[S]) relative(l loss.Scaled) {
	linalg.Spans(len(r.s), func(from, to int) {
		for i := from; i < to; i++ {
			if r.w[i] = math.Inf(-1); r.set.Prior[i] > 0 {
				r.w[i] = l.LogWeight(r.s[i])
			}
		}
	})
	largest := linalg.Largest(r.w)
	linalg.Spans(len(r.s), func(from, to int) {
		for i := from; i < to; i++ {
			switch v := r.w[i]; {
			case math.IsInf(v, -1):
				r.w[i] = 0
			case v == largest:
				r.w[i] = 1
			default:
				r.w[i] = math.Exp(v - largest)
			}
		}
	})
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
func (r *run[S]) descend(ctx context.Context, limit int, tol float64) (done bool, err error) {
	for r.made() < limit {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		r.weigh()
		if !r.set.Absolute && !anyPositive(r.w, r.set.Prior) { // a loss without bandwidth that could be widened
			r.status = Stalled
			return true, nil
		}
		full, err := r.full(ctx)
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
		fall := (r.obj - obj) / math.Max(r.level(next, obj), math.SmallestNonzeroFloat64)
		r.state, r.obj = next, obj
		r.s, r.next = r.next, r.s
		r.weigh()
		r.record(change, t*r.damp)
		if r.perfect() {
			r.status = PerfectFit
			return true, nil
		}
		still := change <= tol
		if !r.set.Plain && t == 1 {
			still = still || fall <= tol || r.nearlyStill(fall, tol)
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
func (r *run[S]) nearlyStill(fall, tol float64) bool {
	rate := fall / r.fall
	return r.fall > 0 && rate <= 0.01 && fall*rate <= tol/100
}

// full makes the weighted least-squares step, as much of it as suits the loss.
func (r *run[S]) full(ctx context.Context) (S, error) {
	next, err := r.p.Solve(ctx, r.state, r.w)
	if err != nil || r.damp == 1 {
		return next, err
	}
	return r.p.Between(r.state, next, r.damp)
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
	r.add(Step{
		Number: len(r.steps), Stage: r.stage, Objective: r.obj, Scale: r.loss.Scale(),
		Effective: loss.EffectiveSampleSize(r.w), Change: change, Damping: damping,
	})
}

func (r *run[S]) add(step Step) {
	r.steps = append(r.steps, step)
	if r.set.OnStep != nil {
		r.set.OnStep(step)
	}
}
