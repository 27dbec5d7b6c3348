package pca

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/mcd"
	"github.com/inlier-ml/inlier/internal/outlying"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

const (
	// usualShare of the rows lie within limits where the bulk is one cloud.
	usualShare = 0.95
	// rareShare of the variance must be that of columns that are mostly one value for them to be
	// what splits the bulk.
	rareShare = 0.25
	// further is how much further than the limit of the densest half that of rare values may be.
	further = 3
)

// rareBulk is where scores are by the columns alone, for tables with columns of which at least
// half is one value (rain, counts of rare things): half of the rows lie in a plane there, and the
// densest half takes every other row for an outlier. The spread of such a
// column is the median deviation of the values that differ from the one, times the root of their
// share; that of others their median deviation. It is nil where such columns have no part in the
// table, or the others none.
func (t *table) rareBulk(ctx context.Context, at subspace, o Options) (*mcd.Bulk, error) {
	x, w, err := sampleRows(ctx, t.seen, o, outlying.RoundingRows)
	if err != nil {
		return nil, err
	}
	mean, basis := t.axes.restore(at.mean, at.basis)
	_, m := basis.Dims()
	centre, scatter := make([]float64, m), mat.NewSymDense(m, nil)
	rare, all := 0.0, 0.0
	for j, c := range spreads(x, w) {
		row := basis.RawRowView(j)
		for a, u := range row {
			centre[a] += u * (c.middle - mean[j])
			for b := a; b < m; b++ {
				scatter.SetSym(a, b, scatter.At(a, b)+u*row[b]*c.spread*c.spread)
			}
		}
		all += c.spread * c.spread
		if c.one {
			rare += c.spread * c.spread
		}
	}
	if !(rare > rareShare*all) || math.IsInf(all, 0) {
		return nil, nil
	}
	return mcd.At(centre, scatter), nil
}

// mostlyOne tells whether at least half of a column is one value.
func (t *table) mostlyOne(ctx context.Context, o Options) (bool, error) {
	x, w, err := sampleRows(ctx, t.seen, o, outlying.RoundingRows)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(spreads(x, w), func(c spread) bool { return c.one }), nil
}

// rareOutside tells whether columns of which at least half is one value have a part in the
// distances from the subspace, however small it is beside what varies within.
func (t *table) rareOutside(ctx context.Context, at subspace, o Options) (bool, error) {
	x, w, err := sampleRows(ctx, t.seen, o, outlying.RoundingRows)
	if err != nil {
		return false, err
	}
	mean, basis := t.axes.restore(at.mean, at.basis)
	n, d := x.Dims()
	apart := mat.NewDense(n, d, nil)
	for i := range n {
		for j, v := range x.RawRowView(i) {
			apart.Set(i, j, v-mean[j])
		}
	}
	var scores, inside mat.Dense
	linalg.Mul(&scores, apart, basis)
	linalg.Mul(&inside, &scores, basis.T())
	apart.Sub(apart, &inside)
	rare, all := 0.0, 0.0
	outside := spreads(apart, w)
	for j, c := range spreads(x, w) {
		size := outside[j].spread
		if c.one {
			part := 1.0 // of the column's squared deviations that is outside
			for _, u := range basis.RawRowView(j) {
				part -= u * u
			}
			size = c.spread * math.Sqrt(math.Max(0, part))
			rare += size * size
		}
		all += size * size
	}
	return rare > rareShare*all && !math.IsInf(all, 0), nil
}

// spread describes a column by its median and how far values are from it; one tells that at least half of them are one value.
type spread struct {
	middle, spread float64
	one            bool
}

// spreads describes the columns of rows with weights.
func spreads(x *mat.Dense, w []float64) []spread {
	_, d := x.Dims()
	out := make([]spread, d)
	linalg.Parallel(d, func(j int) { out[j] = describeColumn(mat.Col(nil, j, x), w) })
	return out
}

func describeColumn(x, w []float64) spread {
	middle := univariate.WeightedMedian(x, w)
	apart := make([]float64, len(x))
	var away, weights []float64 // of values that differ from the median
	total, other := 0.0, 0.0
	for i, v := range x {
		a := weightAt(w, i)
		apart[i] = math.Abs(v - middle)
		if total += a; v != middle && a > 0 {
			other += a
			away, weights = append(away, apart[i]), append(weights, a)
		}
	}
	if 2*other > total {
		return spread{middle, univariate.Normal * univariate.WeightedMedian(apart, w), false}
	}
	if other == 0 {
		return spread{middle, 0, true}
	}
	return spread{middle, univariate.Normal * univariate.WeightedMedian(away, weights) * math.Sqrt(other/total), true}
}

