package classify

import (
	"context"
	"fmt"
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
	// settledChange is the relative change of the coefficients at which a further step is left out, or a tenth of Tol if that is more.
	settledChange = 1e-7
	// mostLooks bounds the readings, of which each but the first follows a step; fewer where MaxSteps says so.
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
	times   float64    // how often the penalty beside the mean loss counts
	open    float64    // weight of the sample by which an open penalty was set; 0: one is given
	total   float64    // sum of the rows' weights, from the first reading on of those that have a say
	each    float64    // misses of a row that have weights of their own
	drop    bool       // rows that are far from every class have no say
	z       *mat.Dense // the sample, scaled, with a column of ones
	counts  []float64  // how much its rows count; nil: one each
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
	b.counts, _ = univariate.Counted(len(labels), weights)
	if b.m, err = fit(ctx, sampling(m, weights), x, labels, k); err != nil {
		return err
	}
	if b.m.parts.Status == irls.Cancelled { // nothing is known of all rows yet
		return context.Cause(ctx)
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
	b.form, b.times = formOf(m, b.m, present, b.absent)
	if b.each = 1; b.m.parts.PerElement {
		b.each = float64(k)
	}
	b.theta = mat.NewDense(width, k, nil)
	b.theta.Slice(0, width-1, 0, k).(*mat.Dense).Copy(b.m.parts.Coef.T())
	b.theta.SetRow(width-1, b.m.parts.Intercept)
	b.known(x)
	return nil
}

// known keeps the sample, without rows that were left out of its fit, for what is told of all rows by it.
func (b *many) known(x *mat.Dense) {
	n, d := x.Dims()
	b.z = ones(n, d)
	b.z.Slice(0, n, 0, d).(*mat.Dense).Copy(b.m.parts.Scaling.Apply(x))
	kept := make([]float64, n)
	left := false
	for i := range kept {
		if b.m.parts.Places.Far(x.RawRowView(i)) {
			left = true
		} else if kept[i] = 1; b.counts != nil {
			kept[i] = b.counts[i]
		}
	}
	b.drop = b.o.Clip != 0 && (b.m.left != nil || !left)
	if left && b.drop {
		b.counts = kept
	}
	if b.o.Lambda == 0 {
		if b.open = float64(n); b.counts != nil {
			b.open = total(b.counts)
		}
	}
	b.m.left = nil
}

// weighed takes in how much all rows weigh that have a say: an open penalty is so much beside the loss of each of them.
func (b *many) weighed(sum float64) {
	if sum > 0 {
		b.total = sum
	}
	if b.open > 0 {
		b.m.parts.Lambda *= b.open / b.total
	}
	b.penalty = b.times * b.m.parts.Lambda * b.total
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
	status, damping, left := irls.StepLimit, 1.0, 0.0
	b.m.parts.Steps = nil
	start := b.theta
	looks := min(mostLooks, b.o.steps(mostLooks)+1)
	for k := 0; k < looks; k++ {
		b.place()
		now, err := b.look(ctx, len(counts))
		if err != nil {
			return nil, err
		}
		if k == 0 {
			b.weighed(now.Counted)
		}
		now.objective = (now.Loss + b.penalty*b.squared()) / b.total / b.each
		step := irls.Step{Number: k, Objective: now.objective, Scale: b.m.bandwidth(), Effective: now.effective(), Change: damping, Damping: damping}
		if k == 0 {
			step.Change = 0
		}
		if b.o.OnStep != nil {
			b.o.OnStep(step)
		}
		if k == 0 && !(now.objective <= b.nothing()) { // a value that the sample does not know spoils what it has learned: without clipping
			b.theta = mat.NewDense(b.theta.RawMatrix().Rows, len(counts), nil)
			start = b.theta
			continue
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
		change = b.step(now, len(counts))
		if left = relativeChange(b.theta, along(b.theta, change, 1)); left <= max(settledChange, b.o.Tol/10) {
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
		warnings = append(warnings, warning{-1, fmt.Sprintf("the coefficients had not settled when the last reading was made: a further step would have changed them by %.1g of their size", left)})
	}
	if seen.Out > 0 {
		text := "%d of %d rows were left out of the fit, because they are far from every class; clip=off keeps them"
		if b.o.Clip == 0 {
			text = "%d of %d rows are far from every class and may spoil the fit; clip=auto leaves them out"
		}
		warnings = append(warnings, warning{-1, fmt.Sprintf(text, seen.Out, m.rows)})
	}
	if constant := m.parts.Scaling.Constant(); constant > 0 {
		warnings = append(warnings, warning{-1, "columns that are constant in the sample from which the fit starts have no say"})
	}
	m.warnings = warnings
	return m, nil
}

// nothing is the objective without coefficients.
func (b *many) nothing() float64 {
	k := len(b.absent)
	return b.form.row(make([]float64, k), slices.Index(b.absent, false), make([]float64, k), make([]float64, k*k)) / b.each
}

// place puts the coefficients into the model, with the best score that its rows reach.
func (b *many) place() {
	p, k := b.theta.Dims()
	b.m.parts.Coef = mat.DenseCopyOf(b.theta.Slice(0, p-1, 0, k).T())
	b.m.parts.Intercept = append([]float64(nil), b.theta.RawRowView(p-1)...)
	n, _ := b.z.Dims()
	scores := mat.NewDense(n, k, nil)
	linalg.Mul(scores, b.z, b.theta)
	b.m.parts.BestCutoff = bestCutoff(scores, b.counts)
}

// squared is the sum of the squared coefficients that are punished.
func (b *many) squared() float64 {
	p, k := b.theta.Dims()
	norm := mat.Norm(b.theta.Slice(0, p-1, 0, k), 2)
	return norm * norm
}
