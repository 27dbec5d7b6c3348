package linalg

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// denseRidge solves by gonum's QR or, without full rank, by its SVD.
func denseRidge(t *testing.T, a, b *mat.Dense, w []float64, lambda float64) *mat.Dense {
	t.Helper()
	n, p := a.Dims()
	_, q := b.Dims()
	big := mat.NewDense(n+p, p, nil)
	rhs := mat.NewDense(n+p, q, nil)
	for i := range n {
		root := math.Sqrt(weightAt(w, i))
		for j := range p {
			big.Set(i, j, root*a.At(i, j))
		}
		for j := range q {
			rhs.Set(i, j, root*b.At(i, j))
		}
	}
	for j := range p {
		big.Set(n+j, j, math.Sqrt(lambda))
	}
	var svd mat.SVD
	if !svd.Factorize(big, mat.SVDThin) {
		t.Fatal("no singular values")
	}
	var x mat.Dense
	svd.SolveTo(&x, rhs, svd.Rank(1e-13))
	return &x
}

func TestRidgeAgreesWithSVD(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name    string
		n, p, q int
		lambda  float64
	}{
		{"tall", 900, 40, 3, 0},
		{"tall penalised", 900, 40, 3, 2.5},
		{"many runs", 5000, 17, 1, 0.1},
		{"square", 33, 33, 2, 0.3},
		{"wide", 20, 70, 2, 0},
		{"wide penalised", 20, 70, 2, 1},
		{"one column", 50, 1, 1, 0},
		{"one row", 1, 3, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := random(1, c.n, c.p), random(2, c.n, c.q)
			for _, w := range [][]float64{nil, weights(3, c.n)} {
				got, err := Ridge(ctx, a, b, w, c.lambda)
				if err != nil {
					t.Fatal(err)
				}
				near(t, "solution", got, denseRidge(t, a, b, w, c.lambda), 1e-9)
			}
		})
	}
}

func TestRidgeTakesTheShortestSolution(t *testing.T) {
	for _, c := range []struct{ n, p, rank int }{{200, 12, 5}, {60, 40, 39}, {30, 50, 10}} {
		var a mat.Dense
		a.Mul(random(4, c.n, c.rank), random(5, c.rank, c.p))
		b := random(6, c.n, 2)
		got, err := Ridge(context.Background(), &a, b, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "solution", got, denseRidge(t, &a, b, nil, 0), 1e-9)
	}
	x, err := Ridge(context.Background(), mat.NewDense(5, 3, nil), random(7, 5, 2), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "solution of a zero matrix", x, mat.NewDense(3, 2, nil), 0)
}

func TestTSQRMergesInAnyGrouping(t *testing.T) {
	a, b, w := random(1, 700, 45), random(2, 700, 3), weights(3, 700)
	piece := func(from, to int) *TSQR {
		s := NewTSQR(45, 3)
		for r := from; r < to; r += 13 {
			last := min(r+13, to)
			if err := s.Add(rowsOf(a, r, last), rowsOf(b, r, last), w[r:last]); err != nil {
				t.Fatal(err)
			}
		}
		return s
	}
	want := denseRidge(t, a, b, w, 0.7)
	left := piece(0, 10)
	left.Merge(piece(10, 300))
	left.Merge(piece(300, 700))
	right := piece(10, 300)
	right.Merge(piece(300, 700))
	whole := piece(0, 10)
	whole.Merge(right)
	for _, s := range []*TSQR{piece(0, 700), left, whole} {
		x, err := s.Solve(0.7)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "solution", x, want, 1e-11)
	}
	var gram, fromR, weighted mat.Dense
	weighted.Apply(func(i, _ int, x float64) float64 { return w[i] * x }, a)
	gram.Mul(a.T(), &weighted)
	r := left.R()
	fromR.Mul(r.T(), r)
	near(t, "R'R", &fromR, &gram, 1e-11)

	// R'(Q'b) is a'wb, and what lies in Q and outside makes up all of b.
	var turned, product mat.Dense
	c, rest := left.Right()
	turned.Mul(r.T(), c)
	product.Mul(weighted.T(), b)
	near(t, "R'Q'b", &turned, &product, 1e-11)
	all := 0.0
	for i := range 700 {
		for _, v := range b.RawRowView(i) {
			all += w[i] * v * v
		}
	}
	if got := rest + mat.Norm(c, 2)*mat.Norm(c, 2); math.Abs(got-all) > 1e-11*all {
		t.Errorf("right-hand sides of squared length %g became %g", all, got)
	}
}

// A column whose length has no inverse is none.
func TestReflectionOfHardlyAnything(t *testing.T) {
	for _, size := range []float64{5e-324, 1e-310, 1e-300, 1e-280} {
		alpha, x := size/2, []float64{size, -size, 0}
		if tau := reflector(&alpha, x); math.IsNaN(tau) || !allFinite(x) || math.IsInf(alpha, 0) {
			t.Errorf("%g: tau %g, %v, %g", size, tau, x, alpha)
		}
	}
}

// One span of rows serves weights however they differ, and rows that do not count.
func TestWideWithUnlikeWeights(t *testing.T) {
	a, b := random(8, 25, 60), random(9, 25, 2)
	m, err := NewWide(a)
	if err != nil {
		t.Fatal(err)
	}
	for _, least := range []float64{1, 1e-4, 1e-12} {
		w := make([]float64, 25)
		for i := range w {
			w[i] = math.Pow(least, float64(i)/24)
		}
		w[3], w[20] = 0, 0
		for _, lambda := range []float64{0, 1e-3} {
			got, err := m.RidgeAlike(context.Background(), b, w, lambda)
			if err != nil {
				t.Fatal(err)
			}
			var fit, want mat.Dense
			fit.Mul(a, got)
			want.Mul(a, denseRidge(t, a, b, w, lambda))
			if lambda == 0 { // all rows that count are met
				for i, v := range w {
					if v > 0 {
						want.SetRow(i, b.RawRowView(i))
					}
				}
			}
			near(t, "fitted rows", &fit, &want, 1e-7)
		}
	}
}
