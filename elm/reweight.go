package elm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/judging"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
)

// square is the loss of methods without weights.
var square = loss.MustParse("square").At(0)

// from reweights from the start. An open penalty is chosen for the start, with at most so
// much freedom per row, where outliers can make it far too large, and then with the
// weights that were found and twice the freedom, until it stands still: a better fit has
// a smaller scale of errors, which shows more outliers, without which the next choice can
// allow a closer fit.
func (f *fitting) from(ctx context.Context, most float64) error {
	f.full = 0
	open := f.spec.Rule().Kind == loss.Auto || f.spec.Rule().Kind == loss.Silverman
	if open || f.Lambda == 0 {
		if err := f.tune(ctx, f.Weights, most); err != nil {
			return err
		}
	}
	start := mat.NewDense(f.prob.h.l, f.prob.k, nil)
	var err error
	if f.Start != StartZero {
		if start, err = f.prob.solve(ctx, nil, weighting{w: f.Weights, k: f.prob.k, perRow: true}, true); err != nil {
			return err
		}
	}
	unlike := f.spec.Order() != 2 || f.spec.At(1).Weight(0) != 1 // from weights up to one
	if f.Lambda == 0 && unlike {
		s := make([]float64, f.prob.Len())
		if err := f.prob.Residuals(ctx, start, s); err != nil {
			return err
		}
		spec := f.spec.Resolve(s, f.prior)
		if f.refer(spec.At(f.bandwidth(s)), s); f.full > 0 {
			f.prob.lambda *= f.full
		}
	}
	set := irls.Settings{
		Loss: f.spec, Rescale: f.rescale, Bandwidth: f.bandwidth, Stage: irls.Stage{Steps: 2, Tol: 1e-14}, Prior: f.prior, Absolute: true,
		MaxSteps: f.MaxSteps, Tol: f.Tol, Zero: f.zero, Plain: f.Plain, Damped: true, Polish: true, Visible: true, OnStep: f.OnStep,
		// lambda and freedom that the state of the stage is found with
		OnStage: func(loss.Scaled) { f.penalty, f.used, f.of = f.prob.lambda, f.freedom, f.counted },
	}
	if f.Lambda == 0 {
		set.Retune = func(ctx context.Context, l loss.Scaled, squared []float64) (bool, error) {
			f.weigh(l, squared)
			f.refer(l, squared)
			before, bounded := f.prob.lambda, most < mostFreedom
			most = math.Min(2*most, mostFreedom)
			if err := f.tune(ctx, f.rowWeights(), most); err != nil {
				return false, err
			}
			// the largest eigenvalue changes with the weights, and the choice with it
			return !bounded && math.Abs(math.Log10(f.prob.lambda/before)) < 0.2, nil
		}
	}
	res, err := irls.Run(ctx, f.prob, start, set)
	if err != nil {
		return err
	}
	f.beta, f.status, f.loss, f.squared, f.steps = res.State, res.Status, res.Loss, res.Squared, res.Steps
	f.weigh(f.loss, f.squared)
	f.prob.lambda = f.penalty
	if f.Lambda != 0 && unlike { // weights with a unit, which the penalty is beside: brought to one, they bring it along
		f.full = math.Min(math.Exp(judging.FullWeight(f.loss, f.squared, f.prior)), math.MaxFloat64)
	}
	if f.Lambda != 0 && (!open || unlike) {
		if err := f.measure(given.Rest(ctx), f.rowWeights()); err != nil {
			return err
		}
		f.used, f.of = f.freedom, f.counted
	}
	if asked := f.spec.Rule(); asked.Kind == loss.Fixed && f.loss.Scale() != asked.Value {
		f.widened = asked.Value
	}
	return nil
}

// refer sets the weight that counts as one, where that is not 1 for a row without error: of
// a loss of one's own that begins elsewhere, and of powers of the errors, whose weights have
// a unit, at the median error.
func (f *fitting) refer(l loss.Scaled, squared []float64) {
	f.full = 0
	at := 0.0
	if f.spec.Order() != 2 {
		at = univariate.WeightedMedian(squared, f.prior)
	}
	if w := l.Weight(at); w != 1 && w > 0 && w <= math.MaxFloat64 {
		f.full = w
	}
}

// weigh sets the weights, without the prior ones.
func (f *fitting) weigh(l loss.Scaled, squared []float64) {
	f.weights = loss.Weights(nil, squared, l)
}

// rowWeights are the present weights, prior included, averaged over each row's entries
// and brought to a largest of one.
func (f *fitting) rowWeights() []float64 {
	n := f.prob.h.n
	w := make([]float64, n)
	each := len(f.weights) / n
	largest := 0.0
	for i, v := range f.weights {
		w[i/each] += v / float64(each)
	}
	counts := weighting{w: f.Weights, k: 1}
	for i, v := range w {
		if counts.at(i, 0) > 0 {
			largest = math.Max(largest, v)
		}
	}
	if f.full > 0 {
		largest = f.full
	}
	for i, v := range w {
		if largest > 0 {
			w[i] = math.Min(v/largest, 1)
		} else { // no row is nearer than others
			w[i] = 1
		}
		w[i] *= counts.at(i, 0)
	}
	return w
}

// bandwidth applies the rule to squared errors. The rule auto looks at the errors as
// they would be on new rows; see scale.go.
func (f *fitting) bandwidth(s []float64) float64 {
	b := f.spec.Bandwidth(s, f.prior, loss.KappaScalar)
	if f.spec.Rule().Kind == loss.Auto {
		b /= room(f.freedom, f.counted)
	}
	return b
}
