package kernel

import (
	"math"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/kernel"
	"gonum.org/v1/gonum/mat"
)

func features(t *testing.T, m kernel.Map, x *mat.Dense) *mat.Dense {
	t.Helper()
	f, err := kernel.Transform(m, x)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// inner returns all inner products of the rows of a with those of b.
func inner(a, b *mat.Dense) *mat.Dense {
	var g mat.Dense
	g.Mul(a, b.T())
	return &g
}

func TestNystromWithAllRowsIsExact(t *testing.T) {
	x := gaussians(1, 80, 4, 0)
	for _, k := range everyKernel {
		for _, choice := range []kernel.Choice{kernel.Uniform, kernel.Spread} {
			m, err := kernel.NewNystrom(t.Context(), k, x, kernel.NystromSettings{Landmarks: 80, Choice: choice, Seed: 1, Cut: 1e-13})
			if err != nil {
				t.Fatal(err)
			}
			want, err := k.Gram(x, x)
			if err != nil {
				t.Fatal(err)
			}
			f := features(t, m, x)
			if got := inner(f, f); !mat.EqualApprox(got, want, 1e-8*mat.Norm(want, math.Inf(1))) {
				t.Errorf("%v %s: inner products of the features are not the kernel", k, choice)
			}
		}
	}
	// The linear kernel has as many directions as columns.
	m, err := kernel.NewNystrom(t.Context(), kernel.Kernel{}, x, kernel.NystromSettings{})
	if err != nil {
		t.Fatal(err)
	}
	if in, out := m.Widths(); in != 4 || out != 4 {
		t.Errorf("the linear map has %d columns and %d features, want 4 and 4", in, out)
	}
}

func TestNystromImprovesWithLandmarksAndIsExactOnThem(t *testing.T) {
	x := gaussians(1, 400, 3, 5)
	k := kernel.Kernel{Kind: kernel.RBF, Gamma: 0.2}
	want, err := k.Gram(x, x)
	if err != nil {
		t.Fatal(err)
	}
	for _, choice := range []kernel.Choice{kernel.Uniform, kernel.Spread} {
		last := math.Inf(1)
		for _, landmarks := range []int{5, 20, 80} {
			m, err := kernel.NewNystrom(t.Context(), k, x, kernel.NystromSettings{Landmarks: landmarks, Choice: choice, Seed: 3})
			if err != nil {
				t.Fatal(err)
			}
			f := features(t, m, x)
			var diff mat.Dense
			diff.Sub(inner(f, f), want)
			if e := mat.Norm(&diff, 2); e >= last/2 {
				t.Errorf("%s: %d landmarks leave an error of %g after %g", choice, landmarks, e, last)
			} else {
				last = e
			}
			own, err := k.Gram(m.Points, m.Points)
			if err != nil {
				t.Fatal(err)
			}
			g := features(t, m, m.Points)
			if !mat.EqualApprox(inner(g, g), own, 1e-6) {
				t.Errorf("%s: %d landmarks: the kernel of the landmarks is not kept", choice, landmarks)
			}
		}
	}
}

func TestFourierErrorFallsAsOneOverRoot(t *testing.T) {
	x := gaussians(1, 60, 5, 0)
	for _, k := range []kernel.Kernel{{Kind: kernel.RBF, Gamma: 0.1}, {Kind: kernel.Laplace, Gamma: 0.1}} {
		want, err := k.Gram(x, x)
		if err != nil {
			t.Fatal(err)
		}
		errorAt := func(size int) float64 {
			square := 0.0
			const repeats = 20
			for seed := range uint64(repeats) {
				m, err := kernel.NewFourier(k, 5, size, seed)
				if err != nil {
					t.Fatal(err)
				}
				f := features(t, m, x)
				got := inner(f, f)
				if math.Abs(got.At(3, 3)-1) > 1e-12 {
					t.Fatalf("a row's kernel with itself is %g", got.At(3, 3))
				}
				var diff mat.Dense
				diff.Sub(got, want)
				square += math.Pow(mat.Norm(&diff, 2), 2) / repeats
			}
			return math.Sqrt(square)
		}
		// 64 times the features: an eighth of the error.
		if ratio := errorAt(32) / errorAt(2048); ratio < 6 || ratio > 10.5 {
			t.Errorf("%v: the error fell by %.2f, want about 8", k, ratio)
		}
	}
	small, err := kernel.NewFourier(kernel.Kernel{Kind: kernel.RBF, Gamma: 1}, 3, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	large, err := kernel.NewFourier(kernel.Kernel{Kind: kernel.RBF, Gamma: 1}, 3, 10, 1)
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(small.Frequencies, large.Frequencies.Slice(0, 3, 0, 2)) {
		t.Error("more features changed the first ones")
	}
}

func TestMapsRefuse(t *testing.T) {
	x := gaussians(1, 10, 3, 0)
	missing := mat.NewDense(2, 1, []float64{1, math.NaN()})
	k := kernel.Kernel{Kind: kernel.RBF, Gamma: 1}
	m, err := kernel.NewFourier(k, 3, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	for want, err := range map[string]error{
		"even number of features":     errorOf(kernel.NewFourier(k, 3, 5, 1)),
		"not for linear":              errorOf(kernel.NewFourier(kernel.Kernel{}, 3, 4, 1)),
		"-1 landmarks must be":        errorOf(kernel.NewNystrom(t.Context(), k, x, kernel.NystromSettings{Landmarks: -1})),
		"cut=2 must be in (0, 1)":     errorOf(kernel.NewNystrom(t.Context(), k, x, kernel.NystromSettings{Cut: 2})),
		`choice "odd" must be`:        errorOf(kernel.NewNystrom(t.Context(), k, x, kernel.NystromSettings{Choice: "odd"})),
		"nystrom needs rows":          errorOf(kernel.NewNystrom(t.Context(), k, &mat.Dense{}, kernel.NystromSettings{})),
		"is NaN":                      errorOf(kernel.NewNystrom(t.Context(), k, missing, kernel.NystromSettings{})),
		"is not finite for every row": errorOf(kernel.NewNystrom(t.Context(), k, missing, kernel.NystromSettings{Choice: kernel.Spread})),
		"of the landmarks is zero":    errorOf(kernel.NewNystrom(t.Context(), kernel.Kernel{}, mat.NewDense(2, 2, nil), kernel.NystromSettings{})),
		"cannot take rows of 2":       errorOf(kernel.Transform(m, mat.NewDense(2, 2, nil))),
		"do not fit into 1 x 1":       m.Apply(mat.NewDense(1, 1, nil), x),
		"gamma is still open":         errorOf(kernel.NewFourier(kernel.Kernel{Kind: kernel.RBF}, 3, 4, 1)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
