package pca

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/outlying"
	"github.com/inlier-ml/inlier/linalg"
)

// restColumns is the number of columns up to which the variances left over are looked at: of more, hardly ever so
// few directions make up the distances that their law matters.
const restColumns = 100

// lengthen corrects the limit of the distances from the subspace for what rows within it
// say about the directions left over: where few of these make up the distances, their law is not
// that of many ([outlying.Short]).
func (o Options) lengthen(ctx context.Context, t *table, at subspace, limit float64) (float64, error) {
	d, m := at.basis.Dims()
	if _, columns := t.given.Dims(); limit == 0 || columns > restColumns || limit <= t.noiseLimit(at) {
		return limit, nil
	}
	if d-m == 1 {
		return limit * outlying.Short([]float64{1}), nil
	}
	rest, err := o.restVariances(ctx, t, at, limit)
	if len(rest) == 0 || err != nil {
		return limit, err
	}
	return limit * outlying.Short(rest), nil
}

// restVariances are the variances of the rows within a limit along the directions left over, brought together as far as
// so few rows tell them apart by chance (Ledoit and Wolf); nil where nothing is known.
func (o Options) restVariances(ctx context.Context, t *table, at subspace, limit float64) ([]float64, error) {
	d, m := at.basis.Dims()
	x, w, err := sampleRows(ctx, t.inside, o, startRows)
	if err != nil {
		return nil, err
	}
	rows, _ := x.Dims()
	keep := make([]float64, rows)
	if err := linalg.Residuals(ctx, linalg.FromDense(x), at.mean, at.basis, keep, nil); err != nil {
		return nil, err
	}
	for i, s := range keep {
		if keep[i] = 0; s <= limit*limit {
			keep[i] = weightAt(w, i)
		}
	}
	n, _, scatter, err := linalg.WeightedMoments(ctx, linalg.FromDense(x), keep)
	if err != nil || !(n > 0) {
		return nil, err
	}
	var along, across, inside, rest mat.Dense // (I - BB')S(I - BB')
	linalg.Mul(&along, scatter, at.basis)
	linalg.Mul(&inside, &along, at.basis.T())
	rest.Sub(scatter, &inside)
	linalg.Mul(&across, at.basis.T(), &rest)
	linalg.Mul(&inside, at.basis, &across)
	rest.Sub(&rest, &inside)
	values, _, err := linalg.SymEigen(ctx, symmetric(&rest))
	if err != nil {
		return nil, err
	}
	values = values[:d-m]
	for len(values) > 0 && values[len(values)-1] <= 1e-12*values[0] { // more columns than rows
		values = values[:len(values)-1]
	}
	middle, apart, count := 0.0, 0.0, float64(len(values))
	for _, v := range values {
		middle += v / count
	}
	for _, v := range values {
		apart += (v - middle) * (v - middle)
	}
	chance := middle * middle * count * (count + 1) / n // of equal variances
	part := 0.0
	if apart > chance {
		part = math.Sqrt(1 - chance/apart)
	}
	for j, v := range values {
		values[j] = middle + part*(v-middle)
	}
	return values, nil
}
