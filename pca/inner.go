package pca

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/inlier-ml/inlier/internal/outlying"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

// cutoffLevel is the share of regular rows that lie within each cut-off.
const cutoffLevel = outlying.Level

// inner estimates centre and scatter of the scores inside the subspace so that rows far
// out within it do not count: a reweighted minimum covariance determinant (Rousseeuw and
// Van Driessen 1999) that starts from the least outlying half. z is n x m; keep are the
// weights of the rows that may take part, 0 for others. It returns the weights of the rows
// that counted in the end, nil when there are too few for it.
func inner(ctx context.Context, z *mat.Dense, keep []float64, seed uint64) (centre []float64, scatter *mat.SymDense, counted []float64, err error) {
	n, m := z.Dims()
	kept := 0.0
	for _, k := range keep {
		kept += k
	}
	if kept < float64(5*m+5) {
		return nil, nil, nil, nil
	}
	src := linalg.FromDense(z)
	centre, scatter, ok, err := densestScatter(ctx, src, keep, seed)
	if err != nil || !ok {
		return nil, nil, nil, err
	}
	limit := distuv.ChiSquared{K: float64(m)}.Quantile(cutoffLevel)
	distance, used := make([]float64, n), 0.0
	// Each round may only let more rows in: that undoes the half's lack of precision on
	// clean data, while rounds that shrink would eat up heavy tails.
	for round := 0; round < 10; round++ {
		if _, good := mahalanobis(z, centre, scatter, distance); !good {
			return nil, nil, nil, nil
		}
		inside, w := 0.0, make([]float64, n)
		for i, v := range distance {
			if v <= limit && keep[i] > 0 {
				w[i] = keep[i]
				inside += keep[i]
			}
		}
		if inside <= used {
			break
		}
		total, mean, next, err := linalg.WeightedMoments(ctx, src, w)
		if err != nil {
			return nil, nil, nil, err
		}
		next.ScaleSym(consistency(m)/math.Max(total-1, 1), next)
		centre, scatter, counted, used = mean, next, w, inside
	}
	return centre, scatter, counted, nil
}

// consistency makes the scatter of the central 97.5 % of normal rows that of all of them
// (Croux and Haesbroeck 1999).
func consistency(m int) float64 {
	limit := distuv.ChiSquared{K: float64(m)}.Quantile(cutoffLevel)
	return cutoffLevel / distuv.ChiSquared{K: float64(m + 2)}.CDF(limit)
}

// densestScatter is the minimum covariance determinant of a sample of the rows to keep: from the
// least outlying half, concentration steps lower the determinant; then the scatter is
// made that of all rows by the median distance.
func densestScatter(ctx context.Context, src linalg.Source, keep []float64, seed uint64) (centre []float64, scatter *mat.SymDense, ok bool, err error) {
	x, w, err := sampleRows(ctx, src, Options{Seed: seed, Weights: keep}, startRows)
	if err != nil {
		return nil, nil, false, err
	}
	out, err := outlyingness(ctx, x, w, seed)
	switch {
	case errors.Is(err, errConstant): // the rows that may take part are equal
		return nil, nil, false, nil
	case err != nil:
		return nil, nil, false, err
	}
	n, m := x.Dims()
	sample, h := linalg.FromDense(x), outlying.HalfSize(total(w, n), m)
	half := univariate.SmallestWeight(out, w, h)
	distance := out
	before := math.Inf(1)
	for step := 0; step < 30; step++ {
		total, mean, next, err := linalg.WeightedMoments(ctx, sample, half)
		if err != nil {
			return nil, nil, false, err
		}
		next.ScaleSym(1/total, next)
		logdet, good := mahalanobis(x, mean, next, distance)
		if !good {
			return nil, nil, false, nil
		}
		centre, scatter = mean, next
		if logdet >= before-1e-9*math.Abs(before) {
			break
		}
		before = logdet
		half = univariate.SmallestWeight(distance, w, h)
	}
	scatter.ScaleSym(univariate.WeightedMedian(distance, w)/distuv.ChiSquared{K: float64(m)}.Quantile(0.5), scatter)
	return centre, scatter, true, nil
}

// mahalanobis writes squared distances (x - centre)' scatter^-1 (x - centre) and returns
// the log-determinant; false when the scatter is singular.
func mahalanobis(x *mat.Dense, centre []float64, scatter *mat.SymDense, out []float64) (logdet float64, ok bool) {
	chol, ok := linalg.NewCholesky(scatter)
	if !ok || chol.Cond() > 1e13 {
		return 0, false
	}
	// With scatter = L L' the distance is the norm of L^-1 (x - centre).
	inverse := chol.InverseLower()
	n, m := x.Dims()
	var shift mat.VecDense
	linalg.MulVec(&shift, inverse, mat.NewVecDense(m, centre))
	const rows = 256 // at a time, so that no second table is needed
	linalg.Parallel((n+rows-1)/rows, func(block int) {
		first, last := block*rows, min(block*rows+rows, n)
		white := mat.NewDense(last-first, m, nil)
		linalg.Mul(white, x.Slice(first, last, 0, m), inverse.T())
		for i := first; i < last; i++ {
			sum := 0.0
			for j, v := range white.RawRowView(i - first) {
				e := v - shift.AtVec(j)
				sum += e * e
			}
			out[i] = sum
		}
	})
	return chol.LogDet(), true
}
