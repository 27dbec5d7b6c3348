package file

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
)

// written puts files into a folder of the test.
func written(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// halves are a table of 700 rows in one file and in three, whose columns are in another order each.
func halves(t *testing.T) (whole string, parts []string) {
	files := map[string]string{"whole.csv": "a,b,kind,y\n", "p1.csv": "a,b,kind,y\n", "p2.csv": "y,kind,b,a\n", "p3.csv": "kind,a,y,b\n"}
	kinds := []string{"red", "blue", "green", "black"}
	for i := range 700 {
		a, b, kind, y := i, 0.5*float64(i*i%97), kinds[min(3, i/200)], fmt.Sprint("c", i%3)
		files["whole.csv"] += fmt.Sprintf("%d,%g,%s,%s\n", a, b, kind, y)
		switch {
		case i < 300:
			files["p1.csv"] += fmt.Sprintf("%d,%g,%s,%s\n", a, b, kind, y)
		case i < 310:
			files["p2.csv"] += fmt.Sprintf("%s,%s,%g,%d\n", y, kind, b, a)
		default:
			files["p3.csv"] += fmt.Sprintf("%s,%d,%s,%g\n", kind, a, y, b)
		}
	}
	dir := written(t, files)
	parts, err := file.Expand(t.Context(), nil, filepath.Join(dir, "p*.csv"))
	if err != nil || len(parts) != 3 {
		t.Fatal(parts, err)
	}
	return filepath.Join(dir, "whole.csv"), parts
}

// The rows of several files are those of one: numbers, categories of all files, targets, names, blocks and limits.
func TestSeveralFilesAreOne(t *testing.T) {
	whole, parts := halves(t)
	for name, o := range map[string]file.Options{
		"numbers": {Columns: []string{"b", "a"}}, "onehot": {Categorical: file.OneHot, Target: "y"}, "ordinal": {Categorical: file.Ordinal, Target: "a", ID: "y"},
		"limit": {Categorical: file.Ordinal, Limit: 305}, "short": {Columns: []string{"a"}, Limit: 20},
	} {
		want, err := file.Read(t.Context(), whole, o)
		if err != nil {
			t.Fatal(err)
		}
		o.More = parts[1:]
		got, err := file.Read(t.Context(), parts[0], o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got.Name = want.Name; !mat.Equal(got.X, want.X) || !cmp.Equal(got.Columns, want.Columns) || !cmp.Equal(got.Target, want.Target) || !cmp.Equal(got.Coder, want.Coder) {
			t.Errorf("%s: %d rows of several files are not those of one, %d", name, got.Rows(), want.Rows())
		}
		src, err := file.Open(parts[0], o)
		if err != nil {
			t.Fatal(err)
		}
		next := 0
		err = src.Scan(t.Context(), func(first int, block *mat.Dense) error {
			n, d := block.Dims()
			if first != next || !mat.Equal(block, want.X.Slice(first, first+n, 0, d)) {
				t.Errorf("%s: block from row %d differs", name, first)
			}
			next += n
			return nil
		})
		if n, counting := src.Count(t.Context()); err != nil || counting != nil || next != want.Rows() || n != next {
			t.Errorf("%s: %d rows scanned, %d counted: %v %v", name, next, n, err, counting)
		}
		ids, err := src.Texts(t.Context(), "y")
		if err != nil || len(ids) != want.Rows() || len(ids) > 302 && ids[302] != "c2" {
			t.Errorf("%s: %d names %v", name, len(ids), err)
		}
		src.Close()
	}
}

// What is wrong is told with the file and the line or row where it stands, unlike columns with the file that has them.
func TestSeveralFilesNameTheOneThatIsWrong(t *testing.T) {
	dir := written(t, map[string]string{
		"a.csv": "u,v\n1,2\n3,4\n", "gap.csv": "v,u\n1,2\n3,\n", "text.csv": "u,v\n1,2\n3,four\n", "less.csv": "u\n1\n", "other.csv": "u,w\n1,2\n",
		"more.csv": "u,v,w\n1,2,3\n", "bare.csv": "1,2\n3,4\n", "bare3.csv": "1,2,3\n", "new.csv": "u,v\nx,1\n",
	})
	for name, want := range map[string]string{
		"gap.csv": `gap.csv:3: column "u": the value is missing`, "text.csv": `text.csv:3: column "v": "four"`, "less.csv": `less.csv: there is no column "v", which `,
		"other.csv": `other.csv: there is no column "v", which `, "more.csv": `more.csv: column "w" is not in `, "bare.csv": "only one names its columns", "absent.csv": "absent.csv: ",
	} {
		_, err := file.Read(t.Context(), filepath.Join(dir, "a.csv"), file.Options{More: []string{filepath.Join(dir, "a.csv"), filepath.Join(dir, name)}})
		var input *dataset.InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %s", name, err, want)
		}
	}
	if _, err := file.Read(t.Context(), filepath.Join(dir, "bare.csv"), file.Options{More: []string{filepath.Join(dir, "bare3.csv")}}); err == nil || !strings.Contains(err.Error(), "bare3.csv: there are 3 columns, but ") {
		t.Errorf("unnamed columns: %v", err)
	}
	coder := &dataset.Coder{Codings: []dataset.Coding{{Column: "u", Levels: []string{"1", "3"}}}}
	if _, err := file.Read(t.Context(), filepath.Join(dir, "a.csv"), file.Options{Coder: coder, More: []string{filepath.Join(dir, "new.csv")}}); err == nil || !strings.Contains(err.Error(), `new.csv:2: column "u": category "x" was not`) {
		t.Errorf("an unknown category: %v", err)
	}
	set, err := dataset.FromMatrix(mat.NewDense(2, 2, []float64{1, 2, 3, math.Inf(1)}), nil)
	if err != nil {
		t.Fatal(err)
	}
	array := filepath.Join(dir, "x.npy")
	if err := file.Write(array, set, file.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := file.Read(t.Context(), filepath.Join(dir, "bare.csv"), file.Options{More: []string{array}}); err == nil || !strings.Contains(err.Error(), "x.npy: row 2: ") {
		t.Errorf("an array after a text: %v", err)
	}
}

// Patterns are those of the machine's files or of a program's, in the order of names; one that matches nothing is told.
func TestExpand(t *testing.T) {
	files := fstest.MapFS{"d/b.csv": {}, "d/a.csv": {}, "d/c[1].csv": {}, "e.csv": {}}
	got, err := file.Expand(t.Context(), files, "e.csv", "d/*.csv", "d/c[1].csv", "-")
	if want := []string{"e.csv", "d/a.csv", "d/b.csv", "d/c[1].csv", "d/c[1].csv", "-"}; err != nil || !cmp.Equal(got, want) {
		t.Errorf("%v %v", got, err)
	}
	for _, path := range []string{"none*.csv", "[]"} {
		if _, err := file.Expand(t.Context(), files, path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if set, err := file.Read(context.Background(), "d/a.csv", file.Options{FS: fstest.MapFS{"d/a.csv": {Data: []byte("1,2\n")}, "b.csv": {Data: []byte("3,4\n5,6\n")}}, More: []string{"b.csv"}}); err != nil || set.Rows() != 3 {
		t.Errorf("files of a program: %v", err)
	}
}
