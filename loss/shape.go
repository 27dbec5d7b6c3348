package loss

import (
	"math"

	"github.com/inlier-ml/inlier/refusal"
)

// What is seen of a program's own loss from its weights.

// efficient is the efficiency at the Gaussian that open bandwidths give where they can.
const efficient = 0.95

// efficiency of a location estimate with this loss at bandwidth c for standard Gaussian
// residuals: (E psi')^2 / E psi^2 with psi(r) = r*Weight(r^2/c^2) and E psi' = E r*psi, by
// Simpson's rule. NaN: not every weight is one.
func efficiency(l Loss, c float64) float64 {
	const steps, end = 400, 8.0
	var weights [steps + 1]float64
	top := 0.0 // the weight's unit does not matter, and its square may be no float64
	for k := 1; k <= steps; k++ {
		r := end * float64(k) / steps
		weights[k] = l.Weight(r / c * (r / c))
		if !(weights[k] >= 0) {
			return math.NaN()
		}
		top = max(top, weights[k])
	}
	var slope, square float64
	for k := 1; k <= steps; k++ {
		r := end * float64(k) / steps
		simpson := 2 + 2*float64(k%2)
		if k == steps {
			simpson = 1
		}
		psi := r * (weights[k] / top)
		density := simpson * math.Exp(-r*r/2)
		slope += r * psi * density
		square += psi * psi * density
	}
	// both integrals times the same constant
	return slope * slope / square * (end / steps / 3) * 2 / math.Sqrt(2*math.Pi)
}

// tuning is the bandwidth with the wanted efficiency, in the units in which the loss is
// written: the widest from which on it has at least that; where it never has, the one with
// the most. It is 0 where the efficiency does not depend on it.
func tuning(l Loss) (float64, error) {
	const low, high, perDecade = -6.0, 6.0, 12
	count := int((high-low)*perDecade) + 1
	at := func(k float64) float64 { return math.Pow(10, low+k/perDecade) }
	best, most, least, below := 0, math.Inf(-1), math.Inf(1), -1
	for k := range count {
		e := efficiency(l, at(float64(k)))
		if math.IsNaN(e) || math.IsInf(e, 0) || e == 0 {
			continue // every weight underflows, or overflows
		}
		if e > most {
			best, most = k, e
		}
		least = math.Min(least, e)
		if e < efficient {
			below = k
		}
	}
	switch {
	case math.IsInf(most, -1):
		return 0, refusal.Setting("loss", "loss: %s: the weights are no finite positive numbers for s from 1e-12 to 1e12", nameOf(l))
	case most-least < 1e-6:
		return 0, nil
	case below < 0: // so near to least squares at every bandwidth that any will do
		return 1, nil
	case below == count-1 || most < efficient:
		return at(float64(best)), nil
	}
	from, to := float64(below), float64(below+1)
	for range 60 {
		middle := (from + to) / 2
		if efficiency(l, at(middle)) < efficient {
			from = middle
		} else {
			to = middle
		}
	}
	return at((from + to) / 2), nil
}

// eachDecade goes over the squared residuals at which a loss is looked at.
func eachDecade(do func(s float64) bool) {
	for e := -12.0; e <= 12; e += 0.125 {
		if !do(math.Pow(10, e)) {
			return
		}
	}
}

// lawless refuses a loss with which no fit can be trusted: one that is not a number
// somewhere, or gives a negative weight. [Check] tells more.
func lawless(l Loss) error {
	if s, ok := l.(Sloped); ok && !(s.Slope() > 0 && s.Slope() <= math.MaxFloat64) {
		return refusal.Setting("loss", "loss: %s: Slope is %g; it must be a positive number", nameOf(l), s.Slope())
	}
	var broken error
	look := func(s float64) bool {
		switch rho, w := l.Rho(s), l.Weight(s); {
		case !(w >= 0):
			broken = refusal.Setting("loss", "loss: %s: Weight(%g) is %g; it must be a number and not negative (loss.Check tells more)", nameOf(l), s, w)
		case math.IsNaN(rho) || math.IsInf(rho, -1):
			broken = refusal.Setting("loss", "loss: %s: Rho(%g) is %g; it must be a number (loss.Check tells more)", nameOf(l), s, rho)
		}
		return broken == nil
	}
	eachDecade(look)
	if broken == nil {
		look(math.MaxFloat64)
	}
	return broken
}

// neverRises tells whether the weight never rises over 24 decades of s.
func neverRises(l Loss, unit float64) bool {
	log, _ := l.(LogWeighted)
	before, falls := math.Inf(1), true
	eachDecade(func(s float64) bool {
		now := logWeight(l, log, s*unit)
		falls = !(now > before+1e-11*(1+math.Abs(before)))
		before = now
		return falls
	})
	return falls
}

// orderOf is q where the weight behaves like s^((q-2)/2) near 0.
func orderOf(l Loss, unit float64) float64 {
	log, _ := l.(LogWeighted)
	q := 2 + 2*(logWeight(l, log, 1e-8*unit)-logWeight(l, log, 1e-10*unit))/math.Log(100)
	switch {
	case math.IsNaN(q) || math.Abs(q-2) < 1e-3:
		return 2
	case math.IsInf(q, 0) || q < 0:
		return 0
	}
	return q
}

// pulls tells whether the weight falls more slowly than s grows, far out, and yet falls.
func pulls(l Loss, unit float64) bool {
	log, _ := l.(LogWeighted)
	slope := (logWeight(l, log, 1e12*unit) - logWeight(l, log, 1e8*unit)) / math.Log(1e4)
	return slope > -0.99 && slope < -1e-3 || slope > 1e-3
}
