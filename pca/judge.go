package pca

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/judging"
	"github.com/inlier-ml/inlier/internal/outlying"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
)

// Judge returns distances, weights and kinds of rows, training rows and new ones alike; the
// kinds are the quarters of the outlier map. Rows of which no more values are known than the
// model has components count as missing. Where there are few training rows, [Model.Training]
// has their distances from subspaces that were fitted without them, as the cut-offs are, so
// that they compare with those of new rows; see leftout.go. Judged again here, such a row has a
// smaller residual and, since the subspace turned towards its noise, a larger score: of rows
// that are little but noise, many lie beyond the limit of scores that new ones keep.
func (m *Model) Judge(ctx context.Context, x *mat.Dense) (*verdict.Rows, error) {
	ctx = given.Context(ctx)
	if m.cells != nil {
		return m.judgeBoth(ctx, x)
	}
	s, scores, err := m.measure(ctx, x)
	if err != nil {
		return nil, err
	}
	j := m.judge(s, scores)
	m.judgeOdd(j, x)
	settle(j, m.orthogonalCutoff, m.scoreCutoff)
	judging.NoteMissing(j, x, len(m.eigenvalues))
	return j, nil
}

// judge fills in distances and weights from squared distances and scores.
func (m *Model) judge(s []float64, scores *mat.Dense) *verdict.Rows {
	n := len(s)
	j := judging.New(n, verdict.MapKinds)
	j.OrthogonalDistance, j.ScoreDistance, j.Weight = roots(s), make([]float64, n), make([]float64, n)
	linalg.Spans(n, func(from, to int) {
		room := make([]float64, len(m.eigenvalues))
		for i := from; i < to; i++ {
			z, variances := m.principal(room, scores.RawRowView(i))
			sum := squaredOver(z, variances)
			j.ScoreDistance[i] = math.Sqrt(sum)
			j.Weight[i] = 1
			if !m.unweighted {
				j.Weight[i] = math.Min(1, math.Exp(m.loss.LogWeight(s[i])-m.largest))
			}
			if math.IsInf(sum, 1) { // far out: add lengths, not squares
				j.ScoreDistance[i] = lengthOver(z, variances)
			}
		}
	})
	return j
}

// judgeOdd mends the judgement on rows of x that squared distances cannot tell: those so
// far off that squares overflow have their distance from lengths, and those without any
// value are nowhere near, since nothing speaks for them.
func (m *Model) judgeOdd(j *verdict.Rows, x *mat.Dense) {
	n, _ := x.Dims()
	linalg.Spans(n, func(from, to int) {
		for i := from; i < to; i++ {
			row := x.RawRowView(i)
			switch {
			case math.IsInf(j.OrthogonalDistance[i], 1):
				j.OrthogonalDistance[i] = m.lengthFrom(row)
			case empty(row):
				j.OrthogonalDistance[i], j.Weight[i] = math.MaxFloat64, 0
			}
		}
	})
}

// lengthFrom is the distance of a row from the subspace where its square overflows.
func (m *Model) lengthFrom(row []float64) float64 {
	scale := 0.0
	for c, v := range row {
		if e := math.Abs(v/2 - m.mean[c]/2); e > scale { // not where it is missing
			scale = e
		}
	}
	scaled, origin := make([]float64, len(row)), make([]float64, len(row))
	for c, v := range row {
		scaled[c] = v/2/scale - m.mean[c]/2/scale
	}
	z := make([]float64, len(m.eigenvalues))
	length := math.Sqrt(bridge(scaled, subspace{mean: origin, basis: m.basis}, z))
	return math.Min(length*scale*2, math.MaxFloat64)
}

// empty tells whether a row has no value at all.
func empty(row []float64) bool {
	for _, v := range row {
		if !math.IsNaN(v) {
			return false
		}
	}
	return true
}

