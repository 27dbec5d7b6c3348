package elm

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/bounded"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/judging"
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
	robust  bool // reweighted; otherwise one weighted least-squares solve
	rescale irls.Rescale
}

// fitting is one fit under way.
type fitting struct {
	Options
	plan
	prob    *problem
	prior   []float64 // of the entries or rows that receive weights; nil: ones
	beta    *mat.Dense
	freedom float64 // degrees of freedom that the output weights use, per output
	counted float64 // of so many rows, each as often as it counts in the fit
	zero    float64 // squared error that counts as none
	typical float64 // size of a target
	loss    loss.Scaled
	weights []float64
	squared []float64
	fitted  *mat.Dense // the rows' outputs, if they are known
	steps   []irls.Step
	status  irls.Status
	lone    judging.Lone // of squared errors, where every row has the same say
	// full is the weight that counts as one where a penalty is chosen; 0: the largest.
	full float64
	// penalty, used and of are lambda, freedom and counted of the state above, the last whole one.
	penalty, used, of float64
	// widened is the bandwidth that was asked for where none of the rows had weight at it.
	widened float64
}

// labelSigma is the bandwidth for targets of +1 and -1, in the range of 1 to 2 that kept
// accuracy on clean and on mislabelled sets.
const labelSigma = 1.5

// rowSigma is the bandwidth where a row of all of them has one weight: a wrong label is two wrong
// targets, and the small errors of the other classes add up. Chosen on digits, leaf, glass and
// blobs of 20 classes, clean and with 20 % wrong labels: 1.5 loses up to 9 points to one weight per
// target, 3 at most 2 to 3.
const rowSigma = 3.0

// held is the number of numbers up to which a table is read into memory; tests lower it.
var held = linalg.HeldNumbers

// fit brings the inputs to size, learns, and judges what it learned from.
func (o Options) fit(ctx context.Context, src linalg.Source, t *mat.Dense, pl plan) (*Model, error) {
	ctx = given.Context(ctx)
	if err := linalg.Given(src); err != nil {
		return nil, err
	}
	if t == nil {
		return nil, refusal.Target("there are no targets: they are nil")
	}
	n, d := src.Dims()
	if err := o.filled(rowsCounted(n, o.Weights)).check(n, d, t); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	src, err := linalg.Hold(ctx, src, held) // what fits into memory is read once
	if err != nil {
		return nil, err
	}
	c, varied := condense(src, t, o.Weights)
	if c != nil {
		return o.fitCondensed(ctx, c, src, t, pl)
	}
	if o.Layer == nil && (o.Scaling == "" || o.Scaling == ScaleNone) {
		if err := bounded.CheckUnit(ctx, src, o.Weights); err != nil {
			return nil, err
		}
	}
	var in inputs
	within, rows, targets := o, src, t
	if o.scaled() {
		if in, rows, within.Weights, err = o.prepare(ctx, src, t); err != nil {
			return nil, err
		}
	}
	targets, in.offset = o.centred(t, within.Weights)
	within.constant, within.varied = in.offset != nil, varied
	within.stands = pl.robust && o.Scaling == ScaleRobust
	m, fitted, err := within.fitRows(ctx, rows, targets, pl)
	if err != nil {
		return nil, err
	}
	m.labels, m.inputs = o.Labels, in
	if o.Layer == nil {
		weights, bias := within.filled(n).ranges(d)
		m.drawn = []Range{weights, bias}
	}
	for c, v := range in.offset { // no error is told that the targets' own rounding hides
		m.scale[c] = math.Max(m.scale[c], math.Abs(v)*0x1p-50)
	}
	if o.Labels {
		m.lonely = lonely(t)
		m.inputs.learnPlaces(given.Rest(ctx), o, src, t)
	}
	whole := given.Rest(ctx)
	if o.Labels {
		if err := m.learnBelief(whole, o.filled(n), src, rows, targets, within.Weights); err != nil {
			return nil, err
		}
	}
	if err := m.inputs.learnLeverage(whole, o, src); err != nil {
		return nil, err
	}
	m.inputs.back(fitted)
	if same(fitted, t) {
		m.warnings = append(m.warnings, "every row has the same output: columns of such numbers drive all nodes to their ends, or say nothing of the target; scaling=robust brings columns to a common size")
	}
	if err := m.judgeTraining(whole, src, fitted, t); err != nil {
		return nil, err
	}
	m.tell()
	m.effective = m.effectiveRows(within.Weights)
	return m, nil
}

