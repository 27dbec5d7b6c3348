package kernel

import (
	"math"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// everyKernel has one kernel of each kind, and the corners.
var everyKernel = []kernel.Kernel{
	{}, {Kind: kernel.Linear}, {Kind: kernel.RBF, Gamma: 0.3}, {Kind: kernel.RBF, Gamma: 1e-4}, {Kind: kernel.Laplace, Gamma: 0.2},
	{Kind: kernel.Polynomial, Gamma: 0.5, Offset: 1}, {Kind: kernel.Polynomial, Degree: 2, Gamma: 0.1}, {Kind: kernel.Polynomial, Degree: 5, Gamma: 0.2, Offset: 0.5},
}

// gaussians is an n x d matrix of standard Gaussian numbers around an offset.
func gaussians(seed uint64, n, d int, offset float64) *mat.Dense {
	r := random.New(seed, "test rows")
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, offset+r.NormFloat64())
		}
	}
	return x
}

// Values of scikit-learn 1.9.1:
//
//	from sklearn.metrics.pairwise import rbf_kernel, laplacian_kernel, polynomial_kernel, linear_kernel
//	X = np.array([[0.5,-1.25,3.0],[2.0,0.0,-0.75],[-1.5,0.25,0.125]])
//	Y = np.array([[1.0,1.0,1.0],[0.5,-1.25,3.0]])
//	rbf_kernel(X, Y, gamma=0.3), laplacian_kernel(X, Y, gamma=0.3),
//	polynomial_kernel(X, Y, degree=3, gamma=0.5, coef0=1.5), linear_kernel(X, Y)
func TestGramEqualsScikitLearn(t *testing.T) {
	x := mat.NewDense(3, 3, []float64{0.5, -1.25, 3, 2, 0, -0.75, -1.5, 0.25, 0.125})
	y := mat.NewDense(2, 3, []float64{1, 1, 1, 0.5, -1.25, 3})
	for text, want := range map[string][]float64{
		"rbf:gamma=0.3":                            {0.06119131569140007, 1, 0.21898544775078424, 0.00468916852041161, 0.10295765415460593, 0.0128464534736862},
		"laplace:gamma=0.3":                        {0.24050846320834213, 1, 0.32465246735834974, 0.1422740715865136, 0.29010858356365526, 0.14771064799479683},
		"polynomial:degree=3,gamma=0.5,offset=1.5": {18.087890625, 329.4024963378906, 9.595703125, 0.669921875, 0.823974609375, 1.545806884765625},
		"linear": {2.25, 10.8125, 1.25, -1.25, -1.125, -0.6875},
	} {
		k, err := kernel.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := k.Gram(x, y)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.EqualApprox(got, mat.NewDense(3, 2, want), 1e-14) {
			t.Errorf("%s: %v, want %v", text, mat.Formatted(got), want)
		}
	}
}

func TestGramEqualsTheDefinition(t *testing.T) {
	for _, size := range []struct {
		n, m, d int
		offset  float64
	}{{1, 1, 1, 0}, {3, 7, 2, 0}, {300, 41, 5, 0}, {270, 300, 33, 0}, {60, 50, 4, 1e4}} {
		a, b := gaussians(1, size.n, size.d, size.offset), gaussians(2, size.m, size.d, size.offset)
		for _, k := range everyKernel {
			got, err := k.Gram(a, b)
			if err != nil {
				t.Fatal(err)
			}
			for i := range size.n {
				for j := range size.m {
					want := k.At(a.RawRowView(i), b.RawRowView(j))
					if math.Abs(got.At(i, j)-want) > 1e-11*max(1, math.Abs(want)) {
						t.Fatalf("%v %+v: pair %d, %d is %g, want %g", k, size, i, j, got.At(i, j), want)
					}
				}
			}
		}
	}
}

func TestSymmetricEqualsGramAndIsPositive(t *testing.T) {
	x := gaussians(3, 300, 6, 2)
	for _, k := range everyKernel {
		s, err := k.Symmetric(x)
		if err != nil {
			t.Fatal(err)
		}
		g, err := k.Gram(x, x)
		if err != nil {
			t.Fatal(err)
		}
		scale := mat.Norm(g, math.Inf(1))
		if !mat.EqualApprox(s, g, 1e-12*scale) {
			t.Errorf("%v: the symmetric matrix differs from the general one", k)
		}
		if k.Kind == kernel.RBF || k.Kind == kernel.Laplace {
			for i := range 300 {
				if s.At(i, i) != 1 {
					t.Fatalf("%v: diagonal is %v", k, s.At(i, i))
				}
			}
		}
		var eigen mat.EigenSym
		if !eigen.Factorize(s, false) {
			t.Fatal("no eigenvalues")
		}
		values := eigen.Values(nil)
		if least := values[0]; least < -1e-12*values[299]*300 {
			t.Errorf("%v: smallest eigenvalue %g", k, least)
		}
	}
}

func TestGramDoesNotDependOnThreads(t *testing.T) {
	defer linalg.SetThreads(0)
	a, b := gaussians(1, 700, 20, 0), gaussians(2, 90, 20, 0)
	for _, k := range everyKernel {
		linalg.SetThreads(1)
		one, err := k.Gram(a, b)
		if err != nil {
			t.Fatal(err)
		}
		linalg.SetThreads(5)
		five, err := k.Gram(a, b)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(one, five) {
			t.Errorf("%v: another number of threads gave another result", k)
		}
	}
}

func TestTextForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := kernel.Kernel{Kind: rapid.SampledFrom(kernel.Kinds()).Draw(t, "kind")}
		if k.Kind != kernel.Linear && rapid.Bool().Draw(t, "given") {
			k.Gamma = rapid.Float64Range(1e-9, 1e9).Draw(t, "gamma")
		}
		if k.Kind == kernel.Polynomial {
			k.Degree = rapid.IntRange(1, 100).Draw(t, "degree")
			k.Offset = rapid.Float64Range(0, 1e6).Draw(t, "offset")
		}
		back, err := kernel.Parse(k.String())
		if err != nil || back != k {
			t.Fatalf("%v reads back as %v, error %v", k, back, err)
		}
	})
	for text, want := range map[string]string{
		"":                        "names no kernel",
		"sigmoid":                 `there is no kernel "sigmoid"`,
		"rbf:gamma=-1":            "gamma=-1 must be a positive number",
		"rbf:gamma=0":             "gamma=0 must be a positive number",
		"rbf:gamma=x":             `gamma="x" is not a number`,
		"rbf:gamma=NaN":           "must be a positive number",
		"rbf:gamma=Inf":           "must be a positive number",
		"rbf:degree=2":            `rbf has no parameter "degree"`,
		"linear:gamma=1":          `linear has no parameter "gamma"`,
		"polynomial:degree=2.5":   "must be a whole number",
		"polynomial:degree=101":   "must be in [1, 100]",
		"polynomial:offset=-1":    "must be at least 0",
		"polynomial:degree=1e300": "must be a whole number",
	} {
		if _, err := kernel.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

func TestResolve(t *testing.T) {
	// Squared distances of 0, 1, 3 on a line are 1, 4, 9; the copy of 0 adds 1, 9 and a
	// zero that does not count: 1 1 4 9 9. Absolute ones are 1 1 2 3 3.
	x := mat.NewDense(4, 1, []float64{0, 1, 3, 0})
	for text, want := range map[string]float64{"rbf": 1.0 / 4, "laplace": 1.0 / 2, "polynomial": 1, "rbf:gamma=7": 7, "linear": 0} {
		k, err := kernel.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		k, err = k.Resolve(x, 1)
		if err != nil || k.Gamma != want {
			t.Errorf("%s: gamma %v, want %v (error %v)", text, k.Gamma, want, err)
		}
	}
	if k, err := (kernel.Kernel{Kind: kernel.RBF}).Resolve(mat.NewDense(3, 2, nil), 1); err != nil || k.Gamma != 1 {
		t.Errorf("equal rows: gamma %v, error %v", k.Gamma, err)
	}
	if _, err := (kernel.Kernel{Kind: kernel.RBF}).Resolve(mat.NewDense(2, 1, []float64{1, math.NaN()}), 1); err == nil {
		t.Error("a missing value was accepted")
	}
	// Of many standard Gaussian rows in d dimensions the squared distance is 2 chi-square(d).
	k, err := (kernel.Kernel{Kind: kernel.RBF}).Resolve(gaussians(1, 3000, 50, 0), 1)
	if err != nil || math.Abs(1/k.Gamma-2*49.33) > 4 { // median of chi-square(50) is 49.33
		t.Errorf("gamma %v, want about 1/98.7 (error %v)", k.Gamma, err)
	}
}

func TestGramRefuses(t *testing.T) {
	a, b := mat.NewDense(2, 3, nil), mat.NewDense(2, 4, nil)
	for want, err := range map[string]error{
		"rows of 3 and of 4 numbers": errorOf((kernel.Kernel{}).Gram(a, b)),
		"gamma is still open":        errorOf((kernel.Kernel{Kind: kernel.RBF}).Gram(a, a)),
		"needs rows on both sides":   errorOf((kernel.Kernel{}).Gram(&mat.Dense{}, a)),
		"does not fit into 3 x 2":    (kernel.Kernel{}).GramTo(mat.NewDense(3, 2, nil), a, a),
		"there is no kernel":         errorOf((kernel.Kernel{Kind: "odd"}).Gram(a, a)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func errorOf[T any](_ T, err error) error { return err }

// Both triangles at once hold what Symmetric says, across the squares that are mirrored.
func TestSymmetricToMirrors(t *testing.T) {
	x := mat.NewDense(301, 3, nil)
	for i := range x.RawMatrix().Data {
		x.RawMatrix().Data[i] = math.Sin(float64(i * i))
	}
	k := kernel.Kernel{Kind: kernel.RBF, Gamma: 0.3}
	both := mat.NewDense(301, 302, nil)
	if err := k.SymmetricTo(both.Slice(0, 301, 0, 301).(*mat.Dense), x); err != nil {
		t.Fatal(err)
	}
	for i := range 301 {
		for j := range 301 {
			if want := k.At(x.RawRowView(i), x.RawRowView(j)); both.At(i, j) != both.At(j, i) || math.Abs(both.At(i, j)-want) > 1e-14 {
				t.Fatalf("%d, %d: %v and %v, want %v", i, j, both.At(i, j), both.At(j, i), want)
			}
		}
		if both.At(i, 301) != 0 {
			t.Fatalf("row %d was written beyond its end", i)
		}
	}
	if err := k.SymmetricTo(mat.NewDense(3, 3, nil), x); err == nil {
		t.Error("a matrix that is too small was taken")
	}
}
