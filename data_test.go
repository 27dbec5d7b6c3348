package inlier_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset"
)

// The same table is read from a file system of a program, from a stream and from rows, and
// errors name the table as the program does.
func TestDataOfPrograms(t *testing.T) {
	ctx, text := context.Background(), readings(30)
	files := fstest.MapFS{"in/sales.csv": {Data: []byte(text)}}
	want, err := inlier.Data{Reader: strings.NewReader(text)}.Read(ctx, inlier.Needs{}, nil)
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
	_, err = inlier.Data{Reader: strings.NewReader("a,b\n1,2\n1,x\n3,4\n"), Path: "upload"}.Read(ctx, inlier.Needs{}, nil)
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
