package classify

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// Multiclass tells how more than two classes are learned by Logistic.
type Multiclass string

const (
	// MulticlassAuto is Joint for linear machines and OneVsAll with a kernel.
	MulticlassAuto Multiclass = "auto"
	// Joint learns the scores of all classes at once: class l has probability exp(f_l) / sum_m exp(f_m).
	// A class that lies between others, which no machine of its own can tell from all of them, is
	// found by scores that are second best on either side.
	Joint Multiclass = "joint"
	// OneVsAll learns one machine per class that tells it from all others.
	OneVsAll Multiclass = "one-vs-all"
)

// trainJoint minimises
//
//	mean_i (log sum_l exp(f_l(x_i)) - f_label(x_i)) + lambda sum_l ||w_l||^2
//
// by Newton's method. A step is found by conjugate gradients whose preconditioner is the Cholesky factor
// of weighted normal equations, the same for every class, and shortened until the objective falls.
func (m Logistic) trainJoint(ctx context.Context, t *task) (*outcome, error) {
	n, p := t.a.Dims()
	k := t.classes
	s := t.system(2 * t.o.Lambda * t.total)
	s.forcing = inexact(t.o.Tol)
	theta, scores, absent := mat.NewDense(p, k, nil), mat.NewDense(n, k, nil), t.absent()
	w, residual := importance{rows: t.prior, joint: mat.NewDense(n, k, nil)}, mat.NewDense(n, k, nil)
	objective := t.jointObjective(scores, theta, absent)
	record := &trace{see: t.o.OnStep}
	step := irls.Step{Objective: objective, Effective: loss.EffectiveSampleSize(t.prior), Damping: 1}
	record.add(step)
	status := irls.StepLimit
	for range t.o.steps(100) {
		linalg.Spans(n, func(from, to int) {
			for i := from; i < to; i++ {
				q, e := w.joint.RawRowView(i), residual.RawRowView(i)
				softmax(q, scores.RawRowView(i), absent)
				for l := range e {
					e[l] = -q[l]
				}
				e[t.labels[i]]++
			}
		})
		change, err := s.newtonJoint(ctx, theta, residual, w, absent)
		if err != nil {
			if ctx.Err() != nil && len(record.steps) > 1 {
				status = irls.Cancelled
				break
			}
			return nil, err
		}
		moved := s.scores(change)
		next, nextScores, nextObjective := theta, scores, math.Inf(1)
		for step.Damping = 1; step.Damping > 1e-6; step.Damping /= 2 {
			next, nextScores = along(theta, change, step.Damping), along(scores, moved, step.Damping)
			if nextObjective = t.jointObjective(nextScores, next, absent); nextObjective <= objective*(1+1e-12) {
				break
			}
		}
		if !(nextObjective <= objective*(1+1e-12)) { // rounding: nothing is better
			status = irls.Converged
			break
		}
		step.Change = relativeChange(theta, next)
		settled := objective-nextObjective <= t.o.Tol*nextObjective
		theta, scores, objective = next, nextScores, nextObjective
		step.Objective = objective
		record.add(step)
		if settled || step.Change <= t.o.Tol {
			status = irls.Converged
			break
		}
	}
	t.placeAbsent(theta, scores, absent)
	return &outcome{theta: theta, scores: scores, weights: append([]float64(nil), t.prior...), steps: record.steps, status: status, joint: true}, nil
}

// newtonJoint is Newton's change of theta, to the forcing. Nothing but the differences of classes is
// determined: their mean stays zero.
func (s *system) newtonJoint(ctx context.Context, theta, residual *mat.Dense, w importance, absent []bool) (*mat.Dense, error) {
	p, k := theta.Dims()
	fresh := s.factor == nil || s.tired
	if fresh {
		if err := s.precondition(w.mean()); err != nil {
			return nil, err
		}
	}
	r, err := s.pull(ctx, residual, importance{rows: w.rows})
	if err != nil {
		return nil, err
	}
	s.addPenalty(r, theta, -1)
	centre(r, absent)
	change, direction := mat.NewDense(p, k, nil), s.soften(r)
	rho := total(columnDots(r, direction))
	enough := s.forcing * s.forcing * rho
	steps := 0
	for ; steps < gradientSteps && rho > enough; steps++ {
		image, err := s.normal(ctx, direction, w)
		if err != nil {
			return nil, err
		}
		curvature := total(columnDots(direction, image))
		if !(curvature > 0) {
			break
		}
		addScaled(change, rho/curvature, direction)
		addScaled(r, -rho/curvature, image)
		centre(r, absent)
		q := s.soften(r)
		next := total(columnDots(r, q))
		addScaled(q, next/rho, direction)
		direction, rho = q, next
	}
	if fresh {
		s.young = max(steps, 3)
	}
	s.tired = steps > 2*s.young && 4*steps*k > p/2
	return change, nil
}

