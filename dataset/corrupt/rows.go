package corrupt

import (
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/setting"
	"github.com/inlier-ml/inlier/internal/univariate"
)

// scales returns each column's median and robust standard deviation (1.4826
// times the median absolute deviation; where that is 0 the plain deviation, unless a value far off
// all others makes it, then the median of the deviations that are not 0; 1 for constant columns),
// from all rows or, of many, one from each of equal stretches. Missing values are left out.
func scales(s *dataset.Set) (median, scale []float64) {
	n, d := s.Rows(), s.Dim()
	rows := univariate.NewRows(n, nil).Spaced(min(n, sample), univariate.Staggered())
	if n <= sample {
		for i := range rows {
			rows[i] = i
		}
	}
	median, scale = make([]float64, d), make([]float64, d)
	var values []float64
	for j := range d {
		values = values[:0]
		for _, i := range rows {
			values = append(values, s.X.At(i, j))
		}
		median[j], scale[j] = locate(values)
	}
	return median, scale
}

const sample = 5000

// absurd is how many times the usual deviation a plain one may be before it says nothing.
const absurd = 1e8

// locate is the median and robust standard deviation of values that are there, which it
// reorders.
func locate(values []float64) (median, scale float64) {
	values = slices.DeleteFunc(values, math.IsNaN)
	if len(values) == 0 {
		return 0, 1
	}
	mean, square := 0.0, 0.0
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		square += (v - mean) * (v - mean) / float64(len(values))
	}
	slices.Sort(values)
	median = values[len(values)/2]
	for i, v := range values {
		values[i] = math.Abs(v - median)
	}
	slices.Sort(values)
	scale = 1.4826 * values[len(values)/2]
	if scale == 0 {
		scale = math.Sqrt(square)
		first := slices.IndexFunc(values, func(v float64) bool { return v > 0 })
		if first < 0 {
			return median, 1
		}
		if usual := values[first+(len(values)-1-first)/2]; scale > absurd*usual || math.IsNaN(scale) {
			scale = usual
		}
	}
	if scale == 0 {
		scale = 1
	}
	return median, scale
}

// rowOutliers replaces whole rows by outliers.
type rowOutliers struct {
	Size float64
	Kind string
}

func (c *rowOutliers) fields() []setting.Field {
	return []setting.Field{
		setting.Float("size", &c.Size, setting.AtLeast(0), "how far out, in robust standard deviations of each column"),
		setting.Choice("kind", &c.Kind, []string{"scattered", "clustered"}, "in every direction (Gaussian), or all around one far point"),
	}
}

func (c *rowOutliers) apply(job *job, amount quantity) error {
	rows, err := job.chooseRows(amount)
	if err != nil {
		return err
	}
	median, scale := scales(job.set)
	sign := make([]float64, job.set.Dim()) // which way the cluster lies in each column
	for j := range sign {
		sign[j] = float64(2*job.r.IntN(2) - 1)
	}
	for _, i := range rows {
		row := job.set.X.RawRowView(i)
		for j := range row {
			z := job.r.NormFloat64()
			if c.Kind == "clustered" {
				row[j] = median[j] + scale[j]*(sign[j]*c.Size+0.1*z)
			} else {
				row[j] = median[j] + scale[j]*c.Size*z
			}
		}
		job.markRow(i)
	}
	return nil
}

// scaled multiplies rows.
type scaled struct{ Factor float64 }

func (c *scaled) fields() []setting.Field {
	return []setting.Field{setting.Float("factor", &c.Factor, setting.AnyNumber(), "what the rows are multiplied by")}
}

func (c *scaled) apply(job *job, amount quantity) error {
	rows, err := job.chooseRows(amount)
	if err != nil {
		return err
	}
	for _, i := range rows {
		row := job.set.X.RawRowView(i)
		for j := range row {
			row[j] *= c.Factor
		}
		job.markRow(i)
	}
	return nil
}

// noise adds Gaussian noise to rows.
type noise struct{ SD float64 }

func (c *noise) fields() []setting.Field {
	return []setting.Field{setting.Float("sd", &c.SD, setting.AtLeast(0), "standard deviation, in robust standard deviations of each column")}
}

func (c *noise) apply(job *job, amount quantity) error {
	rows, err := job.chooseRows(amount)
	if err != nil {
		return err
	}
	_, scale := scales(job.set)
	for _, i := range rows {
		row := job.set.X.RawRowView(i)
		for j := range row {
			row[j] += c.SD * scale[j] * job.r.NormFloat64()
		}
		job.markRow(i)
	}
	return nil
}
