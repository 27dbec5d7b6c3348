package linalg

import (
	"math"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
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
		linalg.Orthonormalize(v)
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
		linalg.Orthonormalize(v)
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
	linalg.Orthonormalize(nil)
	linalg.Orthonormalize(&mat.Dense{})
}

func TestFixSigns(t *testing.T) {
	v := mat.NewDense(3, 3, []float64{
		1, 0, -2,
		-3, 0, 2,
		2, 0, 1,
	})
	linalg.FixSigns(v)
	near(t, "signs", v, mat.NewDense(3, 3, []float64{
		-1, 0, 2,
		3, 0, -2,
		-2, 0, -1,
	}), 0)
	linalg.FixSigns(nil)
}
