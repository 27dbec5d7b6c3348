package nearest

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Spectral norms are the largest singular values that gonum finds, for lying, standing and single
// rows, sizes from 1e-300 to 1e300 and matrices of rank one.
func TestSpectralNormsAreSingularValues(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, shape := range [][]int{{1, 1}, {1, 6}, {6, 1}, {3, 8}, {8, 3}, {5, 5}} {
		for _, size := range []float64{1e-300, 1e-9, 1, 1e150, 1e300} {
			for _, rank := range []int{1, 9} {
				a, b := random(r, shape[0], rank, 1), random(r, rank, shape[1], size)
				var x mat.Dense
				x.Mul(a, b)
				var svd mat.SVD
				if !svd.Factorize(&x, mat.SVDNone) {
					t.Fatal("gonum finds none")
				}
				got, want := make([]float64, 1), svd.Values(nil)[0]
				if !spectralRow(got, x.RawMatrix().Data, mat.NewDense(1, shape[0]*shape[1], nil), shape) || math.Abs(got[0]-want) > 1e-14*float64(shape[0]+shape[1])*want {
					t.Errorf("%v, size %g, rank %d: %g, not %g", shape, size, rank, got[0], want)
				}
			}
		}
	}
}

func random(r *rand.Rand, rows, columns int, size float64) *mat.Dense {
	x := mat.NewDense(rows, columns, nil)
	x.Apply(func(int, int, float64) float64 { return size * r.NormFloat64() }, x)
	return x
}
