package loss

import (
	"math"

	"github.com/inlier-ml/inlier/linalg"
)

// Weights writes the weight of every squared residual into dst and returns it. A nil dst
// is allocated; otherwise dst and s must be of the same length, or Weights panics. dst
// may be s.
func Weights(dst, s []float64, l Scaled) []float64 {
	dst = sized(dst, s)
	linalg.Spans(len(s), func(from, to int) {
		for i, v := range s[from:to] {
			dst[from+i] = l.Weight(v)
		}
	})
	return dst
}

// RelativeWeights writes the weights divided by the largest of them into dst, by way of
// their logarithms, so that the largest is 1 even where all of them underflow. It returns
// the logarithm of the largest weight. Where all weights are exactly 0 (Tukey, every
// residual beyond the cut-off) dst is 0 throughout and the result -Inf: the bandwidth is
// too small for the residuals and the caller has to say so or widen it. A nil dst panics
// unless s is empty; dst may be s.
func RelativeWeights(dst, s []float64, l Scaled) (largest float64) {
	if len(dst) != len(s) {
		panic("loss: weights and residuals of different length")
	}
	linalg.Spans(len(s), func(from, to int) {
		for i, v := range s[from:to] {
			dst[from+i] = l.LogWeight(v)
		}
	})
	largest = linalg.Largest(dst)
	if math.IsInf(largest, -1) {
		clear(dst)
		return largest
	}
	linalg.Spans(len(s), func(from, to int) {
		for i := from; i < to; i++ {
			if dst[i] == largest {
				dst[i] = 1
			} else {
				dst[i] = math.Exp(dst[i] - largest)
			}
		}
	})
	return largest
}

// EffectiveSampleSize is (sum w)^2 / sum w^2: n for equal weights, 1 when a single weight
// stands out, 0 when all are 0.
func EffectiveSampleSize(w []float64) float64 {
	top := 0.0
	if len(w) > 0 {
		top = max(linalg.Largest(w), -linalg.Least(w))
	}
	if top == 0 {
		return 0
	}
	sums := linalg.Totals(len(w), 2, func(from, to int, sums []float64) {
		for _, v := range w[from:to] {
			sums[0] += v / top
			sums[1] += v / top * (v / top)
		}
	})
	return sums[0] * sums[0] / sums[1]
}

// fallsAt tells whether the weight falls with the residual at s. It is false where the
// weight is flat, such as for the square loss or inside Huber's cut-off; to warn of a
// loss that trusts larger residuals more, ask RisesAt.
func fallsAt(l Scaled, s float64) bool { return trend(l, s) < 0 }

// RisesAt tells whether the weight rises with the residual at s, as it does for small
// residuals when alpha > 2 or p > 2. At the median residual that deserves a warning: half
// of the rows would gain weight by being further off.
func RisesAt(l Scaled, s float64) bool { return trend(l, s) > 0 }

// trend compares the weights one per cent beyond and before s.
func trend(l Scaled, s float64) int {
	const step = 0.01
	before, beyond := l.LogWeight(s*(1-step)), l.LogWeight(s*(1+step))
	// Rounding of logarithms and powers is far below this.
	tolerance := 1e-12 * (1 + math.Abs(before))
	switch {
	case beyond < before-tolerance:
		return -1
	case beyond > before+tolerance:
		return 1
	}
	return 0
}

func sized(dst, s []float64) []float64 {
	if dst == nil {
		return make([]float64, len(s))
	}
	if len(dst) != len(s) {
		panic("loss: weights and residuals of different length")
	}
	return dst
}
