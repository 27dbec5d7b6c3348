package classify

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/beside"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
)

// A linear machine of many rows that are not in memory is learned from a sample, with scaling, penalty, bandwidth, probabilities
// and all that is told of rows, and then moved by Newton's steps with all rows, one for each reading. Nothing that
// is kept grows with the rows.

const (
	// sampleCopies is how often the rows of the sample are in memory when it is learned.
	sampleCopies = 4
	// settledChange is the relative change of the coefficients at which a further step is left out.
	settledChange = 1e-7
	// mostLooks bounds the readings.
	mostLooks = 12
)

// many is a fit of rows that are not in memory.
type many struct {
	o       Options
	table   linalg.Source // the index of the class is its last column
	form    form
	m       *Model
	theta   *mat.Dense // (d+1) x k, the intercept last
	prior   []float64  // of the rows; nil: ones
	share   []float64  // by which rows of each class count
	absent  []bool     // classes without a row that counts
	penalty float64    // beside the sum of the losses, of squared coefficients
	total   float64    // sum of the rows' weights
	each    float64    // misses of a row that have weights of their own
	drop    bool       // rows that are far from every class have no say
}

// fitBeside is fit on a table whose last column is the index of the class; counts are the rows of each.
func fitBeside(ctx context.Context, m machine, table linalg.Source, counts []int) (*Model, error) {
	ctx = given.Context(ctx)
	if err := linalg.Given(table); err != nil {
		return nil, err
	}
	n, width := table.Dims()
	if width < 2 {
		return nil, refusal.Data("the data have no columns beside the target")
	}
	o, err := m.options().filled()
	if err != nil {
		return nil, err
	}
	k := len(counts)
	size := min(linalg.SampleRows(table), max(2000, linalg.RoomOf(table)/(sampleCopies*width)))
	_, memory := table.(linalg.InMemory)
	weighted := o.Weights != nil && o.ClassWeights == Balanced
	can := o.Kernel.Kind == kernel.Linear && !weighted && inBlocks(m, width, k, linalg.RoomOf(table))
	if memory || n <= size || !can && n <= linalg.RoomOf(table)/width {
		x, err := linalg.Gather(ctx, table, univariate.NewRows(n, nil).All())
		if err != nil {
			return nil, err
		}
		rows, labels := rowsAndClasses(x)
		return fit(ctx, m, rows, labels, k)
	}
	if !can {
		return nil, &linalg.RoomError{Rows: n, Columns: width, Room: linalg.RoomOf(table)}
	}
	b := &many{o: o, table: table}
	if err := b.sampled(ctx, m, size, counts); err != nil {
		return nil, err
	}
	return b.learn(ctx, counts)
}

// rowsAndClasses are the rows of a table and the classes that its last column tells.
func rowsAndClasses(table *mat.Dense) (*mat.Dense, []int) {
	n, width := table.Dims()
	labels := make([]int, n)
	for i := range labels {
		labels[i] = int(table.At(i, width-1))
	}
	return beside.Columns(table), labels
}

// sampled reads a sample and learns it.
func (b *many) sampled(ctx context.Context, m machine, size int, counts []int) error {
	n, width := b.table.Dims()
	k := len(counts)
	b.prior, b.total = univariate.Counted(n, b.o.Weights)
	sample, weights, err := beside.Classed(ctx, b.table, b.prior, k, size, b.o.Seed)
	if err != nil {
		return err
	}
	x, labels := rowsAndClasses(sample)
	_, counted := univariate.Counted(len(labels), weights)
	given := b.o.Lambda
	if b.m, err = fit(ctx, sampling(m, weights), x, labels, k); err != nil {
		return err
	}
	if b.m.parts.Status == irls.Cancelled { // nothing is known of all rows yet
		return context.Cause(ctx)
	}
	if given == 0 { // so much beside each row's loss
		b.m.parts.Lambda *= counted / b.total
	}
	b.share, b.absent = make([]float64, k), slices.Repeat([]bool{true}, k)
	present := 0
	for _, l := range labels {
		if b.absent[l] {
			b.absent[l] = false
			present++
		}
	}
	for l, c := range counts {
		if b.share[l] = 1; b.o.ClassWeights == Balanced && c > 0 {
			b.share[l] = float64(n) / (float64(present) * float64(c))
		}
	}
	var times float64
	b.form, times = formOf(m, b.m, present, b.absent)
	if b.each = 1; b.m.parts.PerElement {
		b.each = float64(k)
	}
	b.penalty = times * b.m.parts.Lambda * b.total
	b.theta = mat.NewDense(width, k, nil)
	b.theta.Slice(0, width-1, 0, k).(*mat.Dense).Copy(b.m.parts.Coef.T())
	b.theta.SetRow(width-1, b.m.parts.Intercept)
	far := false
	for i := range labels {
		far = far || b.m.parts.Places.Far(x.RawRowView(i))
	}
	b.drop = b.o.Clip != 0 && (b.m.left != nil || !far)
	b.m.left = nil
	return nil
}

