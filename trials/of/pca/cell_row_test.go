package pca

import (
	"math"
	"sync"
	"testing"

	"github.com/inlier-ml/inlier/internal/workspace"
	"github.com/inlier-ml/inlier/pca"
	"github.com/inlier-ml/inlier/verdict"
)

// Rows one at a time are told what they are told among others, with wrong, far and missing cells, and leave nothing for the
// garbage collector; many goroutines may ask at once.
func TestCellRowsOneAtATime(t *testing.T) {
	data := withBadCells(t, 200, 0.1, "scattered", 0.05, 4)
	x := data.x
	m := fit(t, pca.Cell{Options: pca.Options{Components: 3}}, x)
	x.Set(7, 2, math.NaN())
	x.Set(8, 2, 1e300)
	x.Set(9, 2, -1e200)
	for j := range 20 {
		x.Set(10, j, math.NaN())
		if j > 2 {
			x.Set(11, j, math.NaN())
		}
	}
	scores, err := m.Transform(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	all, err := m.Judge(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[verdict.Kind]int{}
	for i := range 200 {
		row := x.RawRowView(i)
		for c, z := range m.TransformRow(nil, row) {
			if want := scores.At(i, c); !near(z, want) {
				t.Errorf("row %d, component %d: score %v, among others %v", i, c, z, want)
			}
		}
		got, want := m.JudgeRow(row), all.Row(i)
		for _, r := range []*verdict.Row{&got, &want} {
			if r.Residual < 1e-9 { // as many cells as scores: what is left is rounding
				r.Residual, r.OrthogonalDistance = 0, 0
			}
		}
		if got.Kind != want.Kind || got.Outlier != want.Outlier || got.Label != want.Label || !near(got.Weight, want.Weight) || !near(got.Residual, want.Residual) ||
			!near(got.OrthogonalDistance, want.OrthogonalDistance) || !near(got.ScoreDistance, want.ScoreDistance) {
			t.Errorf("row %d: %+v, among others %+v", i, got, want)
		}
		kinds[got.Kind]++
	}
	if kinds[verdict.BadCells] < 20 || kinds[verdict.Missing] < 1 || kinds[verdict.Regular] < 20 {
		t.Errorf("kinds %v; the test needs some of each", kinds)
	}
	dst := make([]float64, 3)
	for _, i := range []int{7, 8, 30, 31, 32} {
		if n := testing.AllocsPerRun(20, func() { m.TransformRow(dst, x.RawRowView(i)); m.JudgeRow(x.RawRowView(i)) }); n >= 1 && !workspace.Forgets {
			t.Errorf("row %d: %v allocations", i, n)
		}
	}
	want := m.JudgeRow(x.RawRowView(8))
	var together sync.WaitGroup
	for range 8 {
		together.Go(func() {
			for i := range 20 {
				m.TransformRow(nil, x.RawRowView(i))
				if got := m.JudgeRow(x.RawRowView(8)); got != want {
					t.Errorf("%+v beside others, %+v alone", got, want)
				}
			}
		})
	}
	together.Wait()
	x.Set(0, 0, math.Inf(1))
	if got := m.JudgeRow(x.RawRowView(0)); got.Kind != verdict.Missing || !got.Outlier || got.Weight != 0 {
		t.Errorf("an infinite number: %+v", got)
	}
	if z := m.TransformRow(dst, x.RawRowView(0)); !math.IsNaN(z[0]) {
		t.Errorf("an infinite number has scores %v", z)
	}
}
