package tensor

import (
	"github.com/inlier-ml/inlier/tensor"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/workspace"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
)

// One sample at a time is told what it is told among others, far ones included, without
// allocation and beside other goroutines.
func TestRowsOneAtATime(t *testing.T) {
	for _, shape := range [][]int{{6, 8}, {5, 4, 3}} {
		r := rand.New(rand.NewPCG(1, 2))
		d, ranks := sizeOf(shape), []int{2, 3, 2}[:len(shape)]
		x := mat.NewDense(60, d, nil)
		for i := range 60 {
			f := r.NormFloat64()
			for j := range d {
				x.Set(i, j, 5+f*math.Sin(float64(j))+0.1*r.NormFloat64())
			}
		}
		x.Set(3, 3, 40)
		m, err := tensor.Robust{Options: tensor.Options{Shape: shape, Rank: ranks}}.Fit(t.Context(), linalg.FromDense(x))
		if err != nil {
			t.Fatal(err)
		}
		x.Set(8, 2, 1e300)
		x.Set(9, 2, -1e95)
		x.SetRow(10, m.Mean())
		cores, err := m.Transform(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		x.SetRow(11, mustInverse(t, m, cores.Slice(11, 12, 0, sizeOf(ranks)).(*mat.Dense)))
		all, err := m.Judge(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1e-4+math.Abs(b)) }
		var side sync.WaitGroup
		for range 3 {
			side.Go(func() {
				for i := range 60 {
					for c, v := range m.TransformRow(nil, x.RawRowView(i)) {
						if want := cores.At(i, c); math.Abs(v-want) > 1e-9*(1+math.Abs(want)) {
							t.Errorf("sample %d, entry %d: %v, among others %v", i, c, v, want)
						}
					}
					got, want := m.JudgeRow(x.RawRowView(i)), all.Row(i)
					if got.Kind != want.Kind || got.Outlier != want.Outlier || got.Label != want.Label || !near(got.Weight, want.Weight) ||
						!near(got.OrthogonalDistance, want.OrthogonalDistance) || !near(got.ScoreDistance, want.ScoreDistance) {
						t.Errorf("sample %d: %+v, among others %+v", i, got, want)
					}
				}
			})
		}
		side.Wait()
		if all.Count() < 3 {
			t.Errorf("%d outliers; the test needs some", all.Count())
		}
		dst := make([]float64, sizeOf(ranks))
		if n := testing.AllocsPerRun(100, func() {
			m.TransformRow(dst, x.RawRowView(20))
			m.JudgeRow(x.RawRowView(3))
			m.JudgeRow(x.RawRowView(11))
		}); n >= 1 && !workspace.Forgets {
			t.Errorf("%v: %v allocations", shape, n)
		}
		x.Set(0, 0, math.NaN())
		if got := m.JudgeRow(x.RawRowView(0)); got.Kind != verdict.Missing || !math.IsNaN(m.TransformRow(nil, x.RawRowView(0))[0]) {
			t.Errorf("a missing number: %+v", got)
		}
	}
}

func mustInverse(t *testing.T, m *tensor.Model, core *mat.Dense) []float64 {
	t.Helper()
	out, err := m.Inverse(t.Context(), core)
	if err != nil {
		t.Fatal(err)
	}
	return out.RawRowView(0)
}

// sizeOf is the product of lengths.
func sizeOf(lengths []int) int {
	p := 1
	for _, n := range lengths {
		p *= n
	}
	return p
}
