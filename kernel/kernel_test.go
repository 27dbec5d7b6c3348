package kernel

import (
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/random"
)

// gaussians is an n x d matrix of standard Gaussian numbers around an offset.
func gaussians(seed uint64, n, d int, offset float64) *mat.Dense {
	r := random.New(seed, "test rows")
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, offset+r.NormFloat64())
		}
	}
	return x
}
