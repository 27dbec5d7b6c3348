package pca

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/judging"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
)

// Rows that are not in memory are learned from a sample of them and then read a few times: for the sample, for each step with all
// rows, in which every row is scored anew and the columns follow, and for what is said of them in the end. Units,
// bandwidth and cut-offs are those of the sample at the subspace of all rows.

// cellFullSteps are made with all rows: each divides what the sample is off by about five. Tests make more.
var cellFullSteps = 3

// cellMany is a cellwise fit of rows that are not in memory.
type cellMany struct {
	Options
	src linalg.Source
	t   *cellTable // the sample
	all int        // readings so far
}

// fitMany learns from a sample, given by its rows, and then from all.
func (c Cell) fitMany(ctx context.Context, src linalg.Source, o Options, rows []int, learn func(*cellTable, Options) (irls.Result[cellState], error)) (*Model, error) {
	sample := linalg.Pick(src, rows)
	finite, err := sample.Read(ctx, src)
	if err != nil {
		return nil, err
	}
	if c.Whole && !finite {
		return nil, firstBad(ctx, src)
	}
	b := &cellMany{Options: o, src: src}
	of := o
	of.Weights, of.OnStep = nil, nil
	if b.t, err = newCellTable(ctx, linalg.FromDense(sample.X), of, c.Whole); err != nil {
		return nil, err
	}
	res, err := learn(b.t, of)
	switch {
	case err != nil:
		return nil, err
	case res.Status == irls.Cancelled: // nothing is known of all rows yet
		return nil, context.Cause(ctx)
	}
	steps := cellFullSteps
	if res.Status == irls.PerfectFit {
		steps = 0
	}
	last := res
	before := math.Inf(1)
	for range steps {
		now, err := b.look(ctx, res, nil)
		if err != nil {
			return nil, err
		}
		if now.Infinite {
			return nil, firstInfinite(ctx, src)
		}
		if objective := now.objective(); objective > before*(1+rising) { // a step that rises is none
			res, res.Status = last, irls.Stalled
			break
		} else {
			before = objective
		}
		b.record(&res, now)
		last = res
		res.State = now.step(res.State)
	}
	m, err := b.finish(given.Rest(ctx), of, res)
	if err != nil {
		return nil, err
	}
	seen, err := b.look(ctx, res, m)
	if err != nil {
		return nil, err
	}
	if seen.Infinite { // of a fit without steps
		return nil, firstInfinite(ctx, src)
	}
	b.record(&res, seen)
	m.rows, _ = src.Dims()
	m.steps, m.options, m.seen, m.weights, m.training = res.Steps, o, &seen.look, nil, nil
	return m, nil
}

// firstInfinite refuses the first infinite number.
func firstInfinite(ctx context.Context, src linalg.Source) error {
	var found *refusal.CellError
	err := src.Scan(ctx, func(first int, block *mat.Dense) error {
		row, column, value := infinite(block)
		if row == 0 {
			return nil
		}
		found = &refusal.CellError{Row: first + row, Column: column, Value: value}
		return found
	})
	if found != nil {
		return found
	}
	return err
}

// record adds a reading to the trace.
func (b *cellMany) record(res *irls.Result[cellState], now *cellLook) {
	step := irls.Step{Objective: now.objective(), Scale: res.Loss.Scale(), Effective: now.effective(), Damping: 1}
	if k := len(res.Steps); k > 0 {
		step.Number, step.Stage = res.Steps[k-1].Number+1, res.Steps[k-1].Stage
		if b.all == 0 {
			step.Stage++
		}
	}
	b.all++
	res.Steps = append(slices.Clip(res.Steps), step)
	if b.OnStep != nil {
		b.OnStep(step)
	}
}

// finish makes the model of a state of all rows by what the sample says there.
func (b *cellMany) finish(ctx context.Context, of Options, res irls.Result[cellState]) (*Model, error) {
	n, _ := b.t.z.Dims()
	res.State.scores = mat.NewDense(n, res.State.rank(), nil)
	u, err := b.t.score(ctx, res.State, res.State.scores)
	if err != nil {
		return nil, err
	}
	res.Weights = make([]float64, n)
	loss.RelativeWeights(res.Weights, u, res.Loss)
	for i, a := range b.t.prior {
		res.Weights[i] *= a
	}
	return of.finishCells(ctx, b.t, res)
}

// cellLook is what one reading of all rows tells.
type cellLook struct {
	look
	Infinite bool
	desk     *cellDesk // with the sums of a step; nil: none is asked for
	scorer   *cellScorer
	z        *mat.Dense
	rows     *mat.Dense // in units of the cells
	u, w     []float64
}

