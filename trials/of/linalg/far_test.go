package linalg

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
)

// A far row that hardly counts must not cost the digits of the others, wherever it stands.
func TestMeanWithFarRowsOfLittleWeight(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const n, d = 3000, 3
	x, w := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		w[i] = 1
		for j := range d {
			x.Set(i, j, 7+r.NormFloat64())
		}
	}
	_, want, err := linalg.WeightedMean(context.Background(), linalg.FromDense(x), w)
	if err != nil {
		t.Fatal(err)
	}
	for _, far := range [][2]int{{0, 1}, {0, 300}, {2000, 2100}} { // rows from, to
		y, v := mat.DenseCopyOf(x), append([]float64(nil), w...)
		total, sum := 0.0, make([]float64, d)
		for i := range n {
			if i >= far[0] && i < far[1] {
				y.SetRow(i, []float64{1e15, -1e15, 1e15})
				v[i] = 1e-40
				continue
			}
			total++
			for j := range d {
				sum[j] += x.At(i, j) - want[j]
			}
		}
		_, got, err := linalg.WeightedMean(context.Background(), linalg.FromDense(y), v)
		if err != nil {
			t.Fatal(err)
		}
		for j := range d {
			if exact := want[j] + sum[j]/total; math.Abs(got[j]-exact) > 1e-12 {
				t.Errorf("rows %v far off: mean %v, want %v", far, got[j], exact)
			}
		}
	}
}

// Squares of far rows overflow: distances may be infinite, but no number is lost.
func TestResidualsOfFarRows(t *testing.T) {
	v := mat.NewDense(4, 2, []float64{1, 0, 0, 1, 0, 0, 0, 0})
	for _, size := range []float64{1e150, 1e160, 1e300, math.MaxFloat64} {
		x := mat.NewDense(3, 4, []float64{size, -size, size, size, 1, 2, 3, 4, -size, 0, 0, 0})
		s, scores := make([]float64, 3), mat.NewDense(3, 2, nil)
		if err := linalg.Residuals(context.Background(), linalg.FromDense(x), []float64{0, 0, 0, 0}, v, s, scores); err != nil {
			t.Fatal(err)
		}
		if s[1] != 25 || s[0] < 1e299 || math.IsNaN(s[0]) || s[2] != 0 {
			t.Errorf("%g: squared distances %v", size, s)
		}
		if got := scores.At(0, 1) / -size; math.Abs(got-1) > 1e-12 {
			t.Errorf("%g: scores %v", size, mat.Formatted(scores))
		}
	}
}

// A scatter in which one row is so far off that nothing else is left has finite
// eigenvalues.
func TestEigenOfFarRow(t *testing.T) {
	a := mat.NewSymDense(4, []float64{
		7.5e279, -9.7e124, 1.3e124, -1.3e125,
		0, 15.7, 4.4, 14.5,
		0, 0, 3.3, -2.5,
		0, 0, 0, 35,
	})
	values, _, err := linalg.SymEigen(t.Context(), a)
	if err != nil || math.Abs(values[0]/7.5e279-1) > 1e-12 || !(values[1] <= 1e265) {
		t.Errorf("eigenvalues %g, %v", values, err)
	}
	if top, _, err := linalg.TopEigen(t.Context(), a, 1, nil); err != nil || math.Abs(top[0]/7.5e279-1) > 1e-12 {
		t.Errorf("largest eigenvalue %g, %v", top, err)
	}
}
