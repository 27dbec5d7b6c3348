package pca

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/bounded"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
)

// Many rows are learned from a sample of them and then read a few times: for the sample, for each of two steps
// with all rows, and for what is said of them in the end; every row having a vote, twice in all. Nothing that is
// kept grows with their number: each reading computes weights anew from subspace and loss, and bandwidth, rounding
// and cut-offs are those of the sample at the subspace of all rows. Tables that are not in memory and those of
// more than manyRows take the same way, so that both end in the same model.

const (
	// fullSteps are made with all rows: each divides what the sample is off by about ten.
	fullSteps = 2
	// rising is the relative rise of the objective that counts as rounding.
	rising = 1e-11
)

var (
	// manyRows is up to how many rows a table in memory is learned from all of them alike.
	manyRows = 1 << 18
	// held is the size in numbers up to which a table that is not in memory is read into it.
	held = linalg.HeldNumbers
)

// place brings the rows into memory where they are few or all are needed at once; otherwise it returns those of a sample.
func (o Options) place(ctx context.Context, src linalg.Source, pl plan) (linalg.Source, []int, error) {
	src, err := linalg.Hold(ctx, src, held)
	if err != nil {
		return nil, nil, err
	}
	n, d := src.Dims()
	size := linalg.SampleRows(src)
	whole := o.Missing || pl.again != nil || o.LearnRank > 0 || 5*d > size
	var x *mat.Dense
	switch {
	case inMemory(src) && (whole || n <= manyRows), pl.again == nil && o.single(src) && n <= manyRows:
		return src, nil, nil
	case n <= size:
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		x, err = linalg.Gather(ctx, src, all)
	case whole:
		x, err = linalg.Load(ctx, src)
	default:
		return src, drawnRows(univariate.NewRows(n, o.Weights), o.Seed, size), nil
	}
	if err != nil {
		return nil, nil, err
	}
	return linalg.FromDense(x), nil, nil
}

// many is a fit of many rows.
type many struct {
	Options         // of all rows
	of      Options // of the sample, whose rows count alike
	pl      plan
	t       *table        // the sample
	all     int           // readings so far
	src     linalg.Source // all rows, far values moved to limits
}

// fitMany learns from a sample, given by its rows, and then from all.
func (o Options) fitMany(ctx context.Context, src linalg.Source, rows []int, pl plan) (*Model, error) {
	x, votes, err := o.readSample(ctx, src, rows, pl.unweighted)
	if err != nil {
		return nil, err
	}
	b := &many{Options: o, of: o, pl: pl}
	b.of.Weights, b.of.OnStep = nil, nil
	t, found, err := b.of.settle(ctx, linalg.FromDense(x), pl)
	switch {
	case err != nil:
		return nil, err
	case found.res.Status == irls.Cancelled: // nothing is known of all rows yet
		return nil, context.Cause(ctx)
	}
	b.t = t
	if b.src, err = b.bounded(ctx, src); err != nil {
		return nil, err
	}
	steps := fullSteps
	if votes != nil { // the subspace is found
		steps, found.res.Steps = 0, nil
		if found, err = b.voted(ctx, found, votes); err != nil {
			return nil, err
		}
	}
	var best *Model
	var seen *look
	for k := 0; ; k++ {
		model, err := b.of.finish(ctx, t, found, pl)
		if err != nil {
			return nil, err
		}
		now, err := b.look(ctx, model, k < steps)
		if err != nil {
			return nil, err
		}
		if seen != nil && !(now.objective() <= seen.objective()+rising*math.Abs(seen.objective())) {
			best.status = irls.Stalled // a step that rises is none
			break
		}
		b.record(&found.res, now)
		model.steps = found.res.Steps
		if best, seen = model, now; k == steps {
			break
		}
		if found, err = b.step(ctx, found, now, model); err != nil {
			return nil, err
		}
	}
	return b.whole(ctx, best, seen, src)
}

// bounded is the table with far values moved to the limits of the sample.
func (b *many) bounded(ctx context.Context, src linalg.Source) (linalg.Source, error) {
	limits, err := bounded.Of(ctx, b.t.given, nil)
	if err != nil {
		return nil, err
	}
	if b.pl.unweighted {
		for j := range limits.Low {
			limits.Low[j], limits.High[j] = -largest, largest
		}
	}
	if inMemory(src) {
		return limits.Apply(ctx, src)
	}
	return limits.Clip(src), nil
}

