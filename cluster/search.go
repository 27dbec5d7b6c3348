package cluster

import (
	"context"
	"math"
	"sync"

	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// starts lists the starts to be made, by kind.
func (k KMeans) starts() []Start {
	kind := k.Start
	if kind == StartAuto {
		kind = StartPlusPlus
	}
	if !kind.drawn() || k.Centers != nil {
		return []Start{kind}
	}
	var out []Start
	if k.Start == StartAuto && k.robust() {
		out = append(out, StartDensityPeaks)
	}
	for range k.Restarts {
		out = append(out, kind)
	}
	return out
}

// sequentialWork is the number of multiply-adds of a step from which its own pass keeps
// all cores busy, so that starts run one after the other and need less memory.
const sequentialWork = 1 << 22

// run makes all starts and returns the best result. The order in which starts finish does
// not matter: among equal objectives the first start counts.
func (k KMeans) run(ctx context.Context, t *table) (result, error) {
	starts := k.starts()
	all := make([]result, len(starts))
	errs := make([]error, len(starts))
	if k.OnStep != nil {
		var lock sync.Mutex
		each := k.OnStep
		k.OnStep = func(s irls.Step) {
			lock.Lock()
			defer lock.Unlock()
			each(s)
		}
	}
	var first []float64 // centers of the first start, where they are known before it runs
	one := func(i int) {
		var centers []float64
		if i == 0 {
			centers = first
		}
		all[i], errs[i] = k.from(ctx, t, starts[i], i, centers)
		all[i].start = i
	}
	if t.n*t.d*k.Clusters >= sequentialWork || len(starts) == 1 {
		for i := range starts {
			if one(i); errs[i] != nil || all[i].status == irls.Cancelled {
				all, errs = all[:i+1], errs[:i+1]
				break
			}
		}
	} else {
		// The first state is there before starts run side by side, so that whether a
		// cancelled search has one does not depend on who comes first.
		var err error
		if first, err = k.begin(ctx, t, starts[0], 0); err != nil {
			return result{}, err
		}
		linalg.Parallel(len(starts), one)
	}
	var whole []result
	cut := len(all) < len(starts)
	for i, err := range errs {
		cut = cut || err != nil || all[i].status == irls.Cancelled
		switch {
		case err == nil:
			whole = append(whole, all[i])
		case ctx.Err() == nil:
			return result{}, err
		}
	}
	if len(whole) == 0 {
		if first == nil {
			return result{}, ctx.Err()
		}
		return k.standing(ctx, t, first)
	}
	for i := range whole {
		if cut { // the search, if not this start
			whole[i].status = irls.Cancelled
		}
	}
	if err := k.judge(given.Rest(ctx), t, whole); err != nil {
		return result{}, err
	}
	best := 0
	for i, r := range whole {
		if r.objective < whole[best].objective*(1-1e-12) {
			best = i
		}
	}
	return whole[best], nil
}

// standing is the result of a search that was cancelled before its first step.
func (k KMeans) standing(ctx context.Context, t *table, centers []float64) (result, error) {
	labels, squared := make([]int32, t.n), make([]float64, t.n)
	if err := t.nearest(given.Rest(ctx), centers, labels, squared); err != nil {
		return result{}, err
	}
	r := result{centers: centers, status: irls.Cancelled, squared: squared, scale: k.spec().Bandwidth(squared, t.weights, loss.KappaSubspace)}
	r.objective = weightedMean(squared, t.weights)
	r.steps = []irls.Step{{Objective: r.objective, Effective: float64(t.counted), Damping: 1}}
	return r, nil
}

// judge makes the objectives of results comparable. Those of ordinary k-means are measured
// directly; robust fits get one bandwidth, the smallest that any of them found.
func (k KMeans) judge(ctx context.Context, t *table, all []result) error {
	if k.Trim > 0 || len(all) == 1 {
		return nil
	}
	if !k.weighs() {
		labels, squared := make([]int32, t.n), make([]float64, t.n)
		for i, r := range all {
			if err := t.nearest(ctx, r.centers, labels, squared); err != nil {
				return err
			}
			all[i].objective = weightedMean(squared, t.weights)
		}
		return nil
	}
	scale := math.Inf(1)
	for _, r := range all {
		scale = math.Min(scale, r.scale)
	}
	l := k.spec().At(scale)
	for i, r := range all {
		sum := 0.0
		for row, s := range r.squared {
			if w := t.weight(row); w > 0 {
				sum += w * l.Rho(s)
			}
		}
		all[i].objective = sum / t.total
	}
	return nil
}

// begin returns the centers that a start begins with.
func (k KMeans) begin(ctx context.Context, t *table, init Start, number int) ([]float64, error) {
	if k.Centers == nil {
		return t.starting(ctx, init, k, number)
	}
	var centers []float64
	for _, row := range k.Centers {
		for j, v := range row {
			centers = append(centers, v-t.origin[j])
		}
	}
	return centers, ctx.Err()
}

// from makes one start; centers are where it begins, nil: not known yet.
func (k KMeans) from(ctx context.Context, t *table, init Start, number int, centers []float64) (result, error) {
	if centers == nil {
		var err error
		if centers, err = k.begin(ctx, t, init, number); err != nil {
			return result{}, err
		}
	}
	switch {
	case k.Trim > 0:
		return t.trimmed(ctx, centers, k.Trim, k.MaxSteps, k.Tol, k.OnStep)
	case k.weighs():
		return t.reweighted(ctx, centers, irls.Settings{
			Loss: k.spec(), Kappa: loss.KappaSubspace, MaxSteps: k.MaxSteps, Tol: math.Max(k.Tol*1e-2, 1e-14), OnStep: k.OnStep,
		})
	case t.d == 1:
		return t.onLine(ctx, centers, k.MaxSteps, k.Tol, k.OnStep)
	}
	return t.lloyd(ctx, centers, k.MaxSteps, k.Tol, k.OnStep)
}
