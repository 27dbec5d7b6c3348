package cluster

import (
	"context"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
)

// KMeans is k-means, ordinary or robust. The zero value of each field is its default.
type KMeans struct {
	// Clusters is the number of centers. Zero: what the decision graph of (a sample of)
	// the rows suggests.
	Clusters int
	// Init is where to start. Empty: InitAuto.
	Init Init
	// Start gives the centers to start from, one in each row, instead of Init. Empty: Init.
	Start [][]float64
	// Restarts is the number of random starts, of which the best result counts. Zero:
	// 10, or 20 for a robust fit. Starts that are not random run once. A robust fit of
	// more than 20000 rows makes its starts on a sample and finishes the best on all.
	Restarts int
	// Trim is the share of the rows, those furthest from their centers, that have no
	// vote: 0 <= Trim < 1. Zero: ordinary k-means.
	Trim float64
	// Loss of the distance from the nearest center, from a text (loss.Parse) or of one's own;
	// its bandwidth may be open. Nil: the square, ordinary k-means. It does not go together
	// with Trim.
	Loss loss.Loss
	// MaxSteps bounds the steps of a start. Zero: 300.
	MaxSteps int
	// Tol stops when the squared movements of all centers sum to at most this many mean
	// variances of a column. Ordinary k-means also stops when no row changes its
	// center. Zero: 1e-6; negative: only then.
	Tol float64
	// Seed of the random starts.
	Seed uint64
	// Weights of the rows; nil: one each. An integer weight acts like repeated rows.
	Weights []float64
	// OnStep observes; steps of several starts come one after another, mixed.
	OnStep func(irls.Step)
}

// tooMany is a number of clusters that the rows cannot fill.
func tooMany(clusters, rows int) error {
	return &refusal.RankError{Name: "clusters", Asked: clusters, Most: rows, Why: fmt.Sprintf("is more than the %d rows that can fill them", rows)}
}

func (k KMeans) filled() KMeans {
	if k.Init == "" {
		k.Init = InitAuto
	}
	if k.MaxSteps == 0 {
		k.MaxSteps = 300
	}
	if k.Tol == 0 {
		k.Tol = 1e-6
	}
	if k.Restarts == 0 {
		k.Restarts = 10
		if k.robust() {
			k.Restarts = 20
		}
	}
	return k
}

// robust tells whether rows can lose their vote.
func (k KMeans) robust() bool { return k.Trim > 0 || k.weighs() }

// weighs tells whether a loss other than the square gives rows their votes.
func (k KMeans) weighs() bool { return k.Loss != nil && k.Loss != loss.Loss(loss.Spec{}) }

// spec is the loss once Fit has made a Spec of it.
func (k KMeans) spec() loss.Spec {
	spec, _ := k.Loss.(loss.Spec)
	return spec
}

func (k KMeans) check(n, d int) error {
	switch {
	case n < 2:
		return fmt.Errorf("cluster: %d row given; at least 2 are needed", n)
	case k.Clusters < 0 || k.Restarts < 0 || k.MaxSteps < 0:
		return fmt.Errorf("cluster: %d clusters, %d restarts and %d steps must not be negative", k.Clusters, k.Restarts, k.MaxSteps)
	case !(k.Trim >= 0 && k.Trim < 1):
		return fmt.Errorf("cluster: trim %g must be at least 0 and below 1", k.Trim)
	case k.Trim > 0 && k.weighs():
		return fmt.Errorf("cluster: trim and the loss %s do the same work; use one of them", k.spec())
	case math.IsNaN(k.Tol):
		return fmt.Errorf("cluster: the tolerance is not a number")
	case k.Weights != nil && len(k.Weights) != n:
		return fmt.Errorf("cluster: %d weights for %d rows", len(k.Weights), n)
	}
	for c, center := range k.Start {
		if len(center) != d {
			return fmt.Errorf("cluster: start %d has %d numbers for %d columns", c+1, len(center), d)
		}
		for j, v := range center {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("cluster: number %d of start %d is %g", j+1, c+1, v)
			}
		}
	}
	known := false
	for _, i := range Inits {
		known = known || i == k.Init
	}
	if !known {
		return fmt.Errorf("cluster: init %q is not one of %v", k.Init, Inits)
	}
	return nil
}

