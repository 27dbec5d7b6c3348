package scaling

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

// refinedShare is the share of normal values from which a spread within classes is taken at last.
const refinedShare = 0.975

// NarrowToClasses narrows the spread of each column to that within classes, around their medians,
// where rows differ there: what lies between classes is no noise, and a
// spread over all classes is now the one, now the other where a class holds a third of the rows.
// members are the rows of each class, weights nil: ones. Where the context
// ends, so does the narrowing, wherever it is.
func (s *Scaling) NarrowToClasses(ctx context.Context, x *mat.Dense, weights []float64, members [][]int) {
	n, d := x.Dims()
	centred := mat.NewDense(n, d, nil)
	_ = linalg.ParallelUntil(ctx, d, func(j int) {
		for _, rows := range members {
			values := make([]float64, len(rows))
			var own []float64
			for a, i := range rows {
				values[a] = x.At(i, j)
				if weights != nil {
					own = append(own, weights[i])
				}
			}
			middle := univariate.WeightedMedian(values, own)
			for _, i := range rows {
				centred.Set(i, j, max(min(x.At(i, j)-middle, math.MaxFloat64), -math.MaxFloat64))
			}
		}
	})
	within := Fit(centred, Rules{Kind: Robust, Weights: weights, Context: ctx})
	for j, v := range within.Scale {
		if ctx.Err() != nil {
			return
		}
		never := within.Low != nil && within.Low[j] == within.High[j]
		if never || v <= 1e-6*s.Scale[j] {
			continue
		}
		// A median deviation of few rows is small where these happen to lie close, and new rows do not.
		if _, v = univariate.WeightedRefine(mat.Col(nil, j, centred), weights, 0, v, refinedShare); v > 0 {
			s.Scale[j] = min(s.Scale[j], v)
		}
	}
}
