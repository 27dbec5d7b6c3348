package elm

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// bends makes n rows of d inputs and a target with two bends, noise of 0.05 and a few far off.
func bends(n, d int, seed uint64) (x, y *mat.Dense) {
	r := rand.New(rand.NewPCG(seed, 5))
	x, y = mat.NewDense(n, d, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, r.NormFloat64())
		}
		y.Set(i, 0, math.Sin(x.At(i, 0))+0.5*x.At(i, 1)+0.05*r.NormFloat64())
		if i%17 == 3 {
			y.Set(i, 0, y.At(i, 0)+9)
		}
	}
	return x, y
}
