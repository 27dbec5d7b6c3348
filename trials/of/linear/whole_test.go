package linear

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linear"
	"github.com/inlier-ml/inlier/loss"
)

// distance is |a - b| / |b|.
func distance(a, b []float64) float64 {
	d, of := slices.Clone(a), 0.0
	for k := range d {
		d[k] -= b[k]
		of = math.Hypot(of, b[k])
	}
	off := 0.0
	for _, v := range d {
		off = math.Hypot(off, v)
	}
	return off / of
}

// n=500, d=5 with 45 % of the rows wrong, half of them bad leverage points.
func TestFortyFivePerCent(t *testing.T) {
	for seed := uint64(1); seed <= 6; seed++ {
		x, y, truth := dirty(500, 5, 0.45, seed)
		if seed > 3 { // outliers above and below, leverage points that pull the plane flat
			g, err := synthetic.Generate("plane", map[string]string{"n": "500", "d": "5", "fraction": "0.45"}, seed)
			if err != nil {
				t.Fatal(err)
			}
			x, y, truth = g.Set.X, g.Set.Target.Values, append([]float64{g.Truth.Intercept}, g.Truth.Coefficients...)
		}
		robust := distance(estimates(fitDefault(t, x, y)), truth)
		least, err := linear.Robust{Loss: loss.Spec{}, Start: linear.StartClassic}.Fit(context.Background(), linalg.FromDense(x), y)
		if err != nil {
			t.Fatal(err)
		}
		square := distance(estimates(least), truth)
		if robust > 0.05 || square < 1 && seed <= 3 || square < 0.5 {
			t.Errorf("seed %d: robust %.3f, least squares %.3f off", seed, robust, square)
		} else {
			t.Logf("seed %d: robust %.3f, least squares %.3f off", seed, robust, square)
		}
		lts, err := linear.Robust{Loss: linear.DefaultLoss, Start: linear.StartLTS, Seed: seed}.Fit(context.Background(), linalg.FromDense(x), y)
		if err != nil {
			t.Fatal(err)
		}
		if d := distance(estimates(lts), truth); d > 0.05 {
			t.Errorf("seed %d: from lts %.3f off", seed, d)
		}
	}
}

// Rotating the columns rotates the coefficients.
func TestRotation(t *testing.T) {
	x, y, _ := dirty(150, 2, 0.2, 6)
	c, s := math.Cos(0.7), math.Sin(0.7)
	turn := mat.NewDense(2, 2, []float64{c, s, -s, c})
	var z mat.Dense
	z.Mul(x, turn)
	a, b := fitDefault(t, x, y), fitDefault(t, &z, y)
	var back mat.VecDense
	back.MulVec(turn, mat.NewVecDense(2, b.Coef()))
	if d := distance(mat.Col(nil, 0, &back), a.Coef()); d > 1e-5 {
		t.Errorf("%.2g off", d)
	}
}

func TestIntegerWeightsAreRepeatedRows(t *testing.T) {
	x, y, _ := dirty(90, 2, 0.25, 7)
	w := make([]float64, 90)
	var rows []int
	for i := range w {
		w[i] = float64(1 + i%3)
		for range 1 + i%3 {
			rows = append(rows, i)
		}
	}
	z, v := mat.NewDense(len(rows), 2, nil), make([]float64, len(rows))
	for k, i := range rows {
		z.SetRow(k, x.RawRowView(i))
		v[k] = y[i]
	}
	for _, start := range []linear.Start{linear.StartS, linear.StartLTS, linear.StartClassic} {
		a, err := linear.Robust{Loss: linear.DefaultLoss, Start: start, Weights: w, Seed: 1}.Fit(context.Background(), linalg.FromDense(x), y)
		if err != nil {
			t.Fatal(err)
		}
		b, err := linear.Robust{Loss: linear.DefaultLoss, Start: start, Seed: 1}.Fit(context.Background(), linalg.FromDense(z), v)
		if err != nil {
			t.Fatal(err)
		}
		// least trimmed squares has many local minima next to its best: others may be found
		off := map[linear.Start]float64{linear.StartS: 1e-6, linear.StartLTS: 1e-2, linear.StartClassic: 1e-6}[start]
		if d := distance(estimates(a), estimates(b)); d > 10*off || math.Abs(a.Scale()/b.Scale()-1) > off {
			t.Errorf("%s: %.2g off, scales %g and %g", start, d, a.Scale(), b.Scale())
		}
		ta, _ := a.Table()
		tb, _ := b.Table()
		if math.Abs(ta.Error/tb.Error-1) > 100*off {
			t.Errorf("%s: standard errors %g and %g", start, ta.Error, tb.Error)
		}
	}
}

// Most rows lie exactly on a plane.
func TestExactFit(t *testing.T) {
	x, y, truth := dirty(60, 2, 0.4, 9)
	for i := range 36 {
		y[i] = truth[0] + truth[1]*x.At(i, 0) + truth[2]*x.At(i, 1)
	}
	m := fitDefault(t, x, y)
	if d := distance(estimates(m), truth); d > 1e-9 || m.Status() != irls.PerfectFit || m.Scale() != 0 {
		t.Errorf("%.2g off, %s, scale %g", d, m.Status(), m.Scale())
	}
	for i := range y {
		if got := m.Training().Outlier[i]; got != (i >= 36) {
			t.Errorf("row %d: outlier %v, weight %g", i+1, got, m.Weights()[i])
		}
	}
	if len(m.Warnings()) == 0 {
		t.Error("nothing is said about it")
	}
}

// Every loss runs from every start, never rises within a stage, and withstands wild
// targets from the robust starts.
func TestAnyLoss(t *testing.T) {
	x, y, truth := dirty(200, 3, 0.2, 11)
	for _, text := range []string{"tukey", "welsch", "huber", "cauchy", "l1", "lp:p=1.5", "kmpe:p=4,sigma=auto", "kmpe:p=1.5,sigma=auto", "gcorr:alpha=1,beta=auto", "gm:p=0.4,delta=0.01", "tukey:c=6", "welsch:sigma=silverman"} {
		for _, start := range []linear.Start{linear.StartS, linear.StartLTS, linear.StartClassic} {
			m, err := linear.Robust{Loss: loss.MustParse(text), Start: start, Seed: 1, MaxSteps: 1000}.Fit(context.Background(), linalg.FromDense(x), y)
			if err != nil {
				t.Errorf("%s from %s: %v", text, start, err)
				continue
			}
			steps := m.Steps()
			for k := 1; k < len(steps); k++ {
				if steps[k].Stage == steps[k-1].Stage && steps[k].Objective > steps[k-1].Objective*(1+1e-11) {
					t.Errorf("%s from %s: step %d rises", text, start, k)
					break
				}
			}
			redescending := text != "huber" && text != "l1" && text != "lp:p=1.5" && text != "cauchy" && text != "gm:p=0.4,delta=0.01"
			if d := distance(estimates(m), truth); redescending && start != linear.StartClassic && d > 0.15 {
				t.Errorf("%s from %s: %.2f off", text, start, d)
			}
		}
	}
}
