package cluster

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/cluster"
	"github.com/inlier-ml/inlier/internal/workspace"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
)

// A row alone follows the nearest training row in a clustering by density peaks, as it does
// among others, not the nearest center.
func TestPeakRowsOneAtATime(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	x, fresh := mat.NewDense(120, 2, nil), mat.NewDense(60, 2, nil)
	for i := range 120 { // a long cluster beside a small one, which has the nearer center for its end
		x.SetRow(i, []float64{12 * r.Float64(), 0.2 * r.NormFloat64()})
		if i%3 == 0 {
			x.SetRow(i, []float64{11 + 0.3*r.NormFloat64(), 2 + 0.3*r.NormFloat64()})
		}
	}
	for i := range 60 {
		fresh.SetRow(i, []float64{13 * r.Float64(), 0.4 * r.NormFloat64()})
	}
	fresh.Set(5, 0, 1e300)
	fresh.Set(6, 1, -1e170)
	fitted, err := cluster.DensityPeaks{Clusters: 2, Weights: append([]float64{0}, slices.Repeat([]float64{1}, 119)...)}.Fit(t.Context(), linalg.FromDense(x))
	if err != nil {
		t.Fatal(err)
	}
	back, err := cluster.RestorePeaks(fitted.State())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []*cluster.PeakModel{fitted, back} {
		unlike := 0
		for _, rows := range []*mat.Dense{x, fresh} {
			all, err := m.Judge(t.Context(), rows)
			if err != nil {
				t.Fatal(err)
			}
			for i := range all.Len() {
				row := rows.RawRowView(i)
				if got, want := m.JudgeRow(row), all.Row(i); got != want || m.PredictRow(row) != want.Label {
					t.Errorf("row %d: %+v, among others %+v", i, got, want)
				}
				if m.Model.PredictRow(row) != all.Label[i] {
					unlike++
				}
			}
		}
		if unlike == 0 {
			t.Error("no row is nearer to the center of another cluster; the test needs some")
		}
		if n := testing.AllocsPerRun(20, func() { m.JudgeRow(x.RawRowView(20)) }); n >= 1 {
			t.Errorf("%v allocations", n)
		}
		if got := m.JudgeRow([]float64{math.NaN(), 0}); got.Kind != verdict.Missing || m.PredictRow([]float64{0, math.Inf(1)}) != -1 {
			t.Errorf("a row with NaN: %+v", got)
		}
	}
}

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
	m, err := cluster.KMeans{Clusters: 3}.Fit(t.Context(), linalg.FromDense(x))
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
