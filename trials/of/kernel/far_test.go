package kernel

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/kernel"
	"gonum.org/v1/gonum/mat"
)

// farRows are rows of which every tenth has a cell of a size; two of those are equal.
func farRows(size float64) *mat.Dense {
	draw := rand.New(rand.NewPCG(5, 5))
	x := mat.NewDense(60, 4, nil)
	x.Apply(func(_, _ int, _ float64) float64 { return draw.NormFloat64() }, x)
	for i := 0; i < 60; i += 10 {
		x.Set(i, i%4, size)
	}
	x.SetRow(20, x.RawRowView(0))
	for j := range 4 {
		x.Set(40, j, x.At(0, j))
	}
	x.Set(40, 3, x.At(0, 3)+0.1) // next to row 0, far from all others
	return x
}

// The fast way is the definition also when some rows lie so far off that their squares
// drown those of the others or overflow.
func TestGramOfFarRows(t *testing.T) {
	for _, size := range []float64{1e3, -1e9, 1e15, -1e160, 1e300} {
		x := farRows(size)
		for _, k := range []kernel.Kernel{{Kind: kernel.RBF, Gamma: 0.3}, {Kind: kernel.Laplace, Gamma: 0.3}} {
			gram, err := k.Gram(x, x)
			if err != nil {
				t.Fatal(err)
			}
			symmetric, err := k.Symmetric(x)
			if err != nil {
				t.Fatal(err)
			}
			worst := 0.0
			for i := range 60 {
				for j := range 60 {
					want := k.At(x.RawRowView(i), x.RawRowView(j))
					worst = math.Max(worst, math.Max(math.Abs(gram.At(i, j)-want), math.Abs(symmetric.At(i, j)-want)))
					if math.IsNaN(gram.At(i, j)) || math.IsNaN(symmetric.At(i, j)) {
						t.Fatalf("%v with %g: kernel of rows %d and %d is %v", k, size, i, j, gram.At(i, j))
					}
				}
			}
			if worst > 1e-8 {
				t.Errorf("%v with %g: the Gram matrix is %g off", k, size, worst)
			}
		}
	}
}

// An open gamma is that of the bulk, about, and no number is too large.
func TestGammaOfFarRows(t *testing.T) {
	for _, kind := range []kernel.Kind{kernel.RBF, kernel.Laplace} {
		clean, err := kernel.Kernel{Kind: kind}.Resolve(farRows(1), 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []float64{1e3, -1e9, 1e160, -1e300, 1.7e308} {
			got, err := kernel.Kernel{Kind: kind}.Resolve(farRows(size), 1)
			if err != nil || !(got.Gamma > clean.Gamma/2 && got.Gamma < clean.Gamma*2) {
				t.Errorf("%s with %g: gamma %v, without %v (%v)", kind, size, got.Gamma, clean.Gamma, err)
			}
		}
		for _, bad := range []float64{math.NaN(), math.Inf(1)} {
			if got, err := (kernel.Kernel{Kind: kind}).Resolve(farRows(bad), 1); err == nil {
				t.Errorf("%s with %v: gamma %v", kind, bad, got.Gamma)
			}
		}
	}
}