// settle sets the kinds by the cut-offs.
func settle(j *verdict.Rows, orthogonal, score float64) {
	j.OrthogonalCutoff, j.ScoreCutoff = orthogonal, score
	linalg.Spans(len(j.Kind), func(from, to int) {
		for i := from; i < to; i++ {
			d := j.OrthogonalDistance[i]
			// A row of which nothing is known is out also where rows lie in the subspace to rounding.
			off := orthogonal > 0 && d > orthogonal || d == math.MaxFloat64
			k := judging.OnMap(off, score > 0 && j.ScoreDistance[i] > score)
			judging.Set(j, i, k, k != verdict.Regular)
		}
	})
}

// judgeFar judges the training rows that have values beyond the limits by their true values.
func (m *Model) judgeFar(ctx context.Context, t *table) error {
	_, d := t.given.Dims()
	return t.given.Scan(ctx, func(first int, block *mat.Dense) error {
		rows, _ := block.Dims()
		var far []int
		for i := range rows {
			if t.limits.Beyond(block.RawRowView(i)) {
				far = append(far, i)
			}
		}
		if len(far) == 0 {
			return nil
		}
		x := mat.NewDense(len(far), d, nil)
		for k, i := range far {
			x.SetRow(k, block.RawRowView(i))
		}
		s, scores, err := m.measure(ctx, x)
		if err != nil {
			return err
		}
		j := m.judge(s, scores)
		m.judgeOdd(j, x)
		for k, i := range far {
			m.training.OrthogonalDistance[first+i] = j.OrthogonalDistance[k]
			m.training.ScoreDistance[first+i] = j.ScoreDistance[k]
			m.training.Weight[first+i] = j.Weight[k]
		}
		return nil
	})
}

// roots returns distances of squared distances.
func roots(s []float64) []float64 {
	out := make([]float64, len(s))
	linalg.Spans(len(s), func(from, to int) {
		for i := from; i < to; i++ {
			out[i] = math.Sqrt(s[i])
		}
	})
	return out
}

// Contributions answers "why is this row an outlier": for each column, its part of the
// row's orthogonal distance. Setting the value right, to what fits the rest of the row
// best, lowers the squared distance by the square of the entry, so that a fault in a single
// column takes the whole distance and its neighbours little. With r the residual and h_j
// the column's part in the subspace the entry is r_j / sqrt(1 - h_j); the value itself is
// r_j / (1 - h_j) too high. For good leverage rows, which fit the subspace, the entry is the
// column's deviation from the mean within it. Missing values have none. Of pca-cell the entry
// is the value less what the rest of the row lets expect. With one component less than columns see [Model.told].
func (m *Model) Contributions(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	ctx = given.Context(ctx)
	if m.cells != nil {
		j, err := m.judgeBoth(ctx, x)
		if err != nil {
			return nil, err
		}
		return j.Contributions, nil
	}
	s, scores, err := m.measure(ctx, x)
	if err != nil {
		return nil, err
	}
	kept, err := m.Inverse(ctx, scores)
	if err != nil {
		return nil, err
	}
	judged := m.judge(s, scores)
	settle(judged, m.orthogonalCutoff, m.scoreCutoff)
	n, d := x.Dims()
	own := make([]float64, d) // sqrt(1 - h_j), 0 where a column lies in the subspace
	for c := range own {
		rest := 1.0
		for _, v := range m.basis.RawRowView(c) {
			rest -= v * v
		}
		if rest > 1e-9 {
			own[c] = math.Sqrt(rest)
		}
	}
	out := mat.NewDense(n, d, nil)
	for i := 0; i < n; i++ {
		row, in, fit := out.RawRowView(i), x.RawRowView(i), kept.RawRowView(i)
		for c := range row {
			switch {
			case math.IsNaN(in[c]):
			case judged.Kind[i] == verdict.GoodLeverage:
				row[c] = fit[c] - m.mean[c]
			case own[c] > 0:
				row[c] = (in[c] - fit[c]) / own[c]
			}
			row[c] = finite(row[c])
		}
		if len(m.eigenvalues) == d-1 && judged.Kind[i] != verdict.GoodLeverage && !slices.ContainsFunc(in, math.IsNaN) {
			m.told(row, scores.RawRowView(i), own)
		}
	}
	return out, nil
}

