package linalg

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
)

// random returns a rows x columns matrix of standard normal numbers.
func random(seed uint64, rows, columns int) *mat.Dense {
	g := rand.New(rand.NewPCG(seed, 77))
	data := make([]float64, rows*columns)
	for i := range data {
		data[i] = g.NormFloat64()
	}
	return mat.NewDense(rows, columns, data)
}

// weights returns n numbers in (0, 1), every seventh of them zero.
func weights(seed uint64, n int) []float64 {
	g := rand.New(rand.NewPCG(seed, 78))
	w := make([]float64, n)
	for i := range w {
		w[i] = g.Float64()
		if i%7 == 3 {
			w[i] = 0
		}
	}
	return w
}

// withSpectrum returns Q diag(values) Q' for a random orthogonal Q.
func withSpectrum(seed uint64, values []float64) *mat.SymDense {
	d := len(values)
	var qr mat.QR
	qr.Factorize(random(seed, d, d))
	var q, scaled, full mat.Dense
	qr.QTo(&q)
	scaled.Apply(func(_, j int, x float64) float64 { return x * values[j] }, &q)
	full.Mul(&scaled, q.T())
	sym := mat.NewSymDense(d, nil)
	for i := range d {
		for j := i; j < d; j++ {
			sym.SetSym(i, j, (full.At(i, j)+full.At(j, i))/2)
		}
	}
	return sym
}

// near fails the test unless the largest difference is at most tol.
func near(t *testing.T, what string, got, want mat.Matrix, tol float64) {
	t.Helper()
	r, c := got.Dims()
	if wr, wc := want.Dims(); wr != r || wc != c {
		t.Fatalf("%s: %d x %d, want %d x %d", what, r, c, wr, wc)
	}
	worst := 0.0
	for i := range r {
		for j := range c {
			if e := math.Abs(got.At(i, j) - want.At(i, j)); !(e <= worst) {
				worst = e
			}
		}
	}
	if !(worst <= tol) {
		t.Errorf("%s: off by %.3g, more than %.3g", what, worst, tol)
	}
}

// column makes a one-column matrix of x.
func column(x []float64) *mat.Dense { return mat.NewDense(len(x), 1, x) }

// underThreads runs check with 1, 2 and 8 threads.
func underThreads(t *testing.T, check func(t *testing.T, threads int)) {
	t.Helper()
	defer linalg.SetThreads(0)
	for _, n := range []int{1, 2, 8} {
		linalg.SetThreads(n)
		check(t, n)
	}
}
