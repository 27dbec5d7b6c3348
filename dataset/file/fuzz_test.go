package file

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/corrupt"
)

// tryReading reads arbitrary bytes in several ways. It must never fault; what it
// complains about must be an InputError in one line; what it reads in memory it must
// read alike in blocks; and numbers must survive being written and read again.
func tryReading(t *testing.T, content []byte, format Format) {
	path := filepath.Join(t.TempDir(), "data")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for _, opts := range []Options{
		{Format: format},
		{Format: format, Categorical: OneHot, Missing: MissingKeep, Target: "1"},
	} {
		opts.MaxColumns, opts.MaxCells, opts.MaxBytes = 1<<12, 1<<18, 1<<22 // so that tries are quick
		lookAt(t, path, opts)
		s, err := Open(path, opts)
		if err != nil {
			complaint(t, err)
			continue
		}
		set, err := s.Read(ctx)
		if err != nil {
			complaint(t, err)
			s.Close()
			continue
		}
		if n, d := set.X.Dims(); n < 1 || d != len(set.Columns) || set.Shape != nil && dataset.Volume(set.Shape) != d {
			t.Fatalf("%d x %d with %d names and shape %v", n, d, len(set.Columns), set.Shape)
		}
		at := 0
		err = s.Scan(ctx, func(first int, block *mat.Dense) error {
			n, d := block.Dims()
			if first != at || !sameMatrix(block, set.X.Slice(at, at+n, 0, d)) {
				t.Fatalf("the block at row %d differs from the set in memory", first)
			}
			at += n
			return nil
		})
		if err != nil || at != set.Rows() {
			t.Fatalf("%d of %d rows in blocks: %v", at, set.Rows(), err)
		}
		if _, err := s.Describe(ctx); err != nil {
			complaint(t, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		again(t, set)
	}
}

// lookAt does what `data info` and `data head` do.
func lookAt(t *testing.T, path string, opts Options) {
	ctx := context.Background()
	info, set, err := Inspect(ctx, path, opts)
	if err != nil {
		complaint(t, err)
	} else if info.Rows < 1 || set != nil && (set.Rows() != info.Rows || len(info.Columns) == 0) {
		t.Fatalf("%d rows and %d columns are told", info.Rows, len(info.Columns))
	}
	opts.Limit, opts.Missing = 2, MissingKeep
	s, err := Open(path, opts)
	if err != nil {
		complaint(t, err)
		return
	}
	defer s.Close()
	head, err := s.Read(ctx)
	if err != nil {
		complaint(t, err)
	} else if head.Rows() > 2 {
		t.Fatalf("%d rows where 2 are asked for", head.Rows())
	}
	if _, err := s.Target(ctx); err != nil {
		complaint(t, err)
	}
	if _, err := s.Count(ctx); err != nil {
		complaint(t, err)
	}
}

func complaint(t *testing.T, err error) {
	t.Helper()
	var input *dataset.InputError
	if !errors.As(err, &input) || strings.ContainsAny(err.Error(), "\n\r") {
		t.Fatalf("%q is no complaint in one line", err)
	}
}

func sameMatrix(a, b mat.Matrix) bool {
	n, d := a.Dims()
	for i := range n {
		for j := range d {
			if x, y := a.At(i, j), b.At(i, j); x != y && !(math.IsNaN(x) && math.IsNaN(y)) {
				return false
			}
		}
	}
	return true
}

// again writes numbers as CSV and reads them back.
func again(t *testing.T, set *dataset.Set) {
	if set.Dim() > 1000 {
		return // too slow for many tries
	}
	var text bytes.Buffer
	plain := *set
	plain.Target = nil
	if err := Write("-", &plain, WriteOptions{Output: &text}); err != nil {
		t.Fatal(err)
	}
	back, err := Read(context.Background(), "-", Options{Input: &text, Format: CSV, Delimiter: "comma", Header: HeaderYes, Missing: MissingKeep})
	if err != nil {
		var input *dataset.InputError
		if errors.As(err, &input) && strings.Contains(err.Error(), "named") {
			return // names that differ only in blanks at their ends
		}
		t.Fatal(err)
	}
	if diff := cmp.Diff(rows(set), rows(back), cmpopts.EquateNaNs()); diff != "" {
		t.Fatal(diff)
	}
}

func FuzzImage(f *testing.F) {
	for _, content := range []string{
		"P2\n# comment\n2 2\n15\n0 5 10 15\n", "P5 2 2 255 abcd", "P5 1 1 65535 ab", "P3 1 1 255 1 2 3", "P6 1 1 255\nabc", "P6 1 1 1000\nabcdef", "P5 99999 99999 255 ",
		"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;",
	} {
		f.Add([]byte(content))
	}
	folder := f.TempDir()
	if err := Write(filepath.Join(folder, "set"), pictures(3, 2, 3), WriteOptions{}); err != nil {
		f.Fatal(err)
	}
	content, err := os.ReadFile(filepath.Join(folder, "set", "0", "00001.png"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(content)
	photo := encode(f, "jpeg", image.NewGray(image.Rect(0, 0, 3, 2)))
	f.Add([]byte(photo))
	f.Add([]byte(withOrientation(photo, binary.BigEndian, 6)))
	f.Add([]byte(encode(f, "gif", image.NewPaletted(image.Rect(0, 0, 2, 1), color.Palette{color.NRGBA{}, color.Gray{Y: 200}}))))
	f.Fuzz(func(t *testing.T, content []byte) {
		if isImage(content) {
			tryReading(t, content, Images)
		}
	})
}

// Everything that describes data in words: shapes, dirt, recipes, options.
func FuzzWords(f *testing.F) {
	for _, c := range corrupt.Kinds() {
		f.Add(c.Name+":0.1", "64x64", "tab")
	}
	for _, text := range []string{"rows:0.1,size=20", "label:20%+rows:2", "occlusion:1e300", "rows:-1", "cells:0.5,size=nan", "a=1,b"} {
		f.Add(text, "2x3", ";")
	}
	set := pictures(3, 2)
	f.Fuzz(func(t *testing.T, spec, shape, word string) {
		if lengths, err := dataset.ParseShape(shape); err != nil {
			complaint(t, err)
		} else if again, err := dataset.ParseShape(dataset.FormatShape(lengths)); err != nil || dataset.Volume(again) != dataset.Volume(lengths) {
			t.Fatalf("%q becomes %v and then %v", shape, lengths, again)
		}
		before := rows(set)
		if dirty, dirt, err := corrupt.Apply(set, spec, 1); err == nil && (dirty.Rows() != len(dirt.Rows) || dirty.Rows() > 1000*set.Rows()) {
			t.Fatalf("%q: %d rows and %d marks", spec, dirty.Rows(), len(dirt.Rows))
		}
		if diff := cmp.Diff(before, rows(set)); diff != "" {
			t.Fatalf("%q changes the set it was given: %s", spec, diff)
		}
		_, err := Read(context.Background(), "-", Options{Input: strings.NewReader("a,b\n1,2\n3,4\n"), Delimiter: word, Target: spec, Columns: []string{shape}, Shape: shape, Resize: shape})
		if err != nil {
			complaint(t, err)
		}
	})
}
