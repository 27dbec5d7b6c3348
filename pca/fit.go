package pca

import (
	"context"
	"math"

	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
)

var errConstant = refusal.Data("all rows are equal, so there is no direction of variance; at least two different rows are needed")

var errHalfEqual = refusal.Data("more than half of the rows are equal, so that most rows show no direction of variance; leave out repeated rows, or let every row vote (start classic)")

// plan is what distinguishes one reweighting method from another.
type plan struct {
	method string
	spec   loss.Spec
	// kappa of the bandwidth rule auto; 0: 3, or 1 with more columns than rows.
	kappa   float64
	rescale irls.Rescale
	// run replaces the plain irls.Run, for methods with a schedule of their own.
	run func(ctx context.Context, p irls.Problem[subspace], start subspace, set irls.Settings) (irls.Result[subspace], error)
	// centre, when set, finds a mean that stays fixed.
	centre func(ctx context.Context, src linalg.Source, w []float64) ([]float64, error)
	// power of the generalised sample mean that centre finds.
	power float64
	// again, when set, solves for all components from a start with fixed weights, where that
	// is not weighted PCA (PCA-L1).
	again func(ctx context.Context, full *problem, from subspace, w []float64) (subspace, error)
	// dispersion: eigenvalues and scores are judged, but rows have no weights (PCA, PCA-L1).
	unweighted bool
	// asFound keeps the components in the order and direction in which they were found, where
	// these mean something, instead of turning them to the principal axes of the scores (PCA-L1).
	asFound bool
}

// fit runs a method on the rows of src.
func (o Options) fit(ctx context.Context, src linalg.Source, pl plan) (*Model, error) {
	ctx = given.Context(ctx)
	if err := linalg.Given(src); err != nil {
		return nil, err
	}
	o = o.filled()
	n, d := src.Dims()
	if err := o.check(n, d); err != nil {
		return nil, err
	}
	o.Weights, _ = univariate.Counted(n, o.Weights)
	src, sample, err := o.place(ctx, src, pl)
	if err != nil {
		return nil, err
	}
	if sample != nil {
		o.Votes = nil
		return o.fitMany(ctx, src, sample, pl)
	}
	t, found, err := o.settle(ctx, src, pl)
	if err != nil {
		return nil, err
	}
	// From here on there is a whole state: a cancelled fit still becomes a model.
	m, err := o.finish(given.Rest(ctx), t, found, pl)
	if err == nil {
		m.lonely(pl, m.lone)
	}
	return m, err
}

// settle learns from the rows of a table in memory.
func (o Options) settle(ctx context.Context, src linalg.Source, pl plan) (t *table, found learned, err error) {
	n, _ := src.Dims()
	t = &table{given: src, seen: src, rows: countRows(n, o.Weights)}
	if o.Missing {
		if t.seen, t.gaps, err = fillGaps(ctx, src, o.Weights); err != nil {
			return nil, learned{}, err
		}
	}
	if err := t.bound(ctx, o.Weights, !pl.unweighted); err != nil {
		return nil, learned{}, err
	}
	if err := t.reduce(ctx, o.Weights); err != nil {
		return nil, learned{}, err
	}
	found, err = o.learn(ctx, t, pl)
	return t, found, err
}

// learned is where a reweighting ended.
type learned struct {
	at   subspace // with all components
	res  irls.Result[subspace]
	full *problem // solves for all components with given weights
	// regular are the moments of all rows near the subspace and its centre, where the table is a sample; else nil.
	regular *linalg.Moments
}

