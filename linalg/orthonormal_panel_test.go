package linalg

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Panels end in the rows that looking at each by itself ends in, as far as the condition of the rows lets them tell, and
// are as orthonormal, also where rows depend on each other or hardly differ.
func TestPanelsAreAsRowByRow(t *testing.T) {
	const m, d = 130, 260
	for name, c := range map[string]struct {
		change func(random *rand.Rand, x *mat.Dense)
		tol    float64 // of the rows; 0: only spans agree
	}{
		"independent": {func(*rand.Rand, *mat.Dense) {}, 1e-12},
		"alike": {func(random *rand.Rand, x *mat.Dense) {
			for i := 1; i < m; i++ {
				for j := range d {
					x.Set(i, j, x.At(0, j)+1e-3*x.At(i, j))
				}
			}
		}, 1e-9},
		"summing to zero": {func(_ *rand.Rand, x *mat.Dense) {
			last := x.RawRowView(m - 1)
			clear(last)
			for i := range m - 1 {
				for j, v := range x.RawRowView(i) {
					last[j] -= v
				}
			}
		}, 1e-10},
		"of rank 20": {func(random *rand.Rand, x *mat.Dense) {
			for i := 20; i < m; i++ {
				x.SetRow(i, make([]float64, d))
				for k := range 20 {
					f := random.NormFloat64()
					for j, v := range x.RawRowView(k) {
						x.Set(i, j, x.At(i, j)+f*v)
					}
				}
			}
		}, 0},
		"of all sizes": {func(random *rand.Rand, x *mat.Dense) {
			for i := range m {
				f := math.Pow(10, 300*(2*random.Float64()-1))
				for j := range d {
					x.Set(i, j, f*x.At(i, j))
				}
			}
			x.SetRow(60, make([]float64, d))
		}, 1e-12},
	} {
		random := rand.New(rand.NewPCG(1, 2))
		x := mat.NewDense(m, d, nil)
		x.Apply(func(_, _ int, _ float64) float64 { return random.NormFloat64() }, x)
		c.change(random, x)
		q, each := mat.DenseCopyOf(x), slices.Clone(x.RawMatrix().Data)
		if err := OrthonormalizeRows(t.Context(), q); err != nil {
			t.Fatal(err)
		}
		for i := range m {
			normalise(each[i*d : (i+1)*d])
		}
		orthonormaliseEach(each, m, d, 0, true)
		var gram mat.Dense
		gram.Mul(q, q.T())
		for i := range m {
			row := slices.Clone(x.RawRowView(i))
			normalise(row)
			for k := range m {
				want := 0.0
				if i == k {
					want = 1
				}
				if math.Abs(gram.At(i, k)-want) > 1e-13 {
					t.Fatalf("%s: rows %d and %d have the product %g", name, i, k, gram.At(i, k))
				}
				if k <= i {
					axpy(-dot(row, q.RawRowView(k)), q.RawRowView(k), row)
				}
			}
			if left := norm2(row); left > 1e-12 {
				t.Fatalf("%s: row %d is %g outside of the span of the first rows", name, i, left)
			}
			for j, v := range q.RawRowView(i) {
				if c.tol > 0 && math.Abs(v-each[i*d+j]) > c.tol && !(name == "summing to zero" && i == m-1) {
					t.Fatalf("%s: row %d differs by %g", name, i, v-each[i*d+j])
				}
			}
		}
	}
	if good := (&panelRoom{}).orthonormalisePanel([]float64{1, 0, 0, 1, 0, 0}, 0, 2, 3); good != 1 {
		t.Errorf("of two equal rows %d are good", good)
	}
}
