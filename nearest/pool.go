package nearest

import (
	"math"

	"github.com/inlier-ml/inlier/internal/univariate"
)

// pool brings the limits of classes together as far as they differ by chance only: the limit of ten
// rows is known to a third of itself. A class of few rows says nothing about how well the limits
// of the others are known.
func pool(limits []float64, members [][]int, weights []float64) {
	logs, variance := make([]float64, len(limits)), make([]float64, len(limits))
	for k, rows := range members {
		count := float64(len(rows))
		if weights != nil {
			own := make([]float64, len(rows))
			for a, i := range rows {
				own[a] = weights[i]
			}
			_, count = univariate.Counted(len(rows), own)
		}
		logs[k], variance[k] = math.Log(limits[k]), 1/count
		if limits[k] <= 0 { // a class within its subspace has nothing to share
			return
		}
	}
	univariate.Shrink(logs, variance)
	for k, v := range logs {
		limits[k] = math.Exp(v)
	}
}
