package classify

import (
	"context"

	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
)

// state is a point of the reweighting: coefficients and, once computed, the scores of
// the training rows.
type state struct{ theta, scores *mat.Dense }

// problem is the weighted least-squares side of the correntropy machines, as an
// irls.Problem. An observation is a row, whose squared residual is summed over the
// classes, or one class of one row.
type problem struct {
	t          *task
	s          *system
	perElement bool
	oneSided   bool       // scores beyond their target cost nothing
	printed    bool       // eq. (15) as printed
	residual   *mat.Dense // of a step; room that all of them share
}

// firstState is where a reweighting begins: where an earlier one on nearly the same rows ended, or at the least squares. It leaves the
// system solving as inexactly as the reweighting can use.
func firstState(ctx context.Context, t *task, s *system) (*state, error) {
	s.forcing = inexact(t.o.Tol)
	if t.kernel && t.votes != nil {
		theta := t.begin()
		return &state{theta, s.scores(theta)}, ctx.Err()
	}
	quiet := *t
	quiet.o.OnStep = nil
	if s.forcing = 0; t.kernel { // where a full solution would be the costliest step of all
		s.forcing = coarse(t.o.Tol)
	}
	out, err := leastSquares(ctx, &quiet, s)
	if err != nil {
		return nil, err
	}
	s.forcing = inexact(t.o.Tol)
	return &state{out.theta, out.scores}, nil
}

func (p *problem) Len() int {
	if p.perElement {
		return len(p.t.labels) * p.t.classes
	}
	return len(p.t.labels)
}

// miss is how far a score misses its target.
func (p *problem) miss(y, f float64) float64 {
	if p.oneSided && y*f >= 1 {
		return 0
	}
	return y - f
}

func (p *problem) Residuals(_ context.Context, at *state, s []float64) error {
	if at.scores == nil {
		at.scores = p.s.scores(at.theta)
	}
	k := p.t.classes
	linalg.Spans(len(p.t.labels), func(from, to int) {
		for i := from; i < to; i++ {
			sum := 0.0
			for l, f := range at.scores.RawRowView(i) {
				e := p.miss(p.t.y(i, l), f)
				if p.perElement {
					s[i*k+l] = e * e
				}
				sum += e * e
			}
			if !p.perElement {
				s[i] = sum
			}
		}
	})
	return nil
}

// Solve makes the weighted least-squares step. With a one-sided margin, elements beyond it
// are left out: Newton's step for the weighted squared hinge loss, whose gradient is
// that of the objective, so that it descends; where it goes far too far (overshoot.go) another follows.
func (p *problem) Solve(ctx context.Context, from *state, w []float64) (*state, error) {
	if p.printed {
		theta, err := p.printedStep(ctx, w)
		return &state{theta: theta}, err
	}
	for again := 0; ; again++ {
		to, err := p.newton(ctx, from, w)
		if err != nil || !p.oneSided {
			return to, err
		}
		to.scores = p.s.scores(to.theta)
		if part := p.shortened(from, to, w); part >= farEnough || again == mostAgain {
			return to, nil
		}
		from = to
	}
}

// newton is one such step.
func (p *problem) newton(ctx context.Context, from *state, w []float64) (*state, error) {
	n, k := len(p.t.labels), p.t.classes
	if p.residual == nil {
		p.residual = mat.NewDense(n, k, nil)
	}
	residual := p.residual
	weights := importance{rows: w}
	if p.oneSided {
		weights = importance{elements: mat.NewDense(n, k, nil)} // 0 where a target is exceeded
	} else if p.perElement {
		weights = importance{elements: mat.NewDense(n, k, w)}
	}
	linalg.Spans(n, func(first, end int) {
		for i := first; i < end; i++ {
			row := residual.RawRowView(i)
			for l, f := range from.scores.RawRowView(i) {
				y := p.t.y(i, l)
				row[l] = p.miss(y, f)
				if at := i; p.oneSided && y*f < 1 {
					if p.perElement {
						at = i*k + l
					}
					weights.elements.Set(i, l, w[at])
				}
			}
		}
	})
	theta, err := p.s.solve(ctx, from.theta, residual, weights)
	return &state{theta: theta}, err
}

// Penalty is lambda ||w||^2, of elements over the classes too, as the mean loss is.
func (p *problem) Penalty(at *state) float64 {
	penalty := p.t.o.Lambda * p.t.squaredNorm(at.theta, at.scores)
	if p.perElement {
		penalty /= float64(p.t.classes)
	}
	return penalty
}

func (p *problem) Between(a, b *state, t float64) (*state, error) {
	blend := func(x, y *mat.Dense) *mat.Dense {
		if x == nil || y == nil {
			return nil
		}
		out := mat.DenseCopyOf(y)
		out.Sub(out, x)
		out.Scale(t, out)
		out.Add(out, x)
		return out
	}
	return &state{theta: blend(a.theta, b.theta), scores: blend(a.scores, b.scores)}, nil
}

func (p *problem) Distance(a, b *state) float64 { return relativeChange(a.theta, b.theta) }
