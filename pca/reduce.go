package pca

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// reduction turns rows of many columns into coordinates in the space they span. Every
// method of this package depends on inner products of the rows alone, so it may work on
// the coordinates and have its basis turned back: with d columns and n < d rows the cost
// falls from that of d x d to that of n x n matrices.
type reduction struct {
	origin []float64  // subtracted first, so that offsets cost no precision
	axes   *mat.Dense // r x d, orthonormal rows; nil: nothing was reduced
}

// reduce finds the coordinates of the rows when there are more columns than rows and no
// gaps, which are filled in columns.
func (t *table) reduce(ctx context.Context, w []float64) error {
	t.inside = t.seen
	n, d := t.seen.Dims()
	if d <= n || t.gaps != nil {
		return nil
	}
	origin := t.centre
	if origin == nil {
		var err error
		if _, origin, err = linalg.WeightedMean(ctx, t.seen, w); err != nil {
			return err
		}
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	x, err := linalg.Gather(ctx, t.seen, all)
	if err != nil {
		return err
	}
	for i := 0; i < n; i++ {
		row := x.RawRowView(i)
		for j, o := range origin {
			row[j] -= o
		}
	}
	axes := mat.DenseCopyOf(x)
	if err := linalg.OrthonormalizeRows(ctx, axes); err != nil {
		return err
	}
	coordinates := mat.NewDense(n, n, nil)
	const block = 48
	for first := 0; first < n; first += block { // a row lies in the span of the axes up to its own
		if err := ctx.Err(); err != nil {
			return err
		}
		last := min(first+block, n)
		linalg.Mul(coordinates.Slice(first, last, 0, last).(*mat.Dense), x.Slice(first, last, 0, d), axes.Slice(0, last, 0, d).T())
	}
	t.inside, t.axes = linalg.FromDense(coordinates), reduction{origin: origin, axes: axes}
	return nil
}

// restore turns a point and directions given in coordinates back to columns.
func (r reduction) restore(point []float64, basis *mat.Dense) ([]float64, *mat.Dense) {
	if r.axes == nil {
		return point, basis
	}
	_, d := r.axes.Dims()
	_, m := basis.Dims()
	full := mat.NewDense(d, m, nil)
	linalg.Mul(full, r.axes.T(), basis)
	mean := mat.NewVecDense(d, nil)
	linalg.MulVec(mean, r.axes.T(), mat.NewVecDense(len(point), point))
	mean.AddVec(mean, mat.NewVecDense(d, r.origin))
	return mean.RawVector().Data, full
}
