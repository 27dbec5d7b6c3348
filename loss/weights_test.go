package loss

import (
	"math"
	"testing"
)

// The weight of generalised correntropy is largest where (r/beta)^alpha = 1 - 2/alpha,
// that of KMPE with p > 2 where g = 2/p.
func TestWhereTheWeightFalls(t *testing.T) {
	for _, alpha := range []float64{3, 4, 12, 50} {
		l := MustParse("gcorr:alpha=" + number(alpha)).At(2)
		top := 4 * math.Pow(1-2/alpha, 2/alpha)
		if !RisesAt(l, top*0.95) || fallsAt(l, top*0.95) || !fallsAt(l, top*1.05) || RisesAt(l, top*1.05) {
			t.Errorf("alpha=%g: the weight does not turn at s=%g", alpha, top)
		}
	}
	for _, p := range []float64{3, 4, 10} {
		l := MustParse("kmpe:p=" + number(p)).At(2)
		top := 8 * math.Log(p/2)
		if !RisesAt(l, top*0.95) || !fallsAt(l, top*1.05) {
			t.Errorf("p=%g: the weight does not turn at s=%g", p, top)
		}
	}
	for _, c := range []struct {
		text         string
		s            float64
		falls, rises bool
	}{
		{"square", 1, false, false}, {"huber", 0.5, false, false}, {"huber", 2, true, false}, {"welsch", 1e-6, true, false},
		{"l1", 3, true, false}, {"lp:p=3", 3, false, true}, {"tukey", 0.5, true, false}, {"tukey", 9, false, false}, {"kmpe:p=4", 0, false, false},
	} {
		l := MustParse(c.text).At(1)
		if f, r := fallsAt(l, c.s), RisesAt(l, c.s); f != c.falls || r != c.rises {
			t.Errorf("%v at s=%g: falls %v, rises %v", l, c.s, f, r)
		}
	}
}
