package file

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
)

// Numbers that are categories are so in every format, by a model's coding, as a column and as the
// target, whose classes keep their names.
func TestNumbersAsCategoriesInEveryFormat(t *testing.T) {
	ctx, folder := context.Background(), t.TempDir()
	taught, err := file.Read(ctx, "-", file.Options{Input: strings.NewReader("shop,size\n1,2\n2.5,3\n1,5\n2.5,2\n"), Text: []string{"shop"}, Categorical: file.OneHot})
	if err != nil {
		t.Fatal(err)
	}
	rows := &dataset.Set{X: mat.NewDense(600, 2, nil), Columns: []string{"shop", "size"}}
	for i := range 600 { // several blocks, which begin with different categories
		rows.X.SetRow(i, []float64{1 + 1.5*float64(i/200%2), float64(i)})
	}
	want := mat.NewDense(600, 3, nil)
	for i := range 600 {
		want.Set(i, i/200%2, 1)
		want.Set(i, 2, float64(i))
	}
	for _, name := range []string{"a.csv", "a.npy", "a.npz", "a.parquet", "a.libsvm"} {
		path := filepath.Join(folder, name)
		if err := file.Write(path, rows, file.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		for what, opts := range map[string]file.Options{
			"a model's coding": {Columns: []string{"shop", "size"}, Coder: taught.Coder, Target: "none"},
			"a column":         {Text: []string{"1"}, Categorical: file.OneHot, Target: "none"},
		} {
			got, err := file.Read(ctx, path, opts)
			if err != nil || !mat.Equal(got.X, want) {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
		got, err := file.Read(ctx, path, file.Options{Target: "1", Text: []string{"1"}})
		if err != nil || !slices.Equal(got.Target.Classes, []string{"1", "2.5"}) || got.Target.Labels[0] != 0 || got.Target.Labels[200] != 1 || got.Target.Labels[599] != 0 {
			t.Errorf("%s, the target: %+v, %v", name, got, err)
		}
		got, err = file.Read(ctx, path, file.Options{Target: "1", Text: []string{"1"}, Task: dataset.TaskRegression})
		if err != nil || got.Target.Values[200] != 2.5 {
			t.Errorf("%s, the target of a regression: %v", name, err)
		}
	}
}
