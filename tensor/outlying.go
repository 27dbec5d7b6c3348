package tensor

import (
	"math"

	"github.com/inlier-ml/inlier/internal/outlying"
	"github.com/inlier-ml/inlier/loss"
)

// directions is how many directions through pairs of samples are looked along.
const directions = 256

// cutoffLevel is the share of regular samples that a cut-off lets pass.
const cutoffLevel = outlying.Level

// limit is the distance that a further regular sample stays below, from median and median
// absolute deviation; of is [outlying.Limit] or [outlying.SkewedLimit].
func limit(values, w []float64, of func(squared, w []float64, n float64, scale outlying.Scale) float64) float64 {
	squares := make([]float64, len(values))
	for i, v := range values {
		squares[i] = math.Min(v*v, math.MaxFloat64)
	}
	return of(squares, w, votes(len(values), w), outlying.Middle)
}

// votes is the number of samples that weights stand for: their sum or, where weights are
// mere shares, the effective number.
func votes(n int, w []float64) float64 {
	if w == nil {
		return float64(n)
	}
	total, count := 0.0, 0.0
	for _, a := range w {
		if total += a; a > 0 {
			count++
		}
	}
	if total >= count {
		return total
	}
	return loss.EffectiveSampleSize(w)
}
