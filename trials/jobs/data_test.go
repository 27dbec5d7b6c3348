package jobs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset"
)

// The same table is read from a file system of a program, from a stream and from rows, and
// errors name the table as the program does.
func TestDataOfPrograms(t *testing.T) {
	ctx, text := context.Background(), readings(30)
	files := fstest.MapFS{"in/sales.csv": {Data: []byte(text)}}
	want, err := inlier.Data{Reader: strings.NewReader(text)}.Read(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	i := -1
	rows, err := dataset.FromRows(want.Columns, func(dst []float64) (bool, error) {
		if i++; i < want.Rows() {
			copy(dst, want.X.RawRowView(i))
		}
		return i < want.Rows(), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for kind, data := range map[string]inlier.Data{
		"file system": {FS: files, Path: "in/sales.csv"}, "stream": {Reader: strings.NewReader(text), Path: "sales"}, "rows": {Source: rows}, "set": {Source: want.Source()},
	} {
		fit, err := inlier.Fit{Data: data}.Run(ctx, nil)
		if err != nil || len(fit.OutlierRows) != 1 || fit.OutlierRows[0] != 9 {
			t.Errorf("%s: %+v, %v", kind, fit, err)
		}
	}
	_, err = inlier.Data{Reader: strings.NewReader("a,b\n1,2\n1,x\n3,4\n"), Path: "upload"}.Read(ctx, nil)
	if err == nil || !strings.Contains(err.Error(), "upload:3") {
		t.Errorf("the name of the stream is lost: %v", err)
	}
	learned, err := inlier.Fit{Method: "linear-robust", Data: inlier.Data{Source: rows, Target: "y"}}.Run(ctx, nil)
	if err != nil || len(learned.OutlierRows) != 1 || learned.OutlierRows[0] != 9 {
		t.Errorf("learned: %+v, %v", learned, err)
	}
	result, err := inlier.Compare{Data: inlier.Data{Source: rows}, Methods: []string{"pca", "pca-robust"}}.Run(ctx, nil)
	if err != nil || result.Reduced == nil {
		t.Errorf("compared: %v", err)
	}
}

// Rows that a program hands over have their target by name or number, and a class that is missing
// is no class.
func TestTargetOfRows(t *testing.T) {
	ctx := context.Background()
	x := mat.NewDense(8, 2, []float64{1, 1, 2, 2, 3, 1, 4, math.NaN(), 5, 1, 6, math.NaN(), 7, 2, 8, 1})
	set, err := dataset.FromMatrix(x, []string{"a", "k"})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := (inlier.Data{Source: set.Source(), Target: "1"}).Read(ctx, nil); err != nil || got.Target.Name != "a" {
		t.Errorf("by number: %+v, %v", got, err)
	}
	var input *dataset.InputError
	if got, err := (inlier.Data{Source: set.Source(), Target: "k", Task: "class"}).Read(ctx, nil); !errors.As(err, &input) || input.Row != 4 || input.Column != "k" {
		t.Errorf("a missing class: %+v, %v", got, err)
	}
}

// A classifier of classes that are numbers knows them as classes also in a few rows, which by
// themselves would be taken for the target of a regression.
func TestFewRowsOfNumberedClasses(t *testing.T) {
	ctx := context.Background()
	lines := []string{"a,b,k"}
	for i := range 60 {
		k := i%3 + 1
		lines = append(lines, fmt.Sprintf("%d,%g,%d", 10*k+i%4, math.Sin(float64(i)), k))
	}
	read := func(lines []string) inlier.Data {
		return inlier.Data{Reader: strings.NewReader(strings.Join(lines, "\n") + "\n"), Target: "k"}
	}
	few := append(slices.Clone(lines[:4]), "31,0.5,1") // which is a 3
	for _, method := range []string{"logistic", "nearest-center", "elm-robust"} {
		fit, err := inlier.Fit{Method: method, Data: read(lines)}.Run(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		v, err := inlier.Judge{Model: fit.Fitted(), Data: read(few)}.Run(ctx, nil)
		if err != nil || v.Outliers != 1 || !v.Rows[3].Outlier || v.Rows[3].Given != "1" || v.Rows[3].Suggested != "3" {
			t.Errorf("%s: %+v, %v", method, v, err)
		}
		if s, err := (inlier.Score{Model: fit.Fitted(), Data: read(lines[:4])}).Run(ctx, nil); err != nil || s.Metrics["accuracy"] != 1 {
			t.Errorf("%s: %+v, %v", method, s, err)
		}
	}
}

// Who looks into a file of data as if it were a model is led to the job that looks into data.
func TestInspectOfData(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plain.csv")
	if err := os.WriteFile(path, []byte("a,b\n1,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := inlier.Inspect{Model: inlier.Model{Path: path}}.Run(context.Background(), nil)
	e, ok := inlier.AsError(err)
	if !ok {
		t.Fatal(err)
	}
	if _, hint := e.Word(inlier.Words{Parameter: strings.ToUpper, Job: strings.ToUpper}); !strings.HasPrefix(hint, "DATA INFO ") {
		t.Errorf("hint %q", hint)
	}
}
