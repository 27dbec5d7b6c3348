package elm

import (
	"bytes"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
)

// Rows far beyond all training rows are told, new ones of the same kind are not, and an absurd
// cell among the training rows hides none.
func TestRowsOutsideAreTold(t *testing.T) {
	x, y := bends(200, 3, 6)
	for i := range 200 {
		x.Set(i, 2, 7)
	}
	x.Set(11, 0, 1e300)
	m, err := elm.Ridge{elm.Options{Hidden: 10, Scaling: elm.ScaleRobust, Clip: -20}}.Fit(t.Context(), linalg.FromDense(x), y)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := m.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	again, err := elm.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	fresh, _ := bends(100, 3, 7)
	for i := range 100 {
		fresh.Set(i, 2, 8) // of a column that never changed
	}
	far := mat.NewDense(3, 3, []float64{0, -8, 7, 0.5, 0.5, 7, 40, 0, 7})
	for _, m := range []*elm.Model{m, again} {
		if out := m.Outside(fresh); out != nil {
			t.Errorf("rows of the same kind are outside: %v", out)
		}
		if out := m.Outside(far); !slices.Equal(out, []bool{true, false, true}) {
			t.Errorf("outside: %v", out)
		}
	}
}