// record adds a reading to the trace.
func (b *many) record(res *irls.Result[subspace], now *look) {
	step := irls.Step{Objective: now.objective(), Scale: res.Loss.Scale(), Effective: now.effective(), Damping: 1}
	if k := len(res.Steps); k > 0 {
		last := res.Steps[k-1]
		if step.Number, step.Stage = last.Number+1, last.Stage; b.all == 0 {
			step.Stage++
		}
	}
	b.all++
	res.Steps = append(slices.Clip(res.Steps), step)
	if b.OnStep != nil {
		b.OnStep(step)
	}
}

// voted is what the sample says at the subspace in which every row had its vote.
func (b *many) voted(ctx context.Context, found learned, votes *linalg.Moments) (learned, error) {
	n, _ := b.src.Dims()
	at, m, err := leading(ctx, votes.Scatter(), votes.Mean(), countRows(n, b.Weights), b.of, func(m int) int { return m })
	if err != nil {
		return found, err
	}
	found.full.m = m
	at = at.with(votes.Scatter(), votes.Total())
	b.t.spread = math.Sqrt(mat.Trace(votes.Scatter()) / votes.Total())
	return b.measured(ctx, found, at, math.Max(votes.Total()-1, 1), func(float64) float64 { return 1 })
}

// step is one with all rows, by the weights that a reading has found.
func (b *many) step(ctx context.Context, found learned, now *look, model *Model) (learned, error) {
	mean, scatter := now.Weighted.Mean(), now.Weighted.Scatter()
	if mean == nil {
		return found, nil
	}
	if fixed := found.full.fixed; fixed != nil {
		shiftScatter(scatter, now.Weighted.Total(), mean, fixed)
		mean = fixed
	}
	values, vectors, err := linalg.TopEigenWithin(ctx, scatter, found.full.m, found.at.basis, b.Tol/100)
	if err != nil {
		return found, err
	}
	found.regular = now.Regular
	return b.measured(ctx, found, subspace{mean: mean, basis: vectors, values: values}.with(scatter, now.Weighted.Total()), now.divisor(), b.weight(model))
}

// measured has the sample measured by a subspace of all rows, whose variances are those of its values over a divisor.
func (b *many) measured(ctx context.Context, found learned, at subspace, over float64, weight func(s float64) float64) (learned, error) {
	n := found.full.Len()
	all, _ := b.src.Dims()
	b.t.of = total(b.Weights, all)
	res := &found.res
	res.State, res.Squared, res.Weights = at, make([]float64, n), make([]float64, n)
	if err := linalg.Residuals(ctx, b.t.inside, at.mean, at.basis, res.Squared, nil); err != nil {
		return found, err
	}
	for i, s := range res.Squared {
		res.Weights[i] = weight(s)
	}
	for j := range at.values { // as if the sample had this scatter
		at.values[j] *= divisor(res.Weights, nil) / over
	}
	found.at = at
	return found, nil
}

// weight is that of a row by its squared distance from a model's subspace.
func (b *many) weight(m *Model) func(s float64) float64 {
	if b.pl.unweighted {
		return func(float64) float64 { return 1 }
	}
	far := b.beyond(m)
	return func(s float64) float64 {
		if s > far {
			return 0
		}
		return math.Exp(m.loss.LogWeight(s) - m.largest)
	}
}

// beyond is the squared distance from which on rows do not take part; see [Options.withoutFar].
func (b *many) beyond(m *Model) float64 {
	if cut := farCutoffs * m.orthogonalCutoff; b.pl.pulled() && b.Start != StartClassic && cut > 0 {
		return cut * cut
	}
	return math.Inf(1)
}

// whole is the model with what the last reading says of all rows.
func (b *many) whole(ctx context.Context, m *Model, seen *look, src linalg.Source) (*Model, error) {
	m.rows, _ = src.Dims()
	m.options, m.seen, m.weights, m.training = b.Options, seen, nil, nil
	m.past = m.past.of(seen)
	m.lonely(b.pl, seen.Lone)
	m.explain(seen.Kept, seen.Rest, seen.Near/math.Max(seen.NearCount, 1))
	x, ok := src.(linalg.InMemory)
	if !ok {
		return m, nil
	}
	var err error
	if m.training, err = m.Judge(ctx, x.Dense()); err != nil {
		return nil, err
	}
	if m.shrunk > 0 {
		settle(m.training, m.orthogonalCutoff, m.scoreCutoff/m.shrunk)
	}
	m.weights = slices.Clone(m.training.Weight)
	for i, a := range b.Weights {
		m.weights[i] *= a
	}
	return m, nil
}
