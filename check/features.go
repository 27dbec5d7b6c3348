package check

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

const (
	// learnedRows bounds the rows that are learned from, and learnedCells their cells.
	learnedRows, learnedCells = 20000, 2000000
	// levelsKept are the levels of a category that predict, and mostLevels those of all.
	levelsKept, mostLevels = 8, 60
)

// newView chooses the rows that are learned from and the features, fits their transformations and
// transforms the sample.
func newView(ctx context.Context, t *tolerant.Table, s Settings) (*view, error) {
	v := &view{table: t, settings: s, sample: chooseSample(t.Rows, len(t.Columns), s.Seed)}
	found := make([][]feature, len(t.Columns))
	linalg.Parallel(len(t.Columns), func(j int) {
		if ctx.Err() == nil {
			found[j] = columnFeatures(t, j, v.sample, s)
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	extra := 0
	for _, f := range found {
		if len(f) > 0 && f[0].level >= 0 {
			if extra+len(f) > mostLevels {
				continue
			}
			extra += len(f)
		}
		v.features = append(v.features, f...)
	}
	if len(v.sample) == 0 || len(v.features) == 0 {
		return v, nil
	}
	v.z = mat.NewDense(len(v.sample), len(v.features), nil)
	linalg.Parallel(len(v.sample), func(i int) {
		fill(v.z.RawRowView(i), t, v.features, v.sample[i])
		t.Room().Touched(len(v.features))
	})
	return v, nil
}

// chooseSample takes one row at random from each of equal stretches of the table; all rows of a
// small one.
func chooseSample(rows, columns int, seed uint64) []int {
	count := min(rows, learnedRows, max(1000, learnedCells/max(columns, 1)))
	sample := make([]int, count)
	source := random.New(seed, "check sample")
	for i := range sample {
		lo, hi := i*rows/count, (i+1)*rows/count
		sample[i] = lo + source.IntN(hi-lo)
	}
	return sample
}

// columnFeatures makes the features of one column: none where it does not count or vary.
func columnFeatures(t *tolerant.Table, j int, sample []int, s Settings) []feature {
	c := &t.Columns[j]
	if c.Values == nil || c.Name == s.ID || c.Circle != nil && c.Circle.Cut == c.Circle.Least {
		return nil
	}
	switch c.Kind {
	case tolerant.Category:
		if c.Name == s.Target {
			return nil // its labels are judged by the part that knows about labels
		}
		return levelFeatures(c, j, sample)
	case tolerant.Number, tolerant.Date, tolerant.Boolean:
	default:
		return nil
	}
	values := pick(c.Values, sample)
	for i, v := range values {
		values[i] = bounded(v)
	}
	sorted := sortedValues(values)
	distinct := 0
	for i, v := range sorted {
		if i == 0 || v != sorted[i-1] {
			distinct++
		}
	}
	if distinct < 2 {
		return nil
	}
	few := distinct <= 2 || distinct <= 20 && float64(distinct) <= max(10, 0.02*float64(len(sorted)))
	// A column that is nearly always the same value says when it differs, not by how much.
	if quantile(sorted, 0.05) == quantile(sorted, 0.95) {
		few = true
	}
	if few {
		return []feature{{column: j, level: -1, few: true, change: standard(sorted)}}
	}
	change, ok := fitTransformation(sorted)
	if !ok {
		return nil
	}
	least := math.Inf(-1)
	if c.Kind == tolerant.Number && neverNegative(values) {
		least = 0
	}
	return []feature{{column: j, level: -1, change: change, step: univariate.Resolution(sorted), least: least}}
}

// forward is a value of the feature's column, transformed; of a word its number is given.
func (f *feature) forward(x float64) float64 {
	switch {
	case x != x:
		return x
	case f.level < 0:
		return f.change.Forward(bounded(x))
	case int(x) == f.level:
		return f.change.Forward(1)
	case int(x) >= f.words:
		return math.NaN()
	}
	return f.change.Forward(0)
}

// rounded says that a cell is what is expected of it, in transformed units, but for the rounding of its column and where that begins: 0 boxes
// where a third of one is, or fewer than none.
func (f *feature) rounded(t *tolerant.Table, row int, expected float64) bool {
	return math.Abs(max(f.change.Back(expected), f.least)-t.Columns[f.column].Values[row]) < f.step
}

// halfStepFrom is the transformed value, or standardised residual, from which on it is asked what a cell was rounded from.
const halfStepFrom = 2

// unrounded are the place and residual of the value nearest to what is expected that a cell may have been rounded from, and nearest to the middle: 0.00 kg
// may be 4 grams.
func (f *feature) unrounded(t *tolerant.Table, row int, place, expected, away float64) (value, residual float64) {
	residual = (place - expected) / away
	if !(f.step > 0) || f.level >= 0 || !(away > 0) {
		return place, residual
	}
	v := bounded(t.Columns[f.column].Values[row])
	toward := func(to float64) float64 { // as far as half a step goes, in transformed units
		if place < to {
			return min(to, f.change.Forward(v+f.step/2))
		}
		return max(to, f.change.Forward(v-f.step/2))
	}
	return toward(0), (toward(expected) - expected) / away
}

// bounded makes infinities the largest numbers.
func bounded(v float64) float64 {
	if math.IsInf(v, 0) {
		return math.Copysign(math.MaxFloat64/4, v)
	}
	return v
}

// levelFeatures makes a feature of every level that is neither the most frequent nor rare.
func levelFeatures(c *tolerant.Column, j int, sample []int) (f []feature) {
	counts := make([]int, len(c.Levels))
	known := 0
	for _, v := range pick(c.Values, sample) {
		if v >= 0 && int(v) < len(counts) {
			counts[int(v)]++
			known++
		}
	}
	for l := 1; l < len(counts) && len(f) < levelsKept; l++ { // the most frequent stands first
		share := float64(counts[l]) / float64(max(known, 1))
		if share < 0.02 || counts[l] < 5 {
			continue
		}
		f = append(f, feature{column: j, level: l, words: len(counts), few: true,
			change: Transformation{Centre: share, Scale: math.Sqrt(share * (1 - share)), Lambda: 1, Spread: 1}})
	}
	return f
}

// standard scales a column of few values by mean and standard deviation, rare far ones clipped.
func standard(sorted []float64) Transformation {
	lo, hi := quantile(sorted, 0.005), quantile(sorted, 0.995)
	if lo == hi {
		lo, hi = sorted[0], sorted[len(sorted)-1]
	}
	n := float64(len(sorted))
	mean, square := 0.0, 0.0
	for _, v := range sorted {
		mean += (min(max(v, lo), hi) - lo) / (hi - lo) / n
	}
	for _, v := range sorted {
		e := (min(max(v, lo), hi)-lo)/(hi-lo) - mean
		square += e * e / n
	}
	return Transformation{Centre: lo + mean*(hi-lo), Scale: max(math.Sqrt(square), 0.01) * (hi - lo), Lambda: 1, Spread: 1}
}

// fill transforms one row of the table.
func fill(to []float64, t *tolerant.Table, features []feature, row int) {
	for k := range features {
		f := &features[k]
		to[k] = f.forward(t.Columns[f.column].Values[row])
		if f.few && math.Abs(to[k]) > 10 {
			to[k] = math.NaN() // too far from what is usual to predict others by
		}
	}
}
