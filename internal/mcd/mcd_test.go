package mcd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// normal points of which the first share lies far off.
func normal(n, k int, far float64, seed uint64) *mat.Dense {
	g := rand.New(rand.NewPCG(seed, 3))
	x := mat.NewDense(n, k, nil)
	x.Apply(func(i, j int, _ float64) float64 {
		if float64(i) < far*float64(n) {
			return 30 + g.NormFloat64()
		}
		return g.NormFloat64()
	}, x)
	return x
}

func find(t *testing.T, x *mat.Dense, w []float64, outlyingStart bool, rounds int) (*Bulk, []float64) {
	t.Helper()
	p := New(x, w, 0)
	half, err := p.Search(t.Context(), 1)
	if outlyingStart {
		start, failure := p.LeastOutlying(t.Context(), 200, 1)
		if failure != nil {
			t.Fatal(failure)
		}
		half, err = p.Densest(t.Context(), start)
	}
	if err != nil || half == nil {
		t.Fatal(half, err)
	}
	all, counted, err := p.Reweighted(t.Context(), half, rounds)
	if err != nil || all == nil {
		t.Fatal(all, err)
	}
	return all, counted
}

func near(t *testing.T, what string, got, want *Bulk, within float64) {
	t.Helper()
	for i, c := range want.Centre {
		if math.Abs(got.Centre[i]-c) > within {
			t.Errorf("%s: centre %g, want %g", what, got.Centre, want.Centre)
			return
		}
	}
	if !mat.EqualApprox(got.Scatter, want.Scatter, within) {
		t.Errorf("%s: scatter\n%v, want\n%v", what, mat.Formatted(got.Scatter), mat.Formatted(want.Scatter))
	}
}

// In one dimension the half with the least variance is a stretch of the sorted values.
func TestDensestIsTheBestStretch(t *testing.T) {
	for seed := range uint64(20) {
		const n = 15
		x := normal(n, 1, 0.3, seed)
		p := New(x, nil, 0)
		got, err := p.Search(t.Context(), seed)
		if err != nil {
			t.Fatal(err)
		}
		values := mat.Col(nil, 0, x)
		slices.Sort(values)
		h, best, centre := int(p.half()), math.Inf(1), 0.0
		for first := 0; first+h <= n; first++ {
			mean, sum := 0.0, 0.0
			for _, v := range values[first : first+h] {
				mean += v / float64(h)
			}
			for _, v := range values[first : first+h] {
				sum += (v - mean) * (v - mean)
			}
			if sum < best {
				best, centre = sum, mean
			}
		}
		if math.Abs(got.Centre[0]-centre) > 1e-12 {
			t.Errorf("seed %d: centre %g, of the best stretch %g", seed, got.Centre[0], centre)
		}
	}
}

// 40 % of far points change little, and clean normal points have the scatter they have.
func TestBulkOfNormalPoints(t *testing.T) {
	for _, far := range []float64{0, 0.4} {
		for _, start := range []bool{false, true} {
			got, counted := find(t, normal(3000, 4, far, 1), nil, start, 1)
			want := newBulk(make([]float64, 4), mat.NewSymDense(4, []float64{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}), false)
			near(t, "normal", got, want, 0.12)
			if far > 0 && counted[0] != 0 {
				t.Error("a far point counts")
			}
		}
	}
}

// Many points are laid out piece by piece, with the same sums.
func TestManyPoints(t *testing.T) {
	x := normal(keptRows+777, 2, 0.1, 5)
	at := newBulk([]float64{0.1, 0}, mat.NewSymDense(2, []float64{1.2, 0.1, 0.1, 0.9}), false)
	got, counted, err := New(x, nil, 0).Reweighted(t.Context(), at, 1)
	if err != nil {
		t.Fatal(err)
	}
	total, mean, scatter, err := linalg.WeightedMoments(t.Context(), linalg.FromDense(x), counted)
	if err != nil {
		t.Fatal(err)
	}
	scatter.ScaleSym(Consistency(2)/(total-1), scatter)
	near(t, "many", got, &Bulk{Centre: mean, Scatter: scatter}, 1e-12)
}

// Far points in every tenth place are not all that the origin of the sums is taken from.
func TestOriginOfPointsThatTakeTurns(t *testing.T) {
	for turn := range 10 {
		x := normal(5000, 2, 0, 8)
		for i := turn; i < 5000; i += 10 {
			x.Set(i, 0, 1e9)
		}
		if p := New(x, nil, 0); math.Abs(p.origin[0]) > 0.5 {
			t.Errorf("number %d of every ten is far: origin %g", turn, p.origin)
		}
	}
}
