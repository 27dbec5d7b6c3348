package catalog

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
)

// Scaling brings input columns to a common size: (x - Offset) / Scale. It is learned from
// training rows and stored in the model, so that new rows meet the same one.
type Scaling struct {
	Kind          string
	Offset, Scale []float64 // one per column
}

// The kinds of scaling.
const (
	ScalingNone     = "none"
	ScalingMinMax   = "minmax"   // smallest value to 0, largest to 1
	ScalingRobust   = "robust"   // median to 0, 1.4826 median absolute deviations to 1
	ScalingStandard = "standard" // mean to 0, standard deviation to 1
)

// scalingParam is the parameter that names the kind.
func scalingParam(kind string) Param {
	return Param{
		Name: "scaling", Kind: Choice, Default: kind, Choices: []string{ScalingRobust, ScalingMinMax, ScalingStandard, ScalingNone},
		Meaning: "columns before the fit: by median and absolute deviation, to [0,1], by mean and standard deviation, or as they are",
	}
}

// FitScaling learns the scaling of the columns of x. Missing values are left out.
// Columns without spread only lose their offset. Where at least half of the values are
// equal the robust kind takes the mean absolute deviation instead of the median one.
func FitScaling(kind string, x *mat.Dense) Scaling {
	_, d := x.Dims()
	s := Scaling{Kind: kind, Offset: make([]float64, d), Scale: slices.Repeat([]float64{1}, d)}
	if kind == ScalingNone {
		return s
	}
	for j := range d {
		c := slices.DeleteFunc(mat.Col(nil, j, x), math.IsNaN)
		if len(c) == 0 {
			continue
		}
		var spread float64
		switch kind {
		case ScalingMinMax:
			s.Offset[j] = slices.Min(c)
			spread = slices.Max(c) - s.Offset[j]
		case ScalingStandard:
			s.Offset[j], spread = meanAndDeviation(c)
		default:
			s.Offset[j], spread = medianAndDeviation(c)
		}
		if spread > 0 && !math.IsInf(spread, 0) {
			s.Scale[j] = spread
		}
	}
	return s
}

func meanAndDeviation(c []float64) (mean, deviation float64) {
	n := float64(len(c))
	for _, v := range c {
		mean += v / n
	}
	for _, v := range c {
		deviation += (v - mean) * (v - mean) / n
	}
	return mean, math.Sqrt(deviation)
}

func medianAndDeviation(c []float64) (median, deviation float64) {
	if median, deviation = univariate.Deviation(c); deviation > 0 {
		return median, deviation
	}
	mean := 0.0
	for _, away := range c {
		mean += away / float64(len(c))
	}
	return median, math.Sqrt(math.Pi/2) * mean // consistent for normal values as well
}

// Apply returns scaled rows; x itself when there is nothing to do.
func (s Scaling) Apply(x *mat.Dense) *mat.Dense {
	if s.Kind == ScalingNone {
		return x
	}
	n, d := x.Dims()
	out := mat.NewDense(n, d, nil)
	for i := range n {
		from, to := x.RawRowView(i), out.RawRowView(i)
		for j, v := range from {
			to[j] = (v - s.Offset[j]) / s.Scale[j]
		}
	}
	return out
}

// Store adds the scaling to the arrays of a model file.
func (s Scaling) Store(arrays map[string]Array) {
	arrays["input_offset"], arrays["input_scale"] = Vector(s.Offset), Vector(s.Scale)
}

// scaling reads what Store wrote for rows of d columns.
func (s State) scaling(d int) (Scaling, error) {
	offset, err := s.vector("input_offset")
	if err != nil {
		return Scaling{}, err
	}
	scale, err := s.vector("input_scale")
	if err != nil {
		return Scaling{}, err
	}
	if len(offset) != d || len(scale) != d {
		return Scaling{}, fmt.Errorf("scaling of %d and %d columns for a model of %d", len(offset), len(scale), d)
	}
	out := Scaling{Kind: s.Description.Parameters["scaling"], Offset: offset, Scale: scale}
	if out.Kind == "" {
		out.Kind = ScalingStandard // any kind that is applied
	}
	for j, v := range scale {
		if !(v > 0) || math.IsInf(v, 0) || math.IsNaN(offset[j]) || math.IsInf(offset[j], 0) {
			return Scaling{}, fmt.Errorf("input_scale of column %d is %v", j+1, v)
		}
	}
	return out, nil
}
