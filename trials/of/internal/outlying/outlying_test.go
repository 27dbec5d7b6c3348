package outlying

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/internal/outlying"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

func normal(n, d int, seed uint64) *mat.Dense {
	g := rand.New(rand.NewPCG(seed, 2))
	x := mat.NewDense(n, d, nil)
	x.Apply(func(_, _ int, _ float64) float64 { return g.NormFloat64() }, x)
	return x
}

// 45 % of the rows in a cluster far off, of any distance, are further out than all others, by
// either scale; shifting and scaling the table changes nothing.
func TestDegreesTellOutliers(t *testing.T) {
	const n = 100
	for _, far := range []float64{20, 1e6, 1e100} {
		x := normal(n, 5, 1)
		for i := range 45 {
			for j := range 5 {
				x.Set(i, j, x.At(i, j)+far)
			}
		}
		for name, scale := range map[string]outlying.Scale{"densest": outlying.Densest(outlying.HalfSize(n, 0)), "middle": outlying.Middle} {
			out, err := outlying.Degrees(context.Background(), x, nil, 200, scale, 1)
			if err != nil {
				t.Fatal(err)
			}
			least, most := math.Inf(1), 0.0
			for i, v := range out {
				if i < 45 {
					least = min(least, v)
				} else {
					most = max(most, v)
				}
			}
			if least <= most {
				t.Errorf("%s, outliers at %g: from %g, others up to %g", name, far, least, most)
			}
		}
	}
}

// An integer weight is that many rows.
func TestDegreesOfWeights(t *testing.T) {
	x := normal(40, 3, 2)
	w, twice := make([]float64, 40), mat.NewDense(60, 3, nil)
	for i, k := 0, 0; i < 40; i++ {
		w[i] = float64(1 + i%2)
		for range 1 + i%2 {
			twice.SetRow(k, x.RawRowView(i))
			k++
		}
	}
	a, err := outlying.Degrees(context.Background(), x, w, 100, outlying.Densest(outlying.HalfSize(60, 0)), 1)
	if err != nil {
		t.Fatal(err)
	}
	b, err := outlying.Degrees(context.Background(), twice, nil, 100, outlying.Densest(outlying.HalfSize(60, 0)), 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, k := 0, 0; i < 40; i++ {
		if math.Abs(a[i]-b[k]) > 1e-9*(1+a[i]) {
			t.Errorf("row %d: %g with weights, %g repeated", i, a[i], b[k])
		}
		k += 1 + i%2
	}
	if p, q := outlying.Limit(a, w, 60, outlying.Middle), outlying.Limit(b, nil, 60, outlying.Middle); math.Abs(p-q) > 1e-9*p {
		t.Errorf("limit %g with weights, %g repeated", p, q)
	}
}

func TestDegreesOfEqualRows(t *testing.T) {
	if _, err := outlying.Degrees(context.Background(), mat.NewDense(10, 3, nil), nil, 50, outlying.Middle, 1); !errors.Is(err, outlying.ErrEqual) {
		t.Error(err)
	}
}

// Squared lengths of normal rows follow a chi-square law, and 20 % far ones change little.
func TestLimitIsThatOfTheChiSquareLaw(t *testing.T) {
	const n, d = 4000, 8
	x := normal(n, d, 3)
	s := make([]float64, n)
	for i := range s {
		s[i] = mat.Dot(x.RowView(i), x.RowView(i))
	}
	want := math.Sqrt(distuv.ChiSquared{K: d}.Quantile(outlying.Level))
	for _, far := range []int{0, n / 5} {
		for i := range far {
			s[i] = 1e6
		}
		for name, scale := range map[string]outlying.Scale{"densest": outlying.Densest(outlying.HalfSize(n, 0)), "middle": outlying.Middle} {
			if got := outlying.Limit(s, nil, n, scale); math.Abs(got-want) > 0.03*want {
				t.Errorf("%s, %d far rows: %g, want %g", name, far, got, want)
			}
		}
	}
	if got := outlying.NoiseLimit(4, 8); math.Abs(got-want*2/math.Sqrt(8)) > 1e-12 {
		t.Errorf("noise limit %g", got)
	}
}

// line is a straight line through the origin, given by its slope, fitted by least squares.
type line struct{ x, y []float64 }

func (l line) Len() int { return len(l.x) }

func (l line) Residuals(_ context.Context, slope float64, s []float64) error {
	for i, x := range l.x {
		s[i] = (l.y[i] - slope*x) * (l.y[i] - slope*x)
	}
	return nil
}

func (l line) Solve(_ context.Context, _ float64, w []float64) (float64, error) {
	a, b := 0.0, 0.0
	for i, x := range l.x {
		a += w[i] * x * l.y[i]
		b += w[i] * x * x
	}
	return a / b, nil
}

func TestConcentrateFindsTheHalf(t *testing.T) {
	l := line{}
	for i := range 20 {
		x := float64(i + 1)
		l.x, l.y = append(l.x, x), append(l.y, 2*x)
		if i%5 < 2 {
			l.y[i] = -3 * x
		}
	}
	slope, s, err := outlying.Concentrate(context.Background(), line(l), 1.0, nil, outlying.HalfSize(20, 1), 1e-9)
	if err != nil || math.Abs(slope-2) > 1e-12 || s[2] > 1e-20 {
		t.Errorf("slope %g, %v", slope, err)
	}
}

// One further normal value in 40 lies beyond the limit, of few values too.
func TestDensestLimitOfFew(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	square := func() float64 { return math.Pow(10+r.NormFloat64(), 3) } // whose cube root is normal
	for _, n := range []int{8, 12, 20, 30, 60} {
		const samples, more = 400, 50
		beyond := 0
		for range samples {
			x := make([]float64, n)
			for i := range x {
				x[i] = square()
			}
			limit := outlying.DensestLimit(x, nil, float64(n), outlying.HalfSize(float64(n), 0))
			for range more {
				if square() > limit*limit {
					beyond++
				}
			}
		}
		if share := float64(beyond) / samples / more; share < 0.015 || share > 0.04 {
			t.Errorf("%d values: %.1f %% of further ones lie beyond", n, 100*share)
		}
	}
}
