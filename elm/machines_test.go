package elm

import (
	"gonum.org/v1/gonum/mat"
)

func meanSquareOf(t *mat.Dense) float64 {
	n, k := t.Dims()
	v := mat.Norm(t, 2)
	return v * v / float64(n*k)
}
