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
	"github.com/inlier-ml/inlier/internal/fixture"
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

func TestInspect(t *testing.T) {
	info, set, err := Inspect(context.Background(), fixture.Path(t, "holes.parquet"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, c := range info.Columns {
		told = append(told, fmt.Sprintf("%s %s %d %v %q %s", c.Name, c.Kind, c.Missing, c.Max, c.Levels, c.Problem))
	}
	want := []string{
		`a number 1 3 [] `, `u number 0 4e+09 [] `, `d number 0 3 [] `,
		`when number 0 0 [] the column holds times, not numbers`,
		`list number 0 0 [] the column holds lists or groups, not numbers`,
		`t text 1 0 ["x" "y"] `,
	}
	if diff := cmp.Diff(want, told); diff != "" || info.Rows != 3 || set != nil {
		t.Error(diff, info.Rows, set)
	}
	if _, _, err := Inspect(context.Background(), fixture.Path(t, "holes.parquet"), Options{Target: "nobody"}); err == nil {
		t.Error("a target that is not there")
	}
	images := t.TempDir()
	put(t, "P2 1 1 255 7", images, "1.pgm")
	put(t, "P2 1 1 255 9", images, "2.pgm")
	info, set, err = Inspect(context.Background(), images, Options{})
	if err != nil || info.Bytes != 24 || set.Rows() != 2 {
		t.Error(err, info.Bytes, set)
	}
}
