package linalg

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
)

// The rank must not depend on the units of the columns.
func TestRidgeWithColumnsInDifferentUnits(t *testing.T) {
	a, truth := random(8, 100, 4), random(9, 4, 1)
	for i := range 100 {
		for j, unit := range []float64{1e-12, 1, 1e9, 1e-20} {
			a.Set(i, j, a.At(i, j)*unit)
		}
	}
	for j, unit := range []float64{1e-12, 1, 1e9, 1e-20} {
		truth.Set(j, 0, truth.At(j, 0)/unit)
	}
	var b mat.Dense
	b.Mul(a, truth)
	got, err := linalg.Ridge(context.Background(), a, &b, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for j := range 4 {
		if e := math.Abs(got.At(j, 0)/truth.At(j, 0) - 1); e > 1e-12 {
			t.Errorf("coefficient %d: relative error %.2g", j, e)
		}
	}
}

// Weights as they arise for losses close to |r|: some rows fitted exactly, with weights
// many orders above the rest, fewer of them than columns. The reference solves the
// normal equations with 400 binary digits.
func TestRidgeWithWeightsOverManyOrders(t *testing.T) {
	const n, p = 40, 6
	g := rand.New(rand.NewPCG(10, 11))
	for _, heavy := range []int{2, 6, 15} {
		a, b := random(12, n, p), random(13, n, 1)
		w := make([]float64, n)
		for i := range w {
			w[i] = g.Float64()
		}
		for _, i := range g.Perm(n)[:heavy] {
			w[i] *= 1e14
		}
		want := exactLeastSquares(a, b, w)
		got, err := linalg.Ridge(context.Background(), a, b, w, 0)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "solution", got, want, 1e-11)
	}
}

// exactLeastSquares solves A'WA x = A'Wb by Gauss-Jordan elimination in big floats.
func exactLeastSquares(a, b *mat.Dense, w []float64) *mat.Dense {
	n, p := a.Dims()
	num := func(x float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(x) }
	sys := make([][]*big.Float, p)
	for r := range sys {
		sys[r] = make([]*big.Float, p+1)
		for c := range sys[r] {
			sum := num(0)
			for i := range n {
				other := b.At(i, 0)
				if c < p {
					other = a.At(i, c)
				}
				term := num(w[i])
				term.Mul(term, num(a.At(i, r)))
				sum.Add(sum, term.Mul(term, num(other)))
			}
			sys[r][c] = sum
		}
	}
	for k := range p {
		for r := range p {
			if r == k {
				continue
			}
			f := new(big.Float).SetPrec(400).Quo(sys[r][k], sys[k][k])
			for c := range sys[r] {
				sys[r][c].Sub(sys[r][c], new(big.Float).SetPrec(400).Mul(f, sys[k][c]))
			}
		}
	}
	x := mat.NewDense(p, 1, nil)
	for k := range p {
		v, _ := new(big.Float).SetPrec(400).Quo(sys[k][p], sys[k][k]).Float64()
		x.Set(k, 0, v)
	}
	return x
}

func TestRidgeRefusesBadInput(t *testing.T) {
	ctx := context.Background()
	a, b := random(1, 5, 2), random(2, 5, 1)
	nan := mat.DenseCopyOf(a)
	nan.Set(3, 1, math.NaN())
	stopped, stop := context.WithCancel(ctx)
	stop()
	for name, call := range map[string]func() (*mat.Dense, error){
		"rows":             func() (*mat.Dense, error) { return linalg.Ridge(ctx, a, random(1, 4, 1), nil, 0) },
		"weights":          func() (*mat.Dense, error) { return linalg.Ridge(ctx, a, b, []float64{1}, 0) },
		"negative weight":  func() (*mat.Dense, error) { return linalg.Ridge(ctx, a, b, []float64{1, 1, -1, 1, 1}, 0) },
		"negative penalty": func() (*mat.Dense, error) { return linalg.Ridge(ctx, a, b, nil, -1) },
		"NaN":              func() (*mat.Dense, error) { return linalg.Ridge(ctx, nan, b, nil, 1) },
		"cancelled":        func() (*mat.Dense, error) { return linalg.Ridge(stopped, a, b, nil, 1) },
	} {
		if x, err := call(); err == nil {
			t.Errorf("%s: no error, %v", name, x)
		}
	}
}

func TestRidgeDoesNotDependOnThreads(t *testing.T) {
	a, b, w := random(1, 4000, 20), random(2, 4000, 2), weights(3, 4000)
	var first *mat.Dense
	underThreads(t, func(t *testing.T, threads int) {
		x, err := linalg.Ridge(context.Background(), a, b, w, 0.5)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = x
		}
		near(t, "solution", x, first, 0)
	})
}
