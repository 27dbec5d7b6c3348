package pca

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/pca"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// correlated makes rows whose columns share a factor, with centred columns.
func correlated(n, l int, seed uint64) *mat.Dense {
	random := rand.New(rand.NewPCG(seed, 7))
	x := mat.NewDense(n, l, nil)
	for k := range n {
		common := random.NormFloat64()
		for i := range l {
			x.Set(k, i, common*float64(i%3)+random.NormFloat64()*(0.5+0.3*float64(i)))
		}
	}
	return centredCopy(x)
}

func centredCopy(x *mat.Dense) *mat.Dense {
	out := mat.DenseCopyOf(x)
	n, l := x.Dims()
	for i := range l {
		mean := stat.Mean(mat.Col(nil, i, x), nil)
		for k := range n {
			out.Set(k, i, x.At(k, i)-mean)
		}
	}
	return out
}

func largestDifference(a, b mat.Matrix) float64 {
	r, c := a.Dims()
	worst := 0.0
	for i := range r {
		for j := range c {
			if d := math.Abs(a.At(i, j) - b.At(i, j)); d > worst || math.IsNaN(d) {
				worst = d
			}
		}
	}
	return worst
}

// For a wide kernel sigma^2 V = covariance + O(1/sigma^2), down to kernels so wide that
// the difference of two numbers near one would have no digit left.
func TestCorrentropyTendsToCovariance(t *testing.T) {
	x := correlated(90, 4, 10)
	cov := mat.NewSymDense(4, nil)
	stat.CovarianceMatrix(cov, x, nil)
	cov.ScaleSym(89.0/90, cov) // divisor N
	before := math.Inf(1)
	for _, sigma := range []float64{1e2, 1e3, 1e4, 1e9, 1e100} {
		m, err := pca.Correntropy{Sigma: sigma, Components: 4}.Fit(t.Context(), linalg.FromDense(x))
		if err != nil {
			t.Fatal(err)
		}
		v := m.Matrix()
		v.ScaleSym(sigma, v)
		v.ScaleSym(sigma, v)
		d := largestDifference(v, cov)
		if bound := math.Max(100*mat.Norm(cov, 2)/(sigma*sigma), 1e-12) * mat.Norm(cov, 2); d > bound || d > before {
			t.Errorf("sigma %g: off the covariance by %.2g (bound %.2g, before %.2g)", sigma, d, bound, before)
		}
		before = math.Max(d, 1e-11)
	}
}

// The next term: kappa = 1 - u^2/2s^2 + u^4/8s^4. Its matrix is worked out from moments.
func TestCorrentropySecondOrder(t *testing.T) {
	x := correlated(70, 3, 11)
	sigma := 300.0
	m, err := pca.Correntropy{Sigma: sigma}.Fit(t.Context(), linalg.FromDense(x))
	if err != nil {
		t.Fatal(err)
	}
	// E(x-y)^4 over rows less over pairs: -4 cov(x^3,y) + 6 cov(x^2,y^2) - 4 cov(x,y^3).
	cov := func(i, p, j, q int) float64 {
		a, b := mat.Col(nil, i, x), mat.Col(nil, j, x)
		for k := range a {
			a[k], b[k] = math.Pow(a[k], float64(p)), math.Pow(b[k], float64(q))
		}
		return stat.Covariance(a, b, nil) * 69 / 70
	}
	s2 := sigma * sigma
	for i := range 3 {
		for j := range 3 {
			fourth := -4*cov(i, 3, j, 1) + 6*cov(i, 2, j, 2) - 4*cov(i, 1, j, 3)
			rest := s2 * (s2*m.Matrix().At(i, j) - cov(i, 1, j, 1))
			if d := math.Abs(rest - fourth/8); d > 2e-3*(1+math.Abs(fourth)) {
				t.Errorf("entry %d,%d: second order %g, expected %g", i, j, rest, fourth/8)
			}
		}
	}
}

func TestCorrentropyNarrowKernel(t *testing.T) {
	x := correlated(50, 4, 12)
	for _, sigma := range []float64{1e-8, 1e-150, 1e-300, 5e-324} {
		m, err := pca.Correntropy{Sigma: sigma}.Fit(t.Context(), linalg.FromDense(x))
		if err != nil {
			t.Fatal(err)
		}
		want := mat.NewDiagDense(4, []float64{0.98, 0.98, 0.98, 0.98}) // 1 - 1/N, no value twice
		if d := largestDifference(m.Matrix(), want); d > 1e-14 {
			t.Errorf("sigma %g: off (1-1/N) I by %.2g", sigma, d)
		}
		if _, err := m.Judge(t.Context(), x); err != nil {
			t.Errorf("sigma %g: %v", sigma, err)
		}
	}
}

