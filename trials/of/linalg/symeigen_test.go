package linalg

import (
	"fmt"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
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

func TestSymEigenAgreesWithGonum(t *testing.T) {
	for _, d := range []int{1, 2, 5, 40, 41, 49, 64, 100, 149} {
		for _, spectrum := range spectra {
			t.Run(fmt.Sprintf("%s/%d", spectrum.name, d), func(t *testing.T) {
				wanted := make([]float64, d)
				for i := range wanted {
					wanted[i] = spectrum.value(i, d)
				}
				a := withSpectrum(uint64(d), wanted)
				before := mat.NewSymDense(d, nil)
				before.CopySym(a)
				values, vectors, err := linalg.SymEigen(t.Context(), a)
				if err != nil {
					t.Fatal(err)
				}
				near(t, "the argument", a, before, 0)
				checkPairs(t, a, values, vectors, 1e-15*float64(20+d))
				size := 0.0
				for _, v := range wanted {
					size = max(size, math.Abs(v))
				}
				if size == 0 {
					size = 1
				}
				a.ScaleSym(1/size, a) // gonum does not take very small matrices
				var reference mat.EigenSym
				if !reference.Factorize(a, false) {
					t.Fatal("no reference")
				}
				for i, v := range reference.Values(nil) {
					if e := math.Abs(values[d-1-i]/size - v); e > 1e-15*float64(20+d) {
						t.Errorf("value %d: %v, gonum %v", i, values[d-1-i], v*size)
					}
				}
			})
		}
	}
}

// Matrices with a known spectrum: the second difference (1, -2, 1), whose eigenvalues are
// -2+2cos(j pi/(n+1)), tridiagonal already; and glued Wilkinson matrices, whose
// eigenvalues agree in pairs to many digits.
func TestSymEigenOfKnownMatrices(t *testing.T) {
	const n = 120
	a := mat.NewSymDense(n, nil)
	for i := range n {
		a.SetSym(i, i, -2)
		if i > 0 {
			a.SetSym(i-1, i, 1)
		}
	}
	values, vectors, err := linalg.SymEigen(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	checkPairs(t, a, values, vectors, 1e-13)
	for j, v := range values {
		if want := -2 + 2*math.Cos(float64(j+1)*math.Pi/(n+1)); math.Abs(v-want) > 1e-13 {
			t.Errorf("value %d: %v, want %v", j, v, want)
		}
	}

	w := mat.NewSymDense(21*6, nil)
	for i := range 21 * 6 {
		w.SetSym(i, i, math.Abs(float64(i%21-10)))
		if i > 0 {
			w.SetSym(i-1, i, map[bool]float64{true: 1e-7, false: 1}[i%21 == 0])
		}
	}
	values, vectors, err = linalg.SymEigen(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	checkPairs(t, w, values, vectors, 1e-13)
}

func TestSymEigenDoesNotDependOnThreads(t *testing.T) {
	var x mat.SymDense
	x.SymOuterK(1, random(5, 300, 400))
	var firstValues []float64
	var first *mat.Dense
	underThreads(t, func(t *testing.T, threads int) {
		values, vectors, err := linalg.SymEigen(t.Context(), &x)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first, firstValues = vectors, values
		}
		near(t, "values", column(values), column(firstValues), 0)
		near(t, "vectors", vectors, first, 0)
	})
}

func TestEigenRefusesBadMatrices(t *testing.T) {
	nan := mat.NewSymDense(3, []float64{1, 0, 0, 0, math.NaN(), 0, 0, 0, 1})
	inf := mat.NewSymDense(2, []float64{1, math.Inf(1), 0, 1})
	for _, a := range []mat.Symmetric{nan, inf, &mat.SymDense{}} {
		if _, _, err := linalg.SymEigen(t.Context(), a); err == nil {
			t.Errorf("%v: no error", a)
		}
		if _, _, err := linalg.TopEigen(t.Context(), a, 1, nil); err == nil {
			t.Errorf("%v: no error from TopEigen", a)
		}
	}
	good := mat.NewSymDense(2, []float64{1, 0, 0, 1})
	for _, k := range []int{-1, 0, 3} {
		if _, _, err := linalg.TopEigen(t.Context(), good, k, nil); err == nil {
			t.Errorf("%d of 2 eigenvectors: no error", k)
		}
	}
	if _, _, err := linalg.TopEigen(t.Context(), good, 1, mat.NewDense(3, 1, nil)); err == nil {
		t.Error("start of the wrong size: no error")
	}
}
