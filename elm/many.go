package elm

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/beside"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
)

// A machine of many rows that are not in memory is learned from a sample, with the scaling of its inputs and all that is told of
// rows, and then from all rows: each reading recomputes nodes, errors and weights and adds up the products of the
// nodes, by which the output weights make a step. Nothing that is kept grows with the rows.

const (
	// leastSample is the number of rows that the sample has at least, and for each node twice as many rows.
	leastSample = 2000
	// sampleCopies is how often the nodes of the sample are in memory when it is learned.
	sampleCopies = 3
	// settled is the root mean square by which a further step would move the outputs, in scales of their errors,
	// at which the steps end, more where Tol is above usualTol: an objective changes by the square of what its state does.
	settled, usualTol = 3e-7, 1e-10
	// longStep is the same of steps behind which the products of the nodes are added up anew.
	longStep = 1e-3
	// settledScale is the part of itself by which the scale of the errors may still change then.
	settledScale = 1e-3
	// mostLooks bounds the readings, of which each but the first follows a step; fewer where MaxSteps says so.
	mostLooks = 12
	// rescaled is how many readings change an open bandwidth; then it is fixed.
	rescaled = 2
)

// many is a fit of rows that are not in memory.
type many struct {
	Options
	plan
	*axes
	table     linalg.Source // the target is its last column: a number, or the index of a class
	k         int           // outputs
	prior     []float64     // of all rows; nil: ones
	rows      float64       // sum of the rows' weights
	total     float64       // entries that have errors, from the first reading on of rows that have a say
	low, high float64       // of targets less their median
	drop      bool          // rows whose inputs are absurd have no say
	m         *Model        // as it stands
	spec      loss.Spec     // with what the sample has resolved
	typical   float64       // size of a squared error
	least     float64       // scale of errors: rounding
	left      float64       // by which a further step moves the outputs, in scales of their errors
	used, of  float64       // degrees of freedom, and of how many rows
}

// fitBeside learns the last column of a table from the others.
func (o Options) fitBeside(ctx context.Context, table linalg.Source, classes int, pl plan) (*Model, error) {
	ctx = given.Context(ctx)
	if err := linalg.Given(table); err != nil {
		return nil, err
	}
	n, width := table.Dims()
	if width < 2 {
		return nil, refusal.Data("the data have no columns beside the target")
	}
	k := 1
	if o.Labels {
		k = classes
	}
	all := o.filled(rowsCounted(n, o.Weights))
	size := min(linalg.SampleRows(table), max(leastSample, 2*all.Hidden, linalg.RoomOf(table)/(sampleCopies*(all.Hidden+width))))
	_, memory := table.(linalg.InMemory)
	can := o.Lambda >= 0 && o.Start != StartZero // a penalty holds nodes that the sample cannot tell apart
	if memory || n <= size || !can && n <= linalg.RoomOf(table)/width {
		x, err := linalg.Gather(ctx, table, univariate.NewRows(n, nil).All())
		if err != nil {
			return nil, err
		}
		return o.fit(ctx, linalg.FromDense(beside.Columns(x)), targetsOf(x, o.Labels, k), pl)
	}
	if !can {
		return nil, &linalg.RoomError{Rows: n, Columns: width, Room: linalg.RoomOf(table)}
	}
	b := &many{Options: o, plan: pl, table: table, k: k}
	b.Hidden = all.Hidden
	if err := b.sampled(ctx, size); err != nil {
		return nil, err
	}
	return b.learn(ctx)
}

// targetsOf are the targets that the last column of a table says.
func targetsOf(table *mat.Dense, labels bool, k int) *mat.Dense {
	n, width := table.Dims()
	last := mat.Col(nil, width-1, table)
	if !labels {
		return mat.NewDense(n, 1, last)
	}
	classes := make([]int, n)
	for i, v := range last {
		classes[i] = int(v)
	}
	return OneVsAll(classes, k)
}

