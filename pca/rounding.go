package pca

import (
	"context"

	"github.com/inlier-ml/inlier/internal/outlying"
	"github.com/inlier-ml/inlier/linalg"
)

// roundingNoise is what rounding of the columns adds to squared distances; see
// [outlying.RoundingNoise].
func (t *table) roundingNoise(ctx context.Context, at subspace, o Options) (float64, error) {
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

// noiseLimit is the cut-off of distances that are nothing but noise of rounding.
func (t *table) noiseLimit(at subspace) float64 {
	d, m := at.basis.Dims()
	return outlying.NoiseLimit(t.noise, d-m)
}
