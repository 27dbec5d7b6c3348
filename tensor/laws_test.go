package tensor

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
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
		for _, o := range []Options{
			{Shape: c.shape, Rank: c.ranks, Start: StartClassic, Plain: true, Tol: 1e-300, MaxSteps: 5},
			{Shape: c.shape, Rank: c.ranks, Start: StartClassic, Plain: true, Tol: 1e-300, MaxSteps: 100},
			{Shape: c.shape, Rank: c.ranks, Plain: true, Tol: 1e-300, MaxSteps: 300},
		} {
			tolerance := equal
			if o.Start != StartClassic { // the ends of two iterations, found by objectives that stand still
				tolerance = 1e-6
			}
			want := mustFit(t, SVD2D{Options: o}, x)
			m := mustFit(t, Corr{Options: o, Alpha: 2, P: 2, Beta: loss.FixedAt(1e120)}, x)
			for k := range c.shape {
				if e := apart(m.Factor(k), want.Factor(k)); e > tolerance {
					t.Errorf("%v from %s: factor %d is %g off", c.shape, o.Start, k, e)
				}
			}
			if e := largestDifference(m.Mean(), want.Mean()); e > equal {
				t.Errorf("%v from %s: mean is %g off", c.shape, o.Start, e)
			}
		}
		once := mustFit(t, SVD2D{Options: Options{Shape: c.shape, Rank: c.ranks}, Once: true}, x)
		if all := mustFit(t, SVD2D{Options: Options{Shape: c.shape, Rank: c.ranks}}, x); c.ranks[0] < c.shape[0] && apart(once.Factor(0), all.Factor(0)) < 1e-5 {
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
	o := Options{Shape: shape, Rank: ranks, Tol: 1e-13, MaxSteps: 1000}
	for _, c := range []method{R1SVD2D{o}, Corr{Options: o}, Corr{Options: o, Alpha: 1.5, P: 1.5, Beta: loss.FixedAt(3)}, Robust{Options: o, Loss: loss.MustParse("cauchy")}} {
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
	for _, start := range []Start{StartAuto, StartClassic} {
		for _, l := range [][3]float64{{2, 0, 2}, {1, 0, 2}, {1.5, 0, 1}, {2, 2, 2}, {0.5, 3, 2}, {2, 1, 1}, {4, 5, 1}, {3, 5, 2}, {2, 5, 8}, {6, 0, 2}} {
			rule := loss.Rule{}
			if l[1] > 0 {
				rule = loss.FixedAt(l[1])
			}
			m := mustFit(t, Corr{Options: Options{Shape: []int{8, 7}, Rank: []int{4, 3}, Start: start}, Alpha: l[0], Beta: rule, P: l[2]}, x)
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
			m := mustFit(t, Corr{Options: Options{Shape: []int{10, 9}, Rank: []int{3, 3}}, Alpha: alpha, Beta: beta}, g.Set.X)
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
	o := Options{Shape: []int{10, 9}, Rank: []int{3, 3}}
	says := func(c method, word string) bool {
		return strings.Contains(strings.Join(mustFit(t, c, g.Set.X).Warnings(), "\n"), word)
	}
	if !says(Corr{Options: o, Alpha: 4, Beta: loss.FixedAt(100)}, "median residual") {
		t.Error("no warning although the weight rises with the residual")
	}
	if !says(Corr{Options: o, Alpha: 2, Beta: loss.FixedAt(0.02)}, "effective sample") {
		t.Error("no warning although the weights collapse")
	}
	if m := mustFit(t, Corr{Options: o}, g.Set.X); len(m.Warnings()) > 0 {
		t.Errorf("defaults are warned of: %v", m.Warnings())
	}
	o.MaxSteps = 1
	if !says(Corr{Options: o}, "step limit") {
		t.Error("no warning of the step limit")
	}
}

// The factors behind dirty samples are found, whatever the order; least squares loses them.
func TestDummies(t *testing.T) {
	for _, c := range []struct{ shape, ranks []int }{{[]int{16, 12}, []int{3, 2}}, {[]int{12, 10, 3}, []int{3, 2, 2}}, {[]int{6, 5, 4, 3}, []int{2, 2, 2, 2}}} {
		for _, fraction := range []float64{0.1, 0.3} {
			g := made(t, 100, c.shape, c.ranks, fraction, 5)
			o := Options{Shape: c.shape, Rank: c.ranks}
			worst := func(m *Model) float64 {
				angle := 0.0
				for k := range c.shape {
					angle = math.Max(angle, sine(g.Truth.Factors[k], m.Factor(k)))
				}
				return angle
			}
			robust := mustFit(t, Corr{Options: o}, g.Set.X)
			if e := worst(robust); e > 0.02 {
				t.Errorf("%v, %g dummies: factors are %g off", c.shape, fraction, e)
			}
			if plain := worst(mustFit(t, SVD2D{Options: o}, g.Set.X)); plain < 2*worst(robust) {
				t.Errorf("%v, %g dummies: least squares is %g off, so the data show nothing", c.shape, fraction, plain)
			}
			missed, alarms := 0, 0
			for i, bad := range g.Truth.Outlier {
				switch flagged := robust.Training().Outlier[i]; {
				case bad && !flagged:
					missed++
				case !bad && flagged:
					alarms++
				}
			}
			if missed > 0 || alarms > 15 {
				t.Errorf("%v: %d dummies missed, %d false alarms", c.shape, missed, alarms)
			}
		}
	}
}

// A quarter of the samples are one far pattern with little noise: the ordinary start
// follows it, the default start does not.
func TestClusteredOutliers(t *testing.T) {
	shape, ranks := []int{10, 8}, []int{2, 2}
	g := made(t, 80, shape, ranks, 0, 9)
	random := rand.New(rand.NewPCG(4, 4))
	far := make([]float64, 80)
	for j := range far {
		far[j] = 5 * math.Sin(float64(1+j/8)) * math.Cos(float64(1+j%8))
	}
	x := mat.DenseCopyOf(g.Set.X)
	for i := range 20 {
		for j := range far {
			x.Set(4*i, j, far[j]+0.05*random.NormFloat64())
		}
	}
	angle := func(start Start) float64 {
		m := mustFit(t, Corr{Options: Options{Shape: shape, Rank: ranks, Start: start}}, x)
		return math.Max(sine(g.Truth.Factors[0], m.Factor(0)), sine(g.Truth.Factors[1], m.Factor(1)))
	}
	if e := angle(StartAuto); e > 0.05 {
		t.Errorf("factors are %g off", e)
	}
	if e := angle(StartClassic); e < 0.3 {
		t.Errorf("the ordinary start is only %g off: the data show nothing", e)
	}
}

// A spoilt corner of one image is where the residual is.
func TestEntriesOfAResidual(t *testing.T) {
	g := made(t, 60, []int{12, 12}, []int{3, 3}, 0, 2)
	x := mat.DenseCopyOf(g.Set.X)
	for _, at := range []int{0, 1, 12, 13} {
		x.Set(7, at, x.At(7, at)+8)
	}
	m := mustFit(t, Corr{Options: Options{Shape: []int{12, 12}, Rank: []int{3, 3}}}, x)
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

// An integer weight acts like repeating the sample, weight 0 like leaving it out: in the
// start, the half, the factors, the cut-offs and the verdicts.
func TestWeightsAreRepetitions(t *testing.T) {
	shape := []int{6, 5}
	x := textbookSamples(40, shape, 14)
	for j := range 30 {
		x.Set(4, j, 50*x.At(4, j))   // a bad sample with weight 1
		x.Set(11, j, 1e3*x.At(5, j)) // a hopeless one with weight 2
		x.Set(3, j, 1e300)           // one that is not there
	}
	w := make([]float64, 40)
	var rows []int
	for i := range w {
		w[i] = float64(i % 3)
		for range i % 3 {
			rows = append(rows, i)
		}
	}
	repeated := mat.NewDense(len(rows), 30, nil)
	for k, i := range rows {
		repeated.SetRow(k, x.RawRowView(i))
	}
	for _, start := range []Start{StartAuto, StartClassic} {
		o := Options{Shape: shape, Rank: []int{3, 2}, Start: start, Tol: 1e-14, MaxSteps: 3000}
		weighted := o
		weighted.Weights = w
		for k, m := range every(o) {
			other := every(weighted)[k]
			if npp, ok := m.(NPP2D); ok { // creeps near its end
				same := other.(NPP2D)
				npp.MaxSteps, same.MaxSteps = 10, 10
				m, other = npp, same
			}
			a, b := mustFit(t, m, repeated), mustFit(t, other, x)
			name := fmt.Sprintf("%s from %s", a.Method(), start)
			for k := range shape {
				if e := apart(a.Factor(k), b.Factor(k)); e > 1e-5 {
					t.Errorf("%s: factor %d differs by %g", name, k, e)
				}
			}
			for i, r := range rows {
				p, q := a.Training(), b.Training()
				if math.Abs(p.OrthogonalDistance[i]-q.OrthogonalDistance[r]) > 1e-5*p.OrthogonalDistance[i] || p.Kind[i] != q.Kind[r] {
					t.Errorf("%s: sample %d is %v at %g, repeated %v at %g", name, r, q.Kind[r], q.OrthogonalDistance[r], p.Kind[i], p.OrthogonalDistance[i])
				}
			}
			for what, pair := range map[string][2]float64{"orthogonal": {a.orthogonalCutoff, b.orthogonalCutoff}, "score": {a.scoreCutoff, b.scoreCutoff}} {
				if math.Abs(pair[0]-pair[1]) > 1e-5*pair[0] {
					t.Errorf("%s: the %s cut-off is %g, with repeated samples %g", name, what, pair[1], pair[0])
				}
			}
		}
	}
}

func withRank(o Options, r int) Options {
	o.Rank = []int{r}
	return o
}

// every returns all methods with an option.
func every(o Options) []method {
	one := o
	if len(o.Shape) > 1 && len(o.Rank) > 1 {
		one = withRank(o, o.Rank[1])
	}
	return []method{
		PCA2D{one}, L1PCA2D{one}, NPP2D{Options: one, Norm: Nuclear}, NPP2D{Options: one, Norm: Sparse},
		SVD2D{Options: o}, SVD2D{Options: o, Once: true}, R1SVD2D{o}, Corr{Options: o}, Corr{Options: o, Alpha: 1.5, Beta: loss.FixedAt(0.8), Unit: UnitMeanNorm},
		Robust{Options: o, Loss: loss.MustParse("tukey")},
	}
}

// The number of workers changes nothing, to the last bit; nor is the input changed. A source that is read in
// blocks gives the same up to rounding.
func TestWorkersAndSources(t *testing.T) {
	defer linalg.SetThreads(0)
	shape := []int{9, 8, 3}
	g := made(t, 400, shape, []int{3, 3, 2}, 0.1, 3)
	x := g.Set.X
	before := mat.DenseCopyOf(x)
	for _, c := range every(Options{Shape: shape, Rank: []int{3, 3, 2}, MaxSteps: 4}) {
		var first *Model
		for _, threads := range []int{1, 3} {
			linalg.SetThreads(threads)
			m := mustFit(t, c, x)
			if first == nil {
				first = m
				continue
			}
			for k := range shape {
				if !mat.Equal(first.Factor(k), m.Factor(k)) {
					t.Errorf("%s: factor %d depends on the number of workers", m.Method(), k)
				}
			}
			if !slices.Equal(first.Weights(), m.Weights()) || !slices.Equal(first.Mean(), m.Mean()) {
				t.Errorf("%s: mean or weights depend on the number of workers", m.Method())
			}
		}
		held = 0 // as if it were larger than memory
		m, err := c.Fit(context.Background(), &stream{x})
		held = linalg.HeldNumbers
		if err != nil {
			t.Fatal(err)
		}
		if e := largestDifference(m.Mean(), first.Mean()); e > 1e-6 {
			t.Errorf("%s: mean differs by %g when the samples are read in blocks", m.Method(), e)
		}
	}
	if !mat.Equal(before, x) {
		t.Error("a fit changed its input")
	}
}

// stream is a source that is not a matrix in memory.
type stream struct{ x *mat.Dense }

func (s *stream) Dims() (int, int) { return s.x.Dims() }
func (s *stream) Scan(ctx context.Context, visit func(first int, block *mat.Dense) error) error {
	return linalg.FromDense(s.x).Scan(ctx, visit)
}

func TestDegenerateData(t *testing.T) {
	shape := []int{5, 4}
	constant := mat.NewDense(6, 20, nil)
	constant.Apply(func(_, j int, _ float64) float64 { return float64(j) }, constant)
	g := synthetic.DefaultLowRankTensor()
	g.N, g.Shape, g.Ranks, g.Fraction, g.Noise = 30, shape, []int{2, 2}, 0, 0
	exact, err := g.Generate(1)
	if err != nil {
		t.Fatal(err)
	}
	majority := mat.NewDense(12, 20, nil)
	for i := range 12 {
		majority.SetRow(i, exact.Set.X.RawRowView(0))
	}
	majority.SetRow(11, exact.Set.X.RawRowView(1))
	two := mat.DenseCopyOf(exact.Set.X.Slice(0, 2, 0, 20))
	border := mat.DenseCopyOf(exact.Set.X) // first column and row of every image black
	for i := range 30 {
		for j := range 20 {
			if j < 4 || j%4 == 0 {
				border.Set(i, j, 0)
			}
		}
	}
	far := mat.DenseCopyOf(exact.Set.X)
	far.Apply(func(_, _ int, v float64) float64 { return 1e9 + v }, far)
	for _, c := range every(Options{Shape: shape, Rank: []int{2, 2}, MaxSteps: 30}) {
		if _, err := c.Fit(context.Background(), linalg.FromDense(constant)); !errors.Is(err, errConstant) {
			t.Errorf("%T: equal samples give %v", c, err)
		}
		for name, x := range map[string]*mat.Dense{"exact": exact.Set.X, "majority": majority, "border": border, "far": far} {
			m := mustFit(t, c, x)
			if _, unusual := c.(NPP2D); !unusual && name == "exact" && m.TrainingErrors().Norm > 1e-9 {
				t.Errorf("%s: samples of exact rank leave an error of %g", m.Method(), m.TrainingErrors().Norm)
			}
			checkNumbers(t, name, m)
		}
		if _, ok := c.(NPP2D); !ok {
			checkNumbers(t, "two", mustFit(t, c, two))
		}
	}
	if m := mustFit(t, Corr{Options: Options{Shape: shape, Rank: []int{2, 2}}}, exact.Set.X); m.Status() != irls.PerfectFit {
		t.Errorf("samples of exact rank end with %v", m.Status())
	}
	// The rank of the mode's Gram matrix is smaller than what is asked for.
	checkNumbers(t, "rank", mustFit(t, Corr{Options: Options{Shape: shape, Rank: []int{4, 3}}}, exact.Set.X))
}

func checkNumbers(t *testing.T, name string, m *Model) {
	t.Helper()
	for _, list := range [][]float64{m.Mean(), m.Weights(), m.Training().OrthogonalDistance, m.Training().ScoreDistance, m.Training().Weight, {m.scoreCutoff, m.orthogonalCutoff, m.largest}} {
		for _, v := range list {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%s on %s: %v among the numbers", m.Method(), name, v)
				return
			}
		}
	}
	for k := range m.Shape() {
		if err := checkOrthonormal(k, m.Factor(k)); err != nil {
			t.Errorf("%s on %s: %v", m.Method(), name, err)
		}
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
	ok := Options{Shape: []int{5, 4}, Rank: []int{2, 2}}
	change := func(f func(o *Options)) Options {
		o := ok
		f(&o)
		return o
	}
	for _, c := range []struct {
		o    Options
		x    *mat.Dense
		says string
	}{
		{change(func(o *Options) { o.Shape = nil }), x, "20 columns have no shape"},
		{change(func(o *Options) { o.Shape = []int{5, 5} }), x, "shape=5x5 does not multiply to the 20 columns"},
		{change(func(o *Options) { o.Shape = []int{-5, -4} }), x, "shape=-5x-4 does not multiply to the 20 columns"},
		{change(func(o *Options) { o.Rank = []int{6, 2} }), x, "rank=6x2 does not go with samples of shape 5x4"},
		{change(func(o *Options) { o.Rank = []int{2, 2, 2} }), x, "rank=2x2x2"},
		{change(func(o *Options) { o.Rank = []int{0, 2} }), x, "rank=0x2"},
		{change(func(o *Options) { o.LearnRank = []int{9, 9} }), x, "learn-rank=9x9"},
		{change(func(o *Options) { o.Start = "zero" }), x, `start=zero`},
		{change(func(o *Options) { o.Mean = "zero" }), x, `mean=zero`},
		{change(func(o *Options) { o.Share = 2 }), x, "share=2"},
		{change(func(o *Options) { o.Weights = []float64{1} }), x, "1 weights for 10 samples"},
		{change(func(o *Options) { o.Weights = make([]float64, 10) }), x, "0 sample has a weight above 0"},
		{change(func(o *Options) { o.Weights = slices.Repeat([]float64{-1}, 10) }), x, "weight -1 of sample 1"},
		{ok, with(math.NaN()), "row 7, column 4 is missing"},
		{ok, with(math.Inf(1)), "row 7, column 4 is infinite"},
		{ok, huge, "too large"},
		{ok, mat.DenseCopyOf(x.Slice(0, 1, 0, 20)), "1 sample given"},
	} {
		_, err := Corr{Options: c.o}.Fit(context.Background(), linalg.FromDense(c.x))
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("got %v, want %q", err, c.says)
		}
	}
	if _, err := (PCA2D{Options{Shape: []int{20}, Rank: []int{2}}}).Fit(context.Background(), linalg.FromDense(x)); err == nil {
		t.Error("2dpca of samples without columns: no error")
	}
	if _, err := (PCA2D{Options{Shape: []int{5, 4}, Rank: []int{3, 2}}}).Fit(context.Background(), linalg.FromDense(x)); err == nil {
		t.Error("2dpca with a rank for the rows: no error")
	}
	if _, err := (NPP2D{Options: withRank(ok, 2), Neighbors: 10}).Fit(context.Background(), linalg.FromDense(x)); err == nil {
		t.Error("as many neighbours as samples: no error")
	}
	if _, err := (Corr{Options: ok, Alpha: 1e6}).Fit(context.Background(), linalg.FromDense(x)); err == nil {
		t.Error("alpha out of range: no error")
	}
	m := mustFit(t, Corr{Options: ok}, x)
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
	m := mustFit(t, Corr{Options: Options{Shape: []int{12, 10, 3}, Share: 0.98}}, g.Set.X)
	if !slices.Equal(m.Ranks(), []int{3, 2, 2}) {
		t.Errorf("ranks %v", m.Ranks())
	}
	if m.Explained().Robust < 0.97 {
		t.Errorf("only %g is kept", m.Explained().Robust)
	}
	for _, c := range []method{PCA2D{Options{Shape: []int{12, 30}}}, L1PCA2D{Options{Shape: []int{12, 30}}}, SVD2D{Options: Options{Shape: []int{12, 30}}}} {
		if m := mustFit(t, c, g.Set.X); m.Explained().Classical < 0.89 || m.Ranks()[1] == 30 {
			t.Errorf("%s keeps %g with ranks %v", m.Method(), m.Explained().Classical, m.Ranks())
		}
	}
}

// A fit that is cancelled gives the best so far, or the context's error when there is none.
func TestCancel(t *testing.T) {
	x := textbookSamples(40, []int{6, 5}, 1)
	ctx, cancel := context.WithCancel(context.Background())
	o := Options{Shape: []int{6, 5}, Rank: []int{3, 2}, Tol: 1e-300, OnStep: func(s irls.Step) {
		if s.Number == 2 {
			cancel()
		}
	}}
	m, err := R1SVD2D{o}.Fit(ctx, linalg.FromDense(x))
	if err != nil || m.Status() != irls.Cancelled || len(m.Steps()) != 3 {
		t.Errorf("got %v, %v", m, err)
	}
	for _, c := range every(Options{Shape: []int{6, 5}, Rank: []int{3, 2}}) {
		if _, err := c.Fit(ctx, linalg.FromDense(x)); !errors.Is(err, context.Canceled) {
			t.Errorf("%T: %v", c, err)
		}
	}
}

func TestPartsRoundTrip(t *testing.T) {
	shape := []int{6, 5, 3}
	x := textbookSamples(40, shape, 2)
	for _, c := range every(Options{Shape: shape, Rank: []int{3, 2, 2}}) {
		m := mustFit(t, c, x)
		back, err := fromParts(m.parts())
		if err != nil {
			t.Fatal(err)
		}
		a, err := m.Judge(context.Background(), x)
		if err != nil {
			t.Fatal(err)
		}
		b, err := back.Judge(context.Background(), x)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(a) != fmt.Sprint(b) {
			t.Errorf("%s judges differently after a round trip", m.Method())
		}
	}
	m := mustFit(t, SVD2D{Options: Options{Shape: shape, Rank: []int{3, 2, 2}}}, x)
	for name, spoil := range map[string]func(p *parts){
		"mean":      func(p *parts) { p.Mean = p.Mean[1:] },
		"factor":    func(p *parts) { p.Factors[1].Set(0, 0, 7) },
		"count":     func(p *parts) { p.Factors = p.Factors[1:] },
		"shape":     func(p *parts) { p.Shape = []int{5, 6, 3} },
		"cut-off":   func(p *parts) { p.ScoreCutoff = math.NaN() },
		"variances": func(p *parts) { p.Variances = [][]float64{{1}, {1}, {1}} },
		"loss":      func(p *parts) { p.Loss = "nonsense" },
	} {
		p := m.parts()
		spoil(&p)
		if _, err := fromParts(p); err == nil {
			t.Errorf("a spoilt %s is accepted", name)
		}
	}
}
