package mcd

import (
	"context"

	"github.com/inlier-ml/inlier/internal/outlying"
	"github.com/inlier-ml/inlier/internal/univariate"
)

// LeastOutlying returns weights of the half of the points to start from that is least
// outlying along so many directions ([outlying.Degrees]): a good start that is seldom wrong.
// The error is [outlying.ErrEqual] for points that do not differ.
func (p *Points) LeastOutlying(ctx context.Context, directions int, seed uint64) ([]float64, error) {
	scale := outlying.Densest(outlying.HalfSize(p.total, 0))
	out, err := outlying.Degrees(ctx, p.x, p.w, directions, scale, seed)
	if err != nil {
		return nil, err
	}
	return univariate.SmallestWeight(out, p.w, p.half()), nil
}