// finite moves what has overflowed to the largest number; nothing is known of NaN.
func finite(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return math.Max(-math.MaxFloat64, math.Min(math.MaxFloat64, v))
}

// scoreCutoff is the 97.5 % limit of the score distance of a further regular row when
// mean and variances come from n rows: Hotelling's m(n^2-1)/(n(n-m)) F(m, n-m), which
// tends to the chi-square quantile with m degrees as n grows.
func scoreCutoff(m int, n float64) float64 { return math.Sqrt(hotelling(m, n, cutoffLevel)) }

// hotelling is a quantile of the squared score distance of a further regular row.
func hotelling(m int, n, level float64) float64 {
	k := float64(m)
	n = math.Max(n, k+1) // fewer have no variance in some direction
	return k * (n*n - 1) / (n * (n - k)) * distuv.F{D1: k, D2: n - k}.Quantile(level)
}

// orthogonalCutoff uses that distances to the power 2/3 are nearly normal (Wilson and
// Hilferty): the 97.5 % limit of a further regular row from their robust mean and standard
// deviation (Student's t), to the power 3/2.
// It is 0 when the rows lie in the subspace to rounding, and at least what rounding of the
// columns explains.
func orthogonalCutoff(s []float64, at subspace, t *table, o Options) float64 {
	largest := 0.0
	for i, v := range s {
		if weightAt(o.Weights, i) > 0 {
			largest = math.Max(largest, v)
		}
	}
	size := at.size()
	if d, m := at.basis.Dims(); m >= d || largest <= 1e-24*size {
		return 0
	}
	least := 1e-12 * math.Max(t.spread, math.Sqrt(size/total(o.Weights, len(s))))
	return max(bulkLimit(s, o), least, t.noiseLimit(at))
}

// fewToTell tells whether n rows, of which so many count in effect, say nothing of how far off m components rows lie: any
// m+1 rows lie on some such subspace. Robust weights may come to rest on that many where they are half of the rows.
func fewToTell(m int, n, count float64) bool {
	least := float64(m + 2)
	return n <= least || n <= 2*least && count < least
}

// exactCutoff is the cut-off where all rows lie in the subspace: how far rounding reaches, beyond which a new row is off
// it. It is 0 where there is nothing off the subspace.
func exactCutoff(at subspace, t *table) float64 {
	if d, m := at.basis.Dims(); m >= d {
		return 0
	}
	return max(1e-12*math.Sqrt(at.size()), 1e-12*t.spread, t.noiseLimit(at))
}

// size is the squared extent of the rows: their scatter, and their mean.
func (at subspace) size() float64 {
	size := 0.0
	for _, v := range at.values {
		size += math.Max(v, 0)
	}
	for _, v := range at.mean {
		size += v * v
	}
	return size
}

// bulkLimit is the limit of squared distances: from the densest half of them, or the densest
// three quarters for fits that trust most rows anyway.
func bulkLimit(squared []float64, o Options) float64 {
	r := total(o.Weights, len(squared))
	h := outlying.HalfSize(r, 0)
	if o.Start == StartClassic {
		h = math.Max(h, math.Floor(3*r/4))
	}
	return outlying.DensestLimit(squared, o.Weights, r, h)
}

// widenScoreCutoff raises the score cut-off to the limit of the rows' own bulk, for data
// whose scores are far from normal (several groups, heavy tails): there the normal limit
// would call half of the rows outliers. For normal scores the two limits agree.
func (m *Model) widenScoreCutoff(distance []float64, rare bool) {
	squared := make([]float64, len(distance))
	for i, v := range distance {
		squared[i] = math.Min(v*v, math.MaxFloat64)
	}
	if limit := bulkLimit(squared, m.options); limit > m.scoreCutoff {
		m.scoreCutoff = limit
	}
	if rare && shareWithin(squared, m.scoreCutoff, m.options.Weights) < usualShare {
		m.scoreCutoff = rareLimit(squared, m.scoreCutoff, m.options)
	}
	m.scoreCutoff = outlying.OwnLimit(squared, m.options.Weights, total(m.options.Weights, len(squared)), m.scoreCutoff, outlying.MostLong)
}
