package linear

import (
	"context"
	"math"

	"github.com/inlier-ml/inlier/linalg"
)

// problem is weighted least squares on a design as an irls.Problem. Its states are
// coefficient vectors of the design.
type problem struct {
	g *design
	// derive gives psi and its derivative where Newton's step is to be taken instead of the
	// reweighted one; nil elsewhere.
	derive      func(r float64) (value, slope float64)
	curve, pull []float64 // of every row, for Newton's step
}

func (p *problem) Len() int { return p.g.n }

func (p *problem) Residuals(ctx context.Context, at []float64, s []float64) error {
	if err := p.g.measure(ctx, at, nil); err != nil {
		return err
	}
	linalg.Spans(len(s), func(from, to int) {
		for i, r := range p.g.r[from:to] {
			s[from+i] = r * r
		}
	})
	return nil
}

func (p *problem) Solve(ctx context.Context, from []float64, w []float64) ([]float64, error) {
	if err := p.g.measure(ctx, from, nil); err != nil {
		return nil, err
	}
	if p.derive != nil {
		if next, err := p.newton(ctx, from); next != nil || err != nil {
			return next, err
		}
	}
	return p.g.solve(ctx, from, w)
}

// newton returns Newton's step on the loss itself; nil where it is not curved upwards. The
// engine makes sure that no step rises.
func (p *problem) newton(ctx context.Context, from []float64) ([]float64, error) {
	g := p.g
	if p.pull == nil {
		p.curve, p.pull = make([]float64, g.n), make([]float64, g.n)
	}
	inPieces(g.n, func(first, last int) (_, _ float64) {
		for i := first; i < last; i++ {
			value, slope := p.derive(g.r[i])
			p.curve[i], p.pull[i] = g.weight(i)*slope, g.weight(i)*value
		}
		return 0, 0
	})
	return g.newtonStep(ctx, from, p.curve, p.pull)
}

// Penalty is lambda |b|^2 / total.
func (p *problem) Penalty(at []float64) float64 {
	if p.g.lambda == 0 {
		return 0
	}
	sum := 0.0
	for _, b := range at[p.g.ones:] {
		sum += b * b
	}
	return p.g.lambda * sum / p.g.total
}

func (p *problem) Between(a, b []float64, t float64) ([]float64, error) {
	out := make([]float64, len(a))
	for j := range out {
		out[j] = a[j] + t*(b[j]-a[j])
	}
	return out, nil
}

func (p *problem) Distance(a, b []float64) float64 {
	moved, size := 0.0, 0.0
	for j := range a {
		moved = math.Hypot(moved, b[j]-a[j])
		size = math.Hypot(size, b[j])
	}
	if moved == 0 {
		return 0
	}
	return moved / math.Max(size, math.SmallestNonzeroFloat64)
}
