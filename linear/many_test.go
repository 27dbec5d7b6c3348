package linear

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// manyRows is a table that R makes the same to the last bit: 12000 rows, of which a tenth
// has targets shifted upwards and another tenth are bad leverage points.
func manyRows() (*mat.Dense, []float64) {
	x, y := mat.NewDense(12000, 3, nil), make([]float64, 12000)
	for k := range y {
		i := float64(k + 1)
		f := func(k float64) float64 { v := i * math.Sqrt(k); return v - math.Floor(v) }
		a, b, c := 4*f(2), 10*(f(3)*f(3)), f(5)-0.5
		y[k] = 1 + 2*a - b + 3*c + f(7) + f(11) + f(13) - 1.5
		switch (k + 1) % 10 {
		case 0:
			y[k] += 20
		case 5:
			a += 20
			y[k] -= 10
		}
		x.SetRow(k, []float64{a, b, c})
	}
	return x, y
}

// Newton's steps end where reweighting to the letter does.
func TestNewtonEndsWhereReweightingDoes(t *testing.T) {
	x, y := manyRows()
	for _, text := range []string{"tukey", "welsch", "huber", "cauchy"} {
		spec := loss.MustParse(text)
		a, err := Robust{Loss: spec, Seed: 1, Tol: 1e-12}.Fit(context.Background(), linalg.FromDense(x), y)
		if err != nil {
			t.Fatal(err)
		}
		b, err := Robust{Loss: spec, Seed: 1, Plain: true, Tol: 1e-10}.Fit(context.Background(), linalg.FromDense(x), y)
		if err != nil {
			t.Fatal(err)
		}
		if d := distance(estimates(a), estimates(b)); d > 1e-8 {
			t.Errorf("%s: %.2g off", text, d)
		}
		if len(a.Steps()) >= len(b.Steps()) {
			t.Errorf("%s: %d steps, reweighting makes %d", text, len(a.Steps()), len(b.Steps()))
		}
	}
}

// A sample of the rows may by chance hold more outliers than can be withstood; that must
// not decide about all rows.
func TestFortyFivePerCentOfManyRows(t *testing.T) {
	for seed := uint64(101); seed <= 106; seed++ {
		x, y, truth := dirty(12000, 5, 0.45, seed)
		if d := distance(estimates(fitDefault(t, x, y)), truth); d > 0.05 {
			t.Errorf("seed %d: %.3f off", seed, d)
		}
	}
}

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 3)) }

// The exact fit of p rows is exact, also where rows are repeated and columns have few
// values.
func TestElementalFitIsExact(t *testing.T) {
	x, y, _ := dirty(40, 4, 0.2, 3)
	for i := range 20 { // half of the rows are copies of one, a column is 0 or 1
		x.SetRow(i, x.RawRowView(39))
		y[i] = y[39]
	}
	for i := range 40 {
		x.Set(i, 2, float64(i%2))
	}
	g, err := newDesign(context.Background(), x, y, Robust{}.filled())
	if err != nil {
		t.Fatal(err)
	}
	subsets := newElemental(g)
	for seed := range uint64(50) {
		beta, ok := subsets.fit(seeded(seed))
		if !ok {
			t.Fatal("no independent rows")
		}
		if err := g.measure(context.Background(), beta, nil); err != nil {
			t.Fatal(err)
		}
		hit := 0
		for i, r := range g.r {
			if i >= 18 && i != 19 && math.Abs(r) < 1e-7*(1+norm(beta)) { // equal rows count once
				hit++
			}
		}
		if hit < g.p {
			t.Errorf("seed %d: %d rows are met instead of %d", seed, hit, g.p)
		}
	}
}

// Factor, solution, inverse and condition against gonum's.
func TestCholesky(t *testing.T) {
	const p = 7
	draw := seeded(5)
	z := mat.NewDense(20, p, nil)
	for i := range 20 {
		for j := range p {
			z.Set(i, j, draw.NormFloat64())
		}
	}
	var gram mat.SymDense
	gram.SymOuterK(1, z.T())
	u := make([]float64, p*p)
	b := make([]float64, p)
	for i := range p {
		b[i] = float64(i) - 2.5
		for j := i; j < p; j++ {
			u[i*p+j] = gram.At(i, j)
		}
	}
	var chol mat.Cholesky
	chol.Factorize(&gram)
	var want mat.VecDense
	if err := chol.SolveVecTo(&want, mat.NewVecDense(p, b)); err != nil {
		t.Fatal(err)
	}
	least, ok := factorise(u, p)
	if !ok {
		t.Fatal("not positive definite")
	}
	smallest := math.Inf(1)
	for i := range p {
		smallest = math.Min(smallest, u[i*p+i]*u[i*p+i])
	}
	if math.Abs(least/smallest-1) > 1e-12 {
		t.Errorf("smallest pivot %g instead of %g", least, smallest)
	}
	solveFactorised(u, p, b)
	if d := distance(b, mat.Col(nil, 0, &want)); d > 1e-12 {
		t.Errorf("solution is %.2g off", d)
	}
	if got := condition(u, p); got < 0.999*chol.Cond() || got > p*chol.Cond() {
		t.Errorf("condition %g, really %g", got, chol.Cond())
	}
	u[p+1] = -1
	u[0] = 1
	if _, ok := factorise(u, p); ok {
		t.Error("a negative diagonal is accepted")
	}
}
