package check

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/random"
)

// related makes rows of columns that share a cause, in unlike units.
func related(n, d int, seed uint64) *mat.Dense {
	r := random.New(seed, "related")
	x := mat.NewDense(n, d, nil)
	for i := range n {
		cause := r.NormFloat64()
		for j := range d {
			x.Set(i, j, 100*float64(j+1)+math.Pow(10, float64(j%4))*(cause+0.2*r.NormFloat64()))
		}
	}
	return x
}