// sampling is the machine for rows with these weights, seen by nobody.
func sampling(m machine, weights []float64) machine {
	quiet := func(o Options) Options { o.Weights, o.OnStep = weights, nil; return o }
	switch m := m.(type) {
	case Square:
		m.Options = quiet(m.Options)
		return m
	case Logistic:
		m.Options = quiet(m.Options)
		return m
	case Hinge:
		m.Options = quiet(m.Options)
		return m
	case RegMaxCEM:
		m.Options = quiet(m.Options)
		return m
	}
	return m
}

// learn makes the steps with all rows.
func (b *many) learn(ctx context.Context, counts []int) (*Model, error) {
	var seen *manyLook // the last reading that is good
	var change *mat.Dense
	status, damping := irls.StepLimit, 1.0
	b.m.parts.Steps = nil
	start := b.theta
	for k := 0; k < mostLooks; k++ {
		b.place()
		now, err := b.look(ctx, len(counts))
		if err != nil {
			return nil, err
		}
		now.objective = (now.Loss + b.penalty*b.squared()) / b.total / b.each
		step := irls.Step{Number: k, Objective: now.objective, Scale: b.m.bandwidth(), Effective: now.effective(), Change: damping, Damping: damping}
		if k == 0 {
			step.Change = 0
		}
		if b.o.OnStep != nil {
			b.o.OnStep(step)
		}
		if seen != nil && !(now.objective <= seen.objective*(1+1e-12)) { // too far: half the way
			if damping /= 2; damping < 1e-3 {
				status = irls.Stalled
				break
			}
			b.theta = along(start, change, damping)
			continue
		}
		b.m.parts.Steps = append(b.m.parts.Steps, step) // the objective of the fit is that of the last one
		seen, start, damping = now, b.theta, 1
		if change = b.step(now, len(counts)); relativeChange(b.theta, along(b.theta, change, 1)) <= settledChange {
			status = irls.Converged
			break
		}
		b.theta = along(b.theta, change, 1)
	}
	b.theta = start // the last coefficients that were found good, not a step that went too far or was never looked at
	b.place()
	m := b.m
	m.parts.Status, m.parts.Weights, m.parts.PerElement, m.training = status, nil, false, nil
	m.rows, _ = b.table.Dims()
	m.seen, m.right = seen, seen.Right
	seen.Grams, seen.Pull = nil, nil
	var warnings []warning
	if status == irls.StepLimit {
		warnings = append(warnings, warning{-1, "the coefficients had not settled to the last digits when the last reading was made"})
	}
	if constant := m.parts.Scaling.Constant(); constant > 0 {
		warnings = append(warnings, warning{-1, "columns that are constant in the sample from which the fit starts have no say"})
	}
	m.warnings = warnings
	return m, nil
}

// place puts the coefficients into the model.
func (b *many) place() {
	p, k := b.theta.Dims()
	b.m.parts.Coef = mat.DenseCopyOf(b.theta.Slice(0, p-1, 0, k).T())
	b.m.parts.Intercept = append([]float64(nil), b.theta.RawRowView(p-1)...)
}

// squared is the sum of the squared coefficients that are punished.
func (b *many) squared() float64 {
	p, k := b.theta.Dims()
	norm := mat.Norm(b.theta.Slice(0, p-1, 0, k), 2)
	return norm * norm
}
