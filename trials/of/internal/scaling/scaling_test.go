package scaling

import (
	"math"
	"testing"

	"github.com/inlier-ml/inlier/internal/scaling"
	"github.com/inlier-ml/inlier/internal/univariate"
	"gonum.org/v1/gonum/mat"
)

func TestKinds(t *testing.T) {
	x := mat.NewDense(5, 3, []float64{1, 0, 7, 2, 0, 7, 3, 0, 7, 4, 1, 7, 100, math.NaN(), 7})
	const never = 1
	for kind, want := range map[scaling.Kind][2][]float64{
		scaling.None:     {{0, 0, 0}, {1, 1, 1}},
		scaling.MinMax:   {{1, 0, 7}, {99, 1, never}},
		scaling.Robust:   {{3, 0, 7}, {univariate.Normal, math.Sqrt(math.Pi/2) / 4, never}},
		scaling.Standard: {{22, 0.25, 7}, {math.Sqrt((21*21 + 20*20 + 19*19 + 18*18 + 78*78) / 5.0), math.Sqrt(3.0 / 16), never}},
	} {
		s := scaling.Fit(x, scaling.Rules{Kind: kind})
		for j := range 3 {
			if math.Abs(s.Offset[j]-want[0][j]) > 1e-12 || s.Scale[j] != want[1][j] && !(math.Abs(s.Scale[j]-want[1][j]) < 1e-12) {
				t.Errorf("%s: column %d has offset %g and scale %g", kind, j, s.Offset[j], s.Scale[j])
			}
		}
		out := s.Apply(x)
		if got := out.At(4, 0); math.Abs(got-(100-want[0][0])/want[1][0]) > 1e-12 || x.At(4, 0) != 100 {
			t.Errorf("%s: %g", kind, got)
		}
		if kind != scaling.None && (out.At(0, 2) != 0 || s.Constant() != 1 || !s.Valid(3)) {
			t.Errorf("%s: the column that never changes becomes %g; %d are constant", kind, out.At(0, 2), s.Constant())
		}
	}
}

// An integer weight acts like repeated rows; a row of weight zero is not there.
func TestWeights(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{1, 5, 8, 1e6})
	repeated := mat.NewDense(6, 1, []float64{1, 5, 5, 5, 8, 8})
	for _, kind := range scaling.Kinds {
		a, b := scaling.Fit(x, scaling.Rules{Kind: kind, Clip: -3, Weights: []float64{1, 3, 2, 0}}), scaling.Fit(repeated, scaling.Rules{Kind: kind, Clip: -3})
		if math.Abs(a.Offset[0]-b.Offset[0]) > 1e-12 || math.Abs(a.Scale[0]-b.Scale[0]) > 1e-12 || a.High[0] != b.High[0] {
			t.Errorf("%s: %v instead of %v", kind, a, b)
		}
	}
	if s := scaling.Fit(x, scaling.Rules{Kind: scaling.MinMax, Weights: []float64{1, 1, 1, 0}}); s.Scale[0] != 7 {
		t.Errorf("a row of weight 0 counts: %v", s)
	}
}

// Sizes do not overflow, and what is stored is finite.
func TestHugeValues(t *testing.T) {
	x := mat.NewDense(4, 2, []float64{1, -1.7e308, 2, 1.7e308, 3, 0, 4e307, 1})
	for _, kind := range scaling.Kinds {
		for _, clip := range []float64{0, 3, -3} {
			s := scaling.Fit(x, scaling.Rules{Kind: kind, Clip: clip})
			if !s.Valid(2) || math.IsInf(s.Scale[0]+s.Scale[1], 0) {
				t.Errorf("%s, clip %g: %v", kind, clip, s)
			}
			for _, v := range s.Apply(x).RawMatrix().Data {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Errorf("%s, clip %g: %v", kind, clip, v)
				}
			}
		}
	}
}

func TestNothingToDo(t *testing.T) {
	x := mat.NewDense(1, 2, []float64{3, 4})
	if scaling.Identity(2).Apply(x) != x {
		t.Error("the identity makes a copy")
	}
	for name, s := range map[string]scaling.Scaling{
		"short":    {Offset: []float64{1}, Scale: []float64{1, 1}},
		"negative": {Offset: []float64{1, 1}, Scale: []float64{1, -1}},
		"limits":   {Offset: []float64{1, 1}, Scale: []float64{1, 1}, Low: []float64{1, 1}},
		"missing":  {Offset: []float64{1, math.NaN()}, Scale: []float64{1, 1}},
	} {
		if s.Valid(2) {
			t.Errorf("%s: accepted", name)
		}
	}
}
