package tensor

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/bounded"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
)

// fullSteps are made with all samples after some of them have been fitted: each leaves a small part of what these are off.
const fullSteps = 2

// many is a fit of samples that are not in memory: some of them are fitted, and then all are read a few times. Nothing that is
// kept grows with their number: weights are computed anew from factors and loss; bandwidth, variances and cut-offs are those of the
// ones that were drawn, at the factors of all. A step finds the factor of every mode with those of the others as they were, so
// that one reading does for all modes.
type many struct {
	*fit   // of those that were drawn
	raw    *samples
	limits *bounded.Limits // that far values are moved to
	prior  []float64       // of all; nil: ones
	res    irls.Result[bases]
	at     bases   // at the full rank; res.State where that is the one the weights are learned with
	top    float64 // log-weight that counts as 1 in sums
	read   int
}

// manySize is how many samples are drawn of a table that is not in memory; 0: all are needed at once.
func (o Options) manySize(src linalg.Source, pl plan) int {
	n, d := src.Dims()
	size := min(linalg.SampleRows(src), max(2000, linalg.RoomOf(src)/(3*d)))
	if _, memory := src.(linalg.InMemory); memory || n <= size || pl.own != nil || o.Mean != MeanWeighted {
		return 0
	}
	return size
}

func (o Options) fitMany(ctx context.Context, src linalg.Source, pl plan, size int) (*Model, error) {
	n, _ := src.Dims()
	drawn := linalg.Pick(src, univariate.NewRows(n, o.Weights).Spaced(size, random.New(o.Seed, "sample of rows").Float64))
	if finite, err := drawn.Read(ctx, src); err != nil {
		return nil, err
	} else if !finite {
		return nil, linalg.Usable(ctx, src)
	}
	part := o
	part.Weights, part.OnStep = nil, nil
	f, at, res, err := part.settle(ctx, linalg.FromDense(drawn.X), pl)
	switch {
	case err != nil:
		return nil, err
	case res.Status == irls.Cancelled: // nothing is known of all samples yet
		return nil, context.Cause(ctx)
	}
	f.of, f.o.OnStep = votes(n, o.Weights), o.OnStep
	b := &many{fit: f, raw: f.truth.others(src), prior: o.Weights, res: res, at: at}
	length := kernel.Dnrm2(len(f.centre), f.centre, 1) / math.Sqrt(float64(f.p.d))
	b.limits = everywhere(f.p.d, largestRatio*math.Max(f.p.spread, length))
	if f.robust() {
		if b.limits, err = bounded.Of(ctx, f.truth.src, nil); err != nil {
			return nil, err
		}
	}
	return b.learn(ctx)
}

// learn makes the steps with all samples.
func (b *many) learn(ctx context.Context) (*Model, error) {
	var best *Model
	var seen *look
	for k := 0; ; k++ {
		b.top = math.Inf(-1)
		for _, s := range b.res.Squared {
			b.top = math.Max(b.top, b.res.Loss.LogWeight(s))
		}
		m, err := b.finish(given.Rest(ctx), b.at, b.res)
		if err != nil {
			return nil, err
		}
		now, err := b.look(ctx, m)
		if err != nil {
			return nil, err
		}
		if seen != nil && now.objective() > seen.objective()*(1+1e-11) {
			best.status = irls.Stalled // a step that rises is none
			break
		}
		b.record(now)
		m.steps = b.res.Steps
		if best, seen = m, now; k == fullSteps {
			break
		}
		if err := b.step(ctx, now); err != nil {
			return nil, err
		}
	}
	best.rows, best.seen, best.weights, best.training = b.raw.n, seen, nil, nil
	best.warnings = seen.Lone.Warn(best.warnings, votes(b.raw.n, b.o.Weights), allSquares)
	best.explained, best.errors = seen.explained(), Errors{Norm: seen.Norm, Squared: seen.Square}
	return best, nil
}

// record adds a reading to the trace.
func (b *many) record(now *look) {
	step := irls.Step{Objective: now.objective(), Scale: b.res.Loss.Scale(), Effective: now.effective(), Damping: 1}
	if k := len(b.res.Steps); k > 0 {
		last := b.res.Steps[k-1]
		if step.Number, step.Stage = last.Number+1, last.Stage; b.read == 0 {
			step.Stage++
		}
	}
	b.read++
	b.res.Steps = append(slices.Clip(b.res.Steps), step)
	if b.o.OnStep != nil {
		b.o.OnStep(step)
	}
}

// step moves mean and factors to what all samples say, and has the drawn ones measured by them.
func (b *many) step(ctx context.Context, now *look) error {
	if !(now.Learned.total > 0) {
		return nil
	}
	next, err := b.moved(ctx, now.Learned, b.res.State, b.p.ranks)
	if err != nil {
		return err
	}
	if now.Full == now.Learned {
		b.at = next
	} else if b.at, err = b.moved(ctx, now.Full, bases{mean: b.res.State.mean, factors: b.at.factors}, b.ranks); err != nil {
		return err
	}
	b.res.State = next
	b.res.Squared, b.res.Weights = make([]float64, b.p.n), make([]float64, b.p.n)
	if err := b.p.Residuals(ctx, next, b.res.Squared); err != nil {
		return err
	}
	for i, s := range b.res.Squared {
		b.res.Weights[i] = b.fit.prior(i) * math.Exp(b.res.Loss.LogWeight(s)-b.top)
	}
	return nil
}

// moved are mean and factors by the sums about the mean at hand.
func (b *many) moved(ctx context.Context, sums *moments, from bases, ranks []int) (bases, error) {
	p := &problem{samples: b.raw, ranks: ranks}
	modes := p.reduced()
	out := bases{mean: b.raw.recentre(sums, from.mean, from.factors, modes), factors: slices.Clone(from.factors)}
	for _, k := range modes {
		var err error
		if _, out.factors[k], err = linalg.TopEigen(ctx, mat.NewSymDense(b.raw.shape[k], sums.grams[k]), ranks[k], from.factors[k]); err != nil {
			return out, err
		}
	}
	return out, nil
}
