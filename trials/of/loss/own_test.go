package loss

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
)

// ownCauchy is Cauchy's loss as a program would write it, with nothing but what it must have.
type ownCauchy struct{ c float64 }

func (o ownCauchy) Rho(s float64) float64 { return o.c * o.c * math.Log1p(s/(o.c*o.c)) }

func (o ownCauchy) Weight(s float64) float64 { return 1 / (1 + s/(o.c*o.c)) }

// ownRoot is the residual itself: no bandwidth, an infinite weight at 0.
type ownRoot struct{}

func (ownRoot) Rho(s float64) float64 { return math.Sqrt(s) }

func (ownRoot) Weight(s float64) float64 { return 0.5 / math.Sqrt(s) }

func specify(t *testing.T, l loss.Loss) loss.Spec {
	t.Helper()
	s, err := loss.Specify(l, loss.Spec{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A copy of Cauchy's loss is Cauchy's loss at every bandwidth, whatever width it was
// written with.
func TestOwnLossIsLikeOurs(t *testing.T) {
	ours := loss.MustParse("cauchy")
	for _, c := range []float64{1, 2.385, 1e-3, 40} {
		mine := specify(t, ownCauchy{c})
		if mine.Rule().Kind != loss.Auto || !mine.Concave() || mine.Order() != 2 || mine.Pulls() {
			t.Errorf("c = %g: rule %v, concave %v, order %g, pulls %v", c, mine.Rule(), mine.Concave(), mine.Order(), mine.Pulls())
		}
		for _, width := range []float64{1e-100, 0.7, 1e5} {
			a, b := mine.At(width/c), ours.At(width)
			same(t, "own cauchy", a, b, 1, 1e-12, []float64{0, 1e-3 * width * width, width * width, 50 * width * width})
			if a.LogWeight(1e300) > -100 {
				t.Errorf("log-weight %g far out", a.LogWeight(1e300))
			}
		}
		// the constant of 95 % efficiency is found: 2.385 to its printed digits
		s := []float64{1, 4, 9}
		if a, b := c*mine.Bandwidth(s, nil, 3), ours.Bandwidth(s, nil, 3); math.Abs(a-b) > 2e-4*b {
			t.Errorf("c = %g: bandwidth %g, cauchy has %g", c, a, b)
		}
	}
}

// formula is a loss of two formulas.
type formula struct {
	rho, weight func(s float64) float64
}

func (f formula) Rho(s float64) float64 { return f.rho(s) }

func (f formula) Weight(s float64) float64 { return f.weight(s) }

// A loss that is not a number somewhere, or gives a negative weight, is refused before it
// makes weights that are none.
func TestLawlessLossIsRefused(t *testing.T) {
	fine := func(s float64) float64 { return 1 / (1 + s) / (1 + s) }
	bounded := func(s float64) float64 { return s / (1 + s) }
	for name, f := range map[string]formula{
		"not a number far out": {math.Log1p, func(s float64) float64 { return math.Sqrt(5-s) / (1 + s) }},
		"negative far out":     {func(s float64) float64 { return s * math.Exp(-s) }, func(s float64) float64 { return (1 - s) * math.Exp(-s) }},
		"rho not a number":     {func(float64) float64 { return math.NaN() }, fine},
		"no weight at all":     {func(float64) float64 { return 1 }, func(float64) float64 { return 0 }},
	} {
		_, err := loss.Specify(f, loss.Spec{})
		var refused refusal.Refusal
		if !errors.As(err, &refused) {
			t.Errorf("%s: %v", name, err)
		}
		if loss.Check(f) == nil {
			t.Errorf("%s: Check finds nothing", name)
		}
	}
	// the unit of a weight does not matter
	for _, unit := range []float64{1e-300, 1e300} {
		f := formula{func(s float64) float64 { return unit * bounded(s) }, func(s float64) float64 { return unit * fine(s) }}
		s := []float64{1, 4, 9}
		if a, b := specify(t, f).Bandwidth(s, nil, 3), specify(t, formula{bounded, fine}).Bandwidth(s, nil, 3); math.Abs(a-b) > 1e-9*b {
			t.Errorf("unit %g: bandwidth %g, not %g", unit, a, b)
		}
	}
}

// The floor of a loss without bandwidth, which the residuals have set, is kept in its text.
func TestOwnFloorIsKept(t *testing.T) {
	loss.Register(ownRoot{})
	l := specify(t, ownRoot{}).Resolve([]float64{1e-18, 4e-18, 9e-18}, nil).At(0)
	back, err := loss.Parse(l.String())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []float64{0, 1e-32, 1e-20, 1} {
		if a, b := l.Weight(s), back.At(0).Weight(s); a != b {
			t.Errorf("%s: weight %g at %g came back as %g", l, a, s, b)
		}
	}
}

// Losses that break a law, each in its own way.
type (
	ownWrongWeight   struct{ ownCauchy }
	ownFalling       struct{ ownCauchy }
	ownWrongLog      struct{ ownCauchy }
	ownMistypedLog   struct{ ownCauchy }
	ownMisspelled    struct{ ownCauchy }
	ownPointerSlope  struct{ ownCauchy }
	ownNegative      struct{ ownCauchy }
	ownNot           struct{ ownCauchy }
	ownNegativeSlope struct{ ownCauchy }
)

func (o ownWrongWeight) Weight(s float64) float64    { return 2 * o.ownCauchy.Weight(s) }
func (o ownFalling) Rho(s float64) float64           { return 1 / (1 + s) }
func (o ownWrongLog) LogWeight(s float64) float64    { return -s }
func (o ownMistypedLog) LogWeight(s float32) float64 { return -float64(s) }
func (o ownMisspelled) Logweight(s float64) float64  { return math.Log(o.Weight(s)) }
func (o *ownPointerSlope) Slope() float64            { return 2 }
func (o ownNegative) Weight(s float64) float64       { return -1 }
func (o ownNot) Rho(s float64) float64               { return math.NaN() }
func (o ownNegativeSlope) Slope() float64            { return -1 }

func TestCheckFindsWhatIsWrong(t *testing.T) {
	c := ownCauchy{1}
	for want, l := range map[string]loss.Loss{
		"not dRho/ds": ownWrongWeight{c}, "Rho falls": ownFalling{c}, "the logarithm of Weight": ownWrongLog{c},
		"a method LogWeight that is not": ownMistypedLog{c}, "a method Logweight that is not": ownMisspelled{c},
		"on the pointer": ownPointerSlope{c}, "Weight(0) = -1": ownNegative{c}, "Rho(0) = NaN": ownNot{c}, "Slope is -1": ownNegativeSlope{c},
	} {
		if err := loss.Check(l); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%T: %v, want %q", l, err, want)
		}
	}
	// a method that was meant as a capability is never passed over in silence
	for _, l := range []loss.Loss{ownMistypedLog{c}, ownMisspelled{c}, ownPointerSlope{c}, ownNegative{c}} {
		if _, err := loss.Specify(l, loss.Spec{}); err == nil {
			t.Errorf("%T is taken", l)
		}
	}
	for _, l := range []loss.Loss{c, ownCauchy{30}, ownRoot{}, nil} {
		if err := loss.Check(l); (err == nil) != (l != nil) {
			t.Errorf("%T: %v", l, err)
		}
	}
	for _, l := range everyLoss() { // ours at a bandwidth that Check can see
		if scale := l.Scale(); scale == 0 || scale > 1e-2 && scale < 1e2 {
			if err := loss.Check(l); err != nil {
				t.Errorf("%v: %v", l, err)
			}
		}
	}
}
