package linear

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/beside"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/leverage"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
)

// fullSteps are made with all rows after the sample has been fitted: Newton's, of which two leave nothing to do.
const fullSteps = 2

// many is a fit of rows that are not in memory.
type many struct {
	*fitting               // of the sample
	table    linalg.Source // the target is its last column
	prior    []float64     // of all rows; nil: ones
	x        *mat.Dense    // the sample
	y        []float64
	witness  *witnesses // who tells which of the others are heard; nil: all are
	read     int        // times since
}

// FitBeside regresses the last column of a table on the others. One with many rows that is not in memory is read four
// times: for a sample, from which start, scale and leverage come and which is fitted; for each of two steps with all
// rows, of which the first corrects the scale as well; and for standard errors and verdicts. Nothing that is kept
// grows with the rows: the model has neither their weights nor a verdict on each.
func (o Robust) FitBeside(ctx context.Context, table linalg.Source) (*Model, error) {
	ctx = given.Context(ctx)
	if err := linalg.Given(table); err != nil {
		return nil, err
	}
	n, width := table.Dims()
	if width < 2 {
		return nil, refusal.Data("the data have no columns beside the target")
	}
	_, memory := table.(linalg.InMemory)
	if memory || n <= sampleSize(table) {
		x, err := linalg.Gather(ctx, table, univariate.NewRows(n, nil).All())
		if err != nil {
			return nil, err
		}
		return o.Fit(ctx, linalg.FromDense(beside.Columns(x)), mat.Col(nil, width-1, x))
	}
	o = o.filled()
	spec, err := loss.Specify(o.Loss, DefaultLoss)
	if err != nil {
		return nil, err
	}
	b, err := o.sampled(ctx, table, spec)
	if err != nil {
		return nil, err
	}
	return b.learn(ctx)
}

// sampleSize is how many rows the sample has: beside it stands its design, as large, and what candidates are measured by.
func sampleSize(table linalg.Source) int {
	const copies, least = 3, 2000
	_, width := table.Dims()
	return min(linalg.SampleRows(table), max(least, linalg.RoomOf(table)/(copies*width)))
}

// sampled reads a sample and fits it.
func (o Robust) sampled(ctx context.Context, table linalg.Source, spec loss.Spec) (*many, error) {
	n, width := table.Dims()
	b := &many{table: table}
	var total float64
	b.prior, total = univariate.Counted(n, o.Weights)
	size := sampleSize(table)
	sample, err := beside.Sample(ctx, table, b.prior, size, o.Seed)
	if err != nil {
		return nil, err
	}
	b.x, b.y = beside.Columns(sample), mat.Col(nil, width-1, sample)
	part := o
	part.Weights, part.Votes, part.OnStep, part.Lambda = nil, nil, nil, o.Lambda*float64(size)/total
	if err := part.check(ctx, b.x, b.y); err != nil {
		return nil, err
	}
	if univariate.Unit(leverage.Describe(mat.NewDense(size, 1, b.y), nil)[0].Spread) != 1 {
		return nil, &linalg.RoomError{Rows: n, Columns: width, Room: size * width} // targets without squares are fitted in memory
	}
	if b.fitting, err = part.heard(ctx, b.x, b.y, spec); err != nil {
		return nil, err
	}
	if b.status == irls.Cancelled { // nothing is known of all rows yet
		return nil, context.Cause(ctx)
	}
	b.witness = b.witnessed(given.Rest(ctx))
	b.OnStep, b.g.lambda, b.g.total = o.OnStep, o.Lambda, total
	return b, nil
}

// learn makes the steps with all rows.
func (b *many) learn(ctx context.Context) (*Model, error) {
	steps := fullSteps
	if b.status == irls.PerfectFit {
		steps = 0
	}
	var best *Model
	var seen *look
	var before *evidence
	var was fitting
	for k := 0; ; k++ {
		m, err := b.finish(ctx, b.x, b.y)
		if err != nil {
			return nil, err
		}
		last := k == steps
		now, err := b.look(ctx, m, before, asked{weighted: b.weighs(before), rescale: k == 0 && !last, whole: last})
		if err != nil {
			return nil, err
		}
		now.objective = now.Loss/(b.g.total-now.Unheard) + m.loss.Slope()*(&problem{g: b.g}).Penalty(b.beta)
		if seen != nil && best.loss.Scale() == m.loss.Scale() && now.objective > seen.objective*(1+1e-11) {
			*b.fitting = was
			if now, err = b.look(ctx, best, &seen.evidence, asked{weighted: b.weighs(&seen.evidence), whole: true}); err != nil {
				return nil, err
			}
			seen, best.status = now, irls.Stalled // a step that rises is none
			break
		}
		b.record(now)
		m.steps = b.steps
		if best, seen, before = m, now, &now.evidence; last {
			break
		}
		was = *b.fitting
		if err := b.step(ctx, m, now, k == 0); err != nil {
			return nil, err
		}
	}
	return b.whole(best, seen), nil
}

