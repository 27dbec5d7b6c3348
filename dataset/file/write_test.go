package file

import (
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
)

// table3 is a small set with awkward names, numbers and classes.
func table3() *dataset.Set {
	return &dataset.Set{
		X:       mat.NewDense(3, 2, []float64{0.1, -3, 1e-300, 7, math.Pi * 1e20, 0}),
		Columns: []string{`wide, "quoted"`, "b"},
		Target:  &dataset.Target{Name: "kind", Labels: []int{1, 0, 1}, Classes: []string{"a b", "line\nbreak"}},
	}
}

// pictures is a set of small images of two numbered classes.
func pictures(shape ...int) *dataset.Set {
	d := dataset.Volume(shape)
	s := &dataset.Set{X: mat.NewDense(4, d, nil), Shape: shape, Unnamed: true,
		Target: &dataset.Target{Name: "label", Values: []float64{0, 1, 1, 0}, Labels: []int{0, 1, 1, 0}, Classes: []string{"0", "1"}}}
	for _, f := range numberedFields(d) {
		s.Columns = append(s.Columns, f.name)
	}
	for i := range 4 {
		for j := range d {
			s.X.Set(i, j, float64((i*d+j*7)%256))
		}
	}
	return s
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

// Every format reads back what it was given.
func TestRoundTrip(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"t.csv", "t.csv.gz", "t.tsv", "t.parquet", "t.npz"} {
		path := filepath.Join(folder, name)
		if err := Write(path, table3(), WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		opts := Options{Target: "kind"}
		if name == "t.npz" {
			opts.Target = ""
		}
		same(t, name, table3(), read(t, path, opts))
	}
	for name, set := range map[string]*dataset.Set{
		"i.idx": pictures(2, 3), "i.idx.gz": pictures(2, 3), "train-images-idx3-ubyte.gz": pictures(5, 4),
		"i.npz": pictures(2, 3, 3), "grey": pictures(2, 3), "colour": pictures(4, 3, 3), "i.libsvm.gz": pictures(2, 3),
	} {
		path := filepath.Join(folder, name)
		if err := Write(path, set, WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		want := set
		opts := Options{Target: "label", Task: dataset.TaskClass}
		if name == "grey" || name == "colour" { // a folder comes back ordered by class
			want = set.Subset([]int{0, 3, 1, 2})
		}
		if strings.HasPrefix(name, "i.libsvm") {
			opts.Shape = "2x3"
		}
		same(t, name, want, read(t, path, opts))
	}
	numbers := &dataset.Set{X: mat.NewDense(2, 2, []float64{1.5, math.NaN(), -2, 1e300}), Columns: []string{"x1", "x2"}, Unnamed: true}
	for _, name := range []string{"n.npy", "n.idx", "n.csv", "n.parquet"} {
		path := filepath.Join(folder, name)
		if err := Write(path, numbers, WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		same(t, name, numbers, read(t, path, Options{Missing: MissingKeep}))
	}
	if left, _ := filepath.Glob(filepath.Join(folder, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestWriteRefuses(t *testing.T) {
	folder := t.TempDir()
	existing := filepath.Join(folder, "full")
	if err := os.MkdirAll(filepath.Join(existing, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	bright := pictures(2, 3)
	bright.X.Set(1, 1, 256)
	hole := table3()
	hole.X.Set(2, 1, math.NaN())
	for _, c := range []struct {
		name string
		set  *dataset.Set
		want string
	}{
		{"t.npy", table3(), "no place for the target"},
		{"t.libsvm", table3(), "not a number, and this format holds only numbers"},
		{"t.idx", table3(), "not a number, and this format holds only numbers"},
		{"h.libsvm", hole, `row 3: column "b": LIBSVM files have no sign for a missing value`},
		{"t.doc", table3(), `the ending ".doc" tells no format`},
		{"t.npz.gz", table3(), "not written with .gz"},
		{"folder", table3(), "are not images"},
		{"bright", bright, "row 2: the value 256 is no pixel"},
		{"full", pictures(2, 3), "exists and is not empty"},
		{"full/x/y/z.csv", table3(), "its folder does not exist"},
	} {
		err := Write(filepath.Join(folder, c.name), c.set, WriteOptions{})
		var input *dataset.InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if err := Write(existing, table3(), WriteOptions{Format: CSV}); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Error(err)
	}
}

// A write that fails leaves the old file as it was, and nothing else.
func TestAtomically(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.txt")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := atomically(t.Context(), path, func(w io.Writer) error {
		if _, err := io.WriteString(w, "new and half"); err != nil {
			t.Fatal(err)
		}
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	entries, _ := os.ReadDir(folder)
	content, _ := os.ReadFile(path)
	if len(entries) != 1 || string(content) != "old" {
		t.Errorf("%v, %q", entries, content)
	}
}

// Samples and labels of IDX are written both or not at all.
func TestPairOfIDXIsWhole(t *testing.T) {
	set := pictures(2, 2)
	set.Target = dataset.ClassTarget("kind", []string{"cat", "dog", "cat", "dog", "cat", "dog"}[:set.Rows()])
	folder := t.TempDir()
	for _, name := range []string{"a.idx", "a-ubyte", "b.idx.gz"} {
		complaint(t, Write(filepath.Join(folder, name), set, WriteOptions{Format: IDX}))
	}
	set.Target = dataset.NumberTarget("kind", make([]float64, set.Rows()), dataset.TaskAuto)
	if err := os.Mkdir(filepath.Join(folder, "c-labels.idx"), 0o777); err != nil { // where the labels should be
		t.Fatal(err)
	}
	complaint(t, Write(filepath.Join(folder, "c.idx"), set, WriteOptions{}))
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v is left behind (%v)", entries, err)
	}
}
