package tensor

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// method is what every configuration can do.
type method interface {
	Fit(ctx context.Context, x linalg.Source) (*Model, error)
}

func mustFit(t testing.TB, m method, x *mat.Dense) *Model {
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
func compare(t *testing.T, m *Model, want textbookFit, x *mat.Dense) {
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
func compareCores(t *testing.T, m *Model, x *mat.Dense) {
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
func letter(shape, ranks []int, steps int) Options {
	return Options{Shape: shape, Rank: ranks, Start: StartClassic, Plain: true, MaxSteps: steps, Tol: 1e-300}
}

// gkmpe is the loss of the p-order extension and its weight, section VI of corr-tensor.
func gkmpe(alpha, beta, p float64) (rho, weight func(s float64) float64) {
	g := func(s float64) float64 { return math.Exp(-math.Pow(math.Sqrt(s)/beta, alpha)) }
	return func(s float64) float64 { return math.Pow(1-g(s), p/2) },
		func(s float64) float64 { return math.Pow(1-g(s), (p-2)/2) * g(s) * math.Pow(s, alpha/2-1) }
}

func TestCorrEqualsTextbook(t *testing.T) {
	for _, c := range shapes {
		x := textbookSamples(24, c.shape, 3)
		for _, l := range [][3]float64{{2, 4, 2}, {1.6, 3, 2}, {1, 5, 1.5}, {2, 6, 4}, {3, 5, 2}} {
			t.Run(fmt.Sprint(times(c.shape), l), func(t *testing.T) {
				rho, weight := gkmpe(l[0], l[1], l[2])
				want := textbookCorr(arraysOf(x, c.shape), c.ranks, rho, weight, 4, false)
				m := mustFit(t, Corr{Options: letter(c.shape, c.ranks, 4), Alpha: l[0], Beta: loss.FixedAt(l[1]), P: l[2]}, x)
				compare(t, m, want, x)
			})
		}
	}
}

func TestR1EqualsTextbook(t *testing.T) {
	for _, c := range shapes {
		x := textbookSamples(24, c.shape, 5)
		for _, mean := range []Mean{MeanWeighted, MeanSample} {
			t.Run(fmt.Sprint(times(c.shape), mean), func(t *testing.T) {
				want := textbookCorr(arraysOf(x, c.shape), c.ranks, math.Sqrt, func(s float64) float64 { return 1 / math.Sqrt(s) }, 5, mean == MeanSample)
				o := letter(c.shape, c.ranks, 5)
				o.Mean = mean
				compare(t, mustFit(t, R1SVD2D{o}, x), want, x)
			})
		}
	}
}

func TestSVDEqualsTextbook(t *testing.T) {
	for _, c := range shapes {
		t.Run(times(c.shape), func(t *testing.T) {
			x := textbookSamples(20, c.shape, 6)
			ones := make([]float64, 20)
			for i := range ones {
				ones[i] = 1
			}
			samples := arraysOf(x, c.shape)
			once := mustFit(t, SVD2D{Options: Options{Shape: c.shape, Rank: c.ranks}, Once: true}, x)
			compare(t, once, textbookOnce(samples, ones, c.ranks), x)
			want := textbookCorr(samples, c.ranks, func(s float64) float64 { return s }, func(float64) float64 { return 1 }, 6, false)
			compare(t, mustFit(t, SVD2D{Options: letter(c.shape, c.ranks, 6)}, x), want, x)
		})
	}
}

func TestNPPEqualsTextbook(t *testing.T) {
	for _, shape := range [][]int{{6, 5}, {4, 5, 3}, {3, 6}} {
		for _, norm := range []Norm{Nuclear, Sparse} {
			t.Run(fmt.Sprint(times(shape), norm), func(t *testing.T) {
				x := textbookSamples(25, shape, 8)
				want, trace := textbookNPP(arraysOf(x, shape), 4, 2, 5, norm == Nuclear)
				if len(shape) == 3 {
					want.factors = append(want.factors, nil)
				}
				m := mustFit(t, NPP2D{Options: Options{Shape: shape, Rank: []int{2}, MaxSteps: 5, Tol: 1e-300}, Norm: norm, Neighbors: 4}, x)
				want.trace = trace
				compare(t, m, want, x)
				for i := 1; i < len(trace); i++ {
					if trace[i] > trace[i-1]*(1+1e-12) {
						t.Errorf("the objective rises: %v", trace)
					}
				}
			})
		}
	}
}
