package tensor

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

// plan is what distinguishes one method from another.
type plan struct {
	method  string
	spec    loss.Spec
	kappa   float64
	rescale irls.Rescale
	// unweighted: samples have no weights of their own.
	unweighted bool
	// signalLeft: a good part of what varies stays in the residuals.
	signalLeft bool
	// oneSided keeps every mode but the second whole.
	oneSided bool
	// unit of a fixed bandwidth.
	unit Unit
	// bounded: no sample can pull more than by its norm, so that absurd ones are left out.
	bounded bool
	// own replaces the reweighting: it starts from the one-shot decomposition of all samples.
	own func(ctx context.Context, f *fit, all *spectrum) (irls.Result[bases], error)
}

// fit is one run of a method.
type fit struct {
	o       Options // its weights are 0 for samples that are left out
	plan    plan
	p       *problem  // of samples whose absurd numbers were moved to a limit
	truth   *samples  // as they came
	given   []float64 // weights as they came
	centre  []float64 // the middle of the samples, whatever a few of them are
	ranks   []int     // wanted; p.ranks are those the weights are learned with
	noise   float64   // mean squared residual that rounding of the numbers explains
	unit    float64   // of a fixed bandwidth, in units of the data; 0: these
	refined int       // sweeps at full rank after the weights were learned
	beyond  float64   // how far from the middle samples have no weight; 0: anywhere
	of      float64   // votes that the factors come from where these samples speak for more; else 0
}

// held is the size in numbers up to which samples that are not in memory are read into it.
var held = linalg.HeldNumbers

// fit runs a method on the samples of src.
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
	src, err := linalg.Hold(ctx, src, held)
	if err != nil {
		return nil, err
	}
	if size := o.manySize(src, pl); size > 0 {
		return o.fitMany(ctx, src, pl, size)
	}
	f, at, res, err := o.settle(ctx, src, pl)
	if err != nil {
		return nil, err
	}
	m, err := f.finish(given.Rest(ctx), at, res)
	if err == nil {
		m.warnings = m.lone.Warn(m.warnings, votes(n, o.Weights), allSquares)
	}
	return m, err
}

// settle finds mean and factors.
func (o Options) settle(ctx context.Context, src linalg.Source, pl plan) (f *fit, at bases, res irls.Result[bases], err error) {
	all := newSamples(src, o.Shape)
	f = &fit{o: o, plan: pl, p: &problem{samples: all}, truth: all, given: o.Weights}
	if err = f.wanted(); err != nil {
		return
	}
	mean, err := f.prepare(ctx)
	if err != nil {
		return
	}
	if o.Mean == MeanSample {
		f.p.fixed = mean
	}
	if err = f.scale(ctx); err != nil {
		return
	}
	if res, err = f.run(ctx, mean); err != nil {
		return
	}
	if at = res.State; times(f.ranks) != times(f.p.ranks) {
		at, err = f.refine(given.Rest(ctx), at, res.Weights)
	}
	return
}

// wanted checks the ranks asked for; nil stays open.
func (f *fit) wanted() (err error) {
	shape := f.o.Shape
	if f.plan.oneSided {
		if len(shape) < 2 {
			return refusal.Setting("shape", "%s needs samples with rows and columns; shape %s has one mode", f.plan.method, times(shape))
		}
		if len(f.o.Rank) == 1 {
			if f.o.Rank[0] < 1 || f.o.Rank[0] > shape[1] {
				return wrongRank("rank", f.o.Rank, shape)
			}
			f.ranks = append([]int(nil), shape...)
			f.ranks[1] = f.o.Rank[0]
			return nil
		}
	}
	if f.ranks, err = ranksFor("rank", f.o.Rank, shape); err != nil {
		return err
	}
	if f.plan.oneSided {
		for k, r := range f.ranks {
			if k != 1 && r != shape[k] {
				return wrongRank("rank", f.o.Rank, shape)
			}
		}
	}
	_, err = ranksFor("learn-rank", f.o.LearnRank, shape)
	return err
}

// exact is a squared residual that arithmetic alone may leave.
func (f *fit) exact() float64 { return 1e-24 * f.p.spread * f.p.spread }

// zero is the squared residual that counts as none.
func (f *fit) zero() float64 { return math.Max(f.exact(), f.noise) }

func (f *fit) settings() irls.Settings {
	// The least outlying half is a narrow part of the samples. A bandwidth that begins twice
	// as wide lets the other good ones in before it settles.
	graduate := 1.0
	if f.o.Start == StartAuto && f.plan.spec.Rule().Kind == loss.Auto {
		graduate = 2
	}
	return irls.Settings{
		Loss: f.plan.spec, Kappa: f.plan.kappa, Rescale: f.plan.rescale, Prior: f.o.Weights, MaxSteps: f.o.MaxSteps, Tol: f.o.Tol,
		Graduate: graduate,
		Zero:     f.zero(), Plain: f.o.Plain, OnStep: f.o.OnStep,
	}
}

func (f *fit) run(ctx context.Context, mean []float64) (irls.Result[bases], error) {
	if f.plan.own != nil {
		all, err := f.p.once(ctx, f.o.Weights, mean)
		if err != nil {
			return irls.Result[bases]{}, err
		}
		if f.plan.oneSided && f.ranks == nil {
			f.ranks = append([]int(nil), f.o.Shape...)
			f.ranks[1] = all.rank(1, f.o.Share)
		}
		f.o.LearnFull = true
		if err := f.choose(all); err != nil {
			return irls.Result[bases]{}, err
		}
		return f.plan.own(ctx, f, all)
	}
	start, err := f.begin(ctx, mean)
	if err != nil {
		return irls.Result[bases]{}, err
	}
	return irls.Run(ctx, f.p, start, f.settings())
}

// refine finds the factors at the full rank with the learned weights: sweeps from the
// one-shot solution until the weighted residual stands still.
func (f *fit) refine(ctx context.Context, at bases, w []float64) (bases, error) {
	full := &problem{samples: f.p.samples, ranks: f.ranks, fixed: f.p.fixed, spread: f.p.spread}
	all, err := full.once(ctx, w, at.mean)
	if err != nil {
		return bases{}, err
	}
	out := all.at(f.ranks)
	if len(full.reduced()) == 0 {
		return out, nil
	}
	before := 0.0
	for f.refined < f.o.MaxSteps {
		next, kept, err := full.sweep(ctx, out, w)
		if err != nil {
			return bases{}, err
		}
		out = next
		f.refined++
		if kept-before <= f.o.Tol*math.Max(all.total-kept, 1e-16*all.total) {
			break
		}
		before = kept
	}
	return out, nil
}

// squares tells that a sample pulls by the square of its distance, whatever that is.
func (p *plan) squares() bool { return p.unweighted && !p.bounded && !p.signalLeft }

const allSquares = "squared distances of all samples"
