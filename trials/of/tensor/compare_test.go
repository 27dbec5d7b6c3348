package tensor

import (
	"context"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/tensor"
	"gonum.org/v1/gonum/mat"
)

// method is what every configuration can do.
type method interface {
	Fit(ctx context.Context, x linalg.Source) (*tensor.Model, error)
}

func mustFit(t testing.TB, m method, x *mat.Dense) *tensor.Model {
	t.Helper()
	out, err := m.Fit(context.Background(), linalg.FromDense(x))
	if err != nil {
		t.Fatalf("%T: %v", m, err)
	}
	return out
}

// apart is the largest difference of the projectors U U' of two factors; nil is the identity.
func apart(a, b *mat.Dense) float64 {
	var p, q mat.Dense
	p.Mul(a, a.T())
	if b == nil {
		n, _ := p.Dims()
		b = mat.NewDense(n, n, nil)
		for i := range n {
			b.Set(i, i, 1)
		}
	}
	q.Mul(b, b.T())
	p.Sub(&p, &q)
	return mat.Norm(&p, math.Inf(1))
}

func largestDifference(a, b []float64) float64 {
	worst := 0.0
	if len(a) != len(b) {
		return math.Inf(1)
	}
	for i := range a {
		worst = math.Max(worst, math.Abs(a[i]-b[i]))
	}
	return worst
}

const equal = 1e-8

// compare checks a model against a reference in every respect.
func compare(t *testing.T, m *tensor.Model, want textbookFit, x *mat.Dense) {
	t.Helper()
	ctx := context.Background()
	if e := largestDifference(m.Mean(), want.mean); e > equal {
		t.Errorf("mean is %g off", e)
	}
	for k := range m.Shape() {
		if e := apart(m.Factor(k), want.factors[k]); e > equal {
			t.Errorf("factor %d is %g off", k, e)
		}
	}
	judged, err := m.Judge(ctx, x)
	if err != nil {
		t.Fatal(err)
	}
	squared, rest := textbookResiduals(arraysOf(x, m.Shape()), want.mean, want.factors)
	norm, square := 0.0, 0.0
	for i, s := range squared {
		if e := math.Abs(judged.OrthogonalDistance[i] - math.Sqrt(s)); e > equal {
			t.Errorf("residual of sample %d is %g off", i, e)
		}
		norm += math.Sqrt(s) / float64(len(squared))
		square += s / float64(len(squared))
	}
	errors, err := m.Errors(ctx, x)
	if err != nil || math.Abs(errors.Norm-norm) > equal || math.Abs(errors.Squared-square) > equal {
		t.Errorf("mean errors %+v (%v), want %g and %g", errors, err, norm, square)
	}
	entries, err := m.Contributions(ctx, x)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rest {
		if e := largestDifference(entries.RawRowView(i), rest[i].data); e > equal {
			t.Fatalf("entries of the residual of sample %d are %g off", i, e)
		}
	}
	if want.weights != nil {
		if e := largestDifference(m.Weights(), want.weights); e > equal {
			t.Errorf("weights are %g off", e)
		}
	}
	if want.trace != nil {
		got := make([]float64, 0, len(want.trace))
		for _, s := range m.Steps() {
			got = append(got, s.Objective)
		}
		if e := largestDifference(got, want.trace); e > equal {
			t.Errorf("trace is %g off:\n%v\n%v", e, got, want.trace)
		}
	}
	compareCores(t, m, x)
}

// compareCores checks cores and the way back by their definition with the model's own factors.
func compareCores(t *testing.T, m *tensor.Model, x *mat.Dense) {
	t.Helper()
	ctx := context.Background()
	cores, err := m.Transform(ctx, x)
	if err != nil {
		t.Fatal(err)
	}
	back, err := m.Reconstruct(ctx, x)
	if err != nil {
		t.Fatal(err)
	}
	mean := m.Mean()
	for i, s := range arraysOf(x, m.Shape()) {
		core := s.minus(mean)
		for k := range m.Shape() {
			core = core.timesMode(k, m.Factor(k).T())
		}
		if e := largestDifference(cores.RawRowView(i), core.data); e > equal {
			t.Fatalf("core of sample %d is %g off", i, e)
		}
		for k := range m.Shape() {
			core = core.timesMode(k, m.Factor(k))
		}
		for j := range mean {
			core.data[j] += mean[j]
		}
		if e := largestDifference(back.RawRowView(i), core.data); e > equal {
			t.Fatalf("reconstruction of sample %d is %g off", i, e)
		}
	}
}

var shapes = []struct{ shape, ranks []int }{
	{[]int{6, 5}, []int{3, 2}},
	{[]int{5, 6}, []int{5, 2}}, // a mode kept whole
	{[]int{4, 5, 3}, []int{2, 3, 2}},
	{[]int{4, 5, 3}, []int{2, 3, 3}},
	{[]int{3, 4, 2, 5}, []int{2, 2, 1, 3}},
	{[]int{7}, []int{3}},
}

// letter is the papers' setting: classic start, full rank, no step control, a few steps.
func letter(shape, ranks []int, steps int) tensor.Options {
	return tensor.Options{Shape: shape, Rank: ranks, Start: tensor.StartClassic, Plain: true, MaxSteps: steps, Tol: 1e-300}
}

// Any loss: written out here by hand for two more.
func TestRobustEqualsTextbook(t *testing.T) {
	shape, ranks := []int{4, 5, 3}, []int{2, 3, 2}
	x := textbookSamples(24, shape, 4)
	for _, c := range []struct {
		text        string
		rho, weight func(s float64) float64
	}{
		{"cauchy:c=3", func(s float64) float64 { return 9 * math.Log(1+s/9) }, func(s float64) float64 { return 1 / (1 + s/9) }},
		{"gm:p=0.4,delta=0.05", func(s float64) float64 { return math.Pow(s+0.05, 0.4) }, func(s float64) float64 { return math.Pow(s+0.05, -0.6) }},
		{"square", func(s float64) float64 { return s }, func(float64) float64 { return 1 }},
	} {
		t.Run(c.text, func(t *testing.T) {
			want := textbookCorr(arraysOf(x, shape), ranks, c.rho, c.weight, 4, false)
			compare(t, mustFit(t, tensor.Robust{Options: letter(shape, ranks, 4), Loss: loss.MustParse(c.text)}, x), want, x)
		})
	}
}

func TestPCA2DEqualsTextbook(t *testing.T) {
	for _, shape := range [][]int{{6, 5}, {4, 5, 3}} {
		x := textbookSamples(20, shape, 7)
		ones := make([]float64, 20)
		for i := range ones {
			ones[i] = 1
		}
		samples := arraysOf(x, shape)
		mean := textbookMean(samples, ones)
		none := make([]*mat.Dense, len(shape))
		want := textbookFit{mean: mean, factors: make([]*mat.Dense, len(shape))}
		want.factors[1] = textbookLeading(textbookGram(samples, ones, mean, none, 1), 2)
		m := mustFit(t, tensor.PCA2D{tensor.Options{Shape: shape, Rank: []int{2}}}, x)
		compare(t, m, want, x)
		want = textbookL1(samples, 3)
		if len(shape) == 3 {
			want.factors = append(want.factors, nil)
		}
		m = mustFit(t, tensor.L1PCA2D{tensor.Options{Shape: shape, Rank: []int{3}}}, x)
		compare(t, m, want, x)
	}
}
