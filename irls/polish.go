package irls

import (
	"context"
	"errors"
	"math"
	"slices"
)

const (
	// polishSteps bounds the steps of polish; patience is how many may pass without progress.
	polishSteps = 200
	patience    = 5
	// rising is the relative rise of the objective that shows that plain steps do not descend.
	rising = 1e-12
)

// errRises says that plain steps do not descend.
var errRises = errors.New("irls: the objective rises")

// polish makes plain steps from where the objective stands still to rounding. Steps under
// which it rises after all, or that are cut short by the context, count as not made.
func (r *run[S]) polish(ctx context.Context) error {
	left := min(polishSteps, r.limit-r.made()-1)
	if r.steps[len(r.steps)-1].Change <= r.set.Tol || left < 1 {
		return nil
	}
	state, obj, squared, count := r.state, r.obj, slices.Clone(r.s), len(r.steps)
	observe := r.set.OnStep
	r.set.OnStep = nil
	err := r.plainSteps(ctx, left)
	r.set.OnStep = observe
	more := slices.Clone(r.steps[count:])
	r.steps = r.steps[:count]
	if err != nil {
		r.state, r.obj = state, obj
		copy(r.s, squared)
		if err == errRises {
			err = nil
		}
		return err
	}
	for _, step := range more {
		r.add(step)
	}
	return nil
}

// plainSteps makes steps without control until the state stands still, progress ends or the
// objective rises.
func (r *run[S]) plainSteps(ctx context.Context, most int) error {
	least, waited, lowest := math.Inf(1), 0, r.obj
	for range most {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.weigh()
		next, err := r.full(ctx)
		if err != nil {
			return err
		}
		if err := r.p.Residuals(ctx, next, r.next); err != nil {
			return err
		}
		obj := r.objective(next, r.next)
		if !(obj <= lowest+rising*math.Abs(lowest)) {
			return errRises
		}
		change := r.p.Distance(r.state, next)
		r.state, r.obj = next, obj
		r.s, r.next = r.next, r.s
		lowest = math.Min(lowest, obj)
		r.weigh()
		r.record(change, r.damp)
		if waited++; change < 0.9*least {
			least, waited = change, 0
		}
		if change <= r.set.Tol || waited == patience || r.perfect() {
			return nil
		}
	}
	return nil
}
