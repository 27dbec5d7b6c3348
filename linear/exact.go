package linear

import (
	"context"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
)

// shrink begins a penalised fit of rows that mostly lie exactly on one plane: the penalty takes the coefficients away from it,
// and what the rows are off then is the scale.
func (f *fitting) shrink(ctx context.Context) error {
	if err := f.g.measure(ctx, f.first.beta, nil); err != nil {
		return err
	}
	w := make([]float64, f.g.n)
	for i, r := range f.g.r {
		if r == 0 {
			w[i] = f.g.weight(i)
		}
	}
	beta, err := f.g.solve(ctx, f.first.beta, w)
	if err != nil {
		return err
	}
	if err := f.g.measure(ctx, beta, f.start); err != nil {
		return err
	}
	f.first = candidate{beta: beta, scale: f.spread(f.start)}
	return nil
}

// exact finishes a fit that reproduces more than half of the rows to rounding: their own
// least squares, and weight 1 for them and 0 for all others.
func (f *fitting) exact(ctx context.Context) error {
	f.weight = make([]float64, f.g.n)
	w := make([]float64, f.g.n)
	f.beta = f.first.beta
	for range 2 {
		if err := f.g.measure(ctx, f.beta, nil); err != nil {
			return err
		}
		for i := range w {
			w[i], f.weight[i] = 0, 0
			if f.g.r[i] == 0 {
				w[i], f.weight[i] = f.g.weight(i), 1
			}
		}
		next, err := f.g.solve(ctx, f.beta, w)
		if err != nil {
			return err
		}
		f.beta = next
	}
	f.status = irls.PerfectFit
	f.loss = f.fixed(f.g.zero).At(f.g.zero)
	f.steps = []irls.Step{{Effective: loss.EffectiveSampleSize(f.weight), Scale: f.loss.Scale(), Damping: 1}}
	if f.OnStep != nil {
		f.OnStep(f.steps[0])
	}
	return nil
}
