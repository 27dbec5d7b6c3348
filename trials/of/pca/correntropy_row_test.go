package pca

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/inlier-ml/inlier/internal/workspace"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/pca"
	"github.com/inlier-ml/inlier/verdict"
	"gonum.org/v1/gonum/mat"
)

// One row at a time is told what it is told among others, without allocation and beside other
// goroutines.
func TestCorrentropyRowsOneAtATime(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	x := mat.NewDense(80, 4, nil)
	for i := range 80 {
		u := r.NormFloat64()
		x.SetRow(i, []float64{u, u + 0.3*r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
	}
	x.SetRow(7, []float64{9, -9, 1e300, 4})
	m, err := pca.Correntropy{Components: 2}.Fit(t.Context(), linalg.FromDense(x))
	if err != nil {
		t.Fatal(err)
	}
	all, err := m.Judge(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	scores, err := m.Transform(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	var side sync.WaitGroup
	for range 3 {
		side.Go(func() {
			for i := range 80 {
				if got, want := m.JudgeRow(x.RawRowView(i)), all.Row(i); got != want {
					t.Errorf("row %d: %+v, among others %+v", i, got, want)
				}
				if got := m.TransformRow(nil, x.RawRowView(i)); got[0] != scores.At(i, 0) || got[1] != scores.At(i, 1) {
					t.Errorf("row %d: scores %v, among others %v", i, got, scores.RawRowView(i))
				}
			}
		})
	}
	side.Wait()
	if all.CountKind(verdict.RareValues) == 0 || all.CountKind(verdict.Regular) == 0 {
		t.Error("the test needs rows of both kinds")
	}
	row := x.RawRowView(20)
	if n := testing.AllocsPerRun(100, func() { m.JudgeRow(row) }); n >= 1 && !workspace.Forgets {
		t.Errorf("%v allocations", n)
	}
	if got := m.JudgeRow([]float64{1, math.NaN(), 2, 3}); got.Kind != verdict.Missing {
		t.Errorf("a row with a hole: %+v", got)
	}
}
