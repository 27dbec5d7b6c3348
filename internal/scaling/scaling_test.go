package scaling

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
)

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