// Fit finds the centers. A table that is not in memory is read into it, once, up to
// [linalg.HeldNumbers] numbers. A larger one is read at most ten times: the search is made on
// a sample, and a few steps on all rows follow.
func (k KMeans) Fit(ctx context.Context, src linalg.Source) (*Model, error) {
	spec, err := loss.Specify(k.Loss, loss.Spec{})
	if err != nil {
		return nil, err
	}
	k.Loss = spec
	k = k.filled()
	if err := k.check(src.Dims()); err != nil {
		return nil, err
	}
	if src, err = linalg.Hold(ctx, src, held); err != nil {
		return nil, err
	}
	_, inMemory := src.(linalg.InMemory)
	t, err := newTable(ctx, src, k.Weights, k.robust())
	if err != nil {
		return nil, err
	}
	k.rescale(t.unit)
	if k.Start != nil {
		k.Clusters = len(k.Start)
	}
	if k.Clusters == 0 {
		if k.Clusters, err = t.suggested(ctx, k.Seed); err != nil {
			return nil, err
		}
	}
	kept := math.Ceil((1 - k.Trim) * t.size())
	if float64(k.Clusters) > kept {
		return nil, tooMany(k.Clusters, int(kept))
	}
	var best result
	if !inMemory || k.Start == nil && k.robust() && t.size() > rehearsalFrom {
		if best, err = k.rehearse(ctx, t, inMemory); err != nil {
			return nil, err
		}
		if best.status == irls.Cancelled {
			return k.finish(ctx, src, t, best)
		}
		k.Start = rowsOf(t.outside(best.centers), t.unit)
	}
	short := !inMemory && k.MaxSteps > k.readSteps()
	if short {
		k.MaxSteps = k.readSteps()
	}
	found, err := k.run(ctx, t)
	switch {
	case err == nil:
		if short && found.status == irls.StepLimit { // it is the sample that stood still, or not
			found.status = best.status
		}
		best = found
	case best.centers != nil && ctx.Err() != nil: // the rehearsal's centers are a whole state
		best.status = irls.Cancelled
	default:
		return nil, err
	}
	return k.finish(ctx, src, t, best)
}

// rescale turns what was given in units of the data into those of a table.
func (k *KMeans) rescale(unit float64) {
	if len(k.Start) == 0 {
		k.Start = nil
	}
	if unit == 1 {
		return
	}
	start := make([][]float64, len(k.Start))
	for c, row := range k.Start {
		for _, v := range row {
			start[c] = append(start[c], v*unit)
		}
	}
	if k.Start != nil {
		k.Start = start
	}
	if rule := k.spec().Rule(); rule.Kind == loss.Fixed {
		k.Loss = k.spec().WithRule(loss.FixedAt(rule.Value * unit))
	}
}

// rowsOf are the rows of x in other units.
func rowsOf(x *mat.Dense, unit float64) [][]float64 {
	n, _ := x.Dims()
	out := make([][]float64, n)
	for i := range out {
		for _, v := range x.RawRowView(i) {
			out[i] = append(out[i], v*unit)
		}
	}
	return out
}

// suggested reads the number of clusters from the decision graph.
func (t *table) suggested(ctx context.Context, seed uint64) (int, error) {
	p, _, err := t.samplePoints(ctx, seed, sampleRows)
	if err != nil {
		return 0, err
	}
	g, err := p.graph(ctx, Density{})
	if err != nil {
		return 0, err
	}
	return g.Suggested(), nil
}

// starts lists the starts to be made, by kind.
func (k KMeans) starts() []Init {
	kind := k.Init
	if kind == InitAuto {
		kind = InitPlusPlus
	}
	if !kind.drawn() || k.Start != nil {
		return []Init{kind}
	}
	var out []Init
	if k.Init == InitAuto && k.robust() {
		out = append(out, InitDensityPeaks)
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
	if err := k.judge(context.WithoutCancel(ctx), t, whole); err != nil {
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
	if err := t.nearest(context.WithoutCancel(ctx), centers, labels, squared); err != nil {
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
func (k KMeans) begin(ctx context.Context, t *table, init Init, number int) ([]float64, error) {
	if k.Start == nil {
		return t.starting(ctx, init, k, number)
	}
	var centers []float64
	for _, row := range k.Start {
		for j, v := range row {
			centers = append(centers, v-t.origin[j])
		}
	}
	return centers, ctx.Err()
}

// from makes one start; centers are where it begins, nil: not known yet.
func (k KMeans) from(ctx context.Context, t *table, init Init, number int, centers []float64) (result, error) {
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
