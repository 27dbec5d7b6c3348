package pca

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/judging"
	"github.com/inlier-ml/inlier/internal/mcd"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
)

// finish turns the end of a reweighting into a model: variances inside the subspace,
// distances and cut-offs of the training rows, explained variance.
func (o Options) finish(ctx context.Context, t *table, found learned, pl plan) (*Model, error) {
	at, res := found.at, found.res
	n := found.full.Len()
	_, m := at.basis.Dims()
	s, scores := res.Squared, at.scores
	if scores == nil {
		s, scores = make([]float64, n), mat.NewDense(n, m, nil)
		if err := linalg.Residuals(ctx, t.inside, at.mean, at.basis, s, scores); err != nil {
			return nil, err
		}
	}
	if t.gaps != nil {
		t.gaps.judge(at, s, scores)
	}
	model := &Model{
		method: pl.method, rows: n, status: res.Status, steps: res.Steps, loss: res.Loss, weights: res.Weights,
		options: o, unweighted: pl.unweighted,
	}
	if !pl.unweighted {
		model.largest = judging.FullWeight(res.Loss, s, o.Weights)
	}
	// The papers' variances: the weighted scatter along the basis over the sum of weights,
	// with the divisor n-1 for equal weights.
	values := at.values
	centre, rotation := make([]float64, m), identity(m)
	if values == nil {
		var err error
		if values, rotation, err = scoreAxes(ctx, scores, res.Weights); err != nil {
			return nil, err
		}
	}
	eigen := make([]float64, m)
	for j := range eigen {
		eigen[j] = math.Max(values[j], 0) / divisor(res.Weights, o.Weights)
	}
	if pl.asFound {
		model.axes = &principalAxes{variances: eigen, directions: rotation}
		eigen, rotation = model.axes.along(), identity(m)
	}
	out, err := o.leaveOut(ctx, t, found, s, pl)
	if err != nil {
		return nil, err
	}
	apart := s // squared distances of rows from a subspace that they had no part in
	if out != nil {
		apart = out.squared
	}
	odCut := orthogonalCutoff(apart, at, t, o)
	outside := false   // rare values make up the distances
	var rare *mcd.Bulk // in a table of rare values
	if o.Scatter == ScatterRobust && odCut > 0 && shareWithin(apart, odCut, o.Weights) < usualShare {
		if rare, err = t.rareBulk(ctx, at, o); err != nil {
			return nil, err
		}
		outside = rare != nil
		if !outside {
			if outside, err = t.rareOutside(ctx, at, o); err != nil {
				return nil, err
			}
		}
		if outside {
			odCut = rareLimit(apart, odCut, o)
		}
	}
	if !outside {
		if odCut, err = o.lengthen(ctx, t, at, odCut); err != nil {
			return nil, err
		}
	}
	if odCut, err = o.follow(ctx, t, apart, odCut); err != nil {
		return nil, err
	}
	in, count := inside{weights: res.Weights}, total(o.Weights, n)
	if o.Scatter == ScatterRobust {
		keep := make([]float64, n)
		in.keep = keep
		for i := range keep {
			if odCut == 0 || apart[i] <= odCut*odCut {
				keep[i] = weightAt(o.Weights, i)
			}
		}
		var c, used []float64
		var scatter *mat.SymDense
		if found.regular != nil && t.cloud {
			used = keep
			c, scatter = along(found.regular, at)
		} else if c, scatter, used, err = inner(ctx, scores, keep, o.Seed); err != nil {
			return nil, err
		} else if rare == nil && total(used, 0) < usualShare*total(keep, n) {
			if rare, err = t.rareBulk(ctx, at, o); err != nil {
				return nil, err
			}
		}
		if rare != nil {
			if w := mcd.New(scores, keep, 0).Within(rare); total(w, 0) > total(used, 0) {
				c, scatter, used = rare.Centre, rare.Scatter, w
				in.rare = true
			}
		}
		if t.cloud = used != nil && rare == nil; used != nil {
			in.counted, count = used, total(used, n)
			v, q, err := linalg.SymEigen(ctx, scatter)
			if err != nil {
				return nil, err
			}
			centre, rotation, eigen = c, q, v
			if pl.asFound {
				model.axes = &principalAxes{variances: v, directions: q}
				eigen, rotation = model.axes.along(), identity(m)
			}
		}
	}
	// Move the centre and turn the axes; scores and basis follow.
	mean := append([]float64(nil), at.mean...)
	shift := mat.NewVecDense(len(mean), nil)
	linalg.MulVec(shift, at.basis, mat.NewVecDense(m, centre))
	for j := range mean {
		mean[j] += shift.AtVec(j)
	}
	var basis mat.Dense
	linalg.Mul(&basis, at.basis, rotation)
	fullMean, fullBasis := t.axes.restore(mean, &basis)
	flips := signs(fullBasis)
	turn(scores, centre, rotation, flips)
	model.axes.flip(flips)
	if rank := scoreRank(scores, o.Weights); rank < m && !t.drowned(ctx, o.Weights) {
		return nil, &refusal.RankError{Name: "components", Asked: m, Most: rank, Why: fmt.Sprintf("is more than possible: the rows span only %d dimensions", rank)}
	}
	model.mean, model.basis = fullMean, fullBasis
	for j := range eigen {
		eigen[j] = math.Max(eigen[j], 0)
	}
	model.eigenvalues = eigen
	voters := effective(res.Weights, o.Weights)
	switch model.orthogonalCutoff = odCut; {
	case fewToTell(m, total(o.Weights, n), voters):
		model.orthogonalCutoff, count = 0, math.Min(count, voters)
	case odCut == 0:
		model.orthogonalCutoff = exactCutoff(at, t)
	}
	model.scoreCutoff = scoreCutoff(m, count)
	model.training = model.judge(s, scores)
	if out != nil {
		if err := out.scores(ctx, t, model.training.ScoreDistance, in, o); err != nil {
			return nil, err
		}
		model.shrunk = out.shrink(m, count, model.training, odCut, o.Weights)
		model.scoreCutoff *= model.shrunk
	}
	model.widenScoreCutoff(model.training.ScoreDistance, rare != nil)
	if model.orthogonalCutoff == 0 && m < len(mean) && voters < float64(m+1)-1e-9 {
		model.scoreCutoff = 0 // in some direction of the subspace no row that counts varies
	}
	if out != nil {
		copy(model.training.OrthogonalDistance, roots(apart))
	}
	if t.limits != nil { // values were cut off for the fit: judge the true ones
		if err := model.judgeFar(ctx, t); err != nil {
			return nil, err
		}
	}
	settle(model.training, model.orthogonalCutoff, model.scoreCutoff)
	if model.past, err = o.remember(ctx, t, found, model, s); err != nil {
		return nil, err
	}
	model.measureVariance(s, scores)
	model.warn()
	return model, model.warnMany(ctx, t.given, o.Weights)
}

