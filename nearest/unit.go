package nearest

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/bounded"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

// typicalDistance is the largest, over the classes, of the median distance of rows from their own.
func typicalDistance(distance *mat.Dense, labels []int, weights []float64) float64 {
	_, classes := distance.Dims()
	away, counts := make([][]float64, classes), make([][]float64, classes)
	for i, k := range labels {
		away[k] = append(away[k], distance.At(i, k))
		if weights != nil {
			counts[k] = append(counts[k], weights[i])
		}
	}
	out := 0.0
	for k := range away {
		if len(away[k]) > 0 {
			out = math.Max(out, univariate.WeightedMedian(away[k], counts[k]))
		}
	}
	return out
}

// checkUnit refuses rows whose distances from the centers of their classes are typically too large
// or too small to be squared, unless some rows alone took plain means that far.
func checkUnit(ctx context.Context, x, centers, distance *mat.Dense, labels []int, weights []float64) error {
	typical := typicalDistance(distance, labels, weights)
	if typical == 0 { // rows are equal, or squares have vanished
		for i, k := range labels {
			typical = math.Max(typical, apart(x.RawRowView(i), centers.RawRowView(k)))
			if typical >= bounded.Smallest {
				return nil
			}
		}
	}
	if bounded.Unit(typical) == nil {
		return nil
	}
	return bounded.CheckUnit(ctx, linalg.FromDense(x), weights)
}
