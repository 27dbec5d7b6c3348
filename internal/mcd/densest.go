package mcd

import (
	"cmp"
	"context"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

const (
	// trialSteps are taken from every start, and finalists go on from there.
	trialSteps, finalists = 2, 3
	// mostSteps bounds the steps of a finalist; they end where the logarithm of the
	// determinant falls by less than still.
	mostSteps, still = 100, 1e-9
)

// Densest returns the half of the points with the smallest determinant found from the
// starts, each given as weights of the points. Its scatter is made that of all points by
// the median distance. It is nil where no start has a scatter that is not singular.
func (p *Points) Densest(ctx context.Context, starts ...[]float64) (*Bulk, error) {
	found := make([]*Bulk, len(starts))
	failures := make([]error, len(starts))
	linalg.Parallel(len(starts), func(s int) {
		if failures[s] = ctx.Err(); failures[s] != nil {
			return
		}
		at := p.of(starts[s])
		for range trialSteps {
			if at != nil {
				at = p.concentrate(at)
			}
		}
		found[s] = at
	})
	if err := firstOf(failures); err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(b *Bulk) bool { return b == nil })
	slices.SortStableFunc(found, byVolume)
	found = found[:min(finalists, len(found))]
	linalg.Parallel(len(found), func(s int) { failures[s] = p.settle(ctx, &found[s]) })
	if err := firstOf(failures); err != nil || len(found) == 0 {
		return nil, err
	}
	best := slices.MinFunc(found, byVolume)
	middle := univariate.WeightedMedian(p.squared(best), p.w)
	if factor := middle / (distuv.ChiSquared{K: float64(p.k)}).Quantile(0.5); factor > 0 {
		best.scale(factor)
	}
	return best, nil
}

func byVolume(a, b *Bulk) int { return cmp.Compare(a.logDet, b.logDet) }

func firstOf(failures []error) error {
	for _, err := range failures {
		if err != nil {
			return err
		}
	}
	return nil
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
