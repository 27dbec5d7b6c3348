package nearest

import (
	"math"

	"github.com/inlier-ml/inlier/internal/univariate"
)

// pool brings the limits of classes together as far as they differ by chance only: the limit of ten
// rows is known to a third of itself.
func pool(limits []float64, members [][]int, weights []float64) {
	smallest := math.Inf(1)
	logs := make([]float64, len(limits))
	for k, rows := range members {
		count := float64(len(rows))
		if weights != nil {
			own := make([]float64, len(rows))
			for a, i := range rows {
				own[a] = weights[i]
			}
			_, count = univariate.Counted(len(rows), own)
		}
		smallest = min(smallest, count)
		logs[k] = math.Log(limits[k])
		if limits[k] <= 0 { // a class within its subspace has nothing to share
			return
		}
	}
	univariate.Shrink(logs, 1/smallest)
	for k, v := range logs {
		limits[k] = math.Exp(v)
	}
}