// weighs tells whether weighted squares are read beside the curvature of the loss, which does where a reading before has found it.
func (b *many) weighs(before *evidence) bool {
	return b.Plain || irls.Damping(b.spec) != 1 || before != nil && b.g.mender(before) == nil
}

// record adds a reading to the trace.
func (b *many) record(now *look) {
	step := irls.Step{Objective: now.objective, Scale: b.loss.Scale(), Effective: now.effective(), Damping: 1}
	if k := len(b.steps); k > 0 {
		step.Number, step.Stage = b.steps[k-1].Number+1, b.steps[k-1].Stage
		if b.steps[k-1].Scale != step.Scale || b.read == 0 {
			step.Stage++
		}
	}
	b.read++
	b.steps = append(b.steps[:len(b.steps):len(b.steps)], step)
	if b.OnStep != nil {
		b.OnStep(step)
	}
}

// step moves the coefficients by what all rows say, and with the first one those of an S-estimate and its scale.
func (b *many) step(ctx context.Context, m *Model, now *look, rescale bool) error {
	damp := irls.Damping(b.spec)
	next, ok := []float64(nil), false
	if damp == 1 && !b.Plain { // at a corner of the loss by the smoothed slopes of standard errors: reweighting takes hundreds of steps there
		next, ok = b.g.step(b.beta, now.Slopes, now.Pull)
	}
	if !ok {
		if now.Weighted == nil {
			again, err := b.look(ctx, m, nil, asked{weighted: true})
			if err != nil {
				return err
			}
			now.Weighted = again.Weighted
		}
		if next, ok = b.g.advance(b.beta, now.Weighted); !ok {
			return nil // all rows together say no more than the sample
		}
	}
	if damp != 1 {
		next, _ = (&problem{}).Between(b.beta, next, damp)
	}
	b.beta = next
	if rescale && b.Start == StartS && !b.follows && now.ChiSlopes > 0 {
		b.rescale(now)
	}
	if err := b.g.measure(ctx, b.beta, nil); err != nil {
		return err
	}
	for i, r := range b.g.r {
		b.weight[i] = r * r
	}
	b.largest = referenceWeight(b.loss, b.weight, nil)
	weight := relativeWeight(b.loss, b.largest)
	for i, s := range b.weight {
		b.weight[i] = weight(s)
	}
	return nil
}

// rescale makes Newton's step towards the least scale: its coefficients by the sum of chi at the scale at hand, and the scale
// by what that sum is there.
func (b *many) rescale(now *look) {
	sum := now.Chi
	side := make([]float64, b.g.p)
	axpy(b.scale, now.Slope, side)
	if next, ok := b.g.step(b.first.beta, now.Bend, side); ok && b.g.lambda == 0 {
		for j, v := range next {
			sum -= (v - b.first.beta[j]) * now.Slope[j] / (2 * b.scale)
		}
		b.first.beta = next
	}
	free := b.g.total - now.Unheard - float64(b.g.p)
	b.scale *= math.Min(math.Max(math.Exp((sum-halfway*free)/now.ChiSlopes), 0.5), 2)
	b.scale = math.Max(b.scale, b.floor)
	b.first.scale = b.scale
	spec := b.fixed(b.scale)
	b.loss = spec.At(spec.Rule().Value)
}

// whole is the model with what the last reading says of all rows.
func (b *many) whole(m *Model, seen *look) *Model {
	m.rows, _ = b.table.Dims()
	m.seen, m.weights, m.training = seen, nil, nil
	b.g.total -= seen.Unheard
	if b.unheard = b.unheard || seen.Unheard > 0; !m.exact {
		b.errors(m, &seen.evidence)
	}
	m.past = b.remember(m, seen.Slopes, seen.Weighted)
	m.r2, m.adjusted = b.determined(seen)
	m.warnings = nil
	b.remark(m)
	if len(m.dropped) > 0 {
		m.warnings = append(m.warnings, fmt.Sprintf("columns were left out that are constant, or depend on others, in the %d rows from which the fit starts; other rows may differ, and with more memory all are looked at", len(b.y)))
	}
	return m
}
