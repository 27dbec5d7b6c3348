package linear

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/judging"
	"github.com/inlier-ml/inlier/internal/leverage"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
)

// Fit regresses y on the rows of x.
func (o Robust) Fit(ctx context.Context, src linalg.Source, y []float64) (*Model, error) {
	ctx = given.Context(ctx)
	if y == nil {
		return nil, refusal.Target("there are no targets: they are nil")
	}
	o = o.filled()
	spec, err := loss.Specify(o.Loss, DefaultLoss)
	if err != nil {
		return nil, err
	}
	x, err := linalg.Load(ctx, src)
	if err != nil {
		return nil, err
	}
	if err := o.check(ctx, x, y); err != nil {
		return nil, err
	}
	if unit := univariate.Unit(leverage.Describe(mat.NewDense(len(y), 1, y), o.Weights)[0].Spread); unit != 1 {
		return o.inUnits(ctx, x, y, spec, unit)
	}
	m, err := o.fit(ctx, x, y, spec)
	if err != nil || m.status == irls.Cancelled {
		return m, err
	}
	if unit := univariate.Unit(m.scale); unit != 1 { // the scale is of such a size where the targets are not
		return o.inUnits(ctx, x, y, spec, unit)
	}
	return m, nil
}

// fit regresses targets of a size that has squares.
func (o Robust) fit(ctx context.Context, x *mat.Dense, y []float64, spec loss.Spec) (*Model, error) {
	f, err := o.heard(ctx, x, y, spec)
	if err != nil {
		return nil, err
	}
	return f.finish(given.Rest(ctx), x, y)
}

// settle finds the coefficients.
func (o Robust) settle(ctx context.Context, x *mat.Dense, y []float64, spec loss.Spec) (*fitting, error) {
	g, err := newDesign(ctx, x, y, o)
	if err != nil {
		return nil, err
	}
	f := &fitting{Robust: o, spec: spec, g: g}
	o.Weights = g.prior
	// The distances of the columns know nothing of the fit. A fit that was cancelled after its
	// start is whole, and so are they then: they end early with a fit that fails, alone.
	beside, fails := context.WithCancel(given.Rest(ctx))
	defer fails()
	linalg.Parallel(2, func(k int) {
		if k == 0 {
			if err = f.run(ctx, x, y); err != nil {
				fails()
			}
		} else if l, failure := leverage.Of(beside, x, o.Weights, o.Seed, g.columns); failure == nil {
			f.leverage = l
		}
	})
	if err == nil {
		err = given.Rest(ctx).Err() // the distances may be missing
	}
	return f, err
}

// run fits the coefficients.
func (f *fitting) run(ctx context.Context, x *mat.Dense, y []float64) error {
	if err := f.begin(ctx); err != nil {
		return err
	}
	if f.first.scale < 1e-2*f.g.target.Spread {
		f.floor = f.g.roundingScale(x, y, f.first.beta, f.start, f.ResidualCutoff)
		f.first.scale = math.Max(f.first.scale, f.floor)
	}
	// From here on there is a whole state: cancelling ends the fit, it does not fail.
	if f.first.scale == 0 && f.g.lambda > 0 {
		if err := f.shrink(given.Rest(ctx)); err != nil {
			return err
		}
	}
	if f.first.scale == 0 {
		return f.exact(given.Rest(ctx))
	}
	return f.reweight(ctx)
}

// fitting is one call of Fit.
type fitting struct {
	Robust
	spec   loss.Spec
	g      *design
	first  candidate // the start and its scale
	floor  float64   // of scales, from the rounding of the numbers
	start  []float64 // residuals of the start
	beta   []float64
	scale  float64   // of the residuals, for judging and for standard errors
	weight []float64 // robustness weights, without the prior ones
	// largest is the log-weight that counts as 1.
	largest float64
	loss    loss.Scaled
	steps   []irls.Step
	status  irls.Status
	// leverage is nil where it was not finished.
	leverage *leverage.Leverage
	unheard  bool // some rows have no vote; see heard
	follows  bool // the scale is that of the residuals at the end, not of the start
}

// begin finds the start and its scale.
func (f *fitting) begin(ctx context.Context) error {
	var err error
	switch {
	case f.Votes != nil:
		f.first.beta, err = f.g.weighted(ctx, f.Votes)
	case f.Start == StartClassic:
		f.first.beta, err = f.g.leastSquares(ctx)
	default:
		f.first, err = f.g.start(ctx, f.Robust)
	}
	if err != nil {
		return err
	}
	f.start = make([]float64, f.g.n)
	if err := f.g.measure(ctx, f.first.beta, f.start); err != nil {
		return err
	}
	if f.Start == StartClassic || f.Votes != nil {
		f.first.scale = f.spread(f.start)
	}
	return nil
}

