package linalg

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
)

func randomDense(r *rand.Rand, n, d int) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, r.NormFloat64())
		}
	}
	return x
}

// Views, transposes, vectors and symmetric matrices multiply as gonum's own do.
func TestMulEqualsGonum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	big := randomDense(r, 70, 90)
	view := func(r0, r1, c0, c1 int) *mat.Dense { return big.Slice(r0, r1, c0, c1).(*mat.Dense) }
	symmetric := mat.NewSymDense(30, nil)
	for i := range 30 {
		for j := range i + 1 {
			symmetric.SetSym(i, j, r.NormFloat64())
		}
	}
	column := big.ColView(3).(*mat.VecDense)
	for name, ab := range map[string][2]mat.Matrix{
		"views":                {view(0, 40, 5, 35), view(10, 40, 20, 80)},
		"small":                {view(0, 3, 0, 2), view(10, 12, 20, 24)},
		"left transposed":      {view(0, 40, 5, 35).T(), view(30, 70, 20, 80)},
		"right transposed":     {view(0, 40, 5, 35), view(30, 70, 60, 90).T()},
		"both":                 {view(0, 40, 5, 35).T(), view(30, 60, 0, 40).T()},
		"columns' products":    {view(0, 40, 5, 35).T(), view(0, 40, 5, 35)},
		"rows' products":       {view(0, 40, 5, 35), view(0, 40, 5, 35).T()},
		"shifted, no products": {view(0, 40, 5, 35), view(1, 41, 5, 35).T()},
		"symmetric":            {symmetric, view(10, 40, 20, 80)},
		"vector":               {big.T(), column},
		"transposed vector":    {column.T(), big},
		"outer":                {column, column.T()},
	} {
		var got, want mat.Dense
		linalg.Mul(&got, ab[0], ab[1])
		want.Mul(ab[0], ab[1])
		if !mat.EqualApprox(&got, &want, 1e-12) {
			t.Errorf("%s: differs from gonum's product", name)
		}
		if v, ok := ab[1].(*mat.VecDense); ok {
			var one mat.VecDense
			linalg.MulVec(&one, ab[0], v)
			if !mat.EqualApprox(&one, &want, 1e-12) {
				t.Errorf("%s: MulVec differs from gonum's product", name)
			}
		}
	}
	var one, want mat.VecDense
	v := view(0, 30, 2, 3).ColView(0).(*mat.VecDense)
	linalg.MulVec(&one, symmetric, v)
	want.MulVec(symmetric, v)
	if !mat.EqualApprox(&one, &want, 1e-12) {
		t.Error("symmetric matrix times vector differs from gonum's product")
	}
	var products, outer mat.SymDense
	products = *linalg.RowProducts(view(0, 40, 5, 35).T())
	outer.SymOuterK(1, view(0, 40, 5, 35).T())
	if !mat.EqualApprox(&products, &outer, 1e-12) {
		t.Error("RowProducts differs from gonum's")
	}
}

// A destination may be an operand or a view of one.
func TestMulInPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{3, 40} {
		a, b := randomDense(r, n, n), randomDense(r, n, n)
		var want mat.Dense
		want.Mul(a, b)
		left, right := mat.DenseCopyOf(a), mat.DenseCopyOf(b)
		linalg.Mul(left, left, b)
		linalg.Mul(right, a, right)
		if !mat.EqualApprox(left, &want, 1e-12) || !mat.EqualApprox(right, &want, 1e-12) {
			t.Errorf("n = %d: a product in place differs", n)
		}
		want.Mul(a, a.T())
		linalg.Mul(a, a, a.T())
		if !mat.EqualApprox(a, &want, 1e-12) {
			t.Errorf("n = %d: products of rows in place differ", n)
		}
	}
	defer func() {
		if recover() != mat.ErrShape {
			t.Error("sizes that do not fit made no panic")
		}
	}()
	linalg.Mul(mat.NewDense(2, 2, nil), mat.NewDense(2, 3, nil), mat.NewDense(2, 2, nil))
}

// A matrix with an infinite variance is not positive definite: its inverse would be 0 there.
func TestCholeskyOfWhatIsNoNumber(t *testing.T) {
	for _, n := range []int{1, 3, 80} {
		for _, bad := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
			a := mat.NewSymDense(n, nil)
			for i := range n {
				a.SetSym(i, i, 1)
			}
			a.SetSym(n/2, n/2, bad)
			if _, ok := linalg.NewCholesky(a); ok {
				t.Errorf("%d x %d with %g is factored", n, n, bad)
			}
		}
	}
}

func TestCholesky(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{1, 5, 64, 65, 200} {
		a := linalg.RowProducts(randomDense(r, n, n+5))
		b := randomDense(r, n, 3)
		var want mat.Cholesky
		want.Factorize(a)
		before := mat.NewSymDense(n, nil)
		before.CopySym(a)
		c, ok := linalg.NewCholesky(a)
		if !ok || !mat.Equal(a, before) {
			t.Fatalf("n = %d: ok %v, or the matrix was changed", n, ok)
		}
		if math.Abs(c.LogDet()-want.LogDet()) > 1e-10*(1+math.Abs(want.LogDet())) {
			t.Errorf("n = %d: log-determinant %v, gonum %v", n, c.LogDet(), want.LogDet())
		}
		if math.Abs(c.Cond()-want.Cond()) > 1e-6*want.Cond() {
			t.Errorf("n = %d: condition %v, gonum %v", n, c.Cond(), want.Cond())
		}
		var back, x mat.Dense
		x.CloneFrom(b)
		c.Solve(&x)
		back.Mul(a, &x)
		if !mat.EqualApprox(&back, b, 1e-9*want.Cond()/1e3+1e-10) {
			t.Errorf("n = %d: a times the solution is not b", n)
		}
		x.Copy(b)
		c.Divide(&x)
		back.Mul(c.Lower().T(), &x)
		if !mat.EqualApprox(&back, b, 1e-9) {
			t.Errorf("n = %d: U times the quotient is not b", n)
		}
		var unit mat.Dense
		unit.Mul(c.InverseLower(), c.Lower())
		for i := range n {
			unit.Set(i, i, unit.At(i, i)-1)
		}
		if mat.Norm(&unit, 2) > 1e-9 {
			t.Errorf("n = %d: no inverse of the factor", n)
		}
		unit.Reset()
		unit.Mul(c.Inverse(), a)
		for i := range n {
			unit.Set(i, i, unit.At(i, i)-1)
		}
		if mat.Norm(&unit, 2) > 1e-12*want.Cond() {
			t.Errorf("n = %d: no inverse of the matrix", n)
		}
		a.SetSym(n-1, n-1, -1)
		if _, ok := linalg.NewCholesky(a); ok {
			t.Errorf("n = %d: a matrix with a negative diagonal passed", n)
		}
	}
}
