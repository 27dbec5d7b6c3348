package linalg

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func identity(n int) *mat.Dense {
	m := mat.NewDense(n, n, nil)
	for i := range n {
		m.Set(i, i, 1)
	}
	return m
}

func TestOrthonormaliseIsTheQOfQR(t *testing.T) {
	for _, c := range []struct{ d, m int }{{1, 1}, {5, 5}, {50, 3}, {90, 40}} {
		v := random(1, c.d, c.m)
		var qr mat.QR
		qr.Factorize(v)
		var q, r mat.Dense
		qr.QTo(&q)
		qr.RTo(&r)
		want := mat.DenseCopyOf(q.Slice(0, c.d, 0, c.m))
		for j := range c.m {
			if r.At(j, j) < 0 { // gonum leaves the sign open
				for i := range c.d {
					want.Set(i, j, -want.At(i, j))
				}
			}
		}
		Orthonormalise(v)
		near(t, "Q", v, want, 1e-12)
	}
}

// Columns in the powers of a number close to one: condition beyond 1e16.
func TestOrthonormaliseIllConditionedAndDependentColumns(t *testing.T) {
	const d, m = 60, 35
	vandermonde := mat.NewDense(d, m, nil)
	for i := range d {
		for j := range m {
			vandermonde.Set(i, j, math.Pow(1+float64(i)/d, float64(j)))
		}
	}
	dependent := mat.NewDense(d, m, nil)
	dependent.Mul(random(1, d, 4), random(2, 4, m))
	mixed := random(3, d, m)
	for i := range d {
		mixed.Set(i, 3, 0)
		mixed.Set(i, 20, 1e-300*mixed.At(i, 20))
		mixed.Set(i, 21, 1e300*mixed.At(i, 21))
		mixed.Set(i, 30, mixed.At(i, 1)-2*mixed.At(i, 29))
	}
	for name, v := range map[string]*mat.Dense{"vandermonde": vandermonde, "dependent": dependent, "mixed": mixed, "zero": mat.NewDense(d, m, nil)} {
		before := mat.DenseCopyOf(v)
		Orthonormalise(v)
		var gram, coords, back mat.Dense
		gram.Mul(v.T(), v)
		near(t, name, &gram, identity(m), 1e-14*d)
		coords.Mul(v.T(), before)
		back.Mul(v, &coords)
		for j := range m { // what was spanned still is
			size := mat.Norm(before.ColView(j), 2)
			near(t, name, back.ColView(j), before.ColView(j), 1e-13*size)
		}
	}
	Orthonormalise(nil)
	Orthonormalise(&mat.Dense{})
}

func TestFixSigns(t *testing.T) {
	v := mat.NewDense(3, 3, []float64{
		1, 0, -2,
		-3, 0, 2,
		2, 0, 1,
	})
	FixSigns(v)
	near(t, "signs", v, mat.NewDense(3, 3, []float64{
		-1, 0, 2,
		3, 0, -2,
		-2, 0, -1,
	}), 0)
	FixSigns(nil)
}

func TestDualTopEigenAgreesWithTheScatter(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		n, d, k int
		offset  float64
	}{{12, 80, 5, 0}, {40, 60, 25, 5}, {70, 20, 20, 1}} {
		x, w := shifted(random(1, c.n, c.d), c.offset), weights(2, c.n)
		_, mean, scatter, err := WeightedMoments(ctx, FromDense(x), w)
		if err != nil {
			t.Fatal(err)
		}
		want, wantVectors, err := SymEigen(scatter)
		if err != nil {
			t.Fatal(err)
		}
		values, vectors, err := DualTopEigen(ctx, x, w, mean, c.k)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "values", column(values), column(want[:c.k]), 1e-12*want[0])
		near(t, "vectors", vectors, wantVectors.Slice(0, c.d, 0, c.k), 1e-10)
	}
}

// Singular values over six orders of magnitude, eigenvalues over twelve: the small
// ones keep their digits, which those of the products of rows do not.
func TestDualTopEigenOfGradedData(t *testing.T) {
	const n, d, k = 15, 200, 13
	u, v := random(1, n, n), random(2, d, n)
	Orthonormalise(u)
	Orthonormalise(v)
	us := mat.NewDense(n, n, nil)
	us.Apply(func(_, j int, x float64) float64 { return x * math.Pow(10, -float64(j)/2) }, u)
	var x mat.Dense
	x.Mul(us, v.T())
	values, vectors, err := DualTopEigen(context.Background(), &x, nil, nil, k)
	if err != nil {
		t.Fatal(err)
	}
	FixSigns(v)
	for j, got := range values {
		want := math.Pow(10, -float64(j))
		if math.Abs(got/want-1) > 1e-8 {
			t.Errorf("value %d: %v, want %v", j, got, want)
		}
		near(t, "vector", vectors.ColView(j), v.ColView(j), 1e-13+1e-17/want)
	}
}

func TestDualTopEigenBeyondTheRank(t *testing.T) {
	x := mat.NewDense(6, 30, nil)
	x.Mul(random(1, 6, 2), random(2, 2, 30))
	values, vectors, err := DualTopEigen(context.Background(), x, nil, nil, 10)
	if err != nil {
		t.Fatal(err)
	}
	var gram mat.Dense
	gram.Mul(vectors.T(), vectors)
	near(t, "V'V", &gram, identity(10), 1e-13)
	for j, v := range values[2:] {
		if v < 0 || v > 1e-20*values[0] {
			t.Errorf("value %d: %v", j+2, v)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, _, err := DualTopEigen(ctx, x, nil, nil, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	x.Set(0, 0, math.Inf(1))
	if _, _, err := DualTopEigen(context.Background(), x, nil, nil, 2); err == nil {
		t.Error("infinite entry: no error")
	}
	if _, _, err := DualTopEigen(context.Background(), x, nil, nil, 31); err == nil {
		t.Error("more vectors than columns: no error")
	}
}

func TestExp(t *testing.T) {
	src := []float64{0, 1, -1, 0.3, 700, 709.7, 710, 1000, -700, -745, -746, -1e300, 1e300, math.Inf(1), math.Inf(-1), math.NaN(), 1e-300, math.Copysign(0, -1)}
	for i := range 1000 {
		src = append(src, float64(i-500)*1.3713)
	}
	dst := make([]float64, len(src))
	Exp(dst, src)
	for i, x := range src {
		want := math.Exp(x)
		if dst[i] == want || math.IsNaN(want) && math.IsNaN(dst[i]) {
			continue
		}
		if !(math.Abs(dst[i]-want) <= 4*epsilon*want+5e-324*4) {
			t.Errorf("exp(%v) = %v, want %v", x, dst[i], want)
		}
	}
	Exp(src, src)
	for i := range src {
		if src[i] != dst[i] && !math.IsNaN(src[i]) {
			t.Fatalf("in place: %v, want %v", src[i], dst[i])
		}
	}
}
