package tensor

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/tensor"
	"gonum.org/v1/gonum/mat"
)

// made draws low-rank samples of any order with dummies among them.
func made(t testing.TB, n int, shape, ranks []int, fraction float64, seed uint64) *synthetic.Generated {
	t.Helper()
	g := synthetic.DefaultLowRankTensor()
	g.N, g.Shape, g.Ranks, g.Fraction = n, shape, ranks, fraction
	out, err := g.Generate(seed)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A huge bandwidth makes correntropy least squares: the iterated 2DSVD, sweep by sweep from
// the ordinary start, and in the end from the default one.
func TestWideCorrIsIterated2DSVD(t *testing.T) {
	for _, c := range shapes[:4] {
		x := textbookSamples(40, c.shape, 11)
		for _, o := range []tensor.Options{
			{Shape: c.shape, Rank: c.ranks, Start: tensor.StartClassic, Plain: true, Tol: 1e-300, MaxSteps: 5},
			{Shape: c.shape, Rank: c.ranks, Start: tensor.StartClassic, Plain: true, Tol: 1e-300, MaxSteps: 100},
			{Shape: c.shape, Rank: c.ranks, Plain: true, Tol: 1e-300, MaxSteps: 300},
		} {
			tolerance := equal
			if o.Start != tensor.StartClassic { // the ends of two iterations, found by objectives that stand still
				tolerance = 1e-6
			}
			want := mustFit(t, tensor.SVD2D{Options: o}, x)
			m := mustFit(t, tensor.Corr{Options: o, Alpha: 2, P: 2, Beta: loss.FixedAt(1e120)}, x)
			for k := range c.shape {
				if e := apart(m.Factor(k), want.Factor(k)); e > tolerance {
					t.Errorf("%v from %s: factor %d is %g off", c.shape, o.Start, k, e)
				}
			}
			if e := largestDifference(m.Mean(), want.Mean()); e > equal {
				t.Errorf("%v from %s: mean is %g off", c.shape, o.Start, e)
			}
		}
		once := mustFit(t, tensor.SVD2D{Options: tensor.Options{Shape: c.shape, Rank: c.ranks}, Once: true}, x)
		if all := mustFit(t, tensor.SVD2D{Options: tensor.Options{Shape: c.shape, Rank: c.ranks}}, x); c.ranks[0] < c.shape[0] && apart(once.Factor(0), all.Factor(0)) < 1e-5 {
			t.Errorf("%v: the iteration changes nothing, so the data show nothing", c.shape)
		}
	}
}

// Turning every mode of all samples turns mean and factors and nothing else.
func TestRotationInvariance(t *testing.T) {
	shape, ranks := []int{6, 5, 3}, []int{3, 2, 2}
	x := textbookSamples(40, shape, 12)
	random := rand.New(rand.NewPCG(1, 2))
	turns := make([]*mat.Dense, len(shape))
	for k, n := range shape {
		turns[k] = mat.NewDense(n, n, nil)
		turns[k].Apply(func(_, _ int, _ float64) float64 { return random.NormFloat64() }, turns[k])
		linalg.Orthonormalize(turns[k])
	}
	turned := mat.NewDense(40, 90, nil)
	for i, s := range arraysOf(x, shape) {
		for k, q := range turns {
			s = s.timesMode(k, q)
		}
		turned.SetRow(i, s.data)
	}
	o := tensor.Options{Shape: shape, Rank: ranks, Tol: 1e-13, MaxSteps: 1000}
	for _, c := range []method{tensor.R1SVD2D{o}, tensor.Corr{Options: o}, tensor.Corr{Options: o, Alpha: 1.5, P: 1.5, Beta: loss.FixedAt(3)}, tensor.Robust{Options: o, Loss: loss.MustParse("cauchy")}} {
		a, b := mustFit(t, c, x), mustFit(t, c, turned)
		if e := largestDifference(a.Weights(), b.Weights()); e > 1e-6 {
			t.Errorf("%s: weights differ by %g", a.Method(), e)
		}
		for k, q := range turns {
			var moved mat.Dense
			moved.Mul(q, a.Factor(k))
			if e := apart(b.Factor(k), &moved); e > 1e-6 {
				t.Errorf("%s: factor %d is %g from the turned one", a.Method(), k, e)
			}
		}
	}
}

// While the bandwidth stands still the objective never rises; where the loss is concave no
// step needs shortening.
func TestTraceFalls(t *testing.T) {
	x := textbookSamples(60, []int{8, 7}, 13)
	for _, start := range []tensor.Start{tensor.StartAuto, tensor.StartClassic} {
		for _, l := range [][3]float64{{2, 0, 2}, {1, 0, 2}, {1.5, 0, 1}, {2, 2, 2}, {0.5, 3, 2}, {2, 1, 1}, {4, 5, 1}, {3, 5, 2}, {2, 5, 8}, {6, 0, 2}} {
			rule := loss.Rule{}
			if l[1] > 0 {
				rule = loss.FixedAt(l[1])
			}
			m := mustFit(t, tensor.Corr{Options: tensor.Options{Shape: []int{8, 7}, Rank: []int{4, 3}, Start: start}, Alpha: l[0], Beta: rule, P: l[2]}, x)
			steps := m.Steps()
			for k := 1; k < len(steps); k++ {
				a, b := steps[k-1], steps[k]
				if a.Stage == b.Stage && a.Scale == b.Scale && b.Objective > a.Objective*(1+1e-9) {
					t.Errorf("%v from %s: step %d rises from %v to %v", l, start, k, a.Objective, b.Objective)
				}
				if l[0]*l[2] <= 4 && b.Damping != 1 {
					t.Errorf("%v from %s: step %d was shortened to %v although the loss is concave", l, start, k, b.Damping)
				}
				if !(b.Effective >= 1 && b.Effective <= 60) {
					t.Errorf("%v: effective sample size %v", l, b.Effective)
				}
			}
			if m.Status() != irls.Converged && m.Status() != irls.Stalled {
				t.Errorf("%v from %s ended %v after %d steps", l, start, m.Status(), len(steps))
			}
		}
	}
}

// Powers that overflow and underflow must not produce anything but numbers.
func TestLargeAlpha(t *testing.T) {
	g := made(t, 60, []int{10, 9}, []int{3, 3}, 0.1, 1)
	for _, alpha := range []float64{7, 50, 100} {
		for _, beta := range []loss.Rule{{}, loss.FixedAt(1e-3), loss.FixedAt(0.8), loss.FixedAt(1e3)} {
			m := mustFit(t, tensor.Corr{Options: tensor.Options{Shape: []int{10, 9}, Rank: []int{3, 3}}, Alpha: alpha, Beta: beta}, g.Set.X)
			for _, w := range m.Weights() {
				if !(w >= 0 && w <= 1) {
					t.Fatalf("alpha %v, beta %v: weight %v", alpha, beta, w)
				}
			}
			for k := range 2 {
				if n := mat.Norm(m.Factor(k), 2); math.Abs(n-math.Sqrt(3)) > 1e-9 {
					t.Errorf("alpha %v, beta %v: factor %d has norm %v", alpha, beta, k, n)
				}
			}
		}
	}
}

func TestWarnings(t *testing.T) {
	g := made(t, 60, []int{10, 9}, []int{3, 3}, 0.1, 1)
	o := tensor.Options{Shape: []int{10, 9}, Rank: []int{3, 3}}
	says := func(c method, word string) bool {
		return strings.Contains(strings.Join(mustFit(t, c, g.Set.X).Warnings(), "\n"), word)
	}
	if !says(tensor.Corr{Options: o, Alpha: 4, Beta: loss.FixedAt(100)}, "median residual") {
		t.Error("no warning although the weight rises with the residual")
	}
	if !says(tensor.Corr{Options: o, Alpha: 2, Beta: loss.FixedAt(0.02)}, "effective sample") {
		t.Error("no warning although the weights collapse")
	}
	if m := mustFit(t, tensor.Corr{Options: o}, g.Set.X); len(m.Warnings()) > 0 {
		t.Errorf("defaults are warned of: %v", m.Warnings())
	}
	o.MaxSteps = 1
	if !says(tensor.Corr{Options: o}, "step limit") {
		t.Error("no warning of the step limit")
	}
}

// A spoilt corner of one image is where the residual is.
func TestEntriesOfAResidual(t *testing.T) {
	g := made(t, 60, []int{12, 12}, []int{3, 3}, 0, 2)
	x := mat.DenseCopyOf(g.Set.X)
	for _, at := range []int{0, 1, 12, 13} {
		x.Set(7, at, x.At(7, at)+8)
	}
	m := mustFit(t, tensor.Corr{Options: tensor.Options{Shape: []int{12, 12}, Rank: []int{3, 3}}}, x)
	e, err := m.Contributions(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	corner, all := 0.0, 0.0
	for j, v := range e.RawRowView(7) {
		all += v * v
		if slices.Contains([]int{0, 1, 12, 13}, j) {
			corner += v * v
		}
	}
	if corner < 0.6*all {
		t.Errorf("only %g of the residual lies where the image was spoilt", corner/all)
	}
	judged, err := m.Judge(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	if d := judged.OrthogonalDistance[7]; math.Abs(d*d-all) > 1e-9*all {
		t.Errorf("entries add up to %g, the squared distance is %g", all, d*d)
	}
	if !m.Training().Outlier[7] || m.Weights()[7] > 0.2 {
		t.Errorf("the spoilt image has weight %g and kind %v", m.Weights()[7], m.Training().Kind[7])
	}
}

func withRank(o tensor.Options, r int) tensor.Options {
	o.Rank = []int{r}
	return o
}

// every returns all methods with an option.
func every(o tensor.Options) []method {
	one := o
	if len(o.Shape) > 1 && len(o.Rank) > 1 {
		one = withRank(o, o.Rank[1])
	}
	return []method{
		tensor.PCA2D{one}, tensor.L1PCA2D{one}, tensor.NPP2D{Options: one, Norm: tensor.Nuclear}, tensor.NPP2D{Options: one, Norm: tensor.Sparse},
		tensor.SVD2D{Options: o}, tensor.SVD2D{Options: o, Once: true}, tensor.R1SVD2D{o}, tensor.Corr{Options: o}, tensor.Corr{Options: o, Alpha: 1.5, Beta: loss.FixedAt(0.8), Unit: tensor.UnitMeanNorm},
		tensor.Robust{Options: o, Loss: loss.MustParse("tukey")},
	}
}

func TestBadInput(t *testing.T) {
	x := textbookSamples(10, []int{5, 4}, 1)
	with := func(v float64) *mat.Dense {
		y := mat.DenseCopyOf(x)
		y.Set(6, 3, v)
		return y
	}
	huge := mat.DenseCopyOf(x)
	huge.Scale(1e200, huge)
	ok := tensor.Options{Shape: []int{5, 4}, Rank: []int{2, 2}}
	change := func(f func(o *tensor.Options)) tensor.Options {
		o := ok
		f(&o)
		return o
	}
	for _, c := range []struct {
		o    tensor.Options
		x    *mat.Dense
		says string
	}{
		{change(func(o *tensor.Options) { o.Shape = nil }), x, "20 columns have no shape"},
		{change(func(o *tensor.Options) { o.Shape = []int{5, 5} }), x, "shape=5x5 does not multiply to the 20 columns"},
		{change(func(o *tensor.Options) { o.Shape = []int{-5, -4} }), x, "shape=-5x-4 does not multiply to the 20 columns"},
		{change(func(o *tensor.Options) { o.Rank = []int{6, 2} }), x, "rank=6x2 does not go with samples of shape 5x4"},
		{change(func(o *tensor.Options) { o.Rank = []int{2, 2, 2} }), x, "rank=2x2x2"},
		{change(func(o *tensor.Options) { o.Rank = []int{0, 2} }), x, "rank=0x2"},
		{change(func(o *tensor.Options) { o.LearnRank = []int{9, 9} }), x, "learn-rank=9x9"},
		{change(func(o *tensor.Options) { o.Start = "zero" }), x, `start=zero`},
		{change(func(o *tensor.Options) { o.Mean = "zero" }), x, `mean=zero`},
		{change(func(o *tensor.Options) { o.Share = 2 }), x, "share=2"},
		{change(func(o *tensor.Options) { o.Weights = []float64{1} }), x, "1 weights for 10 samples"},
		{change(func(o *tensor.Options) { o.Weights = make([]float64, 10) }), x, "0 sample has a weight above 0"},
		{change(func(o *tensor.Options) { o.Weights = slices.Repeat([]float64{-1}, 10) }), x, "weight -1 of sample 1"},
		{ok, with(math.NaN()), "row 7, column 4 is missing"},
		{ok, with(math.Inf(1)), "row 7, column 4 is infinite"},
		{ok, huge, "too large"},
		{ok, mat.DenseCopyOf(x.Slice(0, 1, 0, 20)), "1 sample given"},
	} {
		_, err := tensor.Corr{Options: c.o}.Fit(context.Background(), linalg.FromDense(c.x))
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("got %v, want %q", err, c.says)
		}
	}
	if _, err := (tensor.PCA2D{tensor.Options{Shape: []int{20}, Rank: []int{2}}}).Fit(context.Background(), linalg.FromDense(x)); err == nil {
		t.Error("2dpca of samples without columns: no error")
	}
	if _, err := (tensor.PCA2D{tensor.Options{Shape: []int{5, 4}, Rank: []int{3, 2}}}).Fit(context.Background(), linalg.FromDense(x)); err == nil {
		t.Error("2dpca with a rank for the rows: no error")
	}
	if _, err := (tensor.NPP2D{Options: withRank(ok, 2), Neighbors: 10}).Fit(context.Background(), linalg.FromDense(x)); err == nil {
		t.Error("as many neighbours as samples: no error")
	}
	if _, err := (tensor.Corr{Options: ok, Alpha: 1e6}).Fit(context.Background(), linalg.FromDense(x)); err == nil {
		t.Error("alpha out of range: no error")
	}
	m := mustFit(t, tensor.Corr{Options: ok}, x)
	for _, y := range []*mat.Dense{mat.NewDense(2, 19, nil), with(math.NaN()), with(math.Inf(-1))} {
		if _, err := m.Transform(context.Background(), y); err == nil {
			t.Error("bad samples are transformed")
		}
		if _, err := m.Judge(context.Background(), y); err == nil {
			t.Error("bad samples are judged")
		}
	}
	if _, err := m.Inverse(context.Background(), mat.NewDense(2, 5, nil)); err == nil {
		t.Error("cores of another size are brought back")
	}
}

// The automatic ranks keep the share and are the true ones of clean low-rank samples.
func TestAutomaticRank(t *testing.T) {
	c := synthetic.DefaultLowRankTensor()
	c.Shape, c.Ranks, c.Fraction, c.Noise = []int{12, 10, 3}, []int{3, 2, 2}, 0.2, 0.01
	g, err := c.Generate(8)
	if err != nil {
		t.Fatal(err)
	}
	m := mustFit(t, tensor.Corr{Options: tensor.Options{Shape: []int{12, 10, 3}, Share: 0.98}}, g.Set.X)
	if !slices.Equal(m.Ranks(), []int{3, 2, 2}) {
		t.Errorf("ranks %v", m.Ranks())
	}
	if m.Explained().Robust < 0.97 {
		t.Errorf("only %g is kept", m.Explained().Robust)
	}
	for _, c := range []method{tensor.PCA2D{tensor.Options{Shape: []int{12, 30}}}, tensor.L1PCA2D{tensor.Options{Shape: []int{12, 30}}}, tensor.SVD2D{Options: tensor.Options{Shape: []int{12, 30}}}} {
		if m := mustFit(t, c, g.Set.X); m.Explained().Classical < 0.89 || m.Ranks()[1] == 30 {
			t.Errorf("%s keeps %g with ranks %v", m.Method(), m.Explained().Classical, m.Ranks())
		}
	}
}

// A fit that is cancelled gives the best so far, or the context's error when there is none.
func TestCancel(t *testing.T) {
	x := textbookSamples(40, []int{6, 5}, 1)
	ctx, cancel := context.WithCancel(context.Background())
	o := tensor.Options{Shape: []int{6, 5}, Rank: []int{3, 2}, Tol: 1e-300, OnStep: func(s irls.Step) {
		if s.Number == 2 {
			cancel()
		}
	}}
	m, err := tensor.R1SVD2D{o}.Fit(ctx, linalg.FromDense(x))
	if err != nil || m.Status() != irls.Cancelled || len(m.Steps()) != 3 {
		t.Errorf("got %v, %v", m, err)
	}
	for _, c := range every(tensor.Options{Shape: []int{6, 5}, Rank: []int{3, 2}}) {
		if _, err := c.Fit(ctx, linalg.FromDense(x)); !errors.Is(err, context.Canceled) {
			t.Errorf("%T: %v", c, err)
		}
	}
}
