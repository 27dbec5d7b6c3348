package irls

import (
	"context"
	"math"

	"github.com/inlier-ml/inlier/loss"
)

const (
	// settleTol is the relative change of the bandwidth below which it counts as settled.
	settleTol = 1e-3
	// settleStages bounds how often an open bandwidth is recomputed.
	settleStages = 30
	// speaking is a weight to speak of.
	speaking = 1e-3
)

// open begins a run at the present state: the loss of the first stage and the bandwidth
// asked for.
func (r *run[S]) open() {
	r.spec, r.wide, r.settled, r.looks = r.set.Loss.Resolve(r.s, r.set.Prior), r.set.Graduate, false, 0
	r.limit = max(r.made(), 0) + r.set.MaxSteps
	if r.set.Path != nil {
		r.path = r.set.Path(r.s)
		r.spec, r.path = r.path[0], r.path[1:]
	}
	r.target = r.bandwidth()
	if r.set.Visible && r.spec.Rule().Kind == loss.Fixed {
		r.target = r.visible(r.target)
	}
	r.enter(r.target * r.wide)
}

// stages makes the rough runs between which a penalty is chosen anew, if it is open, and
// the whole run.
func (r *run[S]) stages(ctx context.Context) error {
	for round := 0; r.set.Retune != nil && round < mostRetunes; round++ {
		r.rough = true
		r.limit = min(r.limit, r.made()+roughSteps)
		if err := r.loop(ctx); err != nil || r.status == PerfectFit {
			return err
		}
		settled, err := r.set.Retune(ctx, r.loss, r.s)
		if err != nil {
			return err
		}
		r.stage++
		r.open()
		if settled {
			break
		}
	}
	r.rough = false
	if err := r.loop(ctx); err != nil {
		return err
	}
	if r.set.Polish && !r.set.Plain && (r.status == Converged || r.status == Stalled) {
		return r.polish(ctx)
	}
	return nil
}

// loop runs stage after stage.
func (r *run[S]) loop(ctx context.Context) error {
	for {
		if r.perfect() {
			r.arrive()
			r.status = PerfectFit
			return nil
		}
		if r.limit-r.made() <= 1 { // the last step belongs to the loss asked for
			r.arrive()
		}
		leading := r.leading()
		last := !leading && (!r.unsettled() || r.set.Rescale == Settle && r.looks >= settleStages)
		limit, tol := r.limit, r.set.Tol
		if !last {
			limit, tol = min(limit, r.made()+r.set.Stage.Steps), r.set.Stage.Tol
			if leading {
				limit = min(limit, r.limit-1)
			}
		}
		done, err := r.descend(ctx, limit, tol)
		switch {
		case err != nil:
			return err
		case r.status == PerfectFit:
			r.arrive()
			return nil
		case last && done:
			return nil
		case r.made() >= r.limit:
			if !done || r.set.Rescale == EveryStep && !r.still() {
				r.status = StepLimit
			}
			return nil
		}
		before := r.loss.Scale()
		if leading {
			r.lead()
		}
		if r.unsettled() {
			r.target = r.bandwidth()
		}
		r.stage++
		r.looks++
		switch {
		case leading:
		case r.set.Zero > 0 && max(r.target, before) <= math.Sqrt(r.set.Zero):
			// At least half of the rows are reproduced to rounding and the others have no
			// weight: what no row determines would go on turning for ever.
			r.status = Converged
			return nil
		case done && r.status == Stalled: // the state stays, and with it the bandwidth
			return nil
		case r.set.Rescale == EveryStep:
			if r.still() {
				r.status = Converged
				return nil
			}
		case math.Abs(r.target-before) <= r.set.Stage.Settle*before:
			if done || r.rough {
				return nil
			}
			// Settled: a last stage at this bandwidth, to convergence.
			r.settled, r.target = true, before
		}
		r.enter(r.target * r.wide)
	}
}

// still tells whether the last step left the state where it was.
func (r *run[S]) still() bool { return r.steps[len(r.steps)-1].Change <= r.set.Tol }

// leading tells whether the present stage only leads to the loss asked for.
func (r *run[S]) leading() bool { return r.wide > 1 || len(r.path) > 0 }

// lead goes on to the next loss of the path or a narrower bandwidth.
func (r *run[S]) lead() {
	if len(r.path) > 0 {
		r.spec, r.path = r.path[0], r.path[1:]
		r.target = r.bandwidth()
		return
	}
	r.wide = math.Max(1, r.wide/2)
}

// arrive goes over to the loss asked for at once.
func (r *run[S]) arrive() {
	if !r.leading() {
		return
	}
	if k := len(r.path); k > 0 {
		r.spec, r.path = r.path[k-1], nil
		r.target = r.bandwidth()
	}
	r.wide = 1
	r.stage++
	r.enter(r.target)
}

// unsettled tells whether the bandwidth is still to be recomputed.
func (r *run[S]) unsettled() bool {
	return r.ruled() && r.set.Rescale != Once && !r.settled
}

// ruled tells whether residuals choose the bandwidth.
func (r *run[S]) ruled() bool {
	k := r.spec.Rule().Kind
	return k == loss.Auto || k == loss.Silverman
}

// bandwidth applies the rule to the present residuals. It stays above the level of
// rounding, so that rows which are fitted exactly keep equal weights.
func (r *run[S]) bandwidth() float64 {
	switch {
	case !r.ruled():
		return r.spec.Bandwidth(nil, nil, r.set.Kappa)
	case r.set.Bandwidth != nil:
		return math.Max(r.set.Bandwidth(r.s), math.Sqrt(r.set.Zero))
	}
	return math.Max(r.spec.Bandwidth(r.s, r.set.Prior, r.set.Kappa), math.Sqrt(r.set.Zero))
}

// visible doubles a bandwidth until some observation that counts has a weight to speak of.
func (r *run[S]) visible(width float64) float64 {
	for ; width < loss.MaxScale/2; width *= 2 {
		at := r.spec.At(width)
		for i, v := range r.s {
			if r.counts(i) && at.Weight(v) > speaking {
				return width
			}
		}
	}
	return width
}
