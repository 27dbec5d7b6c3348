package tensor

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
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
