package linear

import (
	"context"
	"math"
)

// problem is weighted least squares on a design as an irls.Problem. Its states are
// coefficient vectors of the design.
type problem struct {
	g *design
	// slope of the loss, for the penalty that stands beside the mean loss.
	slope float64
	// damp is the part of a full step taken where the loss is not concave.
	damp float64
	// measured is the state whose residuals the design holds.
	measured []float64
}

func (p *problem) Len() int { return p.g.n }

func (p *problem) Residuals(ctx context.Context, at []float64, s []float64) error {
	if err := p.g.measure(ctx, at, s); err != nil {
		return err
	}
	p.measured = at
	for i, r := range s {
		s[i] = r * r
	}
	return nil
}

func (p *problem) Solve(ctx context.Context, from []float64, w []float64) ([]float64, error) {
	if !same(from, p.measured) {
		if err := p.g.measure(ctx, from, nil); err != nil {
			return nil, err
		}
		p.measured = from
	}
	full, err := p.g.solve(ctx, from, w)
	if err != nil || p.damp == 1 {
		return full, err
	}
	return p.Between(from, full, p.damp)
}

// same tells whether two states are the same slice.
func same(a, b []float64) bool { return len(a) > 0 && len(b) > 0 && &a[0] == &b[0] }

// Penalty is slope lambda |b|^2 / total: what makes the weighted ridge step descend.
func (p *problem) Penalty(at []float64) float64 {
	if p.g.lambda == 0 {
		return 0
	}
	sum := 0.0
	for _, b := range at[p.g.ones:] {
		sum += b * b
	}
	return p.slope * p.g.lambda * sum / p.g.total
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
