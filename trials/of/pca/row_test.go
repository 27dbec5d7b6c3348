package pca

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/inlier-ml/inlier/internal/workspace"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/pca"
	"github.com/inlier-ml/inlier/verdict"
	"gonum.org/v1/gonum/mat"
)

// rowModel is a robust model of n rows in d columns with m components, and its rows.
func rowModel(t testing.TB, n, d, m int) (*pca.Model, *mat.Dense) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, uint64(d)))
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, 3+0.1*r.NormFloat64())
		}
		for c := range m {
			f := r.NormFloat64()
			for j := c; j < d; j += m {
				x.Set(i, j, x.At(i, j)+f)
			}
		}
	}
	for i := range 5 {
		x.Set(i, i%d, 50)
	}
	model, err := pca.Robust{Options: pca.Options{Components: m}}.Fit(t.Context(), linalg.FromDense(x))
	if err != nil {
		t.Fatal(err)
	}
	return model, x
}

// One row at a time is told what it is told among others, odd rows included.
func TestRowsOneAtATime(t *testing.T) {
	for _, size := range [][3]int{{80, 20, 3}, {60, 40, 30}} {
		m, x := rowModel(t, size[0], size[1], size[2])
		n, d := x.Dims()
		x.Set(7, 2, math.NaN())
		x.Set(8, 2, 1e300)
		x.Set(9, 2, -1e200)
		for j := range d {
			x.Set(10, j, math.NaN())
		}
		x.SetRow(11, m.Mean())
		scores, err := m.Transform(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		all, err := m.Judge(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			row := x.RawRowView(i)
			for c, z := range m.TransformRow(nil, row) {
				if want := scores.At(i, c); math.Abs(z-want) > 1e-12*(1+math.Abs(want)) {
					t.Errorf("row %d, component %d: score %v, among others %v", i, c, z, want)
				}
			}
			got, want := m.JudgeRow(row), all.Row(i)
			if got.Kind != want.Kind || got.Outlier != want.Outlier || got.Label != want.Label || !near(got.Weight, want.Weight) ||
				!near(got.OrthogonalDistance, want.OrthogonalDistance) || !near(got.ScoreDistance, want.ScoreDistance) {
				t.Errorf("row %d: %+v, among others %+v", i, got, want)
			}
		}
		if all.Count() < 5 {
			t.Errorf("%d outliers; the test needs some", all.Count())
		}
		x.Set(0, 0, math.Inf(1))
		if got := m.JudgeRow(x.RawRowView(0)); got.Kind != verdict.Missing || !got.Outlier || got.Weight != 0 {
			t.Errorf("an infinite number: %+v", got)
		}
		if z := m.TransformRow(nil, x.RawRowView(0)); !math.IsNaN(z[0]) {
			t.Errorf("an infinite number has scores %v", z)
		}
	}
}

func near(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-9*(1e-3+math.Abs(b)) }

// A row leaves nothing for the garbage collector, and many goroutines may ask at once.
func TestRowsWithoutAllocation(t *testing.T) {
	for _, size := range [][3]int{{80, 20, 3}, {60, 40, 30}} {
		m, x := rowModel(t, size[0], size[1], size[2])
		dst := make([]float64, size[2])
		if n := testing.AllocsPerRun(100, func() { m.TransformRow(dst, x.RawRowView(20)); m.JudgeRow(x.RawRowView(0)) }); n >= 1 && !workspace.Forgets {
			t.Errorf("%v: %v allocations", size, n)
		}
		for _, far := range []float64{1e155, -1e200, math.MaxFloat64} {
			row := slices.Clone(x.RawRowView(20))
			row[3] = far
			all, err := m.Judge(t.Context(), mat.NewDense(1, len(row), row))
			if err != nil {
				t.Fatal(err)
			}
			got, want := m.JudgeRow(row), all.Row(0)
			if got.Kind != want.Kind || !got.Outlier || got.Weight != want.Weight || !near(got.OrthogonalDistance/far, want.OrthogonalDistance/far) || !near(got.ScoreDistance/far, want.ScoreDistance/far) {
				t.Errorf("%v, %g: %+v, among others %+v", size, far, got, want)
			}
			if n := testing.AllocsPerRun(20, func() { m.JudgeRow(row) }); n >= 1 && !workspace.Forgets {
				t.Errorf("%v, %g: %v allocations", size, far, n)
			}
		}
		want := m.JudgeRow(x.RawRowView(0))
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for i := range 50 {
					m.TransformRow(nil, x.RawRowView(i))
					if got := m.JudgeRow(x.RawRowView(0)); got != want {
						t.Errorf("%+v beside others, %+v alone", got, want)
					}
				}
			})
		}
		all.Wait()
	}
}

func BenchmarkJudgeRow(b *testing.B) {
	m, x := rowModel(b, 80, 20, 3)
	b.ReportAllocs()
	for b.Loop() {
		m.JudgeRow(x.RawRowView(20))
	}
}

func BenchmarkTransformRow(b *testing.B) {
	m, x := rowModel(b, 80, 20, 3)
	var dst [3]float64
	b.ReportAllocs()
	for b.Loop() {
		m.TransformRow(dst[:], x.RawRowView(20))
	}
}
