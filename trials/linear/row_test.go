package linear

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/workspace"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linear"
	"github.com/inlier-ml/inlier/verdict"
)

func rowModel(t testing.TB, n, d int) (*linear.Model, *mat.Dense, []float64) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, uint64(d)))
	x, y := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		for j := range d {
			x.Set(i, j, r.NormFloat64())
			y[i] += x.At(i, j)
		}
		y[i] += r.NormFloat64()
	}
	for i := range 5 {
		y[i] += 100
	}
	x.Set(4, 1, 30)
	m, err := linear.Robust{}.Fit(t.Context(), linalg.FromDense(x), y)
	if err != nil {
		t.Fatal(err)
	}
	return m, x, y
}

// One row at a time is told what it is told among others, far ones included, without
// allocation and beside other goroutines.
func TestRowsOneAtATime(t *testing.T) {
	for _, d := range []int{7, 33} {
		m, x, y := rowModel(t, 3*d+20, d)
		x.Set(8, 2, 1e300)
		x.Set(9, 2, -1e200)
		y[10] = 1e308
		fitted, err := m.Predict(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		all, err := m.Judge(t.Context(), x, y)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range fitted {
			if got := m.PredictRow(x.RawRowView(i)); !near(got, want) {
				t.Errorf("row %d: %v, among others %v", i, got, want)
			}
			got, want := m.JudgeRow(x.RawRowView(i), y[i]), all.Row(i)
			if got.Kind != want.Kind || got.Outlier != want.Outlier || got.Label != want.Label || !near(got.Weight, want.Weight) ||
				!near(got.Residual, want.Residual) || !near(got.ScoreDistance, want.ScoreDistance) {
				t.Errorf("row %d: %+v, among others %+v", i, got, want)
			}
		}
		if all.Count() < 5 {
			t.Errorf("%d outliers; the test needs some", all.Count())
		}
		if n := testing.AllocsPerRun(100, func() { m.PredictRow(x.RawRowView(20)); m.JudgeRow(x.RawRowView(0), y[0]) }); n >= 1 && !workspace.Forgets {
			t.Errorf("d = %d: %v allocations", d, n)
		}
		want := m.JudgeRow(x.RawRowView(0), y[0])
		var side sync.WaitGroup
		for range 4 {
			side.Go(func() {
				for range 50 {
					if got := m.JudgeRow(x.RawRowView(0), y[0]); got != want {
						t.Errorf("%+v beside others, %+v alone", got, want)
					}
				}
			})
		}
		side.Wait()
		x.Set(0, 0, math.NaN())
		if got := m.JudgeRow(x.RawRowView(0), 1); got.Kind != verdict.Missing || got.Weight != 0 || !math.IsNaN(m.PredictRow(x.RawRowView(0))) {
			t.Errorf("a missing number: %+v", got)
		}
		if got := m.JudgeRow(x.RawRowView(1), math.Inf(1)); got.Kind != verdict.Missing {
			t.Errorf("an infinite target: %+v", got)
		}
	}
}

func near(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-9*(1e-3+math.Abs(b)) }

func BenchmarkJudgeRow(b *testing.B) {
	m, x, y := rowModel(b, 200, 20)
	b.ReportAllocs()
	for b.Loop() {
		m.JudgeRow(x.RawRowView(20), y[20])
	}
}
