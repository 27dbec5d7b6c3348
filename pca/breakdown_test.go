package pca

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// largestAngle is the largest principal angle in degrees between two column spaces, by
// the sine: the norm of what b has outside the space of a.
func largestAngle(a, b *mat.Dense) float64 {
	var cross, rest mat.Dense
	cross.Mul(a.T(), b)
	rest.Mul(a, &cross)
	rest.Sub(b, &rest)
	var svd mat.SVD
	if !svd.Factorize(&rest, mat.SVDNone) {
		return math.NaN()
	}
	return math.Asin(math.Min(1, svd.Values(nil)[0])) * 180 / math.Pi
}