// rareLimit is the limit of squared distances in a table of rare values, given that of their
// densest half: beyond the median they fall off like an exponential law, of which the quartile
// tells the 97.5 % limit. It stays as it is where that is much further: then a quarter of the rows lies
// beyond a gap.
func rareLimit(squared []float64, limit float64, o Options) float64 {
	distance := make([]float64, len(squared))
	for i, s := range squared {
		distance[i] = math.Sqrt(s)
	}
	middle, quartile := univariate.WeightedQuantile(distance, o.Weights, 0.5), univariate.WeightedQuantile(distance, o.Weights, 0.75)
	wide := middle + math.Log2(0.5/(1-cutoffLevel))*(quartile-middle)
	if wide > limit && wide <= further*limit {
		return wide
	}
	return limit
}

// follow lets the limit of squared distances follow a long tail; in a table of rare values that is up to half of the rows.
func (o Options) follow(ctx context.Context, t *table, squared []float64, limit float64) (float64, error) {
	most := outlying.MostLong
	if limit > 0 && shareWithin(squared, limit, o.Weights) < 1-most {
		rare, err := t.mostlyOne(ctx, o)
		if err != nil {
			return 0, err
		}
		if rare {
			most = 0.5
		}
	}
	return outlying.OwnLimit(squared, o.Weights, total(o.Weights, len(squared)), limit, most), nil
}

// shareWithin is the share of the rows whose squared distance is within a limit.
func shareWithin(squared []float64, limit float64, w []float64) float64 {
	in, all := 0.0, 0.0
	for i, s := range squared {
		a := weightAt(w, i)
		if all += a; s <= limit*limit {
			in += a
		}
	}
	return in / all
}

// warnMany remarks that many rows are flagged: because many others are equal, which have no spread that the rest could
// be measured by, or because the rows may be of several groups, of which the subspace is that of one, or too few to show a long tail.
func (m *Model) warnMany(ctx context.Context, src linalg.Source, w []float64) error {
	const many, grouped, leastRows = 0.25, 0.2, 50
	all, flagged := 0.0, 0.0
	for i, out := range m.training.Outlier {
		a := weightAt(w, i)
		if all += a; out {
			flagged += a
		}
	}
	if flagged < grouped*all {
		return nil
	}
	alike, err := outlying.Fingerprints(ctx, src)
	if err != nil {
		return err
	}
	equal := most(alike, func(i int) float64 {
		if m.training.Outlier[i] {
			return 0
		}
		return weightAt(w, i)
	})
	switch {
	case flagged >= many*all && equal >= math.Max(many*all, 2):
		m.warnings = append(m.warnings, fmt.Sprintf("%.0f %% of the rows are flagged beside %.0f %% that are equal to each other: leave repeated rows out, or weigh them less, to have the others judged by their own spread", 100*flagged/all, 100*equal/all))
	case all >= leastRows:
		m.warnings = append(m.warnings, fmt.Sprintf("%.0f %% of the rows are flagged: either so many are wrong, or the rows are of several groups or far from normal, which no cut-off tells apart; inlier check judges rows beside their neighbours", 100*flagged/all))
	}
	return nil
}

// most is the largest weight that equal numbers have together, where that is a quarter of all or more, and otherwise less
// than that: the few that could have so much are found in one pass (Misra and Gries 1982) and counted in another.
func most(numbers []uint64, weight func(i int) float64) float64 {
	var candidates [4]struct {
		number uint64
		left   float64
	}
	for i, v := range numbers {
		a := weight(i)
		if a == 0 {
			continue
		}
		at, least := -1, 0
		for k, c := range candidates {
			if c.left > 0 && c.number == v {
				at = k
			}
			if c.left < candidates[least].left {
				least = k
			}
		}
		if at < 0 && candidates[least].left == 0 {
			at, candidates[least].number = least, v
		}
		if at >= 0 {
			candidates[at].left += a
			continue
		}
		gone := math.Min(a, candidates[least].left)
		for k := range candidates {
			candidates[k].left -= gone
		}
		if a > gone {
			candidates[least].number, candidates[least].left = v, a-gone
		}
	}
	var sums [len(candidates)]float64
	for i, v := range numbers {
		for k, c := range candidates {
			if c.left > 0 && c.number == v {
				sums[k] += weight(i)
			}
		}
	}
	return slices.Max(sums[:])
}
