// Package bounded keeps absurd values from robust fits. A number so far from the bulk of
// its column that no scale of the bulk can reach it (a sentinel of -1e30, a slipped
// exponent) says nothing but "not this row"; but its square overflows, or drowns the
// digits of everything it is added to. [Source] looks at the table once and, only if there
// are such numbers, returns a view in which they are moved to the limit: still far enough
// off for any robust fit to reject the row, near enough for sums to keep their digits.
//
// Judgement of rows should use the true values; only the fit needs the view.
package bounded

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

const (
	// Reach is the largest distance from a column's median that is left alone, in units
	// of the column's robust standard deviation. Squares of it, 1e16, are where sums with
	// a value of the bulk begin to lose it altogether.
	Reach = 1e8
	// sampleRows is how many rows of a large table the limits come from.
	sampleRows = 600
	// rounding is the deviation, relative to the median, that counts as none.
	rounding = 1e-13
	// groupShare of values that deviate from a column's constant are a group of their own.
	groupShare = 0.25
	// farGroup is the largest deviation of such a group that is believed, in spreads of the
	// table: units may be unlike, but not as unlike as this.
	farGroup = 1e50
	// copied is the size in numbers up to which a clipped table in memory is a copy;
	// larger ones are clipped block by block whenever they are read.
	copied = 1 << 26
)

// Limits are the smallest and largest values of each column that are left alone. A column
// of which nothing is known has the largest numbers there are.
type Limits struct {
	Low, High []float64
	// Centre holds the columns' medians.
	Centre []float64
	// Typical is the median distance of rows from the centre: the unit for rounding levels.
	// Where more than half of the rows are equal it is the median of the distances that
	// are not zero, and 0 where all are equal.
	Typical float64
}

// Findings tell what a table holds.
type Findings struct{ Far, Missing, Infinite bool }

// Source returns src itself when no finite number is beyond the limits of its column, and
// otherwise a view of src in which such numbers are moved to the limit. Missing and
// infinite numbers stay as they are. w are weights of the rows, nil for ones; an integer
// weight acts like repeated rows. It costs one pass over the numbers.
func Source(ctx context.Context, src linalg.Source, w []float64) (linalg.Source, error) {
	limits, err := Of(ctx, src, w)
	if err != nil {
		return nil, err
	}
	return limits.Apply(ctx, src)
}

// Apply returns src itself when all finite numbers are within the limits, or the view.
func (l *Limits) Apply(ctx context.Context, src linalg.Source) (linalg.Source, error) {
	found, err := l.Look(ctx, src)
	if err != nil || !found.Far {
		return src, err
	}
	return l.Clip(src), nil
}

// Look goes through the numbers once.
func (l *Limits) Look(ctx context.Context, src linalg.Source) (Findings, error) {
	found, err := linalg.Pass(ctx, src,
		func() *Findings { return new(Findings) },
		func(f *Findings, _ int, block *mat.Dense) { l.look(f, block) },
		func(into, from *Findings) {
			into.Far, into.Missing, into.Infinite = into.Far || from.Far, into.Missing || from.Missing, into.Infinite || from.Infinite
		})
	if err != nil {
		return Findings{}, err
	}
	return *found, nil
}

// Clip returns the view of src in which far numbers are moved to the limits.
func (l *Limits) Clip(src linalg.Source) linalg.Source {
	n, d := src.Dims()
	if m, ok := src.(linalg.InMemory); ok && n*d <= copied {
		x := mat.DenseCopyOf(m.Dense())
		linalg.Parallel(n, func(i int) { l.clip(x.RawRowView(i)) })
		return linalg.FromDense(x)
	}
	far := func(block *mat.Dense) bool {
		var found Findings
		l.look(&found, block)
		return found.Far
	}
	return linalg.Changed(src, far, l.clip)
}

// Beyond tells whether a finite number of a row is beyond the limits.
func (l *Limits) Beyond(row []float64) bool {
	for j, v := range row {
		if (v < l.Low[j] || v > l.High[j]) && !math.IsInf(v, 0) {
			return true
		}
	}
	return false
}

// look adds what a block holds.
func (l *Limits) look(f *Findings, block *mat.Dense) {
	raw := block.RawMatrix()
	low, high := l.Low[:raw.Cols], l.High[:raw.Cols]
	for i := range raw.Rows {
		for j, v := range raw.Data[i*raw.Stride : i*raw.Stride+raw.Cols] {
			if v >= low[j] && v <= high[j] {
				continue
			}
			switch {
			case math.IsNaN(v):
				f.Missing = true
			case math.IsInf(v, 0):
				f.Infinite = true
			default:
				f.Far = true
			}
		}
	}
}

