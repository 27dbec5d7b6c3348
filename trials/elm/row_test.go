package elm

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/internal/workspace"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
)

// One row at a time gets the outputs it gets among others, far ones included, without
// allocation and beside other goroutines.
func TestRowsOneAtATime(t *testing.T) {
	for _, activation := range elm.Activations {
		for _, outputs := range []int{1, 2} {
			r := rand.New(rand.NewPCG(1, 2))
			x, y := mat.NewDense(60, 20, nil), mat.NewDense(60, outputs, nil)
			for i := range 60 {
				for j := range 20 {
					x.Set(i, j, r.NormFloat64())
				}
				for c := range outputs {
					y.Set(i, c, x.At(i, c)+0.1*r.NormFloat64())
				}
			}
			m, err := elm.Ridge{Options: elm.Options{Hidden: 30, Activation: activation, Lambda: 1e-3}}.Fit(t.Context(), linalg.FromDense(x), y)
			if err != nil {
				t.Fatal(err)
			}
			x.Set(8, 2, 1e300)
			x.Set(9, 2, -1e95)
			want, err := m.Predict(t.Context(), x)
			if err != nil {
				t.Fatal(err)
			}
			check := func(i int) {
				for c, v := range m.PredictRow(nil, x.RawRowView(i)) {
					w := want.At(i, c)
					if activation == elm.Sine && (i == 8 || i == 9) { // the angle is rounding
						continue
					}
					if math.Abs(v-w) > 1e-9*(1+math.Abs(w)) {
						t.Errorf("%s, row %d, output %d: %v, among others %v", activation, i, c, v, w)
					}
				}
			}
			for i := range 60 {
				check(i)
			}
			dst := make([]float64, outputs)
			if n := testing.AllocsPerRun(100, func() { m.PredictRow(dst, x.RawRowView(20)) }); n >= 1 && !workspace.Forgets {
				t.Errorf("%s: %v allocations", activation, n)
			}
			var side sync.WaitGroup
			for range 4 {
				side.Go(func() {
					for i := range 20 {
						check(i)
					}
				})
			}
			side.Wait()
			x.Set(0, 0, math.Inf(1))
			if v := m.PredictRow(dst, x.RawRowView(0)); !math.IsNaN(v[0]) {
				t.Errorf("%s: an infinite number gives %v", activation, v)
			}
		}
	}
}

func BenchmarkPredictRow(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	x, y := mat.NewDense(300, 20, nil), mat.NewDense(300, 1, nil)
	for i := range x.RawMatrix().Data {
		x.RawMatrix().Data[i] = r.NormFloat64()
	}
	for i := range 300 {
		y.Set(i, 0, x.At(i, 0))
	}
	m, err := elm.Ridge{Options: elm.Options{Hidden: 100}}.Fit(b.Context(), linalg.FromDense(x), y)
	if err != nil {
		b.Fatal(err)
	}
	dst := make([]float64, 1)
	b.ReportAllocs()
	for b.Loop() {
		m.PredictRow(dst, x.RawRowView(7))
	}
}

// The verdict on a row is that of Judge, for regressions and for classes.
func TestJudgeRow(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	x, y, labels := mat.NewDense(90, 4, nil), mat.NewDense(90, 1, nil), make([]int, 90)
	for i := range 90 {
		labels[i] = i % 3
		for j := range 4 {
			x.Set(i, j, r.NormFloat64())
		}
		x.Set(i, labels[i], x.At(i, labels[i])+5)
		y.Set(i, 0, x.At(i, 0)+0.1*r.NormFloat64())
	}
	y.Set(3, 0, 100)
	classes := elm.OneVsAll(labels, 3)
	classes.SetRow(4, []float64{1, -1, -1})
	classes.SetRow(5, []float64{1, -1, -1})
	for name, targets := range map[string]*mat.Dense{"regression": y, "classes": classes} {
		o := elm.Options{Hidden: 20, Labels: name == "classes", Leverage: name == "regression"}
		m, err := elm.Robust{Options: o}.Fit(t.Context(), linalg.FromDense(x), targets)
		if err != nil {
			t.Fatal(err)
		}
		dirty := mat.DenseCopyOf(x)
		dirty.Set(8, 1, 1e300)
		dirty.Set(9, 1, 40)
		all, err := m.Judge(t.Context(), dirty, targets)
		if err != nil {
			t.Fatal(err)
		}
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-8*(1+math.Abs(b)) }
		for i := range 90 {
			got, want := m.JudgeRow(dirty.RawRowView(i), targets.RawRowView(i)), all.Row(i)
			if got.Kind != want.Kind || got.Outlier != want.Outlier || got.Label != want.Label || !near(got.Weight, want.Weight) ||
				!near(got.Residual, want.Residual) || !near(got.ScoreDistance, want.ScoreDistance) {
				t.Errorf("%s, row %d: %+v, among others %+v", name, i, got, want)
			}
		}
		if all.Count() == 0 {
			t.Errorf("%s: no outlier; the test needs some", name)
		}
		if n := testing.AllocsPerRun(100, func() { m.JudgeRow(x.RawRowView(3), targets.RawRowView(3)) }); n >= 1 && !workspace.Forgets {
			t.Errorf("%s: %v allocations", name, n)
		}
		if got := m.JudgeRow([]float64{1, 2, math.NaN(), 3}, targets.RawRowView(0)); got.Kind != verdict.Missing {
			t.Errorf("%s: a missing number: %+v", name, got)
		}
	}
}
