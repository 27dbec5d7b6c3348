package pca

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

const (
	// roundingRows is how many rows tell of rounding.
	roundingRows = 600
	// sharp is the typical distance of rows from the subspace, relative to that from the
	// centre, below which rounding of the columns is looked for.
	sharp = 1e-2
	// roundedShare of the rows near the subspace must be off it for rounding to be the reason. A
	// relation of rounded numbers is missed by a quarter of the rows or more; fewer are faults.
	roundedShare = 0.1
)

// roundingNoise is the mean squared distance from the subspace that rows have because their
// columns were rounded: a column of step c has noise of variance c^2/12, of which the part
// orthogonal to the subspace counts. Where a relation between rounded columns holds exactly
// for most rows, no scale of the distances tells how far the others may be off. It is 0 where
// rows lie further off anyway, and where so few are off at all that the relation is exact.
func (t *table) roundingNoise(ctx context.Context, at subspace, o Options) (float64, error) {
	x, w, err := sampleRows(ctx, t.seen, o, roundingRows)
	if err != nil {
		return 0, err
	}
	mean, basis := t.axes.restore(at.mean, at.basis)
	n, d := x.Dims()
	s := make([]float64, n)
	if err := linalg.Residuals(ctx, linalg.FromDense(x), mean, basis, s, nil); err != nil {
		return 0, err
	}
	if univariate.WeightedMedian(s, w) > sharp*sharp*t.spread*t.spread {
		return 0, nil
	}
	parts := make([]float64, d)
	linalg.Parallel(d, func(j int) {
		outside := 1.0
		for _, v := range basis.RawRowView(j) {
			outside -= v * v
		}
		if outside > 1e-9 {
			step := univariate.Resolution(mat.Col(nil, j, x))
			parts[j] = step * step / 12 * outside
		}
	})
	noise := 0.0
	for _, v := range parts {
		noise += v
	}
	near, off := 0.0, 0.0
	for i, v := range s {
		if a := weightAt(w, i); v <= 16*noise {
			if near += a; v > 0.1*noise {
				off += a
			}
		}
	}
	if off <= roundedShare*near || math.IsInf(noise, 0) {
		return 0, nil
	}
	return noise, nil
}

// noiseLimit is the 97.5 % limit of distances that are nothing but noise of rounding.
func (t *table) noiseLimit(at subspace) float64 {
	if t.noise == 0 {
		return 0
	}
	d, m := at.basis.Dims()
	free := float64(max(d-m, 1))
	return math.Sqrt(t.noise * distuv.ChiSquared{K: free}.Quantile(cutoffLevel) / free)
}
