package linear

import (
	"math"

	"github.com/inlier-ml/inlier/internal/univariate"
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

// chiWeight is chiSlope(u)/u up to a constant: 1 at 0.
func chiWeight(u float64) float64 {
	t := u / breakdownTuning
	t = 1 - t*t
	if t <= 0 {
		return 0
	}
	return t * t
}

// meanChi returns the mean of chi(r/s) and of u chi'(u), over total weight minus p
// coefficients.
func meanChi(r, w []float64, s, free float64) (mean, slope float64) {
	inverse := 1 / (s * breakdownTuning)
	for i, v := range r {
		t := v * inverse
		t *= t
		a := 1.0
		if w != nil {
			a = w[i]
		}
		if t >= 1 {
			mean += a
			continue
		}
		mean += a * t * (3 - t*(3-t))
		slope += a * 6 * t * (1 - t) * (1 - t)
	}
	return mean / free, slope / free
}

// mScale solves sum w chi(r/s) = free/2 for s, free being the total weight less the number
// of coefficients, by safeguarded Newton steps in log s from a guess (0: the median). It
// is 0 when so many residuals vanish that no s > 0 solves it: an exact fit of the majority.
func mScale(r, w []float64, free, guess float64) float64 {
	nonzero := 0.0
	largest := 0.0
	for i, v := range r {
		if v != 0 {
			if w != nil {
				nonzero += w[i]
			} else {
				nonzero++
			}
			largest = math.Max(largest, math.Abs(v))
		}
	}
	if nonzero <= halfway*free || free <= 0 {
		return 0
	}
	s := guess
	if !(s > 0) {
		absolute := make([]float64, len(r))
		for i, v := range r {
			absolute[i] = math.Abs(v)
		}
		if s = univariate.WeightedMedian(absolute, w) / 0.6745; s == 0 {
			s = largest
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
