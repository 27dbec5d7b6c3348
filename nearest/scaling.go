package nearest

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/internal/scaling"
	"github.com/inlier-ml/inlier/refusal"
)

// Scaling names how columns are brought to a common size before distances are taken, which
// otherwise those with large numbers decide.
type Scaling string

// The scalings.
const (
	ScaleNone     Scaling = "none"     // columns as they are; the zero value means the same
	ScaleRobust   Scaling = "robust"   // median to 0, 1.4826 median absolute deviations to 1; of centers: deviations within classes
	ScaleMinMax   Scaling = "minmax"   // smallest value to 0, largest to 1
	ScaleStandard Scaling = "standard" // mean to 0, standard deviation to 1
)

// inputs brings rows to the size in which distances are taken; nil leaves them as they are.
type inputs struct{ scaling.Scaling }

// learnInputs learns the scaling of the columns from rows with weights, nil: ones; the rows of each class
// where robust spreads are those within classes.
func learnInputs(ctx context.Context, x *mat.Dense, how Scaling, weights []float64, members [][]int) (*inputs, error) {
	switch how {
	case "", ScaleNone:
		return nil, nil
	case ScaleRobust, ScaleMinMax, ScaleStandard:
		s := scaling.Fit(x, scaling.Rules{Kind: scaling.Kind(how), Weights: weights, Context: ctx})
		if how == ScaleRobust && members != nil {
			s.NarrowToClasses(ctx, x, weights, members)
		}
		return &inputs{s}, ctx.Err()
	}
	return nil, refusal.Setting("scaling", "%q is not known; it is robust, minmax, standard or none", how)
}

// apply returns scaled rows. What is no finite number stays none.
func (s *inputs) apply(x *mat.Dense) *mat.Dense {
	if s == nil {
		return x
	}
	out := s.Apply(x)
	if out == x {
		return x
	}
	n, _ := x.Dims()
	for i := range n {
		for j, v := range x.RawRowView(i) {
			if v-v != 0 {
				out.Set(i, j, math.NaN())
			}
		}
	}
	return out
}

// applyRow writes a scaled row to dst.
func (s *inputs) applyRow(dst, row []float64) {
	s.ApplyRow(dst, row)
	for j, v := range row {
		if v-v != 0 {
			dst[j] = math.NaN()
		}
	}
}

// back returns rows in the units they came in.
func (s *inputs) back(z *mat.Dense) *mat.Dense {
	if s == nil {
		return z
	}
	out := mat.DenseCopyOf(z)
	out.Apply(func(_, j int, v float64) float64 {
		return max(min(s.Offset[j]+s.Scale[j]*v, math.MaxFloat64), -math.MaxFloat64)
	}, out)
	return out
}

// store adds the scaling to the arrays of a model file.
func (s *inputs) store(arrays map[string]archive.Array) {
	if s != nil {
		s.Store(arrays)
	}
}

// restoreInputs reads it; files of old have none.
func restoreInputs(r *archive.Reader, columns int) *inputs {
	if !r.Has("input_scale") {
		return nil
	}
	return &inputs{scaling.Restore(r, columns)}
}