func TestCorrentropyInvariances(t *testing.T) {
	x := correlated(100, 4, 13)
	fit := func(c pca.Correntropy, x *mat.Dense) (*pca.CorrentropyModel, *mat.Dense) {
		t.Helper()
		m, err := c.Fit(t.Context(), linalg.FromDense(x))
		if err != nil {
			t.Fatal(err)
		}
		scores, err := m.Transform(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		return m, scores
	}
	m, scores := fit(pca.Correntropy{Components: 3}, x)
	check := func(name string, m2 *pca.CorrentropyModel, scores2 mat.Matrix, tolerance float64) {
		t.Helper()
		for j, v := range m.Eigenvalues() {
			if d := math.Abs(v - m2.Eigenvalues()[j]); d > tolerance {
				t.Errorf("%s: eigenvalue %d differs by %.2g", name, j, d)
			}
		}
		if d := largestDifference(scores, scores2); d > tolerance {
			t.Errorf("%s: scores differ by %.2g", name, d)
		}
	}
	changed := mat.NewDense(100, 4, nil)
	changed.Apply(func(_, i int, v float64) float64 { return 1000*v + 1e4*float64(i) }, x)
	m2, scores2 := fit(pca.Correntropy{Components: 3}, changed)
	check("unit and offset", m2, scores2, 1e-9)
	if math.Abs(m2.Sigma()/m.Sigma()-1000) > 1e-9 {
		t.Errorf("sigma %g does not follow the unit from %g", m2.Sigma(), m.Sigma())
	}
	changed.Apply(func(k, _ int, _ float64) float64 { return 0 }, x)
	for k := range 100 {
		changed.SetRow(k, x.RawRowView((k*37+5)%100))
	}
	m2, scores2 = fit(pca.Correntropy{Components: 3}, changed)
	back := mat.NewDense(100, 3, nil)
	for k := range 100 {
		back.SetRow((k*37+5)%100, scores2.RawRowView(k))
	}
	check("order of rows", m2, back, 1e-10)
	changed.Apply(func(k, i int, _ float64) float64 { return x.At(k, 3-i) }, x)
	m2, scores2 = fit(pca.Correntropy{Components: 3}, changed)
	check("order of columns", m2, scores2, 1e-10)
}

// By medians neither units nor a far value in another row say what a row is.
func TestCorrentropyByMedians(t *testing.T) {
	x := correlated(80, 3, 19)
	y := mat.DenseCopyOf(x)
	y.Apply(func(_, j int, v float64) float64 { return []float64{1e-9, 1, 1e6}[j] * (v + 3) }, y)
	var models []*pca.CorrentropyModel
	for _, table := range []*mat.Dense{x, y} {
		table.Set(7, 0, -1e300)
		m, err := pca.Correntropy{Scaling: pca.ScaleRobust, Components: 2}.Fit(t.Context(), linalg.FromDense(table))
		if err != nil {
			t.Fatal(err)
		}
		models = append(models, m)
	}
	if a, b := models[0], models[1]; !mat.EqualApprox(a.Matrix(), b.Matrix(), 1e-9) || math.Abs(a.Sigma()-b.Sigma()) > 1e-9 || a.Sigma() > 1 {
		t.Errorf("kernel sizes %g and %g", a.Sigma(), b.Sigma())
	}
	for i := range 10 {
		if a, b := models[0].JudgeRow(x.RawRowView(i)), models[1].JudgeRow(y.RawRowView(i)); a.Outlier != b.Outlier || !near(a.ScoreDistance, b.ScoreDistance) {
			t.Errorf("row %d: %+v, in other units %+v", i+1, a, b)
		}
	}
}

func TestCorrentropyRefusesBadInput(t *testing.T) {
	good := correlated(20, 3, 19)
	with := func(v float64) *mat.Dense {
		x := mat.DenseCopyOf(good)
		x.Set(4, 2, v)
		return x
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		fit  pca.Correntropy
		x    *mat.Dense
		want string
	}{
		{"empty", nil, pca.Correntropy{}, &mat.Dense{}, "empty"},
		{"one row", nil, pca.Correntropy{}, mat.NewDense(1, 3, nil), "at least 2"},
		{"NaN", nil, pca.Correntropy{}, with(math.NaN()), "row 5, column 3"},
		{"Inf", nil, pca.Correntropy{}, with(math.Inf(-1)), "row 5, column 3"},
		{"constant", nil, pca.Correntropy{}, mat.NewDense(5, 2, nil), "constant"},
		{"constant, given sigma", nil, pca.Correntropy{Sigma: 1}, mat.NewDense(5, 2, nil), "constant"},
		{"rank", nil, pca.Correntropy{Components: 4}, good, "the data have 3 columns"},
		{"equal columns", nil, pca.Correntropy{Components: 2}, mat.NewDense(3, 2, []float64{1, 1, 2, 2, 4, 4}), "rank 1"},
		{"negative components", nil, pca.Correntropy{Components: -1}, good, "components"},
		{"sigma", nil, pca.Correntropy{Sigma: -1}, good, "sigma"},
		{"sigma NaN", nil, pca.Correntropy{Sigma: math.NaN()}, good, "sigma"},
		{"scaling", nil, pca.Correntropy{Scaling: "log"}, good, "scaling"},
		{"weights", nil, pca.Correntropy{Weights: []float64{1}}, good, "weights"},
		{"negative weight", nil, pca.Correntropy{Weights: append(make([]float64, 19), -1)}, good, "row 20"},
		{"no weight", nil, pca.Correntropy{Weights: make([]float64, 20)}, good, "weight above 0"},
		{"too far apart", nil, pca.Correntropy{}, mat.NewDense(2, 1, []float64{-1e308, 1e308}), "too far apart"},
		{"cancelled", cancelled, pca.Correntropy{}, good, "context canceled"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx := c.ctx
			if ctx == nil {
				ctx = t.Context()
			}
			_, err := c.fit.Fit(ctx, linalg.FromDense(c.x))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v does not contain %q", err, c.want)
			}
		})
	}
	m, err := pca.Correntropy{}.Fit(t.Context(), linalg.FromDense(good))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []*mat.Dense{nil, mat.NewDense(2, 2, nil), with(math.NaN())} {
		if _, err := m.Transform(t.Context(), x); err == nil {
			t.Error("bad rows were transformed")
		}
	}
}

