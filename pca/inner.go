package pca

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/inlier-ml/inlier/linalg"
)

// cutoffLevel is the share of regular rows that lie within each cut-off.
const cutoffLevel = 0.975

// inner estimates centre and scatter of the scores inside the subspace so that rows far
// out within it do not count: a reweighted minimum covariance determinant (Rousseeuw and
// Van Driessen 1999) that starts from the least outlying half. z is n x m; keep marks
// rows that may take part. It returns the number of rows that
// counted in the end, 0 when there are too few for it.
func inner(ctx context.Context, z *mat.Dense, keep []bool, seed uint64) (centre []float64, scatter *mat.SymDense, used int, err error) {
	var rows []int
	for i, k := range keep {
		if k {
			rows = append(rows, i)
		}
	}
	_, m := z.Dims()
	if len(rows) < 5*m+5 {
		return nil, nil, 0, nil
	}
	x, err := gather(ctx, linalg.FromDense(z), rows, m)
	if err != nil {
		return nil, nil, 0, err
	}
	src := linalg.FromDense(x)
	n := len(rows)
	// The start is sought on a sample; the concentration steps use every row.
	sample, err := sampleRows(ctx, src, Options{Seed: seed})
	if err != nil {
		return nil, nil, 0, err
	}
	out, err := outlyingness(ctx, sample, seed)
	if err != nil {
		return nil, nil, 0, err
	}
	size, _ := sample.Dims()
	total, centre, scatter, err := linalg.WeightedMoments(ctx, linalg.FromDense(sample), indicator(smallest(out, halfSize(size, m)), size))
	if err != nil {
		return nil, nil, 0, err
	}
	scatter.ScaleSym(1/total, scatter)
	h := halfSize(n, m)
	distance := make([]float64, n)
	before := math.Inf(1)
	for step := 0; step < concentrationSteps; step++ {
		logdet, good := mahalanobis(x, centre, scatter, distance)
		if !good {
			return nil, nil, 0, nil
		}
		if logdet >= before-1e-9*math.Abs(before) {
			break
		}
		if step > 0 {
			before = logdet
		}
		total, mean, next, err := linalg.WeightedMoments(ctx, src, indicator(smallest(distance, h), n))
		if err != nil {
			return nil, nil, 0, err
		}
		next.ScaleSym(1/total, next)
		centre, scatter = mean, next
	}
	// Make the half's scatter that of all rows by the median distance, then reweight until it hardly moves.
	if _, good := mahalanobis(x, centre, scatter, distance); !good {
		return nil, nil, 0, nil
	}
	chi := distuv.ChiSquared{K: float64(m)}
	scatter.ScaleSym(median(append([]float64(nil), distance...))/chi.Quantile(0.5), scatter)
	// Consistency of the scatter of the central 97.5 % (Croux and Haesbroeck 1999).
	consistent := cutoffLevel / distuv.ChiSquared{K: float64(m + 2)}.CDF(chi.Quantile(cutoffLevel))
	w := make([]float64, n)
	for round := 0; round < 10; round++ {
		if _, good := mahalanobis(x, centre, scatter, distance); !good {
			return nil, nil, 0, nil
		}
		for i, v := range distance {
			w[i] = 0
			if v <= chi.Quantile(cutoffLevel) {
				w[i] = 1
			}
		}
		if total, centre, scatter, err = linalg.WeightedMoments(ctx, src, w); err != nil {
			return nil, nil, 0, err
		}
		scatter.ScaleSym(consistent/math.Max(total-1, 1), scatter)
	}
	return centre, scatter, int(total), nil
}

// mahalanobis writes squared distances (x - centre)' scatter^-1 (x - centre) and returns
// the log-determinant; false when the scatter is singular.
func mahalanobis(x *mat.Dense, centre []float64, scatter *mat.SymDense, out []float64) (logdet float64, ok bool) {
	var chol mat.Cholesky
	if !chol.Factorize(scatter) || chol.Cond() > 1e13 {
		return 0, false
	}
	var lower mat.TriDense
	chol.LTo(&lower)
	m := len(centre)
	linalg.Parallel((len(out)+255)/256, func(block int) {
		y := make([]float64, m)
		for i := block * 256; i < min(block*256+256, len(out)); i++ {
			row, sum := x.RawRowView(i), 0.0
			for j := 0; j < m; j++ {
				v := row[j] - centre[j]
				for k := 0; k < j; k++ {
					v -= lower.At(j, k) * y[k]
				}
				y[j] = v / lower.At(j, j)
				sum += y[j] * y[j]
			}
			out[i] = sum
		}
	})
	return chol.LogDet(), true
}