// Parts are the kept ones.
func (l *cellLook) Parts() []any {
	parts := append(l.look.Parts(), &l.Infinite)
	if l.desk != nil {
		parts = append(parts, l.desk.grams, l.desk.sides, l.desk.sums)
	}
	return parts
}

// look reads all rows at a state; with a model they are judged, else a step is prepared.
func (b *cellMany) look(ctx context.Context, res irls.Result[cellState], m *Model) (*cellLook, error) {
	_, d := b.src.Dims()
	at := res.State
	k, q := at.rank(), (at.rank()+1)*(at.rank()+2)/2
	limit := b.t.marginal()
	return linalg.Pass(ctx, b.src, func() *cellLook {
		l := new(cellLook)
		if m == nil {
			l.desk, l.scorer = newCellDesk(at), newCellScorer(at, b.t.loss, limit)
			l.desk.grams, l.desk.sides, l.desk.sums = mat.NewDense(d, q, nil), mat.NewDense(d, k+1, nil), make([]float64, k+1)
			l.desk.room = [2]*mat.Dense{mat.NewDense(d, q, nil), mat.NewDense(d, k+1, nil)}
		}
		return l
	}, func(l *cellLook, first int, block *mat.Dense) {
		n, _ := block.Dims()
		prior := univariate.Part(b.Weights, first, n)
		if row, _, _ := infinite(block); row > 0 || l.Infinite {
			l.Infinite = true
		} else if m != nil {
			l.judge(m, first, block, prior)
		} else {
			l.add(b.t, res.Loss, block, prior)
		}
	}, func(into, from *cellLook) {
		into.Infinite = into.Infinite || from.Infinite
		into.Count += from.Count
		into.Loss += from.Loss
		into.Sum += from.Sum
		into.Squares += from.Squares
		if into.Flagged += from.Flagged; len(into.Rows) <= listed {
			into.Rows = append(into.Rows, from.Rows...)
		}
		if into.desk != nil {
			into.desk.join(from.desk)
		}
	})
}

// add scores the rows of a block and adds them to the normal equations of the columns.
func (l *cellLook) add(t *cellTable, of loss.Scaled, block *mat.Dense, prior []float64) {
	n, d := block.Dims()
	l.z, l.rows = roomFor(l.z, n, l.desk.m), roomFor(l.rows, n, d)
	l.u, l.w = make([]float64, n), make([]float64, n)
	known := make([]int, n)
	for i := range n {
		to := l.rows.RawRowView(i)
		for j, v := range block.RawRowView(i) {
			v = standard(v, t.centre[j], t.spread[j])
			if math.Abs(v) > cellReach {
				v = math.Copysign(cellReach, v)
			}
			if to[j] = v * (t.spread[j] / t.unit[j]); v == v {
				known[i]++
			}
		}
	}
	l.scorer.score(l.rows, l.z, l.u)
	for i, u := range l.u {
		a := weightAt(prior, i)
		if known[i] <= l.desk.m && known[i] < d { // fits whatever it is
			a = 0
		}
		l.w[i] = a * math.Exp(of.LogWeight(u)-of.LogWeight(0))
		l.note(a, of.Rho(u), l.w[i])
	}
	l.desk.load(l.rows)
	l.desk.deviate(l.z)
	l.desk.weigh(t.loss)
	l.desk.count(l.z, l.w)
}

// note counts a row with its loss and weight.
func (l *cellLook) note(a, rho, w float64) {
	if a > 0 {
		l.Count += a
		l.Loss += a * rho
		l.Sum += w
		l.Squares += w * (w / a)
	}
}

// judge says what a model says of the rows of a block.
func (l *cellLook) judge(m *Model, first int, block *mat.Dense, prior []float64) {
	found, err := m.measureCells(context.Background(), block, false)
	if err != nil {
		panic(err) // the numbers are finite or missing, and as many as the model's
	}
	j := m.judgeCells(found)
	m.settleCells(j, found)
	judging.NoteMissing(j, block, len(m.eigenvalues))
	for i, u := range found.loss {
		a := weightAt(prior, i)
		l.note(a, m.loss.Rho(u), a*j.Weight[i])
		if j.Outlier[i] {
			if l.Flagged++; len(l.Rows) <= listed {
				l.Rows = append(l.Rows, first+i)
			}
		}
	}
}

// step moves centre and loadings of a state to the weighted least squares of their columns.
func (l *cellLook) step(from cellState) cellState {
	out := cellState{mu: slices.Clone(from.mu), a: mat.DenseCopyOf(from.a)}
	l.desk.columns(len(out.mu), out)
	if total := l.desk.sums[0]; total > 0 { // scores about 0
		for j := range out.mu {
			for k := range out.rank() {
				out.mu[j] += out.a.At(j, k) * l.desk.sums[k+1] / total
			}
		}
	}
	return out.orthonormal()
}
