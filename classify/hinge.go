package classify

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
)

// Hinge is the support vector machine, one class against the others: for each class
// the minimum of
//
//	mean_i max(0, 1 - y_i f(x_i))^Power + lambda ||w||^2.
//
// The square is found by Newton's method (hinge_squared.go). The dual of the plain one has one variable 0 <= alpha_i <= C_i per row, C_i = a_i / (2 lambda total),
// w = sum_i alpha_i y_i phi_i and sum_i alpha_i y_i = 0. With few features an interior-point
// method solves it (hinge_interior.go), with an exact kernel or up to a few thousand rows steps along pairs of
// variables (hinge_pairs.go), beyond one variable at a time (Hsieh et al. 2008, "A
// dual coordinate descent method for large-scale linear SVM", with their shrinking).
// The free intercept, which the last one leaves out, is added by a proximal term
// (b - b0)^2 / 2B^2 whose centre b0 follows the solution. The best of all iterates is kept, and
// the dual bounds how far it can be from the optimum.
//
// Where wrong labels leave a class no majority, a machine with an exact kernel and an open Lambda takes classes two by two (hinge_classes.go).
type Hinge struct {
	Options
	// Power of what a score falls short of its margin by: 1, as Cortes and Vapnik have it, or 2. Zero: 2 for linear machines,
	// 1 with a kernel.
	Power int
}

// squared tells whether the miss is squared.
func (m Hinge) squared(kind kernel.Kind) bool {
	return m.Power == 2 || m.Power == 0 && kind == kernel.Linear
}

func (m Hinge) name() string     { return "hinge" }
func (m Hinge) options() Options { return m.Options }

// Fit trains the machine on rows with labels from 0 to classes-1.
func (m Hinge) Fit(ctx context.Context, src linalg.Source, labels []int, classes int) (*Model, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	return fitSource(ctx, m, src, labels, classes)
}

// FitBeside is [Square.FitBeside], of the squared loss.
func (m Hinge) FitBeside(ctx context.Context, table linalg.Source, counts []int) (*Model, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	return fitBeside(ctx, m, table, counts)
}

func (m Hinge) check() error {
	if m.Power < 0 || m.Power > 2 {
		return refusal.Parameter("power", m.Power, "is not 1 or 2")
	}
	return nil
}

// hingePrecision is the projected gradient, in units of the score, at which coordinate descent ends,
// for each unit of Tol: 1e-3, as in other programs, for the default of 1e-6.
const hingePrecision = 1e3

// hingeGap is the distance of objective and dual bound, relative to the objective, at which a
// class ends, for each unit of Tol.
const hingeGap = 1e-2

func (m Hinge) train(ctx context.Context, t *task) (*outcome, error) {
	if m.squared(t.o.Kernel.Kind) {
		return trainSquaredHinge(ctx, t)
	}
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
	if t.kernel {
		products = t.a.Slice(0, n, 0, n).(*mat.Dense)
	} else if p > interiorWidth && n <= pairRows && 8*float64(n)*float64(n) <= float64(freeMemory()) {
		products = mat.NewDense(n, n, nil)
		features := t.a.Slice(0, n, 0, p-1)
		linalg.Mul(products, features, features.T())
	}
	duals, room := make([]*dual, machines), float64(freeMemory())/float64(2*machines)
	linalg.Parallel(machines, func(l int) { // every class makes a pass at least, so that the whole is one
		d := newDual(t, l)
		if d.threads = 1; machines == 1 {
			d.threads = linalg.Threads()
		}
		switch {
		case p <= interiorWidth && !t.kernel:
			limits[l] = !d.interior(ctx, min(t.o.steps(interiorSteps), interiorSteps), hingeGap*t.o.Tol)
			if len(d.path) == 0 { // rounding did not allow a single step: columns of far too unlike sizes
				threads := d.threads
				d = newDual(t, l)
				d.threads = threads
				limits[l] = !d.run(ctx, t.o.steps(1000), hingePrecision*t.o.Tol, hingeGap*t.o.Tol)
			}
		case products != nil:
			if t.kernel && t.votes != nil {
				d.begin(t.begin(), l)
			}
			d.room = room
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
	s := t.system(0)
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
			out.gap = max(out.gap, d.gap())
			if d.epochs >= d.limit {
				out.status = irls.StepLimit
			} else if out.status == irls.Converged {
				out.status = irls.Stalled
			}
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
	return sum/t.total + t.o.Lambda*t.squaredNorm(theta, scores)
}
