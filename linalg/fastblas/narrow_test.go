package fastblas

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Where short rows of B are read in place the sums are those of packed ones, to the last bit.
func TestNarrowPanelsInPlace(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for _, kn := range supported() {
		if err := Force(kn.name); err != nil {
			t.Fatal(err)
		}
		for _, d := range []int{kn.lane, kn.nr, kn.nr + kn.lane, 2 * kn.nr} {
			for _, n := range []int{1, 7, 192, 1000} {
				wide := 2*kn.nr + 8 // too wide to be read in place
				x, apart, w := make([]float64, n*d), make([]float64, n*wide), make([]float64, n)
				for i := range x {
					x[i] = draw.NormFloat64()
					apart[i/d*wide+i%d] = x[i]
				}
				for i := range w {
					w[i] = draw.Float64()
				}
				got, want := make([]float64, d*d), make([]float64, d*d)
				WeightedGram(1, n, d, x, d, w, nil, got, d)
				WeightedGram(1, n, d, apart, wide, w, nil, want, d)
				for i, v := range got {
					if math.Float64bits(v) != math.Float64bits(want[i]) {
						t.Fatalf("%s, %d x %d: element %d is %g in place and %g packed", kn.name, n, d, i, v, want[i])
					}
				}
			}
		}
	}
	if err := Force(supported()[0].name); err != nil {
		t.Fatal(err)
	}
}
