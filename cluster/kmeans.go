package cluster

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// KMeans is k-means, ordinary or robust. The zero value of each field is its default.
type KMeans struct {
	// Clusters is the number of centers. Zero: what the decision graph of (a sample of)
	// the rows suggests.
	Clusters int
	// Init is where to start. Empty: InitAuto.
	Init Init
	// Start gives the centers to start from, one in each row, instead of Init.
	Start [][]float64
	// Restarts is the number of random starts, of which the best result counts. Zero:
	// 10, or 20 for a robust fit. Starts that are not random run once. A robust fit of
	// more than 20000 rows makes its starts on a sample and finishes the best on all.
	Restarts int
	// Trim is the share of the rows, those furthest from their centers, that have no
	// vote: 0 <= Trim < 1. Zero: ordinary k-means.
	Trim float64
	// Loss of the distance from the nearest center; its bandwidth may be open. Zero: the
	// square, ordinary k-means. It does not go together with Trim.
	Loss loss.Spec
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

// CountError is a number of clusters that the rows cannot fill.
type CountError struct{ Clusters, Rows int }

// Error is one line.
func (e *CountError) Error() string {
	return fmt.Sprintf("cluster: %d clusters need at least as many rows; there are %d", e.Clusters, e.Rows)
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
func (k KMeans) robust() bool { return k.Trim > 0 || k.Loss != loss.Spec{} }

func (k KMeans) check(n, d int) error {
	switch {
	case n < 2:
		return fmt.Errorf("cluster: %d row given; at least 2 are needed", n)
	case k.Clusters < 0 || k.Restarts < 0 || k.MaxSteps < 0:
		return fmt.Errorf("cluster: %d clusters, %d restarts and %d steps must not be negative", k.Clusters, k.Restarts, k.MaxSteps)
	case !(k.Trim >= 0 && k.Trim < 1):
		return fmt.Errorf("cluster: trim %g must be at least 0 and below 1", k.Trim)
	case k.Trim > 0 && k.Loss != loss.Spec{}:
		return fmt.Errorf("cluster: trim and the loss %s do the same work; use one of them", k.Loss)
	case math.IsNaN(k.Tol):
		return fmt.Errorf("cluster: the tolerance is not a number")
	case k.Weights != nil && len(k.Weights) != n:
		return fmt.Errorf("cluster: %d weights for %d rows", len(k.Weights), n)
	}
	for c, center := range k.Start {
		if len(center) != d {
			return fmt.Errorf("cluster: start %d has %d numbers for %d columns", c+1, len(center), d)
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

// Fit finds the centers.
func (k KMeans) Fit(ctx context.Context, src linalg.Source) (*Model, error) {
	k = k.filled()
	if err := k.check(src.Dims()); err != nil {
		return nil, err
	}
	t, err := newTable(ctx, src, k.Weights)
	if err != nil {
		return nil, err
	}
	if k.Start != nil {
		k.Clusters = len(k.Start)
	}
	if k.Clusters == 0 {
		if k.Clusters, err = t.suggested(ctx, k.Seed); err != nil {
			return nil, err
		}
	}
	kept := int(math.Ceil((1 - k.Trim) * float64(t.counted)))
	if k.Clusters > kept {
		return nil, &CountError{Clusters: k.Clusters, Rows: kept}
	}
	if k.Start == nil && k.robust() && t.counted > rehearsalFrom {
		if k.Start, err = k.rehearse(ctx, t); err != nil {
			return nil, err
		}
	}
	best, err := k.run(ctx, t)
	if err != nil {
		return nil, err
	}
	return k.finish(ctx, t, best)
}

// suggested reads the number of clusters from the decision graph.
func (t *table) suggested(ctx context.Context, seed uint64) (int, error) {
	rows := t.countedRows()
	if len(rows) > sampleRows {
		rows = t.evenly(random.New(seed, "cluster sample"), sampleRows)
	}
	p, err := t.points(ctx, rows)
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
	one := func(i int) {
		all[i], errs[i] = k.from(ctx, t, starts[i], i)
		all[i].start = i
	}
	if t.n*t.d*k.Clusters >= sequentialWork {
		for i := range starts {
			if one(i); errs[i] != nil || all[i].status == irls.Cancelled {
				all, errs = all[:i+1], errs[:i+1]
				break
			}
		}
	} else {
		linalg.Parallel(len(starts), one)
	}
	for _, err := range errs {
		if err != nil {
			return result{}, err
		}
	}
	k.judge(t, all)
	best := 0
	for i, r := range all {
		if r.objective < all[best].objective {
			best = i
		}
	}
	return all[best], nil
}

// judge gives the results of robust fits one bandwidth, the smallest that any of them
// found, so that their objectives compare.
func (k KMeans) judge(t *table, all []result) {
	if k.Trim > 0 || (k.Loss == loss.Spec{}) {
		return
	}
	scale := math.Inf(1)
	for _, r := range all {
		scale = math.Min(scale, r.scale)
	}
	l := k.Loss.At(scale)
	for i, r := range all {
		sum := 0.0
		for row, s := range r.squared {
			sum += t.weight(row) * l.Rho(s)
		}
		all[i].objective = sum / t.total
	}
}

// from makes one start.
func (k KMeans) from(ctx context.Context, t *table, init Init, number int) (result, error) {
	var centers []float64
	if k.Start != nil {
		for _, row := range k.Start {
			for j, v := range row {
				centers = append(centers, v-t.mean[j])
			}
		}
	} else {
		var err error
		if centers, err = t.starting(ctx, init, k.Clusters, k.Seed, number, k.robust()); err != nil {
			return result{}, err
		}
	}
	switch {
	case k.Trim > 0:
		return t.trimmed(ctx, centers, k.Trim, k.MaxSteps, k.Tol, k.OnStep)
	case k.Loss != loss.Spec{}:
		return t.reweighted(ctx, centers, irls.Settings{
			Loss: k.Loss, Kappa: loss.KappaSubspace, MaxSteps: k.MaxSteps, Tol: math.Max(k.Tol*1e-2, 1e-14), OnStep: k.OnStep,
		})
	}
	return t.lloyd(ctx, centers, k.MaxSteps, k.Tol, k.OnStep)
}
