package file

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
)

var _ dataset.Source = (*Source)(nil)

// Blocks of every format are those of the set in memory, pass after pass.
func TestScanEqualsRead(t *testing.T) {
	folder := t.TempDir()
	set := pictures(4, 5).Subset(make([]int, 1000))
	for i := range 1000 {
		set.X.Set(i, i%20, float64(i%251))
	}
	for _, name := range []string{"a.csv", "a.csv.gz", "a.npz", "a.idx.gz", "a.parquet", "a.libsvm", "images"} {
		path := filepath.Join(folder, name)
		if err := Write(path, set, WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		opts := Options{Drop: []string{"x7"}, Target: "x3"}
		s, err := Open(path, opts)
		if err != nil {
			t.Fatal(err)
		}
		whole := read(t, path, opts)
		if n, err := s.Count(context.Background()); n != 1000 || err != nil {
			t.Errorf("%s: %d rows, %v", name, n, err)
		}
		for range 2 {
			at := 0
			err := s.Scan(context.Background(), func(first int, block *mat.Dense) error {
				n, d := block.Dims()
				if first != at || n != min(blockRows, 1000-at) || !mat.Equal(block, whole.X.Slice(at, at+n, 0, d)) {
					return fmt.Errorf("block of %d rows at %d, after %d rows", n, first, at)
				}
				at += n
				return nil
			})
			if err != nil || at != 1000 {
				t.Errorf("%s: %d rows, %v", name, at, err)
			}
		}
		target, err := s.Target(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(whole.Target, target); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		stop := errors.New("stop")
		if err := s.Scan(context.Background(), func(int, *mat.Dense) error { return stop }); !errors.Is(err, stop) {
			t.Errorf("%s: %v", name, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