// centre makes the mean of every row over the classes that are there zero, which it is but for rounding.
func centre(r *mat.Dense, absent []bool) {
	rows, _ := r.Dims()
	for j := range rows {
		row := r.RawRowView(j)
		sum, count := 0.0, 0.0
		for l, v := range row {
			if !absent[l] {
				sum += v
				count++
			}
		}
		for l := range row {
			if !absent[l] {
				row[l] -= sum / count
			}
		}
	}
}

// meanJoint is one weight per row, that of a class on average.
func (w importance) meanJoint() []float64 {
	n, k := w.joint.Dims()
	out := make([]float64, n)
	for i := range out {
		for _, q := range w.joint.RawRowView(i) {
			out[i] += w.rows[i] * max(q*(1-q), leastCurvature) / float64(k)
		}
	}
	return out
}

// scaleJoint multiplies row number i of residuals by w (diag q - q q').
func (w importance) scaleJoint(i int, row []float64) {
	q := w.joint.RawRowView(i)
	mean := linalg.Dot(q, row)
	for l, e := range row {
		row[l] = w.rows[i] * q[l] * (e - mean)
	}
}

// softmax makes probabilities of scores; absent classes (nil: none) have no probability.
func softmax(q, f []float64, absent []bool) {
	all := logSum(f, absent)
	for l, v := range f {
		if q[l] = 0; absent == nil || !absent[l] {
			q[l] = math.Exp(v - all)
		}
	}
}

// logSum is log sum exp of the scores of the classes that are there.
func logSum(f []float64, absent []bool) float64 {
	top := math.Inf(-1)
	for l, v := range f {
		if absent == nil || !absent[l] {
			top = max(top, v)
		}
	}
	sum := 0.0
	for l, v := range f {
		if absent == nil || !absent[l] {
			sum += math.Exp(v - top)
		}
	}
	return top + math.Log(sum)
}

// jointObjective is the mean loss plus the penalty.
func (t *task) jointObjective(scores, theta *mat.Dense, absent []bool) float64 {
	sum := linalg.Total(len(t.prior), func(from, to int) (sum float64) {
		for i := from; i < to; i++ {
			if a := t.prior[i]; a > 0 {
				f := scores.RawRowView(i)
				sum += a * (logSum(f, absent) - f[t.labels[i]])
			}
		}
		return sum
	})
	return sum/t.total + t.o.Lambda*t.squaredNorm(theta, scores)
}

// absent tells which classes have no row that counts.
func (t *task) absent() []bool {
	out := make([]bool, t.classes)
	for l := range out {
		out[l] = true
	}
	for i, a := range t.prior {
		out[t.labels[i]] = out[t.labels[i]] && a == 0
	}
	return out
}

// present is the number of classes that have a row that counts.
func (t *task) present() int {
	count := 0
	for _, none := range t.absent() {
		if !none {
			count++
		}
	}
	return count
}

// placeAbsent gives classes without rows, whose likelihood has no maximum, the log-odds of half a row.
func (t *task) placeAbsent(theta, scores *mat.Dense, absent []bool) {
	if !slices.Contains(absent, true) {
		return
	}
	mean := linalg.Total(len(t.prior), func(from, to int) (sum float64) {
		for i := from; i < to; i++ {
			if a := t.prior[i]; a > 0 {
				sum += a / t.total * logSum(scores.RawRowView(i), absent)
			}
		}
		return sum
	})
	p, _ := theta.Dims()
	for l, none := range absent {
		if none {
			theta.Set(p-1, l, mean-math.Log(2*t.total+1))
			for i := range t.labels {
				scores.Set(i, l, theta.At(p-1, l))
			}
		}
	}
}

// along is a + share b.
func along(a, b *mat.Dense, share float64) *mat.Dense {
	rows, columns := a.Dims()
	out := mat.NewDense(rows, columns, nil)
	linalg.Spans(rows, func(from, to int) {
		for i := from; i < to; i++ {
			row, more := out.RawRowView(i), b.RawRowView(i)
			for l, v := range a.RawRowView(i) {
				row[l] = v + share*more[l]
			}
		}
	})
	return out
}
