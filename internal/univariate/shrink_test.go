package univariate

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Numbers that differ by chance only come together, those that differ by more stay, and the
// mean error of groups that are alike falls.
func TestShrinkBringsTogetherWhatIsAlike(t *testing.T) {
	unlike := []float64{-20, 0, 3, 30}
	Shrink(unlike, 0.01)
	for i, want := range []float64{-20, 0, 3, 30} {
		if math.Abs(unlike[i]-want) > 0.01 {
			t.Errorf("%g became %g", want, unlike[i])
		}
	}
	g := rand.New(rand.NewPCG(1, 2))
	before, after := 0.0, 0.0
	for range 200 {
		x := make([]float64, 6)
		for i := range x {
			x[i] = 5 + 0.3*g.NormFloat64()
			before += (x[i] - 5) * (x[i] - 5)
		}
		Shrink(x, 0.09)
		for _, v := range x {
			after += (v - 5) * (v - 5)
		}
	}
	if !(after < 0.6*before) {
		t.Errorf("squared errors %g, before %g", after, before)
	}
	one := []float64{7}
	if Shrink(one, 1); one[0] != 7 {
		t.Errorf("one number became %g", one[0])
	}
	Shrink(nil, 1)
}
