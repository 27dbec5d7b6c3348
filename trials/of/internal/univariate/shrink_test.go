package univariate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/internal/univariate"
)

// Numbers that differ by chance only come together, those that differ by more stay, and the
// mean error of groups that are alike falls.
func TestShrinkBringsTogetherWhatIsAlike(t *testing.T) {
	unlike := []float64{-20, 0, 3, 30}
	univariate.Shrink(unlike, slices.Repeat([]float64{0.01}, 4))
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
		univariate.Shrink(x, slices.Repeat([]float64{0.09}, 6))
		for _, v := range x {
			after += (v - 5) * (v - 5)
		}
	}
	if !(after < 0.6*before) {
		t.Errorf("squared errors %g, before %g", after, before)
	}
	one := []float64{7}
	if univariate.Shrink(one, []float64{1}); one[0] != 7 {
		t.Errorf("one number became %g", one[0])
	}
	univariate.Shrink(nil, nil)
}

// Equal variances: James and Stein. Numbers that are known well stay where they are beside one
// that is not, which goes to them.
func TestShrinkGoesByWhatIsKnownOfEach(t *testing.T) {
	x, same := []float64{1, 2, 4, 9}, slices.Repeat([]float64{3}, 4)
	keep := 1 - 3*3/(9+4+0+25.0)
	univariate.Shrink(x, same)
	for i, v := range []float64{1, 2, 4, 9} {
		if want := 4 + keep*(v-4); math.Abs(x[i]-want) > 1e-12 {
			t.Errorf("%g became %g, not %g", v, x[i], want)
		}
	}
	x = []float64{0, 0, 0, 1, 1, 1, 9}
	univariate.Shrink(x, []float64{1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 40})
	for i, want := range []float64{0, 0, 0, 1, 1, 1} {
		if math.Abs(x[i]-want) > 0.01 {
			t.Errorf("number %d became %g", i, x[i])
		}
	}
	if math.Abs(x[6]-0.5) > 0.2 {
		t.Errorf("what is hardly known became %g", x[6])
	}
	for _, x := range [][]float64{{2, 2, 2}, {-700, 700}} {
		univariate.Shrink(x, []float64{0, 1, 0.5}[:len(x)])
		for _, v := range x {
			if math.IsNaN(v) {
				t.Errorf("%v", x)
			}
		}
	}
}