// sampled reads a sample and learns it.
func (b *many) sampled(ctx context.Context, size int) error {
	n, width := b.table.Dims()
	var err error
	b.prior, b.rows = univariate.Counted(n, b.Weights)
	b.total = b.rows * float64(b.k)
	if b.PerRow {
		b.total = b.rows
	}
	var sample *mat.Dense
	var weights []float64
	if b.Labels {
		sample, weights, err = beside.Classed(ctx, b.table, b.prior, b.k, size, b.Seed)
	} else {
		sample, err = beside.Sample(ctx, b.table, b.prior, size, b.Seed)
	}
	if err != nil {
		return err
	}
	part, t := b.Options, targetsOf(sample, b.Labels, b.k)
	size, _ = sample.Dims()
	counts, counted := univariate.Counted(size, weights)
	part.Weights, part.OnStep = weights, nil
	if part.Lambda > 0 {
		part.Lambda *= counted / b.rows
	}
	if b.m, err = part.fit(ctx, linalg.FromDense(beside.Columns(sample)), t, b.plan); err != nil {
		return err
	}
	if b.m.status == irls.Cancelled { // nothing is known of all rows yet
		return context.Cause(ctx)
	}
	if b.m.unit != 1 || b.m.apart != nil {
		return &linalg.RoomError{Rows: n, Columns: width, Room: size * width} // targets without squares are learned in memory
	}
	if b.m.lambda == 0 {
		b.m.lambda = math.SmallestNonzeroFloat64
	}
	if b.Lambda > 0 {
		b.m.lambda = b.Lambda
	}
	if b.robust {
		if b.spec, err = loss.Specify(b.m.loss, loss.Spec{}); err != nil {
			return err
		}
	}
	b.low, b.high, b.least = -math.MaxFloat64, math.MaxFloat64, 1e-8
	if !b.Labels {
		if b.m.inputs.offset != nil {
			t.Apply(func(_, c int, v float64) float64 { return v - b.m.inputs.offset[c] }, t)
		}
		reach := farthestTarget
		if b.robust {
			reach = farTarget
		}
		b.low, b.high = targetLimits(mat.Col(nil, 0, t), nil, reach)
		_, size := boundTargets(t, nil, b.robust)
		b.least = math.Max(1e-8*size, math.SmallestNonzeroFloat64)
	}
	b.drop = b.m.inputs.left != nil || !slices.ContainsFunc(univariate.NewRows(size, nil).All(), func(i int) bool { return b.absurd(sample.RawRowView(i)[:width-1]) })
	b.m.inputs.left = nil
	scale := slices.Max(b.m.scale)
	b.typical = scale * scale
	if b.PerRow {
		b.typical *= float64(b.k)
	}
	b.axes, err = newAxes(b.m, beside.Columns(sample), counts, b.rows/counted)
	return err
}

// absurd tells whether nothing can be learned from a row because of its inputs.
func (b *many) absurd(row []float64) bool {
	switch in := &b.m.inputs; {
	case b.Clip == 0:
		return false
	case in.places != nil:
		return in.places.Far(row)
	default:
		return in.scaling.AbsurdRow(row)
	}
}

// grams is how many matrices of products there are: outputs with weights of their own have one each. Those of
// two classes mirror each other.
func (b *many) grams() int {
	if b.PerRow || !b.robust || b.k <= 2 {
		return 1
	}
	return b.k
}

// open tells whether the bandwidth follows the errors.
func (b *many) open() bool {
	kind := b.plan.spec.Rule().Kind
	return b.robust && (kind == loss.Silverman || kind == loss.Auto && !b.Labels)
}

// learn makes the steps with all rows.
func (b *many) learn(ctx context.Context) (*Model, error) {
	var before *look // of the same problem
	var last []*linalg.Cholesky
	var step *mat.Dense // where a whole step leads
	damping := 1.0
	b.m.steps = nil
	b.m.status = irls.StepLimit
	far := true // the last step was long
	looks, still := mostLooks, settled
	if b.MaxSteps > 0 {
		looks = min(looks, b.MaxSteps+1)
	}
	if b.Tol > usualTol {
		still *= math.Sqrt(b.Tol / usualTol)
	}
	for k := 1; k <= looks; k++ {
		how := byWeights
		switch {
		case k > rescaled+1 && !far || k > 1 && !b.robust:
			how = byBefore
		case k > 1 && !b.PerRow:
			how = bySlopes
		}
		now, err := b.look(ctx, how)
		if err != nil {
			return nil, err
		}
		now.beta = b.m.beta
		if k == 1 && now.Total > 0 {
			b.total *= now.Total / b.rows
		}
		b.record(now, k, damping)
		if before == nil && now.objective-now.objective != 0 {
			return nil, refusal.Setting("clip", "rows that the sample does not know have outputs too large for numbers; clip=auto pulls their inputs in")
		}
		if before != nil && !(now.objective <= before.objective*(1+1e-11)) { // too far: half the way
			b.m.steps = b.m.steps[:len(b.m.steps)-1] // the objective of the fit is that of the last one
			b.m.beta = before.beta
			if damping /= 2; damping < 1e-3 || !b.robust { // squares have one step: what is left is rounding
				b.m.status = irls.Stalled
				break
			}
			if k < looks {
				b.m.beta = mat.NewDense(b.nodes, b.k, nil)
				b.m.beta.Apply(func(i, c int, v float64) float64 { return v + damping*(step.At(i, c)-v) }, before.beta)
			}
			far = true
			continue
		}
		before, b.m.seen, damping = now, now, 1
		changed := b.retune(ctx, now, k)
		if how != byBefore {
			last = b.factors(ctx, now)
		}
		var moved float64
		step, moved = b.step(now, last)
		scale := b.scaleOf(now)
		b.left = moved / scale
		far = moved > longStep*scale
		steady := math.Abs(scale-b.m.scale[0]) <= settledScale*scale
		if moved <= still*scale && steady && !changed {
			b.m.status = irls.Converged
			break
		}
		if k == looks {
			break
		}
		if changed {
			now.objective = b.restated(now)
		}
		b.m.beta = step
		b.m.scale = slices.Repeat([]float64{scale}, b.k)
		b.m.flag = (&fitting{of: b.of, used: b.used}).cutoff()
	}
	return b.whole(), nil
}
