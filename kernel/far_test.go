package kernel

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// farRows are rows of which every tenth has a cell of a size; two of those are equal.
func farRows(size float64) *mat.Dense {
	draw := rand.New(rand.NewPCG(5, 5))
	x := mat.NewDense(60, 4, nil)
	x.Apply(func(_, _ int, _ float64) float64 { return draw.NormFloat64() }, x)
	for i := 0; i < 60; i += 10 {
		x.Set(i, i%4, size)
	}
	x.SetRow(20, x.RawRowView(0))
	for j := range 4 {
		x.Set(40, j, x.At(0, j))
	}
	x.Set(40, 3, x.At(0, 3)+0.1) // next to row 0, far from all others
	return x
}

// Maps of far rows are numbers.
func TestMapsOfFarRows(t *testing.T) {
	x := farRows(1.7e308)
	k := Kernel{Kind: RBF, Gamma: 30}
	fourier, err := NewFourier(k, 4, 20, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, choice := range []Choice{Uniform, Spread} {
		nystrom, err := NewNystrom(t.Context(), k, x, NystromSettings{Landmarks: 20, Choice: choice, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []Map{fourier, nystrom} {
			out, err := Transform(m, x)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 60 {
				if !finite(out.RawRowView(i)) {
					t.Fatalf("%T: features of row %d are %v", m, i, out.RawRowView(i))
				}
			}
		}
	}
}
