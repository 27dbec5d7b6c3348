package file

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/fixture"
	"gonum.org/v1/gonum/mat"
)

func complaint(t *testing.T, err error) {
	t.Helper()
	var input *dataset.InputError
	if !errors.As(err, &input) || strings.ContainsAny(err.Error(), "\n\r") {
		t.Fatalf("%q is no complaint in one line", err)
	}
}

// tryReading reads arbitrary bytes in several ways. It must never fault; what it
// complains about must be an InputError in one line; what it reads in memory it must
// read alike in blocks; and numbers must survive being written and read again.
func tryReading(t *testing.T, content []byte, format file.Format) {
	path := filepath.Join(t.TempDir(), "data")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for _, opts := range []file.Options{
		{Format: format},
		{Format: format, Categorical: file.OneHot, Missing: file.MissingKeep, Target: "1"},
	} {
		opts.MaxColumns, opts.MaxCells, opts.MaxBytes = 1<<12, 1<<18, 1<<22 // so that tries are quick
		lookAt(t, path, opts)
		s, err := file.Open(path, opts)
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
func lookAt(t *testing.T, path string, opts file.Options) {
	ctx := context.Background()
	info, set, err := file.Inspect(ctx, path, opts)
	if err != nil {
		complaint(t, err)
	} else if info.Rows < 1 || set != nil && (set.Rows() != info.Rows || len(info.Columns) == 0) {
		t.Fatalf("%d rows and %d columns are told", info.Rows, len(info.Columns))
	}
	opts.Limit, opts.Missing = 2, file.MissingKeep
	s, err := file.Open(path, opts)
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
	if err := file.Write("-", &plain, file.WriteOptions{Output: &text}); err != nil {
		t.Fatal(err)
	}
	back, err := file.Read(context.Background(), "-", file.Options{Input: &text, Format: file.CSV, Delimiter: "comma", Header: file.HeaderYes, Missing: file.MissingKeep})
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

func seed(f *testing.F, names ...string) {
	f.Helper()
	for _, name := range names {
		content, err := os.ReadFile(fixture.Path(f, name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
}

func FuzzText(f *testing.F) {
	seed(f, "mixed.csv", "mixed.tsv.gz", "sparse.libsvm")
	for _, text := range []string{
		"a,b\n1,2\n3,4\n", "1;2\r\n3;4", "\xef\xbb\xbfa\tb\n1\t\n", "\"a\nb\",\"c\"\"d\"\n\"1\",2\n", " 1  2\n3 4\n", "a,b\n1\n",
		"x\n\n1\n", "a|b\nx|1\ny|2\n", "a,a\n1,2\n", "\"open\n1,2\n", "1e400,2\n", "inf\n", "?,.\n1,2\n", ",\n,\n", "a,b,\n1,2,\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, content []byte) { tryReading(t, content, file.CSV) })
}

func FuzzDetect(f *testing.F) {
	seed(f, "mixed.csv", "mixed.tsv.gz", "sparse.libsvm", "both.npz", "fortran.npy", "holes.parquet")
	f.Add([]byte("P5 2 2 255 abcd"))
	f.Add([]byte("\x00\x00\x08\x01\x00\x00\x00\x02ab"))
	f.Add([]byte("a.png,cat\nb.png,dog\n"))
	f.Fuzz(func(t *testing.T, content []byte) { tryReading(t, content, "") })
}

func FuzzLIBSVM(f *testing.F) {
	seed(f, "sparse.libsvm", "zero.libsvm")
	for _, text := range []string{"1 1:2 3:4 # comment\n-1 2:1e3\n", "1 qid:3 1:2\n", "0\n", "1 0:1\n", "1 2:1 1:1\n", "1 3000:1\n", "1 1048577:1\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, content []byte) { tryReading(t, content, file.LIBSVM) })
}

func FuzzIDX(f *testing.F) {
	for _, content := range []string{
		"\x00\x00\x08\x01\x00\x00\x00\x02ab", "\x00\x00\x08\x03\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00\x01ab",
		"\x00\x00\x0E\x01\x00\x00\x00\x01\x3f\xf0\x00\x00\x00\x00\x00\x00", "\x00\x00\x0B\x02\xff\xff\xff\xff\x00\x00\x00\x01", "\x00\x00\x0C\x01\x00\x00\x00\x00",
	} {
		f.Add([]byte(content))
	}
	f.Fuzz(func(t *testing.T, content []byte) { tryReading(t, content, file.IDX) })
}

func FuzzArrays(f *testing.F) {
	seed(f, "both.npz", "images.npz", "fortran.npy")
	f.Fuzz(func(t *testing.T, content []byte) {
		format := file.NPY
		if bytes.HasPrefix(content, []byte("PK")) {
			format = file.NPZ
		}
		tryReading(t, content, format)
	})
}

func FuzzParquet(f *testing.F) {
	seed(f, "holes.parquet", "mixed_snappy.parquet", "mixed_zstd.parquet", "mixed_none.parquet")
	f.Fuzz(func(t *testing.T, content []byte) { tryReading(t, content, file.Parquet) })
}

// A list of images never reads outside its folder, whatever it says.
func FuzzList(f *testing.F) {
	for _, text := range []string{"a.pgm\nb.pgm\n", "a.pgm,cat\nb.pgm,dog\n", "../a.pgm\n", "/a.pgm\n", "a.pgm\tcat\n\n", "\xef\xbb\xbfa.pgm\n", "sub/../a.pgm\n", "a.pgm\x00.png\n"} {
		f.Add([]byte(text))
	}
	folder := f.TempDir()
	for _, name := range []string{"lists/a.pgm", "lists/b.pgm"} {
		put(f, "P2 2 1 255 1 2", folder, name)
	}
	put(f, "P2 1 1 255 99", folder, "outside.pgm")
	f.Fuzz(func(t *testing.T, content []byte) {
		if len(content) > 1 && content[0] == 'P' && '1' <= content[1] && content[1] <= '7' {
			t.Skip("no list but an image itself")
		}
		path := filepath.Join(folder, "lists", "list.txt")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		set, err := file.Read(context.Background(), path, file.Options{Format: file.Images})
		if err != nil {
			complaint(t, err)
		} else if set.Dim() == 1 {
			t.Fatal("an image outside the folder was read")
		}
	})
}
