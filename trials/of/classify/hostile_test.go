package classify

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
)

// shifted makes three classes in six columns, each shifted by two in a column of its own.
func shifted(n int, seed uint64) (*mat.Dense, []int) {
	draw := rand.New(rand.NewPCG(seed, 1))
	x, labels := mat.NewDense(n, 6, nil), make([]int, n)
	for i := range n {
		labels[i] = draw.IntN(3)
		for j := range 6 {
			x.Set(i, j, draw.NormFloat64())
		}
		x.Set(i, labels[i], x.At(i, labels[i])+2)
	}
	return x, labels
}

// rightShare is the share of new rows that a model classifies rightly.
func rightShare(t *testing.T, m *classify.Model) float64 {
	t.Helper()
	x, truth := shifted(2000, 50)
	p, err := m.Predict(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	right := 0.0
	for i, l := range p.Labels {
		if l == truth[i] {
			right++
		}
	}
	return right / 2000
}

// A wild cell in one of a hundred rows costs its row and nothing else.
func TestFarInputs(t *testing.T) {
	for _, kind := range []kernel.Kind{kernel.Linear, kernel.RBF} {
		n := 600
		if kind == kernel.RBF {
			n = 200
		}
		fit := func(size float64) float64 {
			x, labels := shifted(n, 1)
			for i := range 6 {
				if size != 0 {
					x.Set(i*n/6, i, size)
				}
			}
			m, err := classify.RegMaxCEM{Options: classify.Options{Clip: -3, Kernel: kernel.Kernel{Kind: kind}, Calibration: classify.NoCalibration}}.Fit(context.Background(), linalg.FromDense(x), labels, 3)
			if err != nil {
				t.Errorf("%s, %g: %v", kind, size, err)
				return 0
			}
			return rightShare(t, m)
		}
		clean := fit(0)
		for _, size := range []float64{1e1, 1e3, -1e9, 1e300} {
			if got := fit(size); got < clean-0.015 {
				t.Errorf("%s: %.3f are right with cells of %g, %.3f without", kind, got, size, clean)
			}
		}
	}
}