// clip moves the finite numbers of a row to within the limits.
func (l *Limits) clip(row []float64) {
	for j, v := range row {
		if math.IsInf(v, 0) {
			continue
		}
		if v < l.Low[j] {
			row[j] = l.Low[j]
		} else if v > l.High[j] {
			row[j] = l.High[j]
		}
	}
}

// Of finds the limits: [Reach] robust standard deviations on either side of the column's
// median, both from a few hundred rows, one from each of equal stretches. A column that is mostly constant, but
// for rounding, has the spread of the table: the median of the other columns' spreads or,
// where all are mostly constant, of the deviations that are not zero. Where many of its
// values deviate, though (counts with many zeros), it has at least their typical deviation.
func Of(ctx context.Context, src linalg.Source, w []float64) (*Limits, error) {
	x, weights, err := sample(ctx, src, w)
	if err != nil {
		return nil, err
	}
	_, d := src.Dims()
	l := &Limits{Low: make([]float64, d), High: make([]float64, d), Centre: make([]float64, d)}
	spread, group := make([]float64, d), make([]float64, d)
	linalg.Parallel(d, func(j int) {
		values, ws := observed(x, weights, j)
		l.Centre[j], spread[j] = univariate.WeightedDeviation(values, ws)
		if level := rounding * math.Abs(l.Centre[j]); spread[j] <= level {
			spread[j], group[j] = 0, apart(values, ws, l.Centre[j], level)
		}
	})
	var positive []float64
	for _, s := range spread {
		if s > 0 {
			positive = append(positive, s)
		}
	}
	if len(positive) == 0 {
		n, _ := x.Dims()
		for i := range n {
			for j, v := range x.RawRowView(i) {
				if e := math.Abs(v - l.Centre[j]); e > 0 && (weights == nil || weights[i] > 0) {
					positive = append(positive, e)
				}
			}
		}
	}
	table := univariate.Median(positive) // NaN: the table is constant as far as is known
	for j, centre := range l.Centre {
		s := spread[j]
		if !(s > 0) {
			s = table
			if group[j] <= table*farGroup {
				s = math.Max(s, group[j])
			}
		}
		reach := math.Min(Reach*s, math.MaxFloat64/4)
		l.Low[j], l.High[j] = math.Max(centre-reach, -math.MaxFloat64), math.Min(centre+reach, math.MaxFloat64)
		if math.IsNaN(reach) || math.IsNaN(centre) {
			l.Low[j], l.High[j] = -math.MaxFloat64, math.MaxFloat64
		}
	}
	l.Typical = l.typical(x, weights)
	return l, nil
}

// apart returns the typical deviation of the values of a mostly constant column that
// deviate by more than level, 0 where they are too few to be more than dirt.
func apart(values, w []float64, constant, level float64) float64 {
	away, some := make([]float64, len(values)), make([]float64, len(values))
	all, sum := 0.0, 0.0
	for i, v := range values {
		a := 1.0
		if w != nil {
			a = w[i]
		}
		all += a
		if away[i] = math.Abs(v - constant); away[i] > level {
			some[i] = a
			sum += a
		}
	}
	if !(sum > groupShare*all) {
		return 0
	}
	return univariate.Normal * univariate.WeightedMedian(away, some)
}

// typical measures the rows of a sample in the columns that are there, far values clipped.
func (l *Limits) typical(x *mat.Dense, w []float64) float64 {
	n, _ := x.Dims()
	away := make([]float64, n)
	linalg.Parallel(n, func(i int) {
		for j, v := range x.RawRowView(i) {
			v = math.Min(math.Max(v, l.Low[j]), l.High[j])
			if e := v - l.Centre[j]; e == e {
				away[i] += e * e
			}
		}
		if away[i] > 1e-280 && away[i] < 1e280 {
			away[i] = math.Sqrt(away[i])
			return
		}
		away[i] = 0 // squares overflow or vanish
		for j, v := range x.RawRowView(i) {
			v = math.Min(math.Max(v, l.Low[j]), l.High[j])
			if e := v - l.Centre[j]; e == e {
				away[i] = math.Hypot(away[i], e)
			}
		}
	})
	if middle := univariate.WeightedMedian(away, w); middle > 0 {
		return middle
	}
	off := make([]float64, n) // weights of the rows that are not at the centre
	for i, e := range away {
		if e > 0 {
			off[i] = 1
			if w != nil {
				off[i] = w[i]
			}
		}
	}
	if middle := univariate.WeightedMedian(away, off); middle > 0 {
		return middle
	}
	return 0
}
