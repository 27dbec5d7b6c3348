package file

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"gonum.org/v1/gonum/mat"
)

// table3 is a small set with awkward names, numbers and classes.
func table3() *dataset.Set {
	return &dataset.Set{
		X:       mat.NewDense(3, 2, []float64{0.1, -3, 1e-300, 7, math.Pi * 1e20, 0}),
		Columns: []string{`wide, "quoted"`, "b"},
		Target:  &dataset.Target{Name: "kind", Labels: []int{1, 0, 1}, Classes: []string{"a b", "line\nbreak"}},
	}
}

func same(t *testing.T, what string, want, got *dataset.Set) {
	t.Helper()
	if diff := cmp.Diff(rows(want), rows(got), cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("%s: %s", what, diff)
	}
	if diff := cmp.Diff(want.Columns, got.Columns); diff != "" {
		t.Errorf("%s: %s", what, diff)
	}
	if diff := cmp.Diff(want.Shape, got.Shape); diff != "" {
		t.Errorf("%s: %s", what, diff)
	}
	if want.Target == nil {
		return
	}
	if got.Target == nil {
		t.Errorf("%s: the target is lost", what)
		return
	}
	if diff := cmp.Diff(want.Target.Classes, got.Target.Classes); diff != "" {
		t.Errorf("%s: %s", what, diff)
	}
	if diff := cmp.Diff(want.Target.Labels, got.Target.Labels); diff != "" {
		t.Errorf("%s: %s", what, diff)
	}
}

func TestWriteTable(t *testing.T) {
	columns := []file.Column{
		{Name: "row", Integers: []int{1, 2}},
		{Name: "weight", Numbers: []float64{0.25, math.NaN()}},
		{Name: "outlier", Flags: []bool{false, true}},
		{Name: "kind", Texts: []string{"regular", `a "b", c`}},
	}
	var out bytes.Buffer
	if err := file.WriteTable(&out, file.CSV, columns); err != nil {
		t.Fatal(err)
	}
	want := "row,weight,outlier,kind\n1,0.25,false,regular\n2,NaN,true,\"a \"\"b\"\", c\"\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
	for _, format := range []file.Format{file.Parquet, file.NPZ} {
		path := filepath.Join(t.TempDir(), "results."+string(format))
		if err := file.WriteTableFile(t.Context(), path, columns); err != nil {
			t.Fatal(err)
		}
		if format == file.Parquet {
			s := read(t, path, file.Options{Target: "kind", Missing: file.MissingKeep})
			if diff := cmp.Diff([][]float64{{1, 0.25, 0}, {2, math.NaN(), 1}}, rows(s), cmpopts.EquateNaNs()); diff != "" {
				t.Error(diff)
			}
		} else {
			s := read(t, path+":outlier", file.Options{})
			if diff := cmp.Diff([][]float64{{0}, {1}}, rows(s)); diff != "" {
				t.Error(diff)
			}
		}
	}
	columns[0].Integers = []int{1}
	if err := file.WriteTable(&out, file.CSV, columns); err == nil {
		t.Error("columns of different lengths are written")
	}
}

func TestStandardStreams(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var out bytes.Buffer
	if err := file.Write("-", table3(), file.WriteOptions{Output: &out}); err != nil {
		t.Fatal(err)
	}
	s, err := file.Read(context.Background(), "-", file.Options{Input: &out, Target: "kind"})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "-", table3(), s)
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "inlier-input-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
