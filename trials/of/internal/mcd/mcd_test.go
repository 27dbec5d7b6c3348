package mcd

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/internal/mcd"
	"github.com/inlier-ml/inlier/internal/outlying"
	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
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

func find(t *testing.T, x *mat.Dense, w []float64, outlyingStart bool, rounds int) (*mcd.Bulk, []float64) {
	t.Helper()
	p := mcd.New(x, w, 0)
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

func near(t *testing.T, what string, got, want *mcd.Bulk, within float64) {
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
	p, q := mcd.New(x, nil, 0), mcd.New(&moved, nil, 0)
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

// Points in a plane have a scatter by the ridge alone, equal ones no direction.
func TestPointsWithoutVolume(t *testing.T) {
	x := normal(50, 3, 0, 6)
	for i := range 50 {
		x.Set(i, 2, x.At(i, 0)-x.At(i, 1))
	}
	for _, ridge := range []float64{0, 1e-8} {
		p := mcd.New(x, nil, ridge)
		got, err := p.Search(t.Context(), 1)
		if err != nil || (got == nil) != (ridge == 0) {
			t.Errorf("ridge %g: %v, %v", ridge, got, err)
		}
	}
	if _, err := mcd.New(mat.NewDense(9, 2, nil), nil, 0).LeastOutlying(t.Context(), 50, 1); !errors.Is(err, outlying.ErrEqual) {
		t.Error(err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := mcd.New(normal(50, 3, 0, 7), nil, 0)
	if _, err := p.Search(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := p.Densest(ctx, make([]float64, 50)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
