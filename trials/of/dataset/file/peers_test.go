package file

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/fixture"
)

// rows returns the matrix of a set as slices.
func rows(s *dataset.Set) [][]float64 {
	out := make([][]float64, s.Rows())
	for i := range out {
		out[i] = append([]float64(nil), s.X.RawRowView(i)...)
	}
	return out
}

func TestFilesOfPandas(t *testing.T) {
	for _, name := range []string{"mixed.csv", "mixed.tsv.gz", "mixed_snappy.parquet", "mixed_zstd.parquet", "mixed_gzip.parquet", "mixed_none.parquet"} {
		opts := file.Options{Target: "target", Categorical: file.OneHot}
		columns := []string{"zeta", "alpha", "flag", "small", "colour=blue", "colour=green, dark", "colour=red"}
		values := [][]float64{{1.5, 1, 1, 0.5, 0, 0, 1}, {-2, 2, 0, 0.25, 1, 0, 0}, {3.25, 3, 1, 4, 0, 0, 1}, {0.001, 4, 1, 8, 0, 1, 0}}
		if !strings.Contains(name, "parquet") { // text files say True, which is no number
			columns = append(columns[:2:2], append([]string{"flag=False", "flag=True"}, columns[3:]...)...)
			for i, row := range values {
				values[i] = append(row[:2:2], append([]float64{1 - row[2], row[2]}, row[3:]...)...)
			}
		}
		s := read(t, fixture.Path(t, name), opts)
		if diff := cmp.Diff(columns, s.Columns); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if diff := cmp.Diff(values, rows(s)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if diff := cmp.Diff(&dataset.Target{Name: "target", Labels: []int{1, 0, 0, 1}, Classes: []string{"no", "yes"}}, s.Target); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestParquetKinds(t *testing.T) {
	path := fixture.Path(t, "holes.parquet")
	s := read(t, path, file.Options{Columns: []string{"d", "a", "u"}, Missing: file.MissingKeep})
	want := [][]float64{{1, 1, 1}, {2.25, math.NaN(), 2}, {3, 3, 4e9}}
	if diff := cmp.Diff(want, rows(s), cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
	for column, problem := range map[string]string{
		"a":    `column "a": the value is missing`,
		"when": `column "when": the column holds times, not numbers`,
		"list": `column "list": the column holds lists or groups, not numbers`,
		"t":    `column "t": the column holds text, not numbers`,
	} {
		_, err := file.Read(context.Background(), path, file.Options{Columns: []string{column}})
		if err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("%v, want %s", err, problem)
		}
	}
	text := read(t, path, file.Options{Columns: []string{"t"}, Categorical: file.Ordinal, Missing: file.MissingKeep})
	if diff := cmp.Diff([][]float64{{0}, {math.NaN()}, {1}}, rows(text), cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
}

// Files of pyarrow with numbers of half precision, decimals as bytes, groups without rows, and a
// compression that the library unpacks wrongly.
func TestOddParquet(t *testing.T) {
	path := fixture.Path(t, "odd.parquet")
	s := read(t, path, file.Options{Columns: []string{"half", "short", "long"}, Missing: file.MissingKeep})
	want := [][]float64{{1.5, 1.25, 12345678901234567890.125}, {-0.25, -2.5, -0.001}, {65504, math.NaN(), 0}, {math.Ldexp(1, -24), -999.99, 9e30}}
	if diff := cmp.Diff(want, rows(s), cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct {
		path, problem string
		opts          file.Options
	}{
		{path, `column "old": the column holds times, not numbers`, file.Options{Missing: file.MissingKeep}},
		{fixture.Path(t, "none.parquet"), "the file has no rows", file.Options{Drop: []string{"old"}}},
		{fixture.Path(t, "lz4.parquet"), "columns compressed by LZ4_RAW are not read", file.Options{}},
	} {
		if _, err := file.Read(t.Context(), c.path, c.opts); err == nil || !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s: %v, want %s", c.path, err, c.problem)
		}
	}
}

func TestArraysOfNumPy(t *testing.T) {
	both := read(t, fixture.Path(t, "both.npz"), file.Options{})
	if diff := cmp.Diff([][]float64{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10, 11}}, rows(both)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(&dataset.Target{Name: "y", Labels: []int{1, 0, 1, 0}, Classes: []string{"a", "b"}}, both.Target); diff != "" {
		t.Error(diff)
	}
	images := read(t, fixture.Path(t, "images.npz"), file.Options{})
	if diff := cmp.Diff([]int{3, 4}, images.Shape); diff != "" || images.X.At(1, 11) != 23 {
		t.Error(diff, images.X.At(1, 11))
	}
	other := read(t, fixture.Path(t, "images.npz:other"), file.Options{})
	if n, d := other.X.Dims(); n != 3 || d != 1 {
		t.Errorf("%d x %d", n, d)
	}
	fortran := read(t, fixture.Path(t, "fortran.npy"), file.Options{})
	for i := range 4 {
		for j := range 6 {
			if fortran.X.At(i, j) != float64(6*i+j) {
				t.Fatalf("entry %d, %d is %v", i, j, fortran.X.At(i, j))
			}
		}
	}
}

func TestSparseFilesOfScikitLearn(t *testing.T) {
	s := read(t, fixture.Path(t, "sparse.libsvm"), file.Options{})
	if diff := cmp.Diff([][]float64{{0, 1.5, 0}, {2, 0, 0}, {0, 0, -3}}, rows(s)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]float64{1, -1, 1}, s.Target.Values); diff != "" {
		t.Error(diff)
	}
	zero := read(t, fixture.Path(t, "zero.libsvm"), file.Options{})
	if diff := cmp.Diff([][]float64{{0.5, 1.5}, {2, 0}}, rows(zero)); diff != "" {
		t.Error(diff)
	}
	// A later file may lack the last columns of a model: they are zero.
	wide := read(t, fixture.Path(t, "sparse.libsvm"), file.Options{Columns: []string{"x1", "x2", "x3", "x4"}})
	if diff := cmp.Diff([]float64{0, 1.5, 0, 0}, wide.X.RawRowView(0)); diff != "" {
		t.Error(diff)
	}
}
