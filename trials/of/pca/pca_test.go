package pca

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/pca"
	"gonum.org/v1/gonum/mat"
)

type method interface {
	Fit(context.Context, linalg.Source) (*pca.Model, error)
}

// all lists every subspace method with the given options.
func all(o pca.Options) map[string]method {
	return map[string]method{
		"pca": pca.Classic{o}, "pca-l1": pca.L1{Options: o}, "r1-pca": pca.R1{Options: o}, "hq-pca": pca.HQ{Options: o}, "pca-gm": pca.GeneralizedMean{Options: o},
		"pca-kmpe p=1": pca.KMPE{Options: o, P: 1}, "pca-kmpe p=4": pca.KMPE{Options: o, P: 4},
		"pca-robust tukey": pca.Robust{Options: o, Loss: loss.MustParse("tukey")}, "pca-robust gcorr": pca.Robust{Options: o, Loss: loss.MustParse("gcorr:alpha=1,beta=auto")},
	}
}

func lowRank(t testing.TB, n, d int, fraction float64, seed uint64) *synthetic.Generated {
	t.Helper()
	c := synthetic.DefaultLowRank()
	c.N, c.D, c.Fraction, c.Offset = n, d, fraction, 20
	g, err := c.Generate(seed)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func fit(t testing.TB, m method, x *mat.Dense) *pca.Model {
	t.Helper()
	model, err := m.Fit(context.Background(), linalg.FromDense(x))
	if err != nil {
		t.Fatal(err)
	}
	return model
}

// At a fixed bandwidth the trace falls for every loss, concave or not, from every start.
func TestTraceFalls(t *testing.T) {
	x := lowRank(t, 120, 8, 0.2, 1).Set.X
	for _, text := range []string{"square", "welsch:sigma=1", "kmpe:p=1,sigma=2", "kmpe:p=4,sigma=3", "kmpe:p=10,sigma=5", "gcorr:alpha=1,beta=2", "gcorr:alpha=4,beta=4",
		"gkmpe:alpha=1,beta=3,p=1.5", "gm:p=0.4,delta=0.01", "lp:p=1.5", "l1", "huber:c=1", "cauchy:c=1", "tukey:c=5"} {
		for _, start := range []pca.Start{pca.StartAuto, pca.StartClassic, pca.StartSpherical} {
			m := fit(t, pca.Robust{Options: pca.Options{Components: 3, Start: start, Tol: 1e-10, MaxSteps: 200}, Loss: loss.MustParse(text)}, x)
			steps := m.Steps()
			for k := 1; k < len(steps); k++ {
				if steps[k].Objective > steps[k-1].Objective*(1+1e-10) {
					t.Errorf("%s, start %s, step %d: objective rose from %v to %v", text, start, k, steps[k-1].Objective, steps[k].Objective)
				}
			}
			if m.Status() != irls.Converged && m.Status() != irls.Stalled && m.Status() != irls.StepLimit {
				t.Errorf("%s, start %s ended %v", text, start, m.Status())
			}
		}
	}
}

// The generalised sample mean: p = 1 is the mean, p = 1/2 the spatial median (whose
// gradient, the sum of unit vectors, vanishes), and outliers lose their pull.
func TestGeneralizedSampleMean(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	x := mat.NewDense(110, 2, nil)
	for i := 0; i < 110; i++ { // Fig. 1 of the pca-gm paper
		c, sd := 0.0, math.Sqrt(0.5)
		if i >= 100 {
			c, sd = 5, math.Sqrt(0.3)
		}
		x.SetRow(i, []float64{c + sd*random.NormFloat64(), c + sd*random.NormFloat64()})
	}
	src := linalg.FromDense(x)
	_, mean, _ := linalg.WeightedMean(context.Background(), src, nil)
	one, err := pca.GeneralizedSampleMean(context.Background(), src, 1, "", nil)
	if err != nil || math.Hypot(one[0]-mean[0], one[1]-mean[1]) > 1e-12 {
		t.Errorf("p=1 gives %v, the mean is %v, %v", one, mean, err)
	}
	half, err := pca.GeneralizedSampleMean(context.Background(), src, 0.5, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	gx, gy := 0.0, 0.0
	for i := 0; i < 110; i++ {
		a, b := x.At(i, 0)-half[0], x.At(i, 1)-half[1]
		gx += a / math.Hypot(a, b)
		gy += b / math.Hypot(a, b)
	}
	if math.Hypot(gx, gy) > 0.05 {
		t.Errorf("p=1/2: the unit vectors sum to (%g, %g)", gx, gy)
	}
	for _, p := range []float64{0.1, 0.2} {
		small, err := pca.GeneralizedSampleMean(context.Background(), src, p, "", nil)
		if err != nil || math.Hypot(small[0], small[1]) > 0.6*math.Hypot(mean[0], mean[1]) {
			t.Errorf("p=%g gives %v, the mean is %v, %v", p, small, mean, err)
		}
	}
	if _, err := pca.GeneralizedSampleMean(context.Background(), src, 2, "", nil); err == nil {
		t.Error("p=2: no error")
	}
}

func TestBadInput(t *testing.T) {
	good := lowRank(t, 30, 4, 0, 9).Set.X
	nan := mat.DenseCopyOf(good)
	nan.Set(3, 2, math.NaN())
	inf := mat.DenseCopyOf(good)
	inf.Set(3, 2, math.Inf(1))
	constant := mat.NewDense(10, 3, nil)
	constant.Apply(func(_, j int, _ float64) float64 { return float64(j) }, constant)
	huge := mat.DenseCopyOf(good)
	huge.Scale(1e200, huge)
	for name, m := range all(pca.Options{}) {
		for what, x := range map[string]*mat.Dense{"NaN": nan, "Inf": inf, "constant": constant, "one row": mat.NewDense(1, 3, []float64{1, 2, 3}), "huge": huge} {
			if _, err := m.Fit(context.Background(), linalg.FromDense(x)); err == nil {
				t.Errorf("%s accepts %s", name, what)
			}
		}
	}
	for what, o := range map[string]pca.Options{
		"more components than columns": {Components: 5}, "a negative number of components": {Components: -1}, "an unknown start": {Start: "nowhere"},
		"weights of another length": {Weights: []float64{1}}, "a share above one": {Share: 2},
	} {
		if _, err := (pca.HQ{Options: o}).Fit(context.Background(), linalg.FromDense(good)); err == nil {
			t.Errorf("%s is accepted", what)
		}
	}
	m := fit(t, pca.Classic{}, good)
	if _, err := m.Transform(context.Background(), mat.NewDense(2, 9, nil)); err == nil {
		t.Error("rows of another width are accepted")
	}
}

// With almost as many components as rows the subspace passes through most rows exactly,
// and nothing determines its last directions: the fit must end all the same.
func TestAlmostAsManyComponentsAsRows(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 3))
	x := mat.NewDense(60, 80, nil)
	x.Apply(func(_, _ int, _ float64) float64 { return draw.NormFloat64() }, x)
	for name, rescale := range map[string]irls.Rescale{"every step": irls.EveryStep, "settle": irls.Settle} {
		m, err := pca.HQ{Options: pca.Options{Components: 50, Start: pca.StartClassic, MaxSteps: 200}, Sigma: loss.Rule{Kind: loss.Silverman}, Rescale: rescale}.Fit(context.Background(), linalg.FromDense(x))
		if err != nil {
			t.Fatal(err)
		}
		if m.Status() != irls.Converged && m.Status() != irls.Stalled {
			t.Errorf("%s: %s after %d steps", name, m.Status(), len(m.Steps()))
		}
	}
}
