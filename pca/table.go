package pca

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/bounded"
	"github.com/inlier-ml/inlier/linalg"
)

// table is the data of a fit in the forms that it needs.
type table struct {
	given  linalg.Source // as the user has them; judged in the end
	seen   linalg.Source // gaps filled, and absurd values moved to a limit
	inside linalg.Source // seen, or its coordinates in the space the rows span
	axes   reduction
	gaps   *gaps
	rows   int       // counting weights: a row of weight 2 is two rows
	spread float64   // typical distance of rows from the centre: unit of rounding levels
	noise  float64   // mean squared distance of rows from the subspace that rounding of columns explains
	centre []float64 // medians of the columns; nil for methods in which every row votes
	// cloud tells that rows near the subspace have been found to be one within it.
	cloud bool
	// directions is how many the search for the least outlying half looks along; 0: startDirections.
	directions int
	// of is how many rows the subspace was learned from of which these are a sample; 0: these.
	of float64
	// limits that values were moved to; nil: none was.
	limits *bounded.Limits
}

// countRows is the number of rows, each counted as often as its weight says.
func countRows(n int, w []float64) int {
	if w == nil {
		return n
	}
	return int(math.Round(total(w, n)))
}

// total is the sum of the weights, n without weights.
func total(w []float64, n int) float64 {
	if w == nil {
		return float64(n)
	}
	sum := 0.0
	for _, v := range w {
		sum += v
	}
	return sum
}

// weightAt is w[i], 1 without weights.
func weightAt(w []float64, i int) float64 {
	if w == nil {
		return 1
	}
	return w[i]
}

// largest is the size beyond which squares cannot be added. The methods in which every row
// votes cut off single values there; rows that all lie beyond are refused.
const largest = bounded.Largest

// bound refuses numbers that are not finite, keeps absurd ones from the fit and finds the
// typical distance of rows. A robust fit takes limits and distance from medians. Ordinary
// PCA and PCA-L1 stay as they are, up to sizes whose squares overflow.
func (t *table) bound(ctx context.Context, w []float64, robust bool) error {
	if !robust {
		var err error
		t.spread, err = t.plainSpread(ctx, w)
		if errors.Is(err, bounded.ErrLarge) {
			_, d := t.seen.Dims()
			limits, err := bounded.Of(ctx, t.seen, w)
			switch {
			case err != nil:
				return err
			case limits.Typical > largest: // not some far rows: all of them
				return bounded.ErrLarge
			}
			for j := range d {
				limits.Low[j], limits.High[j] = -largest, largest
			}
			t.clip(limits)
			t.spread, err = t.plainSpread(ctx, w)
			return err
		}
		return err
	}
	limits, err := bounded.Of(ctx, t.seen, w)
	if err != nil {
		return err
	}
	found, err := limits.Look(ctx, t.seen)
	switch {
	case err != nil:
		return err
	case found.Missing || found.Infinite:
		return firstBad(ctx, t.seen)
	}
	if err := bounded.Unit(limits.Typical); err != nil {
		return err
	}
	if found.Far {
		t.clip(limits)
	}
	t.centre, t.spread = limits.Centre, limits.Typical
	level := 0.0 // rounding of the centre
	for _, v := range t.centre {
		level = math.Hypot(level, v)
	}
	if t.spread > level*1e-14 {
		return nil
	}
	// As far as the sample tells all rows are equal. Those that are not decide.
	t.spread, err = t.plainSpread(ctx, w)
	return err
}

// clip moves far values to the limits.
func (t *table) clip(limits *bounded.Limits) {
	t.seen, t.limits = limits.Clip(t.seen), limits
	if t.gaps == nil {
		return
	}
	if m, ok := t.seen.(linalg.InMemory); ok {
		t.gaps.filled = m.Dense()
		return
	}
	// The copy in which gaps are filled is the fit's own.
	n, _ := t.gaps.filled.Dims()
	t.seen = linalg.FromDense(t.gaps.filled)
	for i := range n {
		row := t.gaps.filled.RawRowView(i)
		for j, v := range row {
			row[j] = math.Min(math.Max(v, limits.Low[j]), limits.High[j])
		}
	}
}

// drowned tells whether a few far rows leave no digits for what the others span. It
// happens to the methods in which every row votes.
func (t *table) drowned(ctx context.Context, w []float64) bool {
	limits, err := bounded.Of(ctx, t.seen, w)
	return err == nil && limits.Typical > 0 && t.spread > 1e10*limits.Typical
}

// plainSpread refuses numbers that are not finite and returns the root mean squared
// distance of the rows from their mean; of many rows, a part tells.
func (t *table) plainSpread(ctx context.Context, w []float64) (spread float64, err error) {
	src := t.seen
	_, mean, err := linalg.WeightedMean(ctx, src, w)
	if err != nil {
		return 0, err
	}
	level := 0.0 // rounding of the mean
	for _, v := range mean {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, firstBad(ctx, src)
		}
		level = math.Hypot(level, v)
	}
	level *= 1e-14 / math.Sqrt(float64(len(mean)))
	if m, ok := src.(linalg.InMemory); ok {
		const part = 4096
		if n, d := m.Dims(); n > 4*part {
			rows := linalg.FromDense(m.Dense().Slice(0, part, 0, d).(*mat.Dense))
			var some []float64
			if w != nil {
				some = w[:part]
			}
			if spread, err = spreadAbout(ctx, rows, mean, some); err != nil || spread > level && !math.IsInf(spread, 0) {
				return spread, err
			}
		}
	}
	spread, err = spreadAbout(ctx, src, mean, w)
	switch {
	case err != nil:
		return 0, err
	case math.IsNaN(spread) || math.IsInf(spread, 0):
		return 0, firstBad(ctx, src)
	case spread < bounded.Smallest && bounded.Differ(ctx, src):
		return 0, bounded.ErrSmall
	case spread <= level:
		return 0, errConstant
	}
	return spread, nil
}

func inMemory(src linalg.Source) bool { _, ok := src.(linalg.InMemory); return ok }

// spreadAbout is the root mean squared distance of the rows from a point; 0 without weight.
func spreadAbout(ctx context.Context, src linalg.Source, point, w []float64) (float64, error) {
	n, _ := src.Dims()
	s := make([]float64, n)
	if err := linalg.Residuals(ctx, src, point, nil, s, nil); err != nil {
		return 0, err
	}
	sum := 0.0
	for i, v := range s {
		if a := weightAt(w, i); a > 0 {
			sum += a * v
		}
	}
	all := total(w, n)
	if all == 0 {
		return 0, nil
	}
	return math.Sqrt(sum / all), nil
}

// firstBad names the first number that is missing, infinite or too large to square.
func firstBad(ctx context.Context, src linalg.Source) error {
	if err := linalg.Usable(ctx, src); err != nil {
		return err
	}
	return bounded.ErrLarge
}
