package kernel

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

func features(t *testing.T, m Map, x *mat.Dense) *mat.Dense {
	t.Helper()
	f, err := Transform(m, x)
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
		for _, choice := range []Choice{Uniform, Spread} {
			m, err := NewNystrom(k, x, NystromSettings{Landmarks: 80, Choice: choice, Seed: 1, Cut: 1e-13})
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
	m, err := NewNystrom(Kernel{}, x, NystromSettings{})
	if err != nil {
		t.Fatal(err)
	}
	if in, out := m.Widths(); in != 4 || out != 4 {
		t.Errorf("the linear map has %d columns and %d features, want 4 and 4", in, out)
	}
}

func TestNystromImprovesWithLandmarksAndIsExactOnThem(t *testing.T) {
	x := gaussians(1, 400, 3, 5)
	k := Kernel{Kind: RBF, Gamma: 0.2}
	want, err := k.Gram(x, x)
	if err != nil {
		t.Fatal(err)
	}
	for _, choice := range []Choice{Uniform, Spread} {
		last := math.Inf(1)
		for _, landmarks := range []int{5, 20, 80} {
			m, err := NewNystrom(k, x, NystromSettings{Landmarks: landmarks, Choice: choice, Seed: 3})
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

func TestSpreadLandmarksCoverDistantClusters(t *testing.T) {
	// 1000 rows near the origin and three far ones: even draws of six nearly always miss
	// the far ones; draws by distance do not.
	x := gaussians(1, 1003, 2, 0)
	for i, far := range []float64{50, 100, 150} {
		x.SetRow(1000+i, []float64{far, -far})
	}
	rows, err := spread(Kernel{Kind: RBF, Gamma: 0.05}, x, 12, 1)
	if err != nil {
		t.Fatal(err)
	}
	// In the space of this kernel all far rows are at distance 2 from everything.
	if slices.Max(rows) < 1000 {
		t.Errorf("landmarks %v miss every far row", rows)
	}
	sorted := slices.Sorted(slices.Values(rows))
	if len(slices.Compact(sorted)) != 12 {
		t.Errorf("landmarks %v repeat", rows)
	}
	// Copies of one row give one landmark.
	rows, err = spread(Kernel{Kind: RBF, Gamma: 1}, mat.NewDense(9, 2, nil), 4, 1)
	if err != nil || len(rows) != 1 {
		t.Errorf("copies of one row gave landmarks %v, error %v", rows, err)
	}
}

func TestFourierErrorFallsAsOneOverRoot(t *testing.T) {
	x := gaussians(1, 60, 5, 0)
	for _, k := range []Kernel{{Kind: RBF, Gamma: 0.1}, {Kind: Laplace, Gamma: 0.1}} {
		want, err := k.Gram(x, x)
		if err != nil {
			t.Fatal(err)
		}
		errorAt := func(size int) float64 {
			square := 0.0
			const repeats = 20
			for seed := range uint64(repeats) {
				m, err := NewFourier(k, 5, size, seed)
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
	small, err := NewFourier(Kernel{Kind: RBF, Gamma: 1}, 3, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	large, err := NewFourier(Kernel{Kind: RBF, Gamma: 1}, 3, 10, 1)
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(small.Frequencies, large.Frequencies.Slice(0, 3, 0, 2)) {
		t.Error("more features changed the first ones")
	}
}

func TestThroughGivesTheSameFeatures(t *testing.T) {
	x := gaussians(1, 700, 5, 0)
	k := Kernel{Kind: RBF, Gamma: 0.1}
	nystrom, err := NewNystrom(k, x, NystromSettings{Landmarks: 20})
	if err != nil {
		t.Fatal(err)
	}
	fourier, err := NewFourier(k, 5, 30, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []Map{nystrom, fourier, &Landmarks{Kernel: k, Points: nystrom.Points}} {
		whole := features(t, m, x)
		src, err := Through(m, linalg.FromDense(x))
		if err != nil {
			t.Fatal(err)
		}
		rows, columns := src.Dims()
		if r, c := whole.Dims(); r != rows || c != columns {
			t.Fatalf("table of %d x %d, want %d x %d", rows, columns, r, c)
		}
		seen := 0
		err = src.Scan(context.Background(), func(first int, block *mat.Dense) error {
			n, _ := block.Dims()
			if first != seen || !mat.EqualApprox(block, whole.Slice(first, first+n, 0, columns), 1e-12) {
				t.Fatalf("block at row %d differs", first)
			}
			seen += n
			return nil
		})
		if err != nil || seen != 700 {
			t.Errorf("%d rows seen, error %v", seen, err)
		}
		// The passes of linalg take such a table like any other.
		_, mean, err := linalg.WeightedMean(context.Background(), src, nil)
		if err != nil {
			t.Fatal(err)
		}
		if want := mat.Sum(whole.ColView(0)) / 700; math.Abs(mean[0]-want) > 1e-12 {
			t.Errorf("mean %g, want %g", mean[0], want)
		}
	}
}

func TestMapsRefuse(t *testing.T) {
	x := gaussians(1, 10, 3, 0)
	missing := mat.NewDense(2, 1, []float64{1, math.NaN()})
	k := Kernel{Kind: RBF, Gamma: 1}
	m, err := NewFourier(k, 3, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	for want, err := range map[string]error{
		"even number of features":     errorOf(NewFourier(k, 3, 5, 1)),
		"not for linear":              errorOf(NewFourier(Kernel{}, 3, 4, 1)),
		"-1 landmarks must be":        errorOf(NewNystrom(k, x, NystromSettings{Landmarks: -1})),
		"cut=2 must be in (0, 1)":     errorOf(NewNystrom(k, x, NystromSettings{Cut: 2})),
		`choice "odd" must be`:        errorOf(NewNystrom(k, x, NystromSettings{Choice: "odd"})),
		"nystrom needs rows":          errorOf(NewNystrom(k, &mat.Dense{}, NystromSettings{})),
		"is NaN":                      errorOf(NewNystrom(k, missing, NystromSettings{})),
		"is not finite for every row": errorOf(NewNystrom(k, missing, NystromSettings{Choice: Spread})),
		"of the landmarks is zero":    errorOf(NewNystrom(Kernel{}, mat.NewDense(2, 2, nil), NystromSettings{})),
		"cannot take rows of 2":       errorOf(Transform(m, mat.NewDense(2, 2, nil))),
		"cannot take a table of 2":    errorOf(Through(m, linalg.FromDense(mat.NewDense(2, 2, nil)))),
		"do not fit into 1 x 1":       m.Apply(mat.NewDense(1, 1, nil), x),
		"gamma is still open":         errorOf(NewFourier(Kernel{Kind: RBF}, 3, 4, 1)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
