package loss

import (
	"errors"
	"fmt"
	"math"
)

// Check tells whether a loss keeps the laws that fits rely on, for the tests of a loss of
// one's own:
//
//   - Rho is finite, not negative and never falls in s;
//   - Weight is not negative, finite for s > 0, and not 0 everywhere;
//   - Rho grows as its weight says: dRho/ds = Slope * Weight, except at a few kinks;
//   - LogWeight, where there is one, is the logarithm of Weight;
//   - a method that looks like [LogWeighted], [Sloped], [Tuned] or String is one.
//
// Squared residuals of 0, from 1e-12 to 1e12 and the largest float64 (fits ask for no
// others) are tried, the derivative from 1e-6 on, in the units in which the loss is written.
// The error tells every law that does not hold, with a place.
func Check(l Loss) error {
	if l == nil {
		return errors.New("loss: there is no loss to check")
	}
	var broken []error
	fail := func(format string, args ...any) {
		broken = append(broken, fmt.Errorf("loss: "+format, args...))
	}
	if err := mistyped(l); err != nil {
		broken = append(broken, err)
	}
	slope := 1.0
	if s, ok := l.(Sloped); ok {
		if slope = s.Slope(); !(slope > 0 && slope <= math.MaxFloat64) {
			fail("Slope is %g; it must be a positive number", slope)
		}
	}
	if t, ok := l.(Tuned); ok {
		if c := t.Tuning(); !(c >= 0 && c <= math.MaxFloat64) {
			fail("Tuning is %g; it must be a positive number, or 0 for a loss without bandwidth", c)
		}
	}
	checkValues(l, fail)
	checkDerivative(l, slope, fail)
	if len(broken) == 0 {
		_, err := tuning(l)
		broken = append(broken, err)
	}
	return errors.Join(broken...)
}

// checkValues looks at single values; of each law the first place where it fails is told.
func checkValues(l Loss, fail func(string, ...any)) {
	log, _ := l.(LogWeighted)
	var rho, weight, logarithm, falls bool
	before := math.Inf(-1)
	look := func(s float64) bool {
		r, w := l.Rho(s), l.Weight(s)
		if !(r >= 0 && r <= math.MaxFloat64) && !rho {
			rho = true
			fail("Rho(%g) = %g; it must be finite and not negative", s, r)
		}
		if r < before*(1-1e-12) && !falls {
			falls = true
			fail("Rho falls to %g at s = %g; it must not", r, s)
		}
		before = r
		if (!(w >= 0) || math.IsInf(w, 1) && s > 0) && !weight {
			weight = true
			fail("Weight(%g) = %g; it must be finite and not negative", s, w)
		}
		if log != nil && w > 1e-290 && w < math.MaxFloat64 && !logarithm {
			if got := log.LogWeight(s); !(math.Abs(got-math.Log(w)) <= 1e-9*(1+math.Abs(got))) {
				logarithm = true
				fail("LogWeight(%g) = %g, but the logarithm of Weight is %g", s, got, math.Log(w))
			}
		}
		return true
	}
	look(0)
	eachDecade(look)
	look(math.MaxFloat64)
}

// checkDerivative compares the rise of Rho over short stretches with its weight there.
func checkDerivative(l Loss, slope float64, fail func(string, ...any)) {
	const kinks, width = 3, 1.002
	wrong, told := 0, ""
	eachDecade(func(s float64) bool {
		if s < 1e-6 { // a loss may be rounded near 0, where its value tells little of its rise
			return true
		}
		end := s * width
		rise := l.Rho(end) - l.Rho(s)
		want := slope * (end - s) / 6 * (l.Weight(s) + 4*l.Weight((s+end)/2) + l.Weight(end))
		if math.Abs(rise-want) > 1e-4*math.Abs(want)+1e-14*math.Abs(l.Rho(end))+1e-290 {
			if wrong++; told == "" {
				told = fmt.Sprintf("between s = %g and %g Rho rises by %g, but Slope * Weight gives %g", s, end, rise, want)
			}
		}
		return true
	})
	if wrong > kinks {
		fail("Weight is not dRho/ds over Slope: %s (%d of 145 stretches)", told, wrong)
	}
}
