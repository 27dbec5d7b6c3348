package judging

import (
	"math"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// FullWeight is the logarithm of the weight that counts as 1 among observations with these squared
// residuals, where a prior weight of 0 (nil: ones) means one that does not count: the largest. A
// loss with a corner at 0, such as |e|, has no largest: a row that is met by chance to the last
// digit would leave next to nothing to all others. There it is the weight of the typical one,
// at the median of the residuals, and rows nearer than that count fully as well.
func FullWeight(l loss.Scaled, squared, prior []float64) float64 {
	if l.LogWeight(0) != 0 {
		if typical := univariate.WeightedMedian(squared, prior); typical > 0 && cornered(l, typical) {
			return l.LogWeight(typical)
		}
	}
	weights := make([]float64, len(squared))
	linalg.Spans(len(weights), func(from, to int) {
		for i := from; i < to; i++ {
			if weights[i] = math.Inf(-1); prior == nil || prior[i] > 0 {
				weights[i] = l.LogWeight(squared[i])
			}
		}
	})
	return linalg.Largest(weights)
}

// cornered tells whether weights grow without end towards residuals of 0: four decades below
// a typical one they still do, by a quarter at least over the next four.
func cornered(l loss.Scaled, typical float64) bool {
	return l.LogWeight(1e-8*typical)-l.LogWeight(1e-4*typical) > math.Log(1.25)
}
