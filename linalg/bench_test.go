package linalg

import (
	"gonum.org/v1/gonum/mat"
)

// decaying returns a d x d covariance-like matrix whose spectrum falls as in pictures
// of digits: quickly at first, then slowly.
func decaying(d int) *mat.SymDense {
	x := random(1, 2*d, d)
	for j := range d {
		f := 1 / (1 + 0.15*float64(j))
		for i := range 2 * d {
			x.Set(i, j, f*x.At(i, j))
		}
	}
	mixed := mat.NewDense(2*d, d, nil)
	mixed.Mul(x, random(2, d, d))
	var s mat.SymDense
	s.SymOuterK(1, mixed.T())
	return &s
}
