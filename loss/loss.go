// Package loss holds robust losses as functions of a squared residual, their weights,
// their text forms and the rules that choose their bandwidths.
//
// A residual may be a number, a row or an image: only its squared norm s = r^2 enters,
// so one set of losses serves them all. A fit that minimises the sum of Rho(s_i) is
// found by weighted least squares with the weights Weight(s_i), repeated until nothing
// changes: rows with large residuals lose their say.
//
// Start with [Parse], which reads a text such as "kmpe:p=4,sigma=0.8" or "welsch" into
// a [Spec]: a loss whose bandwidth may still be open. [Spec.Bandwidth] finds the
// bandwidth from residuals and [Spec.At] makes the [Scaled] loss:
//
//	spec, err := loss.Parse("kmpe:p=2,sigma=auto")
//	...
//	l := spec.At(spec.Bandwidth(s, nil, loss.KappaSubspace))
//	loss.RelativeWeights(w, s, l)
//
// [Losses] describes every loss. A program's own loss is any type with Rho and Weight: see
// [Loss]. To add one to Inlier, write its family in a file of its own and name it in the
// table of families.go.
//
// # Extreme arguments
//
// Negative s (from rounding) counts as 0 and +Inf as the largest float64; NaN stays NaN.
// Rho and Weight are then always finite, and so is LogWeight except beyond Tukey's
// cut-off, where the weight is exactly 0 and its logarithm -Inf. Values that would
// overflow stop at the largest float64.
//
// Losses with an infinite weight at s = 0 (an L_p norm with p < 2 and everything that
// behaves like one near 0) are replaced by their tangent below a floor: r/beta = 1e-6
// for losses with a bandwidth, the parameter floor for L_p and L1. The weight is then
// constant below the floor, Rho stays once differentiable and concave, and Rho(0) is
// the tangent's intercept, a small positive number. Reweighting therefore minimises
// exactly this Rho.
package loss

import "math"

// Loss is a robust loss as a function of the squared residual s >= 0: what a loss of one's
// own has at least. Every method of Inlier whose configuration has a Loss takes one; [Spec]
// is one too, so that a loss from a text and a loss of one's own stand in the same place.
// What a loss can tell beside these two, and what is done where it does not, stands at
// [Specify]; [Check] tells whether a loss keeps the laws. It is asked by several goroutines at a time.
type Loss interface {
	// Rho is the loss itself, never falling in s.
	Rho(s float64) float64
	// Weight is dRho/ds: what a row counts in the next weighted least-squares step. With a
	// Slope (see [Sloped]) it is that divided by the slope.
	Weight(s float64) float64
}

// Scaled is a loss at its bandwidth with all that a fit asks of it: what [Spec.At] makes,
// of ours and of one's own alike.
type Scaled interface {
	Loss
	// LogWeight is the logarithm of Weight, finite also where Weight underflows.
	LogWeight(s float64) float64
	// Slope is the constant c with dRho/ds = c*Weight. Weight is then as the papers write
	// it, such as exp(-s/2sigma^2) for Welsch, which is 1 at s = 0.
	Slope() float64
	// Concave tells whether Rho is concave in s, that is, whether the weight never
	// rises: then every plain reweighting step lowers the sum of Rho.
	Concave() bool
	// Scale is the bandwidth (sigma, beta or c); 0 when the loss has none.
	Scale() float64
	// String is the text form that Parse reads back.
	String() string
}

// Bandwidths outside [MinScale, MaxScale] are moved to the nearer end, so that their
// squares, also times the floors above, neither vanish nor overflow.
const (
	MinScale = 1e-140
	MaxScale = 1e140
)

const (
	// floorRatio is the smallest (r/beta)^2 at which a weight that is infinite at 0 is
	// evaluated; below it the tangent is used.
	floorRatio = 1e-12
	// largestExponent caps (r/beta)^alpha in log-weights, so that they stay finite with
	// room for the other terms.
	largestExponent = math.MaxFloat64 / 4
)

// named is what every loss shares: the specification it was made from and its bandwidth.
type named struct {
	spec  Spec
	scale float64
}

func (n named) Concave() bool  { return n.spec.Concave() }
func (n named) Scale() float64 { return n.scale }
func (n named) String() string { return n.spec.String() }

// specification is the Spec that makes this loss again, its bandwidth fixed.
func (n named) specification() Spec { return n.spec }

// domain moves s into [0, MaxFloat64] and leaves NaN alone.
func domain(s float64) float64 {
	if s <= 0 {
		return 0
	}
	return saturate(s)
}

// saturate replaces +Inf by the largest float64.
func saturate(x float64) float64 {
	if x > math.MaxFloat64 {
		return math.MaxFloat64
	}
	return x
}

// logOf is log(s) with s = 0 counted as the smallest positive float64.
func logOf(s float64) float64 {
	if s == 0 {
		s = math.SmallestNonzeroFloat64
	}
	return math.Log(s)
}

// raise is x^e for x >= 0 without overflow; unlike math.Pow it keeps a NaN at e = 0.
func raise(x, e float64) float64 {
	if math.IsNaN(x) {
		return x
	}
	return saturate(math.Pow(saturate(x), e))
}
