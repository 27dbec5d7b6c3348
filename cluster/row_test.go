package cluster

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/workspace"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
)

// One row at a time is told what it is told among others, far ones included, without
// allocation and beside other goroutines.
func TestRowsOneAtATime(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	x := mat.NewDense(150, 6, nil)
	for i := range 150 {
		for j := range 6 {
			x.Set(i, j, float64(10*(i%3))+r.NormFloat64())
		}
	}
	x.Set(5, 1, 300)
	m, err := KMeans{Clusters: 3}.Fit(t.Context(), linalg.FromDense(x))
	if err != nil {
		t.Fatal(err)
	}
	x.Set(8, 2, 1e300)
	x.Set(9, 2, -1e200)
	x.SetRow(10, m.Centers().RawRowView(1))
	all, err := m.Judge(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 150 {
		if got, want := m.JudgeRow(x.RawRowView(i)), all.Row(i); got != want || m.PredictRow(x.RawRowView(i)) != want.Label {
			t.Errorf("row %d: %+v, among others %+v", i, got, want)
		}
	}
	if all.Count() < 3 {
		t.Errorf("%d outliers; the test needs some", all.Count())
	}
	if n := testing.AllocsPerRun(100, func() { m.JudgeRow(x.RawRowView(20)); m.JudgeRow(x.RawRowView(8)) }); n >= 1 && !workspace.Forgets {
		t.Errorf("%v allocations", n)
	}
	var side sync.WaitGroup
	for range 8 {
		side.Go(func() {
			for i := range 50 {
				if got := m.JudgeRow(x.RawRowView(i)); got != all.Row(i) {
					t.Errorf("row %d: %+v beside others", i, got)
				}
			}
		})
	}
	side.Wait()
	x.Set(0, 0, math.NaN())
	if got := m.JudgeRow(x.RawRowView(0)); got.Kind != verdict.Missing || got.Label != -1 {
		t.Errorf("a missing number: %+v", got)
	}
}
