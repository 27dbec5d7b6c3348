package elm

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"gonum.org/v1/gonum/mat"
)

// wave is a smooth function of two inputs with noise of one tenth.
func wave(n int, seed uint64) (x, y *mat.Dense) {
	draw := rand.New(rand.NewPCG(seed, 5))
	x, y = mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		a, b := 2*draw.Float64()-1, 2*draw.Float64()-1
		x.SetRow(i, []float64{a, b})
		y.Set(i, 0, math.Sin(3*a)+b*b+0.1*draw.NormFloat64())
	}
	return x, y
}

// Inputs that overflow make no output that is not a number.
func TestFarInputs(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{1.7e308, -1.7e308, 1e300, 1e300, 0.1, 0.2})
	for _, a := range elm.Activations {
		h, err := elm.RandomLayer(20, 2, a, elm.Range{-1, 1}, elm.Range{0, 1}, 1).Outputs(x)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range h.RawMatrix().Data {
			if math.IsNaN(v) || math.IsInf(v*v, 0) {
				t.Errorf("%s: %g", a, v)
			}
		}
	}
}

// New rows of the same kind are flagged about as often as a normal variable leaves 2.5
// standard deviations, 1.2 %.
func TestShareOfNewRowsFlagged(t *testing.T) {
	for n, repeats := range map[int]int{30: 15, 100: 10, 1000: 2} {
		for name, o := range map[string]elm.Options{"auto": {}, "40 nodes": {Hidden: 40}} {
			flagged, total := 0, 0
			for seed := range uint64(repeats) {
				x, y := wave(n, 10+seed)
				o.Seed, o.Tol = seed, 1e-6
				m, err := elm.RCC{Options: o}.Fit(context.Background(), linalg.FromDense(x), y)
				if err != nil {
					t.Fatal(err)
				}
				fresh, targets := wave(400, 1000+seed)
				p, err := m.Predict(context.Background(), fresh)
				if err != nil {
					t.Fatal(err)
				}
				for i := range 400 {
					if total++; math.Abs(targets.At(i, 0)-p.At(i, 0)) > m.ResidualCutoff()*m.Scale()[0] {
						flagged++
					}
				}
			}
			most := 0.0124 + 0.02
			if n == 30 {
				most = 0.08
			}
			if share := float64(flagged) / float64(total); share > most || share < 0.003 {
				t.Errorf("%d rows, %s: %.4f of new rows are flagged", n, name, share)
			}
		}
	}
}

// A machine that was learned online knows the size of its errors: it does not flag every row.
func TestOnlineMachinesJudge(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	x, y := mat.NewDense(200, 3, nil), mat.NewDense(200, 2, nil)
	for i := range 200 {
		for j := range 3 {
			x.Set(i, j, r.NormFloat64())
		}
		y.SetRow(i, []float64{x.At(i, 0) + 0.1*r.NormFloat64(), x.At(i, 1) + 0.1*r.NormFloat64()})
	}
	y.Set(5, 1, 9)
	o, err := elm.Ridge{elm.Options{Hidden: 20, Lambda: 1e-3}}.Online(3, 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.PartialFit(t.Context(), linalg.FromDense(x), y, nil); err != nil {
		t.Fatal(err)
	}
	m, err := o.Model()
	if err != nil {
		t.Fatal(err)
	}
	judged, err := m.Judge(t.Context(), x, y)
	if err != nil {
		t.Fatal(err)
	}
	if got := judged.Count(); got < 1 || got > 20 || !judged.Outlier[5] {
		t.Errorf("%d of 200 rows are outliers, scales %v", got, m.Scale())
	}
	if _, err := (elm.Ridge{elm.Options{Hidden: 20, Lambda: 1e-3, Scaling: elm.ScaleRobust}}).Online(3, 2); err == nil {
		t.Error("a scaling that is not known before the last row is taken")
	}
}

// loud is a loss of one's own, Cauchy's but for a factor.
type loud float64

func (k loud) Rho(s float64) float64 { return float64(k) * math.Log1p(s) }

func (k loud) Weight(s float64) float64 { return float64(k) / (1 + s) }

// A penalty that is chosen follows the unit of the targets, and that of a loss, also where
// weights are not 1 for rows without error.
func TestPenaltyFollowsTheUnit(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	x, y := mat.NewDense(80, 2, nil), mat.NewDense(80, 1, nil)
	for i := range 80 {
		x.SetRow(i, []float64{r.NormFloat64(), r.NormFloat64()})
		y.Set(i, 0, math.Sin(x.At(i, 0))+x.At(i, 1)/3+0.1*r.NormFloat64())
	}
	y.Set(3, 0, 20)
	predict := func(l loss.Loss, unit float64) []float64 {
		var scaled mat.Dense
		scaled.Scale(unit, y)
		m, err := elm.Robust{Options: elm.Options{Hidden: 12}, Loss: l}.Fit(t.Context(), linalg.FromDense(x), &scaled)
		if err != nil {
			t.Fatal(err)
		}
		out, err := m.Predict(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		out.Scale(1/unit, out)
		return out.RawMatrix().Data
	}
	near := func(name string, a, b []float64) {
		t.Helper()
		for i, v := range a {
			if math.Abs(v-b[i]) > 1e-3 {
				t.Errorf("%s: row %d has %g and %g", name, i+1, v, b[i])
				return
			}
		}
	}
	for _, text := range []string{"l1", "lp:p=3"} {
		l := loss.MustParse(text)
		near(text, predict(l, 0x1p30), predict(l, 0x1p-30))
	}
	near("own", predict(loud(1e-6), 1), predict(loud(1e6), 1))
}
