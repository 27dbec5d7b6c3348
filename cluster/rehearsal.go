package cluster

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/linalg"
)

const (
	// rehearsalFrom is the number of rows beyond which a robust fit tries its starts on
	// a sample: its steps need two passes each, and many of them.
	rehearsalFrom = 20000
	// rehearsalRows is the size of that sample, and at least so many per cluster.
	rehearsalRows, rehearsalEach = 5000, 50
)

// rehearse fits a sample of the rows and returns the centers.
func (k KMeans) rehearse(ctx context.Context, t *table) ([][]float64, error) {
	rows := t.evenly(random.New(k.Seed, "cluster rehearsal"), min(t.counted, max(rehearsalRows, rehearsalEach*k.Clusters)))
	slices.Sort(rows)
	x, err := t.pick(ctx, rows)
	if err != nil {
		return nil, err
	}
	k.OnStep = nil
	if k.Weights != nil {
		weights := make([]float64, len(rows))
		for a, i := range rows {
			weights[a] = k.Weights[i]
		}
		k.Weights = weights
	}
	sample, err := newTable(ctx, linalg.FromDense(mat.NewDense(len(rows), t.d, x)), k.Weights)
	if err != nil {
		return nil, err
	}
	best, err := k.run(ctx, sample)
	if err != nil {
		return nil, err
	}
	centers := t.outside(sample.outside(best.centers).RawMatrix().Data)
	out := make([][]float64, k.Clusters)
	for c := range out {
		out[c] = centers.RawRowView(c)
	}
	return out, nil
}