// along returns centre and scatter of rows within a subspace, of which these are the moments, as [mcd.Points.Reweighted]
// does of those within its limit.
func along(rows *linalg.Moments, at subspace) (centre []float64, scatter *mat.SymDense) {
	_, m := at.basis.Dims()
	mean := rows.Mean()
	for j := range mean {
		mean[j] -= at.mean[j]
	}
	var shift mat.VecDense
	linalg.MulVec(&shift, at.basis.T(), mat.NewVecDense(len(mean), mean))
	var half, whole mat.Dense
	linalg.Mul(&half, rows.Scatter(), at.basis)
	linalg.Mul(&whole, at.basis.T(), &half)
	scatter = symmetric(&whole)
	scatter.ScaleSym(mcd.Consistency(m)/math.Max(rows.Total()-1, 1), scatter)
	return mat.Col(nil, 0, &shift), scatter
}

// divisor turns a weighted scatter into variances: the sum of weights, less one row's part.
func divisor(w, prior []float64) float64 {
	return math.Max(total(w, 0)*(1-1/math.Max(effective(w, prior), 2)), math.SmallestNonzeroFloat64)
}

// effective is the effective number of rows, (sum w)^2 / sum w^2, where a prior weight is
// as many rows as it says.
func effective(w, prior []float64) float64 {
	if prior == nil {
		return loss.EffectiveSampleSize(w)
	}
	sum, squares := 0.0, 0.0
	for i, v := range w {
		if prior[i] > 0 {
			sum += v
			squares += v * (v / prior[i])
		}
	}
	if squares == 0 {
		return 0
	}
	return sum * (sum / squares)
}

// turn replaces every row of scores by (row - centre) * rotation, with signs, in place.
func turn(scores *mat.Dense, centre []float64, rotation *mat.Dense, flips []float64) {
	n, m := scores.Dims()
	const rows = 256
	linalg.Parallel((n+rows-1)/rows, func(block int) {
		first, last := block*rows, min(block*rows+rows, n)
		part := scores.Slice(first, last, 0, m).(*mat.Dense)
		shifted := mat.DenseCopyOf(part)
		for i := 0; i < last-first; i++ {
			row := shifted.RawRowView(i)
			for j := range row {
				row[j] -= centre[j]
			}
		}
		linalg.Mul(part, shifted, rotation)
		for i := 0; i < last-first; i++ {
			row := part.RawRowView(i)
			for j := range row {
				row[j] *= flips[j]
			}
		}
	})
}

// scoreRank counts the components along which the rows vary at all, against what most
// rows have as their largest score.
func scoreRank(scores *mat.Dense, w []float64) int {
	n, m := scores.Dims()
	size, row := make([]float64, m), make([]float64, n)
	for i := 0; i < n; i++ {
		for j, z := range scores.RawRowView(i) {
			size[j] = math.Max(size[j], math.Abs(z))
			row[i] = math.Max(row[i], math.Abs(z))
		}
	}
	level := univariate.WeightedMedian(row, w)
	if !(level > 0) { // most rows are equal
		level = slices.Max(row)
	}
	rank := 0
	for _, v := range size {
		if v > 1e-13*level {
			rank++
		}
	}
	return rank
}

// scoreAxes returns the variances and axes of the weighted scores.
func scoreAxes(ctx context.Context, scores *mat.Dense, w []float64) ([]float64, *mat.Dense, error) {
	_, _, scatter, err := linalg.WeightedMoments(ctx, linalg.FromDense(scores), w)
	if err != nil {
		return nil, nil, err
	}
	return linalg.SymEigen(ctx, scatter)
}

func identity(m int) *mat.Dense {
	out := mat.NewDense(m, m, nil)
	for j := 0; j < m; j++ {
		out.Set(j, j, 1)
	}
	return out
}

// signs makes the largest entry of each column of v positive and returns the factors.
func signs(v *mat.Dense) []float64 {
	d, m := v.Dims()
	before := mat.NewVecDense(d, nil)
	out := make([]float64, m)
	old := mat.DenseCopyOf(v)
	linalg.FixSigns(v)
	for j := 0; j < m; j++ {
		before.CopyVec(old.ColView(j))
		out[j] = 1
		if mat.Dot(before, v.ColView(j)) < 0 {
			out[j] = -1
		}
	}
	return out
}
