package check

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/univariate"
)

// Transformation makes the bulk of a column about standard normal: a Yeo-Johnson power of the
// robustly scaled values, or a Box-Cox power of positive ones, then robust scaling. It is monotone
// and defined everywhere, so that every value has its place and a place its value.
//
// The powers are fitted to the central quantiles by a bounded loss (after Raymaekers and Rousseeuw,
// "Transforming variables to central normality", 2021): a twentieth of far values moves them little.
type Transformation struct {
	Positive      bool // Box-Cox of x/Scale; otherwise Yeo-Johnson of (x-Centre)/Scale
	Centre, Scale float64
	Lambda        float64
	// Middle and Spread standardise the power.
	Middle, Spread float64
}

// farthest bounds transformed values: beyond it a value is only far, and squares stay finite.
const farthest = 1e6

// floor is where the Box-Cox power of a positive column goes over into a straight line, as a
// share of the median: zero and negative values stay defined and are far.
const floor = 1e-4

// Forward returns the place of a value; NaN stays NaN.
func (t Transformation) Forward(x float64) float64 {
	z := (t.power(t.scaled(x)) - t.Middle) / t.Spread
	if z > farthest {
		return farthest
	}
	if z < -farthest {
		return -farthest
	}
	return z
}

func (t *Transformation) scaled(x float64) float64 {
	if t.Positive {
		return x / t.Scale
	}
	return x/t.Scale - t.Centre/t.Scale // a difference first could overflow
}

func (t *Transformation) power(u float64) float64 {
	if t.Positive {
		if u < floor {
			return boxCox(floor, t.Lambda) + (u-floor)*math.Pow(floor, t.Lambda-1)
		}
		return boxCox(u, t.Lambda)
	}
	return yeoJohnson(u, t.Lambda)
}

// Back returns the value at a place: the inverse of Forward. Places that no value has (a power
// may be bounded) give the infinity on their side.
func (t Transformation) Back(z float64) float64 {
	u := t.Middle + t.Spread*z
	if t.Positive {
		low := boxCox(floor, t.Lambda)
		if u < low {
			return t.Scale * (floor + (u-low)/math.Pow(floor, t.Lambda-1))
		}
		return t.Scale * boxCoxBack(u, t.Lambda)
	}
	return t.Centre + t.Scale*yeoJohnsonBack(u, t.Lambda)
}

func boxCox(u, lambda float64) float64 {
	switch lambda {
	case 1:
		return u - 1
	case 0:
		return math.Log(u)
	case 0.5:
		return 2 * (math.Sqrt(u) - 1)
	}
	return (raised(u, lambda) - 1) / lambda
}

// raised is a positive number to a power. Powers are fitted in steps of an eighth, of which square roots are most of the way: every cell of
// a table goes through here.
func raised(u, power float64) float64 {
	eighths := int(8 * power)
	if float64(eighths) != 8*power || eighths < 0 || eighths > 16 {
		return math.Pow(u, power)
	}
	r := 1.0
	for range eighths / 8 {
		r *= u
	}
	for left := eighths % 8; left > 0; left = left * 2 % 8 { // its halves, quarters and eighths
		if u = math.Sqrt(u); left >= 4 {
			r *= u
		}
	}
	return r
}

func boxCoxBack(v, lambda float64) float64 {
	if lambda == 0 {
		return math.Exp(v)
	}
	base := 1 + lambda*v
	if base <= 0 {
		if lambda < 0 {
			return math.Inf(1)
		}
		return 0
	}
	return math.Pow(base, 1/lambda)
}

// yeoJohnson is the power of Yeo and Johnson (2000): Box-Cox of 1+u on the right, of 1-u with the
// power 2-lambda on the left.
func yeoJohnson(u, lambda float64) float64 {
	if lambda == 1 {
		return u
	}
	if u >= 0 {
		return boxCox(1+u, lambda)
	}
	return -boxCox(1-u, 2-lambda)
}

func yeoJohnsonBack(v, lambda float64) float64 {
	if lambda == 1 {
		return v
	}
	if v >= 0 {
		return boxCoxBack(v, lambda) - 1
	}
	return 1 - boxCoxBack(-v, 2-lambda)
}

// levels are the central quantiles by which powers are fitted, with their normal places.
var levels, places = func() (p, q []float64) {
	for i := range 49 {
		p = append(p, 0.02+0.02*float64(i))
		q = append(q, distuv.UnitNormal.Quantile(p[i]))
	}
	return p, q
}()