// fitRows learns targets from rows as the hidden layer sees them. It
// returns the outputs for these rows too, so that nobody need compute the hidden layer again.
func (o Options) fitRows(ctx context.Context, src linalg.Source, t *mat.Dense, pl plan) (m *Model, fitted *mat.Dense, err error) {
	n, d := src.Dims()
	o = o.filled(rowsCounted(n, o.Weights))
	if err := o.check(n, d, t); err != nil {
		return nil, nil, err
	}
	o.Weights, _ = univariate.Counted(n, o.Weights)
	layer := o.draw(d)
	o.Hidden, _ = layer.dims()
	h, err := newHidden(ctx, layer, src, pl.robust, o.Memory)
	if err != nil {
		return nil, nil, err
	}
	// Nodes that are not gentle meet far inputs at their ends, where a row that stands alone has a node for itself and
	// predicts nothing of the others: rows are not asked one by one there.
	h.pools = o.stands && o.Activation != Gaussian
	if r := (&regression{h: h}); pl.robust && o.Lambda == 0 && n >= h.l && r.singly() {
		if err := h.turn(ctx); err != nil {
			return nil, nil, err
		}
	}
	if _, k := t.Dims(); o.learnsApart(k, pl) {
		return o.learnApart(ctx, h, t, pl, layer)
	}
	return o.learnInUnits(ctx, h, t, pl, layer)
}

// learnInUnits learns targets of any size, and returns the outputs for the rows too.
func (o Options) learnInUnits(ctx context.Context, h *hidden, t *mat.Dense, pl plan, layer *Layer) (m *Model, fitted *mat.Dense, err error) {
	unit := unitOfTargets(t, o.Weights)
	for range 2 { // the errors may be of another size than the targets
		own, scaled := pl.in(unit, t)
		if m, fitted, err = o.learn(ctx, h, scaled, own, layer); err != nil {
			return nil, nil, err
		}
		next := unit
		if pl.robust {
			next = univariate.Unit(math.Min(slices.Max(m.scale)*unit, math.MaxFloat64))
		}
		if next == unit {
			break
		}
		unit = next
	}
	if fitted == nil {
		fitted, err = h.times(given.Rest(ctx), m.beta)
	}
	m.beta = h.back(m.beta)
	if m.stretch(unit); unit != 1 {
		fitted.Scale(unit, fitted)
	}
	return m, fitted, err
}

// learn learns targets of a size that has squares. It returns the outputs for the rows where
// they came about anyway, else nil.
func (o Options) learn(ctx context.Context, h *hidden, t *mat.Dense, pl plan, layer *Layer) (*Model, *mat.Dense, error) {
	_, k := t.Dims()
	t, typical := boundTargets(t, o.Weights, pl.robust)
	f := &fitting{Options: o, plan: pl, prob: &problem{regression: regression{h: h, t: t, k: k, lambda: max(o.Lambda, 0)}, perRow: o.PerRow}}
	f.priors()
	if o.Labels && pl.spec.Rule().Kind == loss.Auto {
		sigma := labelSigma
		if o.PerRow {
			sigma = rowSigma
		}
		f.spec = pl.spec.WithRule(loss.FixedAt(pl.spec.Bandwidth([]float64{sigma * sigma}, nil, 1)))
	}
	f.typical = typical
	f.zero = 1e-12 * typical * 1e-12 * typical
	var err error
	if !pl.robust {
		err = f.square(ctx)
	} else {
		err = f.robustly(ctx)
	}
	if err != nil {
		return nil, nil, err
	}
	m, err := f.finish(given.Rest(ctx), layer)
	return m, f.fitted, err
}

// priors spreads the row weights over the entries that receive weights.
func (f *fitting) priors() {
	f.prob.total = float64(f.prob.Len())
	if f.Weights == nil {
		return
	}
	f.prior = f.Weights
	if !f.PerRow && f.prob.k > 1 {
		f.prior = make([]float64, 0, f.prob.Len())
		for _, w := range f.Weights {
			for range f.prob.k {
				f.prior = append(f.prior, w)
			}
		}
	}
	f.prob.total = 0
	for _, w := range f.prior {
		f.prob.total += w
	}
	if f.varied {
		return
	}
	counted, rows := 0.0, 0.0
	for _, w := range f.Weights {
		if counted += w; w > 0 {
			rows++
		}
	}
	f.prob.copies = counted / rows
}

// rowsCounted is the number of rows, repeated as often as integer weights say; normalised
// weights, which sum to less, count rows that have one.
func rowsCounted(n int, w []float64) int {
	if w == nil {
		return n
	}
	total, positive := 0.0, 0
	for _, v := range w {
		total += v
		if v > 0 {
			positive++
		}
	}
	return max(positive, int(math.Min(total, math.MaxInt32)))
}

// tune chooses the penalty by cross-validation if it is open, and measures the degrees
// of freedom, both with row weights w; most bounds the freedom per row of what is chosen.
func (f *fitting) tune(ctx context.Context, w []float64, most float64) error {
	s, err := f.prob.spectrum(ctx, w, max(f.Lambda, 0), most)
	if err != nil {
		return err
	}
	if f.Lambda == 0 {
		f.prob.lambda = s.choose(most)
	}
	f.freedom, f.counted = s.freedom(f.prob.lambda), s.rows
	if f.Lambda == 0 && f.full > 0 { // from weights up to one to those that the loss gives
		f.prob.lambda *= f.full
	}
	return nil
}
