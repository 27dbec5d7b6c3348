package cluster

import (
	"context"

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

// held is the size in numbers up to which a table that is not in memory is read into it.
var held = linalg.HeldNumbers

// rehearse fits a sample of the rows; its centers are for the whole table.
func (k KMeans) rehearse(ctx context.Context, t *table) (result, error) {
	size := max(rehearsalRows, rehearsalEach*k.Clusters)
	rows := t.at(size, random.New(k.Seed, "cluster rehearsal").Float64)
	x, err := t.pick(ctx, rows)
	if err != nil {
		return result{}, err
	}
	k.OnStep, k.Weights = nil, nil
	start := make([][]float64, len(k.Centers)) // the sample's rows are offsets from the origin
	for c, row := range k.Centers {
		start[c] = make([]float64, t.d)
		subtract(start[c], row, t.origin)
	}
	k.Centers = start
	sample, err := newTable(ctx, linalg.FromDense(mat.NewDense(len(rows), t.d, x)), nil, k.robust())
	if err != nil {
		return result{}, err
	}
	k.rescale(sample.unit)
	best, err := k.run(ctx, sample)
	if err != nil {
		return result{}, err
	}
	best.centers, best.scale = sample.outside(best.centers).RawMatrix().Data, best.scale/sample.unit
	return best, nil
}
