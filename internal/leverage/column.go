package leverage

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

// StandardRows bounds the sample from which medians for the standardisation come:
// any robust centre and spread will do there.
const StandardRows = 4000

// Column says where the values of a column are.
type Column struct {
	// Centre and Spread are median and scaled median absolute deviation, of a sample if
	// there are many rows. Where more than half of the values are equal, the spread is the
	// median deviation of the others times the root of their share: the standard deviation
	// of a column of zeros and ones. It is 0 for constant values only.
	Centre, Spread float64
	// MostlyOne tells that at least half of the values are equal, as in columns of rare
	// categories: they have no spread to measure distances by.
	MostlyOne bool
}

// farOut is how many spreads from the centre values count at most. A value beyond is pulled
// in to there, far enough out to lose its vote, near enough for its square to leave the
// sums of the others their digits.
const farOut = 1e10

// Range is from where to where values count.
func (c Column) Range() (low, high float64) {
	reach := min(farOut*c.Spread, math.MaxFloat64/4)
	return c.Centre - reach, c.Centre + reach
}

// Within pulls a value in to what counts.
func (c Column) Within(v float64) float64 {
	low, high := c.Range()
	return min(max(v, low), high)
}

// Constant tells whether the values differ by no more than a part of their size.
func (c Column) Constant(part float64) bool { return c.Spread <= part*math.Abs(c.Centre) }

// Describe looks at every column of x; w nil means weights of one.
func Describe(x *mat.Dense, w []float64) []Column {
	n, d := x.Dims()
	rows, weights := SampleOf(n, w)
	sampled := len(rows)
	out := make([]Column, d)
	const together = 8 // columns that lie in one line of the cache
	linalg.Parallel((d+together-1)/together, func(group int) {
		first, last := group*together, min((group+1)*together, d)
		values := make([]float64, sampled*(last-first)) // one column after the other
		for k, i := range rows {
			for j, v := range x.RawRowView(i)[first:last] {
				values[j*sampled+k] = v
			}
		}
		for j := first; j < last; j++ {
			out[j] = describeColumn(values[(j-first)*sampled:(j-first+1)*sampled], weights)
			if out[j].Spread == 0 {
				out[j].Spread = rareSpread(x, j, out[j].Centre, w)
			}
		}
	})
	return out
}

// SampleOf lists the rows that Describe looks at and their weights: all of them, or, where
// they are many, one from each of equal stretches of the cumulative weight.
func SampleOf(n int, w []float64) (rows []int, weights []float64) {
	units := univariate.NewRows(n, w)
	if units.Units() <= StandardRows {
		rows = make([]int, n)
		for i := range rows {
			rows[i] = i
		}
		return rows, w
	}
	step := (units.Units() + StandardRows - 1) / StandardRows
	within := univariate.Staggered() // rows that take turns are all seen
	for at := 0; at < units.Units(); at += step {
		rows = append(rows, units.Unit(min(at+int(within()*float64(step)), units.Units()-1)))
	}
	return rows, nil
}

// describeColumn looks at a sample, which is overwritten.
func describeColumn(sample, weights []float64) Column {
	if len(sample) == 0 {
		return Column{}
	}
	var c Column
	if weights == nil {
		c.Centre, c.Spread = univariate.Deviation(sample)
	} else {
		c.Centre = univariate.WeightedMedian(sample, weights)
		for i, v := range sample {
			sample[i] = math.Abs(v - c.Centre)
		}
		c.Spread = univariate.Normal * univariate.WeightedMedian(sample, weights)
	}
	same, total := 0.0, 0.0
	for i, v := range sample { // now deviations
		a := 1.0
		if weights != nil {
			a = weights[i]
		}
		total += a
		if v == 0 {
			same += a
		}
	}
	c.MostlyOne = 2*same >= total
	return c
}

// rareSpread is the median deviation of the values of column j that differ from a centre,
// times the root of their share.
func rareSpread(x *mat.Dense, j int, centre float64, w []float64) float64 {
	raw := x.RawMatrix()
	var away, weights []float64
	other, total := 0.0, 0.0
	for i := range raw.Rows {
		weight := 1.0
		if w != nil {
			weight = w[i]
		}
		total += weight
		if v := raw.Data[i*raw.Stride+j]; v != centre && weight > 0 {
			other += weight
			away = append(away, math.Min(math.Abs(v-centre), math.MaxFloat64/4))
			if w != nil {
				weights = append(weights, weight)
			}
		}
	}
	if other == 0 {
		return 0
	}
	return univariate.WeightedMedian(away, weights) * math.Sqrt(other/total)
}
