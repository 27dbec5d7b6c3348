package methods

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/linalg"
)

// scanned is a source outside memory that counts how often it is read.
type scanned struct {
	dataset.Source
	x     *mat.Dense
	scans int
}

func (s *scanned) Scan(ctx context.Context, visit func(first int, block *mat.Dense) error) error {
	s.scans++
	return linalg.FromDense(s.x).Scan(ctx, visit)
}

// A table that fits into memory is read once, whatever is learned from it.
func TestHeldTablesAreReadOnce(t *testing.T) {
	g := blobSet(t, map[string]string{"n": "60", "d": "6"}).Set
	for _, m := range catalog.Methods() {
		set := *g
		if m.Family == "tensor" {
			set.Shape = []int{2, 3}
		}
		if m.Tasks[0] == catalog.Regress {
			set.Target = &dataset.Target{Name: "y", Values: mat.Col(nil, 0, set.X)}
		}
		v, err := m.Check(nil)
		if err != nil {
			t.Fatal(err)
		}
		fitter, err := m.Build(v)
		if err != nil {
			t.Fatal(err)
		}
		src := &scanned{Source: set.Source(), x: set.X}
		if _, err := fitter.Fit(t.Context(), src, catalog.Run{Seed: 1}); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
		if src.scans != 1 {
			t.Errorf("%s reads its rows %d times, not once", m.Name, src.scans)
		}
	}
}
