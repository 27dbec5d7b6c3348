package linalg

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
)

// A tight group of rows at any distance leaves columns that are one to rounding: the
// solution stays a number and fits no worse than the mean.
func TestRidgeWithAFarGroup(t *testing.T) {
	for _, size := range []float64{1e3, 1e9, 1e21, -1e22, 1e27, 1e39, 1e66, 1e80, 1e120} {
		g := rand.New(rand.NewPCG(4, 9))
		a, b := mat.NewDense(76, 5, nil), mat.NewDense(76, 3, nil)
		for i := range 72 {
			for j := range 4 {
				a.Set(i, j, g.NormFloat64())
				if i%10 == 1 {
					a.Set(i, j, size*(0.5+0.1*float64(j))+a.At(i, j))
				}
			}
			a.Set(i, 4, 1)
			b.Set(i, i%3, 1)
		}
		for j := range 4 {
			a.Set(72+j, j, 0.8) // a penalty as rows
		}
		x, err := linalg.Ridge(context.Background(), a, b, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		var fit mat.Dense
		fit.Mul(a, x)
		for l := range 3 {
			sum, mean := 0.0, 0.0
			for i := range 72 {
				sum += math.Pow(b.At(i, l)-fit.At(i, l), 2)
				mean += math.Pow(b.At(i, l)-1./3, 2)
			}
			if !(sum <= mean*(1+1e-6)) {
				t.Errorf("%.0e: right-hand side %d leaves %g, its mean %g", size, l, sum, mean)
			}
		}
	}
}
