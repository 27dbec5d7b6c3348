package pca

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/outlying"
	"github.com/inlier-ml/inlier/linalg"
)

// roundingNoise is what rounding of the columns adds to squared distances; see
// [outlying.RoundingNoise].
func (t *table) roundingNoise(ctx context.Context, at subspace, o Options) (float64, error) {
	if t.moments != nil && !outlying.Sharp(t.unexplained(at), t.spread) {
		return 0, nil // as is known without another reading
	}
	x, w, err := sampleRows(ctx, t.seen, o, outlying.RoundingRows)
	if err != nil {
		return 0, err
	}
	mean, basis := t.axes.restore(at.mean, at.basis)
	n, _ := x.Dims()
	s := make([]float64, n)
	if err := linalg.Residuals(ctx, linalg.FromDense(x), mean, basis, s, nil); err != nil {
		return 0, err
	}
	return outlying.RoundingNoise(x, w, s, t.spread, func(j int) float64 {
		part := 1.0
		for _, v := range basis.RawRowView(j) {
			part -= v * v
		}
		return part
	}), nil
}

// unexplained is the root mean squared distance of all rows from an ordinary PCA's subspace.
func (t *table) unexplained(at subspace) float64 {
	rest := mat.Trace(t.moments.scatter)
	for _, v := range at.values {
		rest -= v
	}
	return math.Sqrt(math.Max(rest, 0) / t.moments.total)
}

// noiseLimit is the cut-off of distances that are nothing but noise of rounding.
func (t *table) noiseLimit(at subspace) float64 {
	d, m := at.basis.Dims()
	return outlying.NoiseLimit(t.noise, d-m)
}
