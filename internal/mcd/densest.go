package mcd

import (
	"context"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/inlier-ml/inlier/internal/univariate"
)

// mostSteps bounds the steps from a start; they end where the logarithm of the determinant
// falls by less than still.
const mostSteps, still = 100, 1e-9

// Densest returns the half of the points with the smallest determinant that concentration
// steps find from a start, given as weights of the points. Its scatter is made that of all
// points by the median distance. It is nil where the scatter is singular.
func (p *Points) Densest(ctx context.Context, start []float64) (*Bulk, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	at := p.of(start)
	if at != nil {
		at = p.concentrate(at)
	}
	if at == nil {
		return nil, nil
	}
	if err := p.settle(ctx, &at); err != nil {
		return nil, err
	}
	return p.consistent(at), nil
}

// consistent makes the scatter of a half that of all points, by the median distance.
func (p *Points) consistent(at *Bulk) *Bulk {
	middle := univariate.WeightedMedian(p.squared(at), p.w)
	if factor := middle / (distuv.ChiSquared{K: float64(p.k)}).Quantile(0.5); factor > 0 {
		at.scale(factor)
	}
	return at
}

// settle takes concentration steps until the determinant stands still.
func (p *Points) settle(ctx context.Context, at **Bulk) error {
	for range mostSteps {
		if err := ctx.Err(); err != nil {
			return err
		}
		next := p.concentrate(*at)
		if next == nil || !(next.logDet < (*at).logDet-still) {
			return nil
		}
		*at = next
	}
	return nil
}

// of returns centre and scatter of the points with the given weights; nil where it is singular.
func (p *Points) of(w []float64) *Bulk {
	out, _ := p.bulk(context.Background(), w, 1, 0) // whether the context has ended is asked between steps
	return out
}

// concentrate takes the half of the points nearest to a bulk: its determinant is not larger.
func (p *Points) concentrate(at *Bulk) *Bulk {
	return p.of(univariate.SmallestWeight(p.squared(at), p.w, p.half()))
}