// Distances flag few clean rows, and rows that were given rare values.
func TestCorrentropyDistances(t *testing.T) {
	clean, rows, found := 0, 0, 0
	for seed := range uint64(5) {
		x := correlated(300, 4, 20+seed)
		m, err := pca.Correntropy{Components: 2}.Fit(t.Context(), linalg.FromDense(x))
		if err != nil {
			t.Fatal(err)
		}
		odd := mat.NewDense(10, 4, nil)
		odd.Apply(func(k, i int, _ float64) float64 { return float64(20+k) * float64(1-2*(i%2)) }, odd)
		for _, set := range []*mat.Dense{x, odd} {
			judged, err := m.Judge(t.Context(), set)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range judged.ScoreDistance {
				switch {
				case d > judged.ScoreCutoff && set == odd:
					found++
				case d > judged.ScoreCutoff:
					clean++
				}
			}
		}
		rows += 300
	}
	if part := float64(clean) / float64(rows); part > 0.06 {
		t.Errorf("%.1f %% of clean rows are beyond the cut-off", 100*part)
	}
	if found < 25 {
		t.Errorf("only %d of 50 rows far outside every column's range are beyond the cut-off", found)
	}
	t.Logf("%d of %d clean rows and %d of 50 far rows are beyond the cut-off", clean, rows, found)
}

// What the documentation warns of: two clusters of equal size that mirror each other have
// equally common values, so that no score tells them apart, however far they are. With
// unequal sizes the scores do.
func TestCorrentropySeesOnlyHowCommonValuesAre(t *testing.T) {
	for _, c := range []struct {
		second   int // rows of the second cluster, of 200
		low, top float64
	}{{100, 0.5, 0.7}, {40, 0.95, 1}} {
		random := rand.New(rand.NewPCG(21, 1))
		x := mat.NewDense(200, 2, nil)
		x.Apply(func(k, _ int, _ float64) float64 {
			if k < c.second {
				return 5 + 0.3*random.NormFloat64()
			}
			return -5 + 0.3*random.NormFloat64()
		}, x)
		m, err := pca.Correntropy{Sigma: 0.5, Components: 2}.Fit(t.Context(), linalg.FromDense(x))
		if err != nil {
			t.Fatal(err)
		}
		scores, err := m.Transform(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		best := 0.0 // share of rows on the right side of the best threshold on the first score
		for k := range 200 {
			right := 0
			for i := range 200 {
				if (scores.At(i, 0) > scores.At(k, 0)) == (i < c.second) {
					right++
				}
			}
			best = max(best, float64(right)/200, 1-float64(right)/200)
		}
		if best < c.low || best > c.top {
			t.Errorf("%d of 200 rows in the second cluster: the first score separates %.2f, expected %g to %g", c.second, best, c.low, c.top)
		}
	}
}