// learn finds start, weights and subspace of the rows of a table that have a weight.
func (o Options) learn(ctx context.Context, t *table, pl plan) (learned, error) {
	_, d := t.given.Dims()
	start, m, err := t.begin(ctx, o, o.learner(t.rows, d))
	if err != nil {
		return learned{}, err
	}
	if t.noise, err = t.roundingNoise(ctx, start, o); err != nil {
		return learned{}, err
	}
	set := irls.Settings{
		Loss: pl.spec, Kappa: pl.kappa, Rescale: pl.rescale, Prior: o.Weights, MaxSteps: o.MaxSteps, Tol: o.Tol,
		Zero: 1e-24 * t.spread * t.spread, Plain: o.Plain, OnStep: o.OnStep,
	}
	if !pl.unweighted {
		set.Zero = math.Max(set.Zero, t.noise)
	}
	if set.Kappa == 0 {
		set.Kappa = loss.KappaSubspace
		if d > t.rows {
			set.Kappa = loss.KappaWide
		}
	}
	_, rank := start.basis.Dims()
	prob := &problem{src: t.inside, m: rank, spread: t.spread, within: o.Tol / 100}
	if pl.pulled() && o.Start != StartClassic {
		if set.Prior, err = o.withoutFar(ctx, t, start); err != nil {
			return learned{}, err
		}
	}
	if pl.centre != nil {
		if prob.fixed, err = pl.centre(ctx, t.inside, set.Prior); err != nil {
			return learned{}, err
		}
		start.mean = prob.fixed
	}
	run := pl.run
	if run == nil {
		run = irls.Run[subspace]
	}
	if start, err = warm(ctx, prob, start, run, set, o); err != nil {
		return learned{}, err
	}
	var p irls.Problem[subspace] = prob
	if t.gaps != nil {
		p = &gapProblem{problem: prob, gaps: t.gaps}
	}
	res, err := run(ctx, p, start, set)
	if err != nil {
		return learned{}, err
	}
	ctx = given.Rest(ctx) // what is left takes no time
	full := &problem{src: t.inside, m: m, fixed: prob.fixed, spread: t.spread}
	at := res.State
	if m > rank { // m_r: the weights are learned, now take all components at once
		if at, err = full.Solve(ctx, at, res.Weights); err != nil {
			return learned{}, err
		}
	}
	return learned{at: at, res: res, full: full}, nil
}

// warmRows is the size of the sample that a large table is learned from first.
func warmRows(d int) int { return max(startRows, 5*d) }

// learner returns how many components the weights are learned with.
func (o Options) learner(n, d int) func(m int) int {
	const small = 10 // "the parameter is set at 10", kmpe section IV-C
	return func(m int) int {
		switch {
		case o.LearnRank > 0:
			return min(m, o.LearnRank)
		case o.LearnRank == 0 && o.Start != StartClassic && d >= n:
			return min(m, small)
		}
		return m
	}
}

// pulled tells whether a single row can pull without bound: its weight falls more slowly
// than its squared distance grows.
func (pl plan) pulled() bool {
	return pl.spec.Pulls() || pl.method == "pca-gm"
}

// farCutoffs is how many cut-offs from the subspace no bulk of rows can be meant.
const farCutoffs = 10

// withoutFar returns the prior weights without those of rows so far from the start's
// subspace that no bulk of rows can be meant: ten times the cut-off of outliers. Losses
// that only limit how much a row counts would follow them.
func (o Options) withoutFar(ctx context.Context, t *table, start subspace) ([]float64, error) {
	n, _ := t.inside.Dims()
	s := make([]float64, n)
	if err := linalg.Residuals(ctx, t.inside, start.mean, start.basis, s, nil); err != nil {
		return nil, err
	}
	if t.gaps != nil {
		t.gaps.judge(start, s, nil)
	}
	limit := farCutoffs * orthogonalCutoff(s, start, t, o)
	if limit == 0 { // no row is off the subspace
		return o.Weights, nil
	}
	prior := make([]float64, n)
	far := 0.0
	for i, v := range s {
		if prior[i] = weightAt(o.Weights, i); v > limit*limit {
			far += prior[i]
			prior[i] = 0
		}
	}
	if far == 0 || far > 0.45*total(o.Weights, n) { // none, or the start tells nothing
		return o.Weights, nil
	}
	return prior, nil
}

// warm runs the method on a sample of a large table first: the steps are cheap there, and
// the few that remain on all rows start next to the end.
func warm(ctx context.Context, prob *problem, start subspace, run func(context.Context, irls.Problem[subspace], subspace, irls.Settings) (irls.Result[subspace], error), set irls.Settings, o Options) (subspace, error) {
	n, d := prob.src.Dims()
	size := warmRows(d)
	if countRows(n, o.Weights) < 5*size || o.Start != StartAuto || o.Votes != nil {
		return start, nil
	}
	o.Weights = set.Prior // without rows that are not to take part
	x, w, err := sampleRows(ctx, prob.src, o, size)
	if err != nil {
		return start, err
	}
	set.Prior, set.OnStep, set.Tol = w, nil, math.Max(set.Tol, 1e-3)
	res, err := run(ctx, &problem{src: linalg.FromDense(x), m: prob.m, fixed: prob.fixed, spread: prob.spread, within: roughly}, start, set)
	switch {
	case err != nil:
		return start, err
	case res.Status == irls.Cancelled: // there is no state of all rows yet
		return start, context.Cause(ctx)
	}
	return res.State, nil
}
