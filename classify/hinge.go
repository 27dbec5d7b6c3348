package classify

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// Hinge is the support vector machine, one class against the others: for each class
// the minimum of
//
//	mean_i max(0, 1 - y_i f(x_i)) + lambda ||w||^2.
//
// Its dual has one variable 0 <= alpha_i <= C_i per row, C_i = a_i / (2 lambda total),
// w = sum_i alpha_i y_i phi_i and sum_i alpha_i y_i = 0. With few features an interior-point
// method solves it (hinge_interior.go), with up to a few thousand rows steps along pairs of
// variables (hinge_pairs.go), beyond one variable at a time (Hsieh et al. 2008, "A
// dual coordinate descent method for large-scale linear SVM", with their shrinking).
// The free intercept, which the last one leaves out, is added by a proximal term
// (b - b0)^2 / 2B^2 whose centre b0 follows the solution. The best of all iterates is kept, and
// the dual bounds how far it can be from the optimum.
type Hinge struct{ Options }

func (m Hinge) name() string     { return "hinge" }
func (m Hinge) options() Options { return m.Options }

// Fit trains the machine on rows with labels from 0 to classes-1.
func (m Hinge) Fit(ctx context.Context, src linalg.Source, labels []int, classes int) (*Model, error) {
	return fitSource(ctx, m, src, labels, classes)
}

// hingePrecision is the projected gradient, in units of the score, at which coordinate descent ends,
// for each unit of Tol: 1e-3, as in other programs, for the default of 1e-6.
const hingePrecision = 1e3

// hingeGap is the distance of objective and dual bound, relative to the objective, at which a
// class ends, for each unit of Tol.
const hingeGap = 1e-2

func (m Hinge) train(ctx context.Context, t *task) (*outcome, error) {
	n, p := t.a.Dims()
	k := t.classes
	theta := mat.NewDense(p, k, nil)
	limits := make([]bool, k)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	machines := k
	if k == 2 { // f and -f
		machines = 1
	}
	var products *mat.Dense
	if p > interiorWidth && n <= pairRows {
		products = mat.NewDense(n, n, nil)
		features := t.a.Slice(0, n, 0, p-1)
		linalg.Mul(products, features, features.T())
	}
	duals := make([]*dual, machines)
	linalg.Parallel(machines, func(l int) { // every class makes a pass at least, so that the whole is one
		d := newDual(t, l)
		if d.threads = 1; machines == 1 {
			d.threads = linalg.Threads()
		}
		switch {
		case p <= interiorWidth:
			limits[l] = !d.interior(ctx, min(t.o.steps(interiorSteps), interiorSteps), hingeGap*t.o.Tol)
			if len(d.path) == 0 { // rounding did not allow a single step: columns of far too unlike sizes
				threads := d.threads
				d = newDual(t, l)
				d.threads = threads
				limits[l] = !d.run(ctx, t.o.steps(1000), hingePrecision*t.o.Tol, hingeGap*t.o.Tol)
			}
		case products != nil:
			limits[l] = !d.pairs(ctx, products, t.o.steps(1000), hingeGap*t.o.Tol)
		default:
			limits[l] = !d.run(ctx, t.o.steps(1000), hingePrecision*t.o.Tol, hingeGap*t.o.Tol)
		}
		for j, v := range d.best[:p-1] {
			theta.Set(j, l, v)
		}
		theta.Set(p-1, l, d.best[p-1])
		duals[l] = d
	})
	if machines < k {
		for j := range p {
			theta.Set(j, 1, -theta.At(j, 0))
		}
	}
	s := &system{a: t.a}
	scores := s.scores(theta)
	record := &trace{see: t.o.OnStep}
	effective := loss.EffectiveSampleSize(t.prior)
	record.add(irls.Step{Objective: t.hingeObjective(mat.NewDense(n, k, nil), mat.NewDense(p, k, nil)), Effective: effective, Damping: 1})
	steps := 0
	for _, d := range duals {
		steps = max(steps, len(d.path))
	}
	for at := range steps { // classes that ended earlier stay where they are
		sum := 0.0
		for _, d := range duals {
			sum += d.path[min(at, len(d.path)-1)] * 2 * t.o.Lambda * float64(k/machines)
		}
		if at == steps-1 {
			sum = t.hingeObjective(scores, theta)
		}
		record.add(irls.Step{Objective: sum, Effective: effective, Change: 1, Damping: 1})
	}
	out := &outcome{theta: theta, scores: scores, weights: append([]float64(nil), t.prior...), steps: record.steps, status: irls.Converged}
	for l, d := range duals {
		if limits[l] && d.gap() > 1e-6 { // what rounding left over is no limit of steps
			out.status = irls.StepLimit
			out.gap = max(out.gap, d.gap())
		}
	}
	for _, d := range duals {
		if d.stopped {
			out.status = irls.Cancelled
		}
	}
	return out, nil
}

