package nearest

import (
	"bytes"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/internal/workspace"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/nearest"
	"github.com/inlier-ml/inlier/pca"
	"github.com/inlier-ml/inlier/verdict"
	"gonum.org/v1/gonum/mat"
)

// One row at a time is told what it is told among others, far ones included, without
// allocation and beside other goroutines.
func TestRowsOneAtATime(t *testing.T) {
	for _, shape := range [][]int{nil, {4, 5}, {10, 2}, {1, 20}} {
		r := rand.New(rand.NewPCG(1, 2))
		x, labels := mat.NewDense(90, 20, nil), make([]int, 90)
		for i := range 90 {
			labels[i] = i % 3
			for j := range 20 {
				x.Set(i, j, float64(5*labels[i])+r.NormFloat64())
			}
		}
		m, err := nearest.Centers{Shape: shape}.Fit(t.Context(), linalg.FromDense(x), labels, 3)
		if err != nil {
			t.Fatal(err)
		}
		labels[0], labels[1] = 1, 2 // wrong
		x.Set(8, 2, 1e300)
		x.Set(9, 2, -1e95)
		all, err := m.Judge(t.Context(), x, labels)
		if err != nil {
			t.Fatal(err)
		}
		var side sync.WaitGroup
		for range 3 {
			side.Go(func() {
				for i := range 90 {
					got, want := m.JudgeRow(x.RawRowView(i), labels[i]), all.Row(i)
					if math.Abs(got.Residual-want.Residual) > 1e-12*want.Residual {
						t.Errorf("row %d: %+v, among others %+v", i, got, want)
					}
					if got.Residual = want.Residual; got != want || m.PredictRow(x.RawRowView(i)) != want.Label {
						t.Errorf("row %d: %+v, among others %+v", i, got, want)
					}
				}
			})
		}
		side.Wait()
		if all.CountKind(verdict.Mislabeled) == 0 || all.CountKind(verdict.FarFromClass) == 0 {
			t.Error("the test needs rows of all kinds")
		}
		if n := testing.AllocsPerRun(100, func() { m.JudgeRow(x.RawRowView(20), -1) }); n >= 1 && !workspace.Forgets {
			t.Errorf("shape %v: %v allocations", shape, n)
		}
		x.Set(0, 0, math.NaN())
		if got := m.JudgeRow(x.RawRowView(0), 0); got.Kind != verdict.Missing || m.PredictRow(x.RawRowView(0)) != -1 {
			t.Errorf("a missing number: %+v", got)
		}
	}
}

// The same for the subspaces of classes, whose models are asked for single rows.
func TestSubspaceRowsOneAtATime(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	x, labels := mat.NewDense(90, 6, nil), make([]int, 90)
	for i := range 90 {
		labels[i] = i % 3
		for j := range 6 {
			x.Set(i, j, 0.2*r.NormFloat64())
		}
		x.Set(i, labels[i], 4*r.NormFloat64())
	}
	s, err := nearest.FitSubspaces(t.Context(), linalg.FromDense(x), labels, nil, 3, func(_ int, rows []int) (nearest.Subspace, error) {
		part := mat.NewDense(len(rows), 6, nil)
		for a, i := range rows {
			part.SetRow(a, x.RawRowView(i))
		}
		return pca.Robust{Options: pca.Options{Components: 1}}.Fit(t.Context(), linalg.FromDense(part))
	})
	if err != nil {
		t.Fatal(err)
	}
	labels[0] = 1 // wrong
	x.Set(8, 5, 1e300)
	all, err := s.Judge(t.Context(), x, labels)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 90 {
		got, want := s.JudgeRow(x.RawRowView(i), labels[i]), all.Row(i)
		if math.Abs(got.Residual-want.Residual) > 1e-9*want.Residual {
			t.Errorf("row %d: %+v, among others %+v", i, got, want)
		}
		if got.Residual = want.Residual; got != want || s.PredictRow(x.RawRowView(i)) != want.Label {
			t.Errorf("row %d: %+v, among others %+v", i, got, want)
		}
	}
	row := x.RawRowView(20)
	if n := testing.AllocsPerRun(100, func() { s.JudgeRow(row, -1) }); n >= 1 && !workspace.Forgets {
		t.Errorf("%v allocations", n)
	}
	var file bytes.Buffer
	if _, err := s.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	back, err := nearest.ReadSubspaces(&file)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 90 {
		if got, want := back.JudgeRow(x.RawRowView(i), labels[i]), s.JudgeRow(x.RawRowView(i), labels[i]); got != want {
			t.Errorf("row %d: %+v from the file, not %+v", i, got, want)
		}
	}
	if a, b := back.Describe(archive.Names{}), s.Describe(archive.Names{}); a.Rows != 90 || a.Columns != 6 || a.Outliers != b.Outliers || len(a.Classes) != 3 {
		t.Errorf("described as %+v, not %+v", a, b)
	}
	if _, err := (&nearest.Subspaces{Classes: []nearest.Subspace{line{0}}, Cutoffs: []float64{1}}).WriteTo(&file); err == nil {
		t.Error("a subspace that nobody can read is written")
	}
	if got := s.PredictRow([]float64{1, 2, math.Inf(1), 0, 0, 0}); got != -1 {
		t.Errorf("a row without end is of class %d", got)
	}
}
