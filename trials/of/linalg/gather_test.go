package linalg

import (
	"context"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
)

// counted counts the scans of a source that is not in memory.
type counted struct {
	fileLike
	scans int
}

func (c *counted) Scan(ctx context.Context, visit func(first int, block *mat.Dense) error) error {
	c.scans++
	return c.fileLike.Scan(ctx, visit)
}

func TestGatherHold(t *testing.T) {
	ctx := context.Background()
	m := random(1, 1000, 3)
	rows := []int{999, 0, 5, 5, 300}
	want := mat.NewDense(len(rows), 3, nil)
	for k, i := range rows {
		want.SetRow(k, m.RawRowView(i))
	}
	src := &counted{fileLike: fileLike{m: m, size: 7}}
	check := func(what string, from linalg.Source, scans int) {
		t.Helper()
		got, err := linalg.Gather(ctx, from, rows)
		if err != nil || !mat.Equal(got, want) || src.scans != scans {
			t.Errorf("%s: %v, equal %v, %d scans, want %d", what, err, got != nil && mat.Equal(got, want), src.scans, scans)
		}
	}
	check("memory", linalg.FromDense(m), 0)
	check("scan", src, 1)
	doubled := linalg.Changed(src, func(*mat.Dense) bool { return true }, func(row []float64) {
		for j := range row {
			row[j] *= 2
		}
	})
	got, err := linalg.Gather(ctx, doubled, []int{5, 300})
	if err != nil || src.scans != 2 || got.At(1, 2) != 2*m.At(300, 2) {
		t.Errorf("changed: %v, %d scans", err, src.scans)
	}
	held, err := linalg.Hold(ctx, src, 3000)
	if err != nil || !mat.Equal(held.(*linalg.Matrix).Dense(), m) || src.scans != 3 {
		t.Errorf("held: %v, %d scans", err, src.scans)
	}
	if held, err = linalg.Hold(ctx, src, 2999); err != nil || held != linalg.Source(src) {
		t.Errorf("too large to be held: %v, %T", err, held)
	}
	if _, err = linalg.Gather(ctx, &short{src}, []int{2000}); err == nil {
		t.Error("a source that ends too early")
	}
	if _, err = linalg.Hold(ctx, &short{src}, 1e6); err == nil {
		t.Error("a source that ends too early is held")
	}
}

// short claims more rows than it has.
type short struct{ linalg.Source }

func (s *short) Dims() (int, int) { n, d := s.Source.Dims(); return 3 * n, d }
