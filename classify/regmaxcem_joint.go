package classify

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
)

// jointProblem is correntropy of the deviance: what a row misses by is
//
//	s_i = -2 log p_i,   p_i = exp(f_label(x_i)) / sum_l exp(f_l(x_i)),
//
// the square of a normal residual as probable as its label, so that its weight exp(-s / 2 sigma^2) is the power 1/sigma^2 of the
// label's probability (the loss of Zhang and Sabuncu 2018, "Generalized cross entropy loss for training deep
// neural networks with noisy labels"). With sigma to infinity it is Logistic, learned jointly. A solve is one Newton step of
// weighted logistic regression.
type jointProblem struct {
	problem
	absent []bool
}

func (p *jointProblem) Residuals(_ context.Context, at *state, s []float64) error {
	if at.scores == nil {
		at.scores = p.s.scores(at.theta)
	}
	for i, label := range p.t.labels {
		f := at.scores.RawRowView(i)
		s[i] = deviance(f, label, p.absent)
	}
	return nil
}

// deviance is -2 log of the probability of a label.
func deviance(f []float64, label int, absent []bool) float64 {
	return max(2*(logSum(f, absent)-f[label]), 0)
}

func (p *jointProblem) Solve(ctx context.Context, from *state, w []float64) (*state, error) {
	n, k := from.scores.Dims()
	weights, residual := importance{rows: w, joint: mat.NewDense(n, k, nil)}, mat.NewDense(n, k, nil)
	for i, label := range p.t.labels {
		q, e := weights.joint.RawRowView(i), residual.RawRowView(i)
		softmax(q, from.scores.RawRowView(i), p.absent)
		for l := range e {
			e[l] = -q[l]
		}
		e[label]++
	}
	change, err := p.s.newtonJoint(ctx, from.theta, residual, weights, p.absent)
	if err != nil {
		return nil, err
	}
	return &state{theta: along(from.theta, change, 1), scores: along(from.scores, p.s.scores(change), 1)}, nil
}

// Penalty is twice that of Logistic, as the deviance is twice its loss.
func (p *jointProblem) Penalty(at *state) float64 {
	return 2 * p.t.jointPenalty() * p.t.squaredNorm(at.theta, at.scores)
}

// jointPenalty is the penalty of each class. The log-odds of two classes have coefficients whose squared norm is twice the sum of theirs.
func (t *task) jointPenalty() float64 {
	if t.present() == 2 {
		return 2 * t.o.Lambda
	}
	return t.o.Lambda
}

// trainJoint trains with the deviance.
func (m RegMaxCEM) trainJoint(ctx context.Context, t *task, spec loss.Spec) (*outcome, error) {
	n, width := t.a.Dims()
	s := t.system(2 * t.jointPenalty() * t.total)
	s.forcing = inexact(t.o.Tol)
	p := &jointProblem{problem: problem{t: t, s: s}, absent: t.absent()}
	set := irls.Settings{Loss: spec, Prior: t.prior, Absolute: true, MaxSteps: t.o.steps(100), Tol: t.o.Tol, OnStep: t.o.OnStep}
	m.graduate(&set, spec, t)
	set.Stage.Steps = 6
	last, err := irls.Run(ctx, p, &state{mat.NewDense(width, t.classes, nil), mat.NewDense(n, t.classes, nil)}, set)
	if err != nil {
		return nil, err
	}
	t.placeAbsent(last.State.theta, last.State.scores, p.absent)
	return &outcome{
		theta: last.State.theta, scores: last.State.scores, weights: last.Weights, steps: last.Steps, status: last.Status, loss: last.Loss, joint: true,
	}, nil
}

// wholeVote is the weight of a typical row from which on it counts as whole, and the penalty stays what it is elsewhere.
const wholeVote = 0.99

// typicalWeight is the median weight of the rows by a logistic regression: where classes are many and rows few no label is
// probable, all weights are small, and the penalty has to be so too.
func (m RegMaxCEM) typicalWeight(ctx context.Context, t *task) (float64, error) {
	rough := *t
	rough.o.OnStep, rough.o.Tol, rough.o.Lambda = nil, 1e-2, t.jointPenalty()
	out, err := Logistic{}.trainJoint(ctx, &rough)
	if err != nil {
		return 0, err
	}
	spec, err := loss.Specify(m.Loss, welsch)
	if err != nil {
		return 0, err
	}
	var set irls.Settings
	m.graduate(&set, spec, t)
	l := set.Loss.At(set.Loss.Rule().Value)
	weights := make([]float64, len(t.labels))
	for i, label := range t.labels {
		weights[i] = l.Weight(deviance(out.scores.RawRowView(i), label, nil)) / fullWeight(l)
	}
	if typical := univariate.WeightedMedian(weights, t.prior); typical < wholeVote {
		return typical, nil
	}
	return 1, nil
}

// settle chooses form and penalty of a linear machine: all classes at once or one against the others, whichever makes held-out labels most
// probable. The bandwidth is always that which lets wrong labels go: a wider one where few seem wrong gained nothing
// on tables of clean labels, and few rows with many wrong labels look like clean ones that are hard to tell.
func (m RegMaxCEM) settle(ctx context.Context, t *task) (machine, *heldOut, error) {
	joint := m
	joint.Variant = PerRowJoint
	typical, err := joint.typicalWeight(ctx, t)
	if err != nil {
		return m, nil, err
	}
	t.o.Lambda *= typical
	held, err := choosePenalty(ctx, joint, t)
	if err != nil {
		return joint, held, err
	}
	rows := *t
	rows.o.Lambda /= typical // the same multiple of the usual penalty
	next, err := rows.hold(ctx, m, t.parts(), nil)
	if err != nil {
		return m, nil, err
	}
	if next.rule().Evidence() > held.rule().Evidence() {
		t.o.Lambda = rows.o.Lambda
		return m, next, nil
	}
	return joint, held, nil
}