// fitTransformation fits to sorted values, NaN left out. ok is false where the values do not
// spread at all.
func fitTransformation(sorted []float64) (t Transformation, ok bool) {
	if len(sorted) == 0 || sorted[0] == sorted[len(sorted)-1] {
		return t, false
	}
	centre := quantile(sorted, 0.5)
	q := make([]float64, len(levels))
	for i, p := range levels {
		q[i] = quantile(sorted, p)
	}
	scale := spread(q, sorted)
	plain := Transformation{Centre: centre, Scale: scale, Lambda: 1}
	best, least := plain, math.Inf(1)
	power := make([]float64, len(q))
	// A power must be worth it: identity and logarithm are what people understand, and small
	// samples say little about powers.
	price := 0.01 + 5/float64(len(sorted))
	consider := func(c Transformation, cost float64) {
		loss := c.settle(q, power)
		if loss += cost; loss < least {
			best, least = c, loss
		}
	}
	consider(plain, 0)
	if len(sorted) >= 20 {
		for l := 0.0; l <= 2; l += 0.125 { // beyond, one side would be bounded, and mistakes there hidden
			if l != 1 {
				consider(Transformation{Centre: centre, Scale: scale, Lambda: l}, price*(1+math.Abs(l-1)))
			}
		}
		if positive(sorted) {
			unit := quantile(sorted, 0.5)
			consider(Transformation{Positive: true, Scale: unit}, price/2)
			for _, l := range []float64{0.125, 0.25, 0.375, 0.5, 0.625, 0.75} {
				consider(Transformation{Positive: true, Scale: unit, Lambda: l}, price*(1+math.Abs(l-1)))
			}
		}
	}
	best.settle(q, power)
	if !(best.Spread > 0) { // more than the middle is one value: the plain scale is that of the others
		best = plain
		best.Middle, best.Spread = 0, 1
	}
	return best, true
}

// positive says that practically all values are above 0: a few that are not, in hundreds, are
// what is to be found.
func positive(sorted []float64) bool {
	return quantile(sorted, 0.005) > 0 && quantile(sorted, 0.5) > 0
}

// settle standardises the power by its central quantiles and returns how far they are from a
// normal sample's: the mean of a bounded loss of the differences, in standard deviations.
func (t *Transformation) settle(q, power []float64) (loss float64) {
	for i, x := range q {
		power[i] = t.power(t.scaled(x))
	}
	t.Middle = power[len(power)/2]
	t.Spread = slope(power, t.Middle)
	if !(t.Spread > 0) || math.IsInf(t.Spread, 0) {
		return math.Inf(1)
	}
	const width = 0.5
	for i, v := range power {
		e := ((v-t.Middle)/t.Spread - places[i]) / width
		if e = e * e; e < 1 {
			e = 1 - (1-e)*(1-e)*(1-e)
		} else {
			e = 1
		}
		loss += e
	}
	return loss / float64(len(power))
}

// slope is the standard deviation that central quantiles suggest: the median of their
// distances from the middle over the normal ones.
func slope(q []float64, middle float64) float64 {
	var room [49]float64
	ratios := room[:0]
	for i, v := range q {
		if places[i] != 0 {
			ratios = append(ratios, (v-middle)/places[i])
		}
	}
	slices.Sort(ratios)
	return (ratios[len(ratios)/2] + ratios[len(ratios)/2-1]) / 2
}

// spread is the scale of a column from its quantiles; where most of them agree that of wider
// and wider parts, at last of all values.
func spread(q, sorted []float64) float64 {
	if s := slope(q, q[len(q)/2]); s > 0 && !math.IsInf(s, 0) {
		return s
	}
	for _, tail := range []float64{0.1, 0.05, 0.02, 0.005} {
		if s := (quantile(sorted, 1-tail)/2 - quantile(sorted, tail)/2) / distuv.UnitNormal.Quantile(1-tail); s > 0 && !math.IsInf(s, 0) {
			return s
		}
	}
	low, high := sorted[0], sorted[len(sorted)-1]
	return max(high/4-low/4, math.SmallestNonzeroFloat64*4)
}

// quantile of sorted values, between the two nearest.
var quantile = univariate.Interpolated

// sortedValues returns the values that are numbers, sorted.
func sortedValues(values []float64) []float64 {
	kept := spill.Make[float64](spill.Of(values), len(values))[:0]
	for _, v := range spill.Each(values) {
		if v == v {
			kept = append(kept, v)
		}
	}
	if spill.Of(values) == nil {
		univariate.Sort(kept)
	} else { // which needs no room
		spill.Sort(kept)
	}
	return kept
}
