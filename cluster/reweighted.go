package cluster

import (
	"context"
	"math"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
)

// reweighted is k-means with a robust loss of the distance from the nearest center: rows
// keep a vote that falls with that distance. The engine of package irls does the steps.
func (t *table) reweighted(ctx context.Context, start []float64, set irls.Settings) (result, error) {
	set.Prior = t.weights
	set.Zero = math.Max(1e-26*t.variance()*float64(t.d), 16*epsilon*epsilon*t.offset)
	p := &problem{table: t, k: len(start) / t.d}
	got, err := irls.Run(ctx, p, &state{centers: start}, set)
	if err == nil && len(got.Steps) == 0 {
		err = ctx.Err() // cancelled before the first residuals
	}
	if err != nil {
		return result{}, err
	}
	return result{
		centers: got.State.centers, steps: got.Steps, status: got.Status,
		objective: got.Objective(), scale: got.Loss.Scale(), squared: got.Squared,
	}, nil
}

// state is a set of centers and, once residuals were asked for, who is nearest to which.
type state struct {
	centers []float64
	labels  []int32
}

// problem is what irls needs to know of k-means.
type problem struct {
	*table
	k int
}

func (p *problem) Len() int { return p.n }

func (p *problem) Residuals(ctx context.Context, at *state, s []float64) error {
	labels := make([]int32, p.n)
	if err := p.nearest(ctx, at.centers, labels, s); err != nil {
		return err
	}
	at.labels = labels
	return nil
}

// Solve moves each center to the weighted mean of its rows; a center without rows stays.
func (p *problem) Solve(ctx context.Context, from *state, w []float64) (*state, error) {
	sums, err := p.sum(ctx, from.labels, w, p.k)
	if err != nil {
		return nil, err
	}
	return &state{centers: sums.means(p.d, from.centers)}, nil
}

func (p *problem) Penalty(*state) float64 { return 0 }

func (p *problem) Between(a, b *state, t float64) (*state, error) {
	out := make([]float64, len(a.centers))
	for j, v := range a.centers {
		out[j] = v + t*(b.centers[j]-v)
	}
	return &state{centers: out}, nil
}

// Distance is how far the centers moved in all, in standard deviations of a column.
func (p *problem) Distance(a, b *state) float64 {
	return math.Sqrt(linalg.SquaredDistance(a.centers, b.centers) / math.Max(p.variance(), math.SmallestNonzeroFloat64))
}
