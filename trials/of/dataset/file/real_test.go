package file

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"gonum.org/v1/gonum/mat"
)

// real returns the path of a file of the benchmark data, or skips the test.
func real(t testing.TB, path ...string) string {
	t.Helper()
	root := os.Getenv("INLIER_DATA")
	if root == "" {
		t.Skip("INLIER_DATA does not name the folder of the benchmark data")
	}
	return filepath.Join(append([]string{root}, path...)...)
}

func read(t testing.TB, path string, opts file.Options) *dataset.Set {
	t.Helper()
	s, err := file.Read(context.Background(), path, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRealTables(t *testing.T) {
	hbk := read(t, real(t, "outliers", "hbk.csv"), file.Options{Target: "target"})
	if n, d := hbk.X.Dims(); n != 75 || d != 3 {
		t.Errorf("hbk is %d x %d", n, d)
	}
	if diff := cmp.Diff([]string{"x1", "x2", "x3"}, hbk.Columns); diff != "" {
		t.Error(diff)
	}
	if hbk.X.At(0, 2) != 28.3 || hbk.Target.Values[0] != 9.7 || hbk.Target.Labels != nil {
		t.Errorf("hbk starts with %v and %v", hbk.X.RawRowView(0), hbk.Target.Values[0])
	}
	octane := read(t, real(t, "outliers", "octane.csv"), file.Options{Target: "227"})
	if n, d := octane.X.Dims(); n != 39 || d != 226 || octane.Target.Name != "target" {
		t.Errorf("octane is %d x %d, target %s", n, d, octane.Target.Name)
	}
	ecoli := read(t, real(t, "classification", "ecoli.csv"), file.Options{Target: "target"})
	if diff := cmp.Diff([]string{"cp", "im", "imL", "imS", "imU", "om", "omL", "pp"}, ecoli.Target.Classes); diff != "" {
		t.Error(diff)
	}
	leaf := read(t, real(t, "classification", "leaf.csv"), file.Options{Target: "target"})
	if len(leaf.Target.Classes) != 30 || leaf.Target.Classes[29] != "36" || leaf.Target.Values == nil {
		t.Errorf("leaf has classes %v", leaf.Target.Classes)
	}
}

func TestRealMissing(t *testing.T) {
	path := real(t, "outliers", "fish.csv")
	_, err := file.Read(context.Background(), path, file.Options{Target: "target"})
	want := "dataset: " + path + `:15: column "weight": the value is missing`
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	fish := read(t, path, file.Options{Target: "target", Missing: file.MissingKeep})
	if row, column, count := fish.Missing(); row != 13 || column != 0 || count != 1 {
		t.Errorf("missing at row %d, column %d, %d times", row, column, count)
	}
}

func TestRealCategories(t *testing.T) {
	path := real(t, "regression", "servo.csv")
	_, err := file.Read(context.Background(), path, file.Options{Target: "target"})
	want := "dataset: " + path + `:2: column "motor": "E" is not a number`
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	servo := read(t, path, file.Options{Target: "target", Categorical: file.Ordinal})
	if diff := cmp.Diff([]float64{4, 4, 5, 4}, servo.X.RawRowView(0)); diff != "" {
		t.Error(diff)
	}
	hot := read(t, path, file.Options{Target: "target", Categorical: file.OneHot})
	if n, d := hot.X.Dims(); n != 167 || d != 12 || hot.Columns[4] != "motor=E" || hot.X.At(0, 4) != 1 || mat.Sum(hot.X.Slice(0, 167, 0, 5)) != 167 {
		t.Errorf("one-hot servo is %d x %d: %v %v", n, d, hot.Columns, hot.X.RawRowView(0))
	}
}

func TestRealMNIST(t *testing.T) {
	path := real(t, "mnist", "t10k-images-idx3-ubyte.gz")
	set := read(t, path, file.Options{Target: "label"})
	if diff := cmp.Diff([]int{28, 28}, set.Shape); diff != "" {
		t.Error(diff)
	}
	counts := make([]int, 10)
	for _, l := range set.Target.Labels {
		counts[l]++
	}
	// The published numbers of test images of each digit.
	if diff := cmp.Diff([]int{980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009}, counts); diff != "" {
		t.Error(diff)
	}
	// The published mean of the test images on the scale 0..1.
	if mean := mat.Sum(set.X) / 255 / 7840000; math.Abs(mean-0.1325) > 5e-5 {
		t.Errorf("mean %v", mean)
	}
}

func TestRealImages(t *testing.T) {
	yale := read(t, real(t, "yale"), file.Options{Resize: "32x24"})
	if n, d := yale.X.Dims(); n != 165 || d != 32*24 || len(yale.Target.Classes) != 15 {
		t.Errorf("yale is %d x %d with classes %v", n, d, yale.Target.Classes)
	}
	if diff := cmp.Diff([]int{24, 32}, yale.Shape); diff != "" {
		t.Error(diff)
	}
	faces := read(t, real(t, "lfwcrop"), file.Options{Limit: 30})
	if diff := cmp.Diff([]int{64, 64, 3}, faces.Shape); diff != "" {
		t.Error(diff)
	}
	if faces.Rows() != 30 || faces.Target.Class(0) != "Amelie_Mauresmo" || faces.Target.Class(29) != "Colin_Powell" {
		t.Errorf("%d rows, classes %v", faces.Rows(), faces.Target.Classes)
	}
}
