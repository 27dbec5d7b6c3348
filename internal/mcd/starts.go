package mcd

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/internal/outlying"
	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/internal/univariate"
)

// Simplices returns weights of the points to start from: one set favours points near zero,
// which should be their coordinatewise median, with coordinates of like spread; so
// many others are corners of simplices drawn at random. They cost little, and some of them
// should be free of outliers.
func (p *Points) Simplices(count int, seed uint64) [][]float64 {
	near := make([]float64, p.n)
	for i := range near {
		sum := 0.0
		for _, v := range p.x.RawRowView(i) {
			sum += v * v
		}
		near[i] = 1 / math.Max(1, sum)
		if p.w != nil {
			near[i] *= p.w[i]
		}
	}
	starts := [][]float64{near}
	places := univariate.NewRows(p.n, p.w)
	for s := range count {
		draw := random.New(seed, fmt.Sprintf("simplex %d", s))
		w, drawn := make([]float64, p.n), make([]int, 0, p.k+1)
		for range p.k + 1 {
			place := draw.Float64() * places.Total()
			if unit := int(place); !slices.Contains(drawn, unit) { // a repeated row may come again, a single one not
				drawn = append(drawn, unit)
				w[places.At(place)]++
			}
		}
		starts = append(starts, w)
	}
	return starts
}

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
