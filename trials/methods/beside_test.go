package methods

import (
	"context"
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/linalg"
)

// large is a table in blocks whose targets are too many to be read at once.
type large struct{ dataset.Source }

func (large) Target(context.Context) (*dataset.Target, error) {
	return nil, errors.New("all targets are asked for")
}

func (l large) Beside() (linalg.Source, string) { return l.Source, "y" }

// BesideClasses takes rows with a small first number for one class, and the others for another.
func (l large) BesideClasses(ctx context.Context) (linalg.Source, *dataset.Target, []int, error) {
	x, err := linalg.Load(ctx, l.Source)
	if err != nil {
		return nil, nil, nil, err
	}
	n, d := x.Dims()
	out, counts := mat.NewDense(n, d+1, nil), make([]int, 2)
	for i := range n {
		copy(out.RawRowView(i), x.RawRowView(i))
		if x.At(i, 0) > x.At(0, 0) {
			out.Set(i, d, 1)
		}
		counts[int(out.At(i, d))]++
	}
	return linalg.FromDense(out), &dataset.Target{Name: "y", Classes: []string{"a", "b"}}, counts, nil
}

// TestTargetsStayInBlocks: what learns in blocks, or without a target, never holds the targets of all rows.
func TestTargetsStayInBlocks(t *testing.T) {
	g := blobSet(t, map[string]string{"n": "60", "d": "4"}).Set
	for _, m := range catalog.Methods() {
		if !m.Beside && m.Tasks[0] != catalog.Reduce || m.Family == "tensor" {
			continue
		}
		v, err := m.Check(nil)
		if err != nil {
			t.Fatal(err)
		}
		fitter, err := m.Build(v)
		if err != nil {
			t.Fatal(err)
		}
		src := large{&scanned{Source: g.Source(), x: mat.DenseCopyOf(g.X)}}
		if _, err := fitter.Fit(t.Context(), src, catalog.Run{Seed: 1}); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
}
