package loss

import (
	"math"
	"strings"
	"testing"
)

// ownCauchy is Cauchy's loss as a program would write it, with nothing but what it must have.
type ownCauchy struct{ c float64 }

func (o ownCauchy) Rho(s float64) float64    { return o.c * o.c * math.Log1p(s/(o.c*o.c)) }
func (o ownCauchy) Weight(s float64) float64 { return 1 / (1 + s/(o.c*o.c)) }

// ownRoot is the residual itself: no bandwidth, an infinite weight at 0.
type ownRoot struct{}

func (ownRoot) Rho(s float64) float64    { return math.Sqrt(s) }
func (ownRoot) Weight(s float64) float64 { return 0.5 / math.Sqrt(s) }

// ownFourth is kmpe with p = 4 at a bandwidth of 1, with everything it may have.
type ownFourth struct{}

func (ownFourth) Rho(s float64) float64       { return square64(-math.Expm1(-s / 2)) }
func (ownFourth) Weight(s float64) float64    { return -math.Expm1(-s/2) * math.Exp(-s/2) }
func (ownFourth) LogWeight(s float64) float64 { return math.Log(-math.Expm1(-s/2)) - s/2 }
func (ownFourth) Slope() float64              { return 1 }
func (ownFourth) Tuning() float64             { return welschEfficient }
func (ownFourth) String() string              { return "fourth" }

func square64(x float64) float64 { return x * x }

func specify(t *testing.T, l Loss) Spec {
	t.Helper()
	s, err := Specify(l, Spec{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Efficiency constants from the weights alone: those of the literature to their digits.
func TestTuningIsFound(t *testing.T) {
	for text, want := range map[string]float64{"huber": huberEfficient, "cauchy": cauchyEfficient, "tukey": tukeyEfficient, "welsch": welschEfficient} {
		got, err := tuning(MustParse(text).At(1))
		if err != nil || math.Abs(got-want) > 3e-3 {
			t.Errorf("%s: %g, %v; want %g", text, got, err, want)
		}
	}
	for _, l := range []Loss{Spec{}, ownRoot{}, MustParse("lp:p=3")} {
		if got, err := tuning(l); err != nil || got != 0 {
			t.Errorf("%v has no bandwidth, yet %g, %v", l, got, err)
		}
	}
}

func TestOwnLossesOfOtherKinds(t *testing.T) {
	root := specify(t, ownRoot{})
	if root.Rule().Kind != None || !root.Pulls() || math.Abs(root.Order()-1) > 1e-9 || !root.Concave() {
		t.Errorf("root: rule %v, pulls %v, order %g, concave %v", root.Rule(), root.Pulls(), root.Order(), root.Concave())
	}
	l := root.Resolve([]float64{1e20, 4e20, 9e20}, nil).At(0)
	if w := l.Weight(0); math.Abs(w/(0.5/math.Sqrt(4e8))-1) > 1e-12 {
		t.Errorf("weight %g of a perfect row", w)
	}
	if !(l.Rho(0) >= 0 && l.Rho(0) < l.Rho(4e8)) {
		t.Errorf("rho %g at 0, %g at the floor", l.Rho(0), l.Rho(4e8))
	}
	fourth, ours := specify(t, ownFourth{}), MustParse("kmpe:p=4")
	if fourth.Concave() || math.Abs(fourth.Order()-4) > 1e-6 || fourth.Pulls() {
		t.Errorf("fourth: concave %v, order %g, pulls %v", fourth.Concave(), fourth.Order(), fourth.Pulls())
	}
	s := []float64{1, 4, 9}
	if a, b := fourth.Bandwidth(s, nil, 3), ours.Bandwidth(s, nil, 3); a != b {
		t.Errorf("bandwidth %g, not %g", a, b)
	}
	for _, v := range append(decades, 1e4) {
		if a, b := fourth.At(1.7).LogWeight(v), ours.At(1.7).LogWeight(v); math.Abs(a-b) > 1e-9*(1+math.Abs(b)) {
			t.Errorf("log-weight %g at %g, not %g", a, v, b)
		}
	}
	if got := specify(t, ours.At(2)); got.String() != "kmpe:p=4,sigma=2" {
		t.Errorf("a loss at its bandwidth becomes %s", got)
	}
}

// The text of an own loss is read back once the loss is registered, and says what to do
// before.
func TestOwnLossesHaveTexts(t *testing.T) {
	spec := specify(t, ownFourth{}).WithRule(FixedAt(0.25))
	if spec.String() != "own:fourth,width=0.25" || spec.At(3).String() != "own:fourth,width=3" {
		t.Fatalf("text %s, %s", spec, spec.At(3))
	}
	registered.Delete("fourth")
	if _, err := Parse(spec.String()); err == nil || !strings.Contains(err.Error(), "loss.Register") {
		t.Errorf("before it is registered: %v", err)
	}
	Register(ownFourth{})
	if back, err := Parse(spec.String()); err != nil || back != spec {
		t.Errorf("read back: %v, %v", back, err)
	}
	if name := specify(t, ownCauchy{1}).Name(); name != "own:loss.ownCauchy" {
		t.Errorf("a loss without String is called %s", name)
	}
}