// hingeObjective is the sum over classes of the mean loss plus the penalty.
func (t *task) hingeObjective(scores, theta *mat.Dense) float64 {
	sum := 0.0
	for i, a := range t.prior {
		for l := range t.classes {
			sum += a * max(0, 1-t.y(i, l)*scores.At(i, l))
		}
	}
	return sum/t.total + t.o.Lambda*squaredNorm(theta)
}

// dual is the problem of one class.
type dual struct {
	a       *mat.Dense
	y, most []float64 // target and largest alpha of each row
	alpha   []float64
	squares []float64 // ||phi_i||^2 + pull
	w       []float64 // coefficients of the features
	balance float64   // sum of alpha y, zero at the solution
	pull    float64   // B^2
	centre  float64   // b0
	random  *rand.Rand
	threads int
	epochs  int
	stopped bool      // by the context
	best    []float64 // coefficients and intercept with the least objective so far
	least   float64   // that objective: half the squared norm plus the sum of C max(0, 1 - y f)
	bound   float64   // largest value of the dual so far, below the optimum
	path    []float64 // least after each epoch
}

// keep looks at the coefficients found, with the intercept that is best for them. scores are
// w'phi, without an intercept; balanced tells that alpha is one of the dual's.
func (d *dual) keep(scores []float64, balanced bool) {
	norm := dot(d.w, d.w) / 2
	b := d.intercept(scores)
	value := norm
	gain := 0.0
	for i, c := range d.most {
		if c > 0 {
			value += c * max(0, 1-d.y[i]*(scores[i]+b))
			gain += d.alpha[i]
		}
	}
	if value < d.least {
		d.least = value
		copy(d.best, d.w)
		d.best[len(d.w)] = b
	}
	if balanced {
		d.bound = max(d.bound, gain-norm)
	}
}

// gap is how far the objective can be above its least value, relative to it.
func (d *dual) gap() float64 { return max(0, (d.least-d.bound)/max(d.least, 1e-300)) }

func newDual(t *task, l int) *dual {
	n, p := t.a.Dims()
	d := &dual{
		a: t.a, y: make([]float64, n), most: make([]float64, n), alpha: make([]float64, n), squares: make([]float64, n),
		w: make([]float64, p-1), best: make([]float64, p), least: math.Inf(1), random: random.New(t.o.Seed+uint64(l), "hinge order"),
	}
	sum, count := 0.0, 0
	for i, a := range t.prior {
		d.y[i] = t.y(i, l)
		d.most[i] = a / (2 * t.o.Lambda * t.total)
		for _, v := range t.a.RawRowView(i)[:p-1] {
			d.squares[i] += v * v
		}
		if a > 0 {
			sum += d.squares[i]
			count++
		}
	}
	d.pull = max(sum/float64(max(count, 1)), 1e-300)
	for i := range d.squares {
		d.squares[i] += d.pull
	}
	return d
}

// offset is the intercept of the proximal problem.
func (d *dual) offset() float64 { return d.centre + d.pull*d.balance }

// run makes epochs until the projected gradients lie within tol and the intercept stands
// still, or the gap is small; it tells whether that happened before the limit.
func (d *dual) run(ctx context.Context, limit int, tol, gap float64) bool {
	active := make([]int, 0, len(d.y))
	for i, c := range d.most {
		if c > 0 {
			active = append(active, i)
		}
	}
	all := slices.Clone(active)
	scores := make([]float64, len(d.y))
	d.keep(scores, true)                         // w = 0
	highest, lowest := math.Inf(1), math.Inf(-1) // bounds for shrinking
	inner := 0                                   // epochs since the centre moved
	for d.epochs < limit {
		if d.stopped = d.epochs > 0 && ctx.Err() != nil; d.stopped {
			d.look(scores)
			return false
		}
		d.epochs++
		inner++
		d.path = append(d.path, d.least)
		up, down := d.epoch(&active, highest, lowest)
		whole := len(active) == len(all)
		moved := math.Abs(d.pull * d.balance)
		if up-down <= tol || inner >= 10 {
			d.look(scores)
			if d.path[len(d.path)-1] = d.least; d.gap() <= gap || whole && up-down <= tol && moved <= tol {
				return true
			}
			// The proximal problem is solved well enough: move its centre. Shrinking starts anew.
			d.centre += d.pull * d.balance
			active = append(active[:0], all...)
			highest, lowest, inner = math.Inf(1), math.Inf(-1), 0
			continue
		}
		if highest = up; highest <= 0 {
			highest = math.Inf(1)
		}
		if lowest = down; lowest >= 0 {
			lowest = math.Inf(-1)
		}
	}
	d.look(scores)
	return false
}

