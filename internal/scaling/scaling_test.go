package scaling

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
)

func TestKinds(t *testing.T) {
	x := mat.NewDense(5, 3, []float64{1, 0, 7, 2, 0, 7, 3, 0, 7, 4, 1, 7, 100, math.NaN(), 7})
	const never = 1
	for kind, want := range map[Kind][2][]float64{
		None:     {{0, 0, 0}, {1, 1, 1}},
		MinMax:   {{1, 0, 7}, {99, 1, never}},
		Robust:   {{3, 0, 7}, {univariate.Normal, math.Sqrt(math.Pi/2) / 4, never}},
		Standard: {{22, 0.25, 7}, {math.Sqrt((21*21 + 20*20 + 19*19 + 18*18 + 78*78) / 5.0), math.Sqrt(3.0 / 16), never}},
	} {
		s := Fit(x, Rules{Kind: kind})
		for j := range 3 {
			if math.Abs(s.Offset[j]-want[0][j]) > 1e-12 || s.Scale[j] != want[1][j] && !(math.Abs(s.Scale[j]-want[1][j]) < 1e-12) {
				t.Errorf("%s: column %d has offset %g and scale %g", kind, j, s.Offset[j], s.Scale[j])
			}
		}
		out := s.Apply(x)
		if got := out.At(4, 0); math.Abs(got-(100-want[0][0])/want[1][0]) > 1e-12 || x.At(4, 0) != 100 {
			t.Errorf("%s: %g", kind, got)
		}
		if kind != None && (out.At(0, 2) != 0 || s.Constant() != 1 || !s.Valid(3)) {
			t.Errorf("%s: the column that never changes becomes %g; %d are constant", kind, out.At(0, 2), s.Constant())
		}
	}
}

// An integer weight acts like repeated rows; a row of weight zero is not there.
func TestWeights(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{1, 5, 8, 1e6})
	repeated := mat.NewDense(6, 1, []float64{1, 5, 5, 5, 8, 8})
	for _, kind := range Kinds {
		a, b := Fit(x, Rules{Kind: kind, Clip: -3, Weights: []float64{1, 3, 2, 0}}), Fit(repeated, Rules{Kind: kind, Clip: -3})
		if math.Abs(a.Offset[0]-b.Offset[0]) > 1e-12 || math.Abs(a.Scale[0]-b.Scale[0]) > 1e-12 || a.High[0] != b.High[0] {
			t.Errorf("%s: %v instead of %v", kind, a, b)
		}
	}
	if s := Fit(x, Rules{Kind: MinMax, Weights: []float64{1, 1, 1, 0}}); s.Scale[0] != 7 {
		t.Errorf("a row of weight 0 counts: %v", s)
	}
}

func TestClipping(t *testing.T) {
	column := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1000}
	if low, high := limits(column, nil, 3); math.Abs(high-(6+3*univariate.Normal*3)) > 1e-12 || math.Abs(low-(6-3*univariate.Normal*3)) > 1e-12 {
		t.Errorf("limits %v, %v", low, high)
	}
	if _, high := limits([]float64{0, 0, 0, 0, 5}, nil, 3); high != 50 {
		t.Errorf("a column of equal values is clipped at %v", high)
	}
	if _, high := limits([]float64{0, 0, 0, 0, 0}, nil, -3); high != math.MaxFloat64 {
		t.Errorf("a constant column is clipped at %v", high)
	}
	x := mat.NewDense(len(column), 1, column)
	s := Fit(x, Rules{Kind: MinMax, Clip: 3})
	if got := s.Apply(x).At(10, 0); got != 1 || s.High[0] > 20 {
		t.Errorf("a wild value becomes %g, clipped at %g", got, s.High[0])
	}
}

// Automatic limits pull dirt in and leave shapes alone.
func TestCarefulLimits(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	fill := func(n int, value func(i int) float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = value(i)
		}
		return out
	}
	normal := func(int) float64 { return draw.NormFloat64() }
	for _, size := range []float64{1e2, 1e9, 1e300} {
		for _, share := range []int{100, 20, 5} { // one in so many
			_, high := limits(fill(400, func(i int) float64 {
				if i%share == 0 {
					return size
				}
				return normal(i)
			}), nil, -3)
			if high > 8 {
				t.Errorf("one in %d of %g: limit %g", share, size, high)
			}
		}
	}
	if _, high := limits(fill(400, func(i int) float64 { return math.Exp(1.5 * draw.NormFloat64()) }), nil, -3); high < 30 {
		t.Errorf("a skewed column is clipped at %g", high)
	}
	if _, high := limits(fill(400, func(i int) float64 { return draw.NormFloat64() + 1000*float64(i%5/3) }), nil, -3); high < 1e3 {
		t.Errorf("a column of two groups is clipped at %g", high)
	}
	low, high := limits(fill(400, func(i int) float64 {
		if i%50 == 0 {
			return -1e4
		}
		return 0.1*draw.NormFloat64() + 3*float64(i%3/2)
	}), nil, -3)
	if low < -100 || high < 3.3 {
		t.Errorf("a column of two groups with dirt has limits %g and %g", low, high)
	}
	if _, high := limits(fill(400, func(i int) float64 { return float64(i % 5 / 4) }), nil, -3); high < 1 {
		t.Errorf("a column of zeros and ones is clipped at %g", high)
	}
	rare := fill(400, func(i int) float64 { return float64(i % 5 / 4) })
	rare[0] = 1e300
	if low, high := limits(rare, nil, -3); high > 20 || low > 0 {
		t.Errorf("a rare column with a wild value has limits %g and %g", low, high)
	}
	s := Fit(mat.NewDense(400, 1, rare), Rules{Kind: Robust})
	if !(s.Scale[0] < 0.5) {
		t.Errorf("a wild value makes the scale of a rare column %g", s.Scale[0])
	}
}

// Sizes do not overflow, and what is stored is finite.
func TestHugeValues(t *testing.T) {
	x := mat.NewDense(4, 2, []float64{1, -1.7e308, 2, 1.7e308, 3, 0, 4e307, 1})
	for _, kind := range Kinds {
		for _, clip := range []float64{0, 3, -3} {
			s := Fit(x, Rules{Kind: kind, Clip: clip})
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
	if Identity(2).Apply(x) != x {
		t.Error("the identity makes a copy")
	}
	for name, s := range map[string]Scaling{
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