// spread is the scale of residuals by the median of those that are not 0 by construction,
// as Huber's M-estimation uses it.
func (f *fitting) spread(r []float64) float64 {
	absolute := make([]float64, len(r))
	linalg.Spans(len(r), func(from, to int) {
		for i, v := range r[from:to] {
			absolute[from+i] = math.Abs(v)
		}
	})
	return math.Max(f.floor, univariate.Normal*univariate.WeightedMedian(absolute, f.g.prior)*math.Sqrt(f.g.total/(f.g.total-float64(f.g.p))))
}

// fixed tells the bandwidth of the loss at a scale of the residuals.
func (f *fitting) fixed(scale float64) loss.Spec {
	rule := f.spec.Rule()
	switch {
	case rule.Kind == loss.None || rule.Kind == loss.Fixed:
		return f.spec
	case f.Cutoff > 0:
		return f.spec.WithRule(loss.FixedAt(f.Cutoff * scale))
	case rule.Kind == loss.Silverman:
		s := make([]float64, len(f.start))
		linalg.Spans(len(s), func(from, to int) {
			for i, r := range f.start[from:to] {
				s[from+i] = r * r
			}
		})
		return f.spec.WithRule(loss.FixedAt(f.spec.Bandwidth(s, f.g.prior, 0)))
	}
	// auto at residuals that have exactly this scale: the 95 % constant times it
	const medianChiSquare1 = 0.454936423119572
	return f.spec.WithRule(loss.FixedAt(f.spec.Bandwidth([]float64{medianChiSquare1 * scale * scale}, nil, loss.KappaScalar)))
}

// reweight runs the engine from the start. After a robust start the scale stays that of
// the start; after least squares it is found anew until it stands still, and so it is where a
// penalty leads away from the start: the pull of a rejecting loss is bounded by its scale, and a
// penalty that is stronger would shrink the coefficients to 0 and reject all rows.
func (f *fitting) reweight(ctx context.Context) error {
	const apart = 1.1
	follows := f.Start == StartClassic
	squared, err := f.descend(ctx, follows)
	if err == nil && !follows && f.g.lambda > 0 && f.status != irls.Cancelled && f.spreadOf(squared) > apart*f.scale {
		squared, err = f.descend(ctx, true)
	}
	if err != nil {
		return err
	}
	f.weight = squared // turned into weights
	f.largest = referenceWeight(f.loss, f.weight, f.g.prior)
	weight := relativeWeight(f.loss, f.largest)
	return eachRow(given.Rest(ctx), f.g.n, func(i int) error {
		f.weight[i] = weight(f.weight[i])
		return nil
	})
}

// descend runs the engine from the start to squared residuals; with follows the scale is found anew until it stands still.
// Where rows are many the start is so near the end that Newton's steps replace the reweighted ones, which
// saves half of the passes over the rows; the end is the same.
func (f *fitting) descend(ctx context.Context, follows bool) (squared []float64, err error) {
	f.scale = f.first.scale
	prob := &problem{g: f.g}
	set := irls.Settings{
		Loss: f.fixed(f.scale), Prior: f.g.prior, Absolute: true, MaxSteps: f.MaxSteps, Tol: f.Tol, Zero: f.g.zero * f.g.zero,
		Plain: f.Plain, Damped: true, Whole: true, OnStep: f.OnStep,
		OnStage: func(l loss.Scaled) { f.loss = l },
	}
	if f.follows = follows && set.Loss.Rule() != f.spec.Rule(); f.follows {
		set.Loss, set.Stage = f.spec, irls.Stage{Steps: 2, Tol: 1e-12, Settle: 1e-7}
		set.Bandwidth = func(squared []float64) float64 { return f.fixed(f.spreadOf(squared)).Rule().Value }
	}
	if !follows && f.g.many() && !f.Plain && irls.Damping(f.spec) == 1 {
		set.OnStage = func(l loss.Scaled) {
			f.loss = l
			if prob.derive = nil; f.smooth() {
				prob.derive = f.derivative()
			}
		}
	}
	res, err := irls.Run(ctx, prob, f.first.beta, set)
	if err != nil {
		return nil, err
	}
	f.beta, f.loss, f.status, f.steps = res.State, res.Loss, res.Status, res.Steps
	if scale := f.spreadOf(res.Squared); f.follows && scale > 0 {
		f.scale = scale
	}
	return res.Squared, nil
}

// spreadOf is spread of squared residuals.
func (f *fitting) spreadOf(squared []float64) float64 {
	r := make([]float64, len(squared))
	linalg.Spans(len(r), func(from, to int) {
		for i, s := range squared[from:to] {
			r[from+i] = math.Sqrt(s)
		}
	})
	return f.spread(r)
}

// referenceWeight is the log-weight that counts as 1: that of a perfect row where the loss
// gives it the weight 1, and otherwise (losses with a corner at 0, powers above 2) as
// judging.FullWeight says.
func referenceWeight(l loss.Scaled, squared, prior []float64) float64 {
	if l.LogWeight(0) == 0 {
		return 0
	}
	return math.Max(judging.FullWeight(l, squared, prior), -math.MaxFloat64)
}