// look keeps what the epochs found, if it is the best so far, and the bound of the dual at alpha
// with the heavier side made lighter until the sides balance.
func (d *dual) look(scores []float64) {
	m := len(d.w)
	d.path = append(d.path[:max(len(d.path)-1, 0)], d.least)
	for i := range scores {
		scores[i] = dot(d.w, d.a.RawRowView(i)[:m])
	}
	d.keep(scores, false)
	d.path[len(d.path)-1] = d.least
	plus, minus := 0.0, 0.0
	for i, a := range d.alpha {
		if d.y[i] > 0 {
			plus += a
		} else {
			minus += a
		}
	}
	if plus == 0 || minus == 0 {
		d.bound = max(d.bound, 0)
		return
	}
	up, down := min(1, minus/plus), min(1, plus/minus)
	w := make([]float64, m)
	gain := 0.0
	for i, a := range d.alpha {
		if d.y[i] > 0 {
			a *= up
		} else {
			a *= down
		}
		if a > 0 {
			gain += a
			axpy(a*d.y[i], d.a.RawRowView(i)[:m], w)
		}
	}
	d.bound = max(d.bound, gain-dot(w, w)/2)
}

// epoch visits the active rows once in random order and returns the largest and smallest
// projected gradient met. Rows at a bound whose gradient keeps them there leave.
func (d *dual) epoch(active *[]int, highest, lowest float64) (up, down float64) {
	rows := *active
	m := len(d.w)
	up, down = math.Inf(-1), math.Inf(1)
	for s := 0; s < len(rows); s++ {
		pick := s + d.random.IntN(len(rows)-s)
		rows[s], rows[pick] = rows[pick], rows[s]
		i := rows[s]
		phi := d.a.RawRowView(i)[:m]
		gradient := d.y[i]*(dot(d.w, phi)+d.offset()) - 1
		projected := gradient
		switch {
		case d.alpha[i] == 0:
			if gradient > highest {
				rows[s] = rows[len(rows)-1]
				rows = rows[:len(rows)-1]
				s--
				continue
			}
			projected = min(gradient, 0)
		case d.alpha[i] == d.most[i]:
			if gradient < lowest {
				rows[s] = rows[len(rows)-1]
				rows = rows[:len(rows)-1]
				s--
				continue
			}
			projected = max(gradient, 0)
		}
		up, down = max(up, projected), min(down, projected)
		if math.Abs(projected) < 1e-14 {
			continue
		}
		before := d.alpha[i]
		d.alpha[i] = min(max(before-gradient/d.squares[i], 0), d.most[i])
		if change := (d.alpha[i] - before) * d.y[i]; change != 0 {
			for j, v := range phi {
				d.w[j] += change * v
			}
			d.balance += change
		}
	}
	*active = rows
	if len(rows) == 0 {
		return 0, 0
	}
	return up, down
}

// intercept is the b that is best for the coefficients found: the mean of all that
// minimise sum_i C_i max(0, 1 - y_i (w'phi_i + b)), a convex function that bends at
// b_i = y_i - w'phi_i, given these scores w'phi_i.
func (d *dual) intercept(scores []float64) float64 {
	type bend struct{ at, slope float64 }
	var bends []bend
	slope := 0.0 // left of all bends, rows of class +1 lose
	for i, c := range d.most {
		if c == 0 {
			continue
		}
		bends = append(bends, bend{d.y[i] - scores[i], c})
		if d.y[i] > 0 {
			slope -= c
		}
	}
	if len(bends) == 0 {
		return 0
	}
	slices.SortFunc(bends, func(a, b bend) int {
		if a.at < b.at {
			return -1
		} else if a.at > b.at {
			return 1
		}
		return 0
	})
	size := 0.0
	for _, b := range bends {
		size += b.slope
	}
	for i, b := range bends {
		slope += b.slope
		if slope > 1e-9*size {
			return b.at
		}
		if slope >= -1e-9*size { // flat up to the next bend: stay where the solver was, if there
			if i+1 == len(bends) {
				return b.at
			}
			return min(max(d.offset(), b.at), bends[i+1].at)
		}
	}
	return bends[len(bends)-1].at
}

// dot is the inner product, in four sums that do not wait for each other.
func dot(x, y []float64) float64 {
	var a, b, c, d float64
	y = y[:len(x)]
	for len(x) >= 4 && len(y) >= 4 {
		a += x[0] * y[0]
		b += x[1] * y[1]
		c += x[2] * y[2]
		d += x[3] * y[3]
		x, y = x[4:], y[4:]
	}
	for j, v := range x {
		a += v * y[j]
	}
	return (a + b) + (c + d)
}
