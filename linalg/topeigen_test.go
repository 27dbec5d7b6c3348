package linalg

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The iteration itself, without the way out of decomposing the matrix.
func TestSubspaceIterationConverges(t *testing.T) {
	const d, k = 300, 5
	for _, spectrum := range spectra[:4] {
		wanted := make([]float64, d)
		for i := range wanted {
			wanted[i] = spectrum.value(i, d)
		}
		a := withSpectrum(9, wanted)
		upper, err := upperOf(a)
		if err != nil {
			t.Fatal(err)
		}
		s := newSubspace(upper, d, k, true, 0)
		s.budget = 500
		s.begin(nil)
		if found, _ := s.iterate(t.Context()); !found {
			t.Errorf("%s: not found after %d products", spectrum.name, s.products)
			continue
		}
		values, vectors := s.result()
		checkPairs(t, a, values, vectors, 1e-12)
	}
}

func TestWarmStartTakesFewerSteps(t *testing.T) {
	const d, k = 400, 10
	a := decaying(d)
	_, answer, err := TopEigen(t.Context(), a, k, nil)
	if err != nil {
		t.Fatal(err)
	}
	changed := mat.NewSymDense(d, nil)
	changed.AddSym(a, a)
	noise := random(4, d, d)
	for i := range d {
		for j := i; j < d; j++ {
			changed.SetSym(i, j, a.At(i, j)+1e-6*a.At(0, 0)*noise.At(i, j))
		}
	}
	values, vectors, warm, err := topEigen(t.Context(), changed, k, answer, 0)
	if err != nil {
		t.Fatal(err)
	}
	checkPairs(t, changed, values, vectors, 1e-12)
	_, _, cold, err := topEigen(t.Context(), changed, k, random(5, d, k), 0)
	if err != nil {
		t.Fatal(err)
	}
	if warm.direct || cold.direct || warm.products >= cold.products {
		t.Errorf("near start %+v, random start %+v", warm, cold)
	}
}

// Where no iteration can separate eigenvectors the search must end with the
// decomposition after few products.
// A caller that bears larger residuals gets them no larger than it said, for less work.
func TestTopEigenWithin(t *testing.T) {
	const d, k, within = 400, 20, 1e-6
	x := random(7, 3*d, d)
	for i := range 3 * d {
		for j := range d {
			x.Set(i, j, x.At(i, j)/float64(1+j))
		}
	}
	var a mat.SymDense
	a.SymOuterK(1, x.T())
	_, _, exact, err := topEigen(t.Context(), &a, k, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	values, vectors, rough, err := topEigen(t.Context(), &a, k, nil, within)
	if err != nil {
		t.Fatal(err)
	}
	if rough.products >= exact.products {
		t.Errorf("%d products for a rough answer, %d for an exact one", rough.products, exact.products)
	}
	var image mat.Dense
	image.Mul(&a, vectors)
	for j, value := range values {
		sum := 0.0
		for i := range d {
			e := image.At(i, j) - value*vectors.At(i, j)
			sum += e * e
		}
		if math.Sqrt(sum) > within*values[0]*1.01 {
			t.Errorf("residual %g of vector %d", math.Sqrt(sum)/values[0], j)
		}
	}
}

func TestTopEigenOfFlatSpectrumDoesNotStall(t *testing.T) {
	const d = 300
	for _, name := range []string{"flat", "nearly flat"} {
		for _, spectrum := range spectra {
			if spectrum.name != name {
				continue
			}
			wanted := make([]float64, d)
			for i := range wanted {
				wanted[i] = spectrum.value(i, d)
			}
			a := withSpectrum(10, wanted)
			values, vectors, spent, err := topEigen(t.Context(), a, 20, random(6, d, 20), 0)
			if err != nil {
				t.Fatal(err)
			}
			checkPairs(t, a, values, vectors, 1e-12)
			if spent.products > 60 {
				t.Errorf("%s: %d products", name, spent.products)
			}
		}
	}
}

// With a start and a tolerance, small matrices are not decomposed, and the answer is as near
// as was asked for.
func TestTopEigenOfSmallMatrixWithinTolerance(t *testing.T) {
	const d, k, within = 100, 3, 1e-5
	g := rand.New(rand.NewPCG(4, 2))
	x := mat.NewDense(2*d, d, nil)
	x.Apply(func(_, j int, _ float64) float64 {
		v := g.NormFloat64()
		if j < k {
			v *= float64(10 - j)
		}
		return v
	}, x)
	a, part := mat.NewSymDense(d, nil), mat.NewSymDense(d, nil)
	a.SymOuterK(1, x.T())
	part.SymOuterK(1, x.Slice(0, d, 0, d).T())
	_, start, err := TopEigen(t.Context(), part, k, nil)
	if err != nil {
		t.Fatal(err)
	}
	values, vectors, spent, err := topEigen(t.Context(), a, k, start, within)
	if err != nil || spent.direct {
		t.Fatalf("direct %v, %v", spent.direct, err)
	}
	want, _, err := SymEigen(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	for j, v := range values {
		var image mat.VecDense
		image.MulVec(a, vectors.ColView(j))
		image.AddScaledVec(&image, -v, vectors.ColView(j))
		if norm := mat.Norm(&image, 2); norm > within*want[0] || math.Abs(v-want[j]) > 1e-8*want[0] {
			t.Errorf("value %d is %g, want %g; residual %g", j+1, v, want[j], norm)
		}
	}
}
