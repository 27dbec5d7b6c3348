package classify

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/belief"
	"github.com/inlier-ml/inlier/internal/bounded"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/scaling"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
)

// checkFinite returns a CellError for the first number that is not finite.
func checkFinite(x *mat.Dense) error {
	n, _ := x.Dims()
	sums := linalg.Totals(n, 1, func(from, to int, sums []float64) {
		for i := from; i < to; i++ {
			for _, v := range x.RawRowView(i) {
				sums[0] += v - v // NaN from the first such number on
			}
		}
	})
	if n == 0 || sums[0] == 0 {
		return nil
	}
	for i := range n {
		for j, v := range x.RawRowView(i) {
			if v-v != 0 {
				return &refusal.CellError{Row: i + 1, Column: j + 1, Value: v}
			}
		}
	}
	return nil
}

// checkLabels tells how many rows each class has, or why the labels will not do.
func checkLabels(n int, labels []int, classes int) ([]int, error) {
	if len(labels) != n {
		return nil, &refusal.TargetError{Problem: fmt.Sprintf("%d labels for %d rows", len(labels), n)}
	}
	if classes < 1 {
		return nil, &refusal.TargetError{Problem: fmt.Sprintf("%d classes", classes)}
	}
	count := make([]int, classes)
	for i, l := range labels {
		if l < 0 || l >= classes {
			return nil, &refusal.TargetError{Problem: fmt.Sprintf("row %d has label %d; labels run from 0 to %d", i+1, l, classes-1)}
		}
		count[l]++
	}
	present := 0
	for _, c := range count {
		if c > 0 {
			present++
		}
	}
	if present < 2 {
		return nil, &refusal.TargetError{Problem: "the target has one class only; at least two are needed"}
	}
	return count, nil
}

// priors are the weights of the rows times those of their classes.
func priors(labels []int, classes int, o Options) ([]float64, error) {
	n := len(labels)
	out := make([]float64, n)
	if o.Weights != nil && len(o.Weights) != n {
		return nil, refusal.Weights("%d weights for %d rows", len(o.Weights), n)
	}
	share := make([]float64, classes)
	sum := 0.0
	for i, l := range labels {
		out[i] = 1
		if o.Weights != nil {
			if out[i] = o.Weights[i]; !(out[i] >= 0) || math.IsInf(out[i], 1) {
				return nil, refusal.Weights("weight %v of row %d is not a finite number of at least 0", out[i], i+1)
			}
		}
		share[l] += out[i]
		sum += out[i]
	}
	present := 0
	for _, s := range share {
		if s > 0 {
			present++
		}
	}
	if present < 2 {
		return nil, &refusal.TargetError{Problem: "rows of fewer than two classes have weight"}
	}
	if o.ClassWeights == Balanced {
		for i, l := range labels {
			if share[l] > 0 {
				out[i] *= sum / (float64(present) * share[l])
			}
		}
	}
	return out, nil
}

// fitSource is fit on rows that need not be in memory yet: they are read once.
func fitSource(ctx context.Context, m machine, src linalg.Source, labels []int, classes int) (*Model, error) {
	ctx = given.Context(ctx)
	x, err := linalg.Load(ctx, src)
	if err != nil {
		return nil, err
	}
	return fit(ctx, m, x, labels, classes)
}

