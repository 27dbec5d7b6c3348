package linear

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

// standardiseRows bounds the sample from which medians for the standardisation come:
// any robust centre and spread will do there.
const standardiseRows = 4000

// column says where the values of a column are.
type column struct {
	// centre and spread are median and scaled median absolute deviation, of a sample if
	// there are many rows. Where more than half of the values are equal, the spread is the
	// root mean squared deviation; it is 0 for constant values only.
	centre, spread float64
	// mostlyOne tells that at least half of the values are equal, as in columns of rare
	// categories: they have no spread to measure distances by.
	mostlyOne bool
}

// constant tells whether the values differ by no more than a part of their size.
func (c column) constant(part float64) bool { return c.spread <= part*math.Abs(c.centre) }

// describe looks at every column of x; w nil means weights of one.
func describe(x *mat.Dense, w []float64) []column {
	n, d := x.Dims()
	step := (n + standardiseRows - 1) / standardiseRows
	sampled := (n + step - 1) / step
	out := make([]column, d)
	const together = 8 // columns that lie in one line of the cache
	linalg.Parallel((d+together-1)/together, func(group int) {
		first, last := group*together, min((group+1)*together, d)
		values := make([]float64, sampled*(last-first)) // one column after the other
		for k := range sampled {
			for j, v := range x.RawRowView(k * step)[first:last] {
				values[j*sampled+k] = v
			}
		}
		var sample, weights []float64
		for j := first; j < last; j++ {
			column := values[(j-first)*sampled : (j-first+1)*sampled]
			sample, weights = column, nil
			if w != nil {
				sample = nil
				for k, v := range column {
					if w[k*step] > 0 {
						sample, weights = append(sample, v), append(weights, w[k*step])
					}
				}
			}
			out[j] = describeColumn(sample, weights)
			if out[j].spread == 0 {
				out[j].spread = rootMeanSquare(x, j, out[j].centre, w)
			}
		}
	})
	return out
}

// describeColumn looks at a sample, which is overwritten.
func describeColumn(sample, weights []float64) column {
	if len(sample) == 0 {
		return column{}
	}
	var c column
	if weights == nil {
		c.centre, c.spread = univariate.Deviation(sample)
	} else {
		c.centre = univariate.WeightedMedian(sample, weights)
		for i, v := range sample {
			sample[i] = math.Abs(v - c.centre)
		}
		c.spread = univariate.Normal * univariate.WeightedMedian(sample, weights)
	}
	same := 0
	for _, v := range sample { // now deviations
		if v == 0 {
			same++
		}
	}
	c.mostlyOne = 2*same >= len(sample)
	return c
}

// rootMeanSquare is the root mean squared deviation of column j from a centre.
func rootMeanSquare(x *mat.Dense, j int, centre float64, w []float64) float64 {
	raw := x.RawMatrix()
	sum, total := 0.0, 0.0
	for i := range raw.Rows {
		weight := 1.0
		if w != nil {
			weight = w[i]
		}
		deviation := raw.Data[i*raw.Stride+j] - centre
		sum += weight * deviation * deviation
		total += weight
	}
	return math.Sqrt(sum / total)
}
