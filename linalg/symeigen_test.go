package linalg

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// spectra are eigenvalue distributions that are hard for one method or another.
var spectra = []struct {
	name  string
	value func(i, d int) float64
}{
	{"spread", func(i, d int) float64 { return float64(d-i) + 0.3*math.Sin(float64(i*i)) }},
	{"geometric", func(i, d int) float64 { return math.Pow(0.8, float64(i)) }},
	{"graded to 1e-12", func(i, d int) float64 { return math.Pow(1e-12, float64(i)/float64(max(d-1, 1))) }},
	{"few large", func(i, d int) float64 { return map[bool]float64{true: 100 - float64(i), false: 1}[i < 5] }},
	{"clustered", func(i, d int) float64 { return float64(10-i/4) + 1e-10*float64(i%4) }},
	{"rank four", func(i, d int) float64 { return map[bool]float64{true: float64(9 - i), false: 0}[i < 4] }},
	{"flat", func(i, d int) float64 { return 1 }},
	{"nearly flat", func(i, d int) float64 { return 1 + 1e-3*math.Cos(float64(3*i)) }},
	{"both signs", func(i, d int) float64 { return float64(d/2 - i) }},
	{"huge", func(i, d int) float64 { return 1e180 / float64(i+1) }},
	{"tiny", func(i, d int) float64 { return 1e-180 / float64(i+1) }},
	{"zero", func(i, d int) float64 { return 0 }},
}

// checkPairs verifies orthonormal columns, descending values, residuals A V - V diag
// and fixed signs, at tolerances that are multiples of rounding.
func checkPairs(t *testing.T, a mat.Symmetric, values []float64, vectors *mat.Dense, tol float64) {
	t.Helper()
	d, k := vectors.Dims()
	size := 0.0
	for i := range d {
		for j := range d {
			size = max(size, math.Abs(a.At(i, j)))
		}
	}
	size *= math.Sqrt(float64(d))
	unit := mat.NewDense(k, k, nil)
	for i := range k {
		unit.Set(i, i, 1)
	}
	var gram, left, right mat.Dense
	gram.Mul(vectors.T(), vectors)
	near(t, "V'V", &gram, unit, 1e-14*float64(20+d))
	left.Mul(a, vectors)
	right.Apply(func(_, j int, x float64) float64 { return x * values[j] }, vectors)
	near(t, "AV - V diag", &left, &right, tol*size)
	for j := range k {
		if j > 0 && values[j] > values[j-1] {
			t.Errorf("values %d and %d ascend: %v %v", j-1, j, values[j-1], values[j])
		}
		largest := 0.0
		for i := range d {
			if math.Abs(vectors.At(i, j)) > math.Abs(largest) {
				largest = vectors.At(i, j)
			}
		}
		if largest <= 0 {
			t.Errorf("column %d: largest entry %v", j, largest)
		}
	}
}
