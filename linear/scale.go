package linear

import (
	"math"
	"slices"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

const (
	// breakdownTuning is the constant of Tukey's biweight with which the M-scale has a
	// breakdown point of one half and is consistent for normal residuals.
	breakdownTuning = 1.547644980928226
	// halfway is the right-hand side of the M-scale: the mean of rho in [0, 1].
	halfway = 0.5
)

// chi is the biweight rho scaled to 1 beyond the cut-off; u is r/scale.
func chi(u float64) float64 {
	t := u / breakdownTuning
	t *= t
	if t >= 1 {
		return 1
	}
	return t * (3 - t*(3-t))
}

// chiSlope is the derivative of chi.
func chiSlope(u float64) float64 {
	t := u / breakdownTuning
	if t2 := t * t; t2 < 1 {
		return 6 / breakdownTuning * t * (1 - t2) * (1 - t2)
	}
	return 0
}

// chiBend is the derivative of chiSlope.
func chiBend(u float64) float64 {
	t := u / breakdownTuning
	if t *= t; t < 1 {
		return 6 / (breakdownTuning * breakdownTuning) * (1 - t) * (1 - 5*t)
	}
	return 0
}

// chiWeight is chiSlope(u)/u up to a constant: 1 at 0.
func chiWeight(u float64) float64 {
	t := u / breakdownTuning
	t = max(1-t*t, 0)
	return t * t
}

// scaleRows is the number of residuals whose sums are formed in one piece; pieces are added
// in order, so results do not depend on the threads.
const scaleRows = 8192

// inPieces sums what do returns for pieces of n residuals.
func inPieces(n int, do func(first, last int) (a, b float64)) (a, b float64) {
	if n <= scaleRows {
		return do(0, n)
	}
	count := (n + scaleRows - 1) / scaleRows
	parts := make([][2]float64, count)
	linalg.Parallel(count, func(k int) {
		parts[k][0], parts[k][1] = do(k*scaleRows, min((k+1)*scaleRows, n))
	})
	for _, part := range parts {
		a += part[0]
		b += part[1]
	}
	return a, b
}

// meanChi returns the mean of chi(r/s) and of u chi'(u), over total weight minus p
// coefficients.
func meanChi(r, w []float64, s, free float64) (mean, slope float64) {
	inverse := 1 / (s * breakdownTuning)
	mean, slope = inPieces(len(r), func(first, last int) (mean, slope float64) {
		if w == nil {
			for _, v := range r[first:last] {
				t := v * inverse
				t = min(t*t, 1) // beyond the cut-off chi is 1 and flat, as at it
				mean += t * (3 - t*(3-t))
				slope += t * (1 - t) * (1 - t)
			}
			return mean, slope
		}
		for i := first; i < last; i++ {
			t := r[i] * inverse
			t = min(t*t, 1)
			mean += w[i] * (t * (3 - t*(3-t)))
			slope += w[i] * (t * (1 - t) * (1 - t))
		}
		return mean, slope
	})
	return mean / free, 6 * slope / free
}

// nonzeroWeight is the weight of the residuals that do not vanish.
func nonzeroWeight(r, w []float64) float64 {
	sum, _ := inPieces(len(r), func(first, last int) (sum, _ float64) {
		for i := first; i < last; i++ {
			if r[i] != 0 {
				if w != nil {
					sum += w[i]
				} else {
					sum++
				}
			}
		}
		return sum, 0
	})
	return sum
}

// mScale solves sum w chi(r/s) = free/2 for s, free being the total weight less the number
// of coefficients, by safeguarded Newton steps in log s from a guess (0: the median). It
// is 0 when so many residuals vanish that no s > 0 solves it: an exact fit of the majority.
func mScale(r, w []float64, free, guess float64) float64 {
	if free <= 0 || nonzeroWeight(r, w) <= halfway*free {
		return 0
	}
	s := guess
	if !(s > 0) {
		absolute := make([]float64, len(r))
		for i, v := range r {
			absolute[i] = math.Abs(v)
		}
		if s = univariate.WeightedMedian(absolute, w) / 0.6745; s == 0 {
			s = slices.Max(absolute)
		}
	}
	low, high := 0.0, math.Inf(1) // the mean falls in s
	for range 200 {
		mean, slope := meanChi(r, w, s, free)
		if mean > halfway {
			low = s
		} else {
			high = s
		}
		next := math.NaN()
		if slope > 0 {
			next = s * math.Exp((mean-halfway)/slope)
			if math.Abs(next-s) <= 1e-7*s { // Newton's next step would be the square of this; a guess that solves it is its own bound
				return next
			}
		}
		if !(next > low && next < high) || next > 10*s || next < s/10 {
			switch {
			case math.IsInf(high, 1):
				next = 2 * s
			case low == 0:
				next = s / 2
			default:
				next = math.Sqrt(low * high)
			}
		}
		if math.Abs(next-s) <= 1e-12*s {
			return next
		}
		s = next
	}
	return s
}