// fit scales, makes features, trains and calibrates. Once a machine is trained, a context
// that ends only leaves out its calibration.
func fit(ctx context.Context, m machine, x *mat.Dense, labels []int, classes int) (*Model, error) {
	o, err := m.options().filled()
	if err != nil {
		return nil, err
	}
	n, d := x.Dims()
	if n < 2 || d < 1 {
		return nil, refusal.Few(n, 2, "%d rows and %d columns; at least 2 rows and 1 column are needed", n, d)
	}
	count, err := checkLabels(n, labels, classes)
	if err != nil {
		return nil, err
	}
	if err := checkFinite(x); err != nil {
		return nil, err
	}
	if _, err := priors(labels, classes, o); err != nil {
		return nil, err
	}
	o.Weights, _ = univariate.Counted(n, o.Weights)
	prior, err := priors(labels, classes, o)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if o.Scaling == ScaleNone {
		if err := bounded.CheckUnit(ctx, linalg.FromDense(x), o.Weights); err != nil {
			return nil, err
		}
	}
	places := scaling.FitClasses(ctx, x, labels, classes, o.Weights)
	scale, weights, left := o.scalingOf(ctx, x, labels, places)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if left != nil {
		o.Weights = weights
		if prior, err = priors(labels, classes, o); err != nil {
			return nil, err
		}
	}
	if o.Clip == 0 {
		left = scaling.Wild(x, scaling.Rules{Kind: scaling.Kind(o.Scaling), Weights: o.Weights, Context: ctx}, labels, places)
	}
	scaled := scale.Apply(x)
	o.gamma, o.exactRows = gammaOf(m), exactRowsOf(m)
	g, err := newDesign(ctx, scaled, o)
	if err != nil {
		return nil, err
	}
	t := newTask(g.a, labels, classes, prior, o)
	t.kernel, t.rows = g.own, scaled
	if o.Kernel.Kind != kernel.Linear && o.Kernel.Gamma == 0 {
		t.widen = func(gamma float64) (*design, error) {
			wide := o
			wide.gamma *= gamma
			return newDesign(ctx, scaled, wide)
		}
	}
	if o.Calibration != NoCalibration {
		t.near = belief.Ask(scaled, classes, labels, o.Weights)
	}
	var held *heldOut
	if t.o.Lambda == 0 {
		if m, held, err = penalise(ctx, m, t); err != nil {
			return nil, err
		}
	}
	if t.wide != nil {
		g = t.wide
	}
	t.votes = held.meanVotes()
	out, err := m.train(ctx, t.voting())
	if err != nil {
		return nil, err
	}
	coef, intercept := g.coefficients(out.theta)
	model := &Model{parts: parts{
		Method: m.name(), Kernel: g.kernel.String(), Approximation: g.approximation, Scaling: scale,
		Support: g.support, Frequencies: g.frequencies, Coef: coef, Intercept: intercept, Weights: out.weights, PerElement: out.perElement, Lambda: t.o.Lambda,
		Steps: out.steps, Status: out.status, Own: m.name() == "logistic", Joint: out.joint, Places: places,
	}, kernel: g.kernel, left: left}
	if out.loss != nil {
		model.parts.Loss = out.loss.String()
		model.loss, model.full = out.loss, fullWeight(out.loss)
	}
	if out.status == irls.StepLimit || out.status == irls.Stalled && out.gap > 0 {
		model.warnings = append(model.warnings, warning{-1, unfinished(out)})
	}
	model.warn(t, g, count)
	if o.Calibration != NoCalibration && out.status != irls.Cancelled {
		model.parts.Belief, model.parts.Known, err = calibrate(ctx, m, t, x, held)
		if irls.Ended(err) { // the machine is whole, without probabilities but its own
			model.parts.Status, err = irls.Cancelled, nil
		}
		if err != nil {
			return nil, err
		}
		for l, c := range count {
			if 0 < c && c < fewest {
				model.warnings = append(model.warnings, warning{l, fmt.Sprintf("has %d row(s), too few to calibrate its probabilities", c)})
			}
		}
	}
	model.parts.BestCutoff = bestCutoff(out.scores, o.Weights)
	if model.training, err = model.judgeScored(x, out.scores, labels); err != nil {
		return nil, err
	}
	for i, l := range model.training.Label {
		if l == labels[i] {
			model.right++
		}
	}
	return model, nil
}

// unfinished tells of a training that ended at its limit of steps, or where rounding let no step help.
func unfinished(out *outcome) string {
	end := fmt.Sprintf("training ended at its limit of %d steps (max-steps)", len(out.steps)-1)
	if out.status == irls.Stalled {
		end = fmt.Sprintf("training ended after %d steps, since rounding let no further one help", len(out.steps)-1)
	}
	if out.gap > 0 {
		return fmt.Sprintf("%s; the objective may be up to %.2g %% above its least value", end, 100*out.gap)
	}
	return end + " before it had settled"
}

// warn notes what the user should know about the fit.
func (m *Model) warn(t *task, g *design, count []int) {
	if g.kernel.Kind != kernel.Linear && g.approximation != Exact {
		_, columns := g.a.Dims()
		m.warnings = append(m.warnings, warning{-1, fmt.Sprintf("the kernel of %d rows is approximated by %d features (%s)", len(t.labels), columns-1, g.approximation)})
	}
	if constant := m.parts.Scaling.Constant(); constant > 0 {
		m.warnings = append(m.warnings, warning{-1, fmt.Sprintf("%d column(s) are constant and have no say", constant)})
	}
	p := m.parts
	if p.Loss == "" || p.Joint {
		return
	}
	// The collapse of one-vs-all correntropy: every score is near -1, whatever the row.
	rows, _ := p.Coef.Dims()
	for l := range rows {
		if count[l] > 0 && p.Intercept[l] < -0.9 && mat.Norm(p.Coef.RowView(l), 2) < 1e-3 {
			m.warnings = append(m.warnings, warning{l, "ended with a score near -1 everywhere: the bandwidth is too small"})
		}
	}
}
