package loss

import (
	"math"
	"slices"

	"github.com/inlier-ml/inlier/internal/univariate"
)

// Values of kappa for the rule auto, by the kind of residual. Kappa is the square of the
// Welsch bandwidth in units of the median squared residual; every other loss takes the
// bandwidth that matches such a Welsch loss (see Spec.Bandwidth).
const (
	// KappaSubspace suits rows off a subspace in low dimension.
	KappaSubspace = 3.0
	// KappaWide suits rows off a small subspace when there are many more columns than rows.
	KappaWide = 1.0
	// KappaTensor suits images and tensors: beta is 2 median residuals.
	KappaTensor = 2.0
	// KappaScalar suits scalar residuals, as in regression: with the residuals' scale
	// estimated by sqrt(median(s)/0.4549), consistent at the Gaussian (0.4549 is the
	// median of chi-square with one degree of freedom), each loss with a 95 % constant
	// gets that constant times the scale: 2.11 for Welsch, 1.345 for Huber, 2.385 for
	// Cauchy, 4.685 for Tukey.
	KappaScalar = welschEfficient * welschEfficient / medianChiSquare1
)

// medianChiSquare1 is the median of the squared standard Gaussian.
const medianChiSquare1 = 0.454936423119572

// perfectScale is the bandwidth when every residual is exactly 0: any positive number
// gives all rows their full weight.
const perfectScale = 1e-12

// Bandwidth is the bandwidth that the rule chooses for squared residuals s, perhaps with
// prior weights (nil: all equal). It is always positive, except that losses without
// bandwidth give 0.
//
//   - Fixed gives the number itself.
//   - Auto gives sigma^2 = kappa*median(s), with the weighted median when there are prior
//     weights. A kappa that is not positive counts as 1.
//   - Silverman gives sigma^2 = 1.06*min(sd, IQR/1.354)*n^(-1/5) with the standard
//     deviation and interquartile range of the squared residuals, eq. (30) of the KMPE
//     paper. n is the sum of the prior weights, so that an integer weight is the same as
//     repeating the row. An IQR of 0 leaves the sd; if that is 0 too, sigma^2 = median(s).
//
// This sigma is the bandwidth of Welsch and KMPE. The others get the width that matches
// it: beta = sqrt2*sigma for gkmpe and gcorr, which is the same loss at alpha = 2, and for
// Huber, Cauchy and Tukey their 95 % efficiency constants over Welsch's, times sigma
// (1.345/2.11, 2.385/2.11, 4.685/2.11); a program's own loss likewise. So a kappa means the same trust for every loss.
//
// When the median is exactly 0, more than half of the residuals vanish and the rest
// decide: sigma is 1e-6 times the root of their median, wide enough for rounding errors
// and far too narrow for outliers. When all are 0, sigma is 1e-12. Negative residuals
// count as 0 and NaN ones are left out.
func (s Spec) Bandwidth(squared, prior []float64, kappa float64) float64 {
	wide := s.factor()
	switch s.rule.Kind {
	case None:
		return 0
	case Fixed:
		return s.rule.Value
	}
	if !(kappa > 0) {
		kappa = 1
	}
	sample := sortedSample(squared, prior)
	var variance float64
	if s.rule.Kind == Silverman {
		variance = sample.silverman()
	} else {
		variance = kappa * sample.quantile(0.5)
	}
	sigma := math.Sqrt(saturate(variance))
	if sigma == 0 {
		sigma = sample.tiny()
	}
	return clampScale(wide * sigma)
}

// weighted is a sample in ascending order with its weights.
type weighted struct {
	values, weights []float64
	total           float64
}

// sortedSample leaves out NaN and rows of no weight.
func sortedSample(s, prior []float64) weighted {
	if prior != nil && len(prior) != len(s) {
		panic("loss: prior weights and residuals of different length")
	}
	var out weighted
	out.values = make([]float64, 0, len(s))
	if prior == nil {
		for _, v := range s {
			if !math.IsNaN(v) {
				out.values = append(out.values, domain(v))
			}
		}
		univariate.Sort(out.values)
		out.total = float64(len(out.values))
		return out
	}
	order := make([]int, 0, len(s))
	for i, v := range s {
		if !math.IsNaN(v) && prior[i] > 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case s[a] < s[b]:
			return -1
		case s[a] > s[b]:
			return 1
		}
		return 0
	})
	for _, i := range order {
		out.values = append(out.values, domain(s[i]))
		out.weights = append(out.weights, prior[i])
		out.total += prior[i]
	}
	return out
}

func (x weighted) weight(i int) float64 {
	if x.weights == nil {
		return 1
	}
	return x.weights[i]
}

// quantile is that of [univariate.SortedQuantile], 0 without values.
func (x weighted) quantile(q float64) float64 {
	if len(x.values) == 0 {
		return 0
	}
	return univariate.SortedQuantile(x.values, x.weights, q)
}

// silverman is eq. (30) of the KMPE paper: a squared bandwidth.
func (x weighted) silverman() float64 {
	if len(x.values) == 0 {
		return 0
	}
	spread := x.deviation()
	if iqr := x.quantile(0.75) - x.quantile(0.25); iqr > 0 {
		spread = min(spread, iqr/1.354)
	}
	if spread == 0 {
		return x.quantile(0.5)
	}
	return 1.06 * spread * math.Pow(max(x.total, 1), -0.2)
}

// deviation is the standard deviation with divisor n-1.
func (x weighted) deviation() float64 {
	top := x.values[len(x.values)-1]
	if top == 0 {
		return 0
	}
	var mean, sum float64
	for i, v := range x.values {
		mean += x.weight(i) / x.total * (v / top)
	}
	for i, v := range x.values {
		d := v/top - mean
		sum += x.weight(i) / x.total * d * d
	}
	// A total below 2 comes from normalised weights, which tell no sample size.
	correction := x.total / max(x.total-1, x.total/2)
	return saturate(top * math.Sqrt(sum*correction))
}

// tiny is the sigma for residuals of which more than half are exactly 0.
func (x weighted) tiny() float64 {
	first, _ := slices.BinarySearchFunc(x.values, 0.0, func(v, zero float64) int {
		if v <= zero {
			return -1
		}
		return 1
	})
	positive := weighted{values: x.values[first:]}
	if len(positive.values) == 0 {
		return perfectScale
	}
	if x.weights != nil {
		positive.weights = x.weights[first:]
	}
	for i := range positive.values {
		positive.total += positive.weight(i)
	}
	return 1e-6 * math.Sqrt(positive.quantile(0.5))
}
