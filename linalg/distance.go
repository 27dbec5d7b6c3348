package linalg

import "math"

// Squares between these neither overflow nor lose digits below the smallest float64.
const (
	LeastSquare = 1e-280
	MostSquare  = 1e290
)

// Distance is ||x - y|| for all finite numbers, the largest float64 where it is larger.
func Distance(x, y []float64) float64 {
	if s := SquaredDistance(x, y); s >= LeastSquare && s <= MostSquare {
		return math.Sqrt(s)
	}
	most := 0.0 // of half the differences, which do not overflow
	for j, v := range x {
		most = math.Max(most, math.Abs(v/2-y[j]/2))
	}
	if most < LeastSquare { // halves could vanish; whole differences do not overflow
		most = 0
		for j, v := range x {
			most = math.Max(most, math.Abs(v-y[j])/2)
		}
	}
	if most == 0 {
		return math.Sqrt(SquaredDistance(x, y))
	}
	sum := 0.0
	for j, v := range x {
		d := (v/2 - y[j]/2) / most
		if most < LeastSquare {
			d = (v - y[j]) / 2 / most
		}
		sum += d * d
	}
	return math.Min(2*(most*math.Sqrt(sum)), math.MaxFloat64)
}
