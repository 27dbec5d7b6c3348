package mcd

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/outlying"
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

// An integer weight is that many points; weight 0 is none, however far it lies.
func TestWeightsAreRepeatedPoints(t *testing.T) {
	const n = 80
	x, w, total := normal(n, 3, 0.25, 2), make([]float64, n), 0
	for i := range w {
		w[i] = float64(i % 4)
		total += i % 4
		if i%4 == 0 {
			x.Set(i, 0, 1e200)
		}
	}
	repeated := mat.NewDense(total, 3, nil)
	for i, k := 0, 0; i < n; i++ {
		for range i % 4 {
			repeated.SetRow(k, x.RawRowView(i))
			k++
		}
	}
	for _, start := range []bool{false, true} {
		if start { // directions look at all rows given; rows without weight are not
			var rows []int
			for i := range n {
				if w[i] > 0 {
					rows = append(rows, i)
				}
			}
			kept, err := linalg.Gather(t.Context(), linalg.FromDense(x), rows)
			if err != nil {
				t.Fatal(err)
			}
			x, w = kept, slices.DeleteFunc(w, func(a float64) bool { return a == 0 })
		}
		got, _ := find(t, x, w, start, 10)
		want, _ := find(t, repeated, nil, start, 10)
		near(t, "weighted", got, want, 1e-9)
	}
}

// Shifting and mixing the columns shifts and mixes centre and scatter, also far from zero.
func TestBulkMovesAlong(t *testing.T) {
	x := normal(200, 3, 0.2, 4)
	mix := mat.NewDense(3, 3, []float64{2, 1, 0, 0, 0.5, -3, 1, 1, 1})
	var moved mat.Dense
	moved.Mul(x, mix)
	moved.Apply(func(_, _ int, v float64) float64 { return v + 1e6 }, &moved)
	// the same half to start from
	p, q := New(x, nil, 0), New(&moved, nil, 0)
	start := make([]float64, 200)
	for i := range 4 {
		start[100+7*i] = 1
	}
	a, err := p.Densest(t.Context(), start)
	if err != nil {
		t.Fatal(err)
	}
	b, err := q.Densest(t.Context(), start)
	if err != nil {
		t.Fatal(err)
	}
	var scatter, half mat.Dense
	half.Mul(a.Scatter, mix)
	scatter.Mul(mix.T(), &half)
	if !mat.EqualApprox(b.Scatter, &scatter, 1e-7) {
		t.Errorf("scatter\n%v, want\n%v", mat.Formatted(b.Scatter), mat.Formatted(&scatter))
	}
	var centre mat.VecDense
	centre.MulVec(mix.T(), mat.NewVecDense(3, a.Centre))
	for j, v := range b.Centre {
		if math.Abs(v-1e6-centre.AtVec(j)) > 1e-8 {
			t.Errorf("centre %g", b.Centre)
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

// Points in a plane have a scatter by the ridge alone, equal ones no direction.
func TestPointsWithoutVolume(t *testing.T) {
	x := normal(50, 3, 0, 6)
	for i := range 50 {
		x.Set(i, 2, x.At(i, 0)-x.At(i, 1))
	}
	for _, ridge := range []float64{0, 1e-8} {
		p := New(x, nil, ridge)
		got, err := p.Search(t.Context(), 1)
		if err != nil || (got == nil) != (ridge == 0) {
			t.Errorf("ridge %g: %v, %v", ridge, got, err)
		}
	}
	if _, err := New(mat.NewDense(9, 2, nil), nil, 0).LeastOutlying(t.Context(), 50, 1); !errors.Is(err, outlying.ErrEqual) {
		t.Error(err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := New(normal(50, 3, 0, 7), nil, 0)
	if _, err := p.Search(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := p.Densest(ctx, make([]float64, 50)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
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
