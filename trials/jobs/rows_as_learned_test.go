package jobs

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
)

// learnedFrom is a model of a table that was read tolerantly.
func learnedFrom(t *testing.T, head string, row func(i int) string) *inlier.Opened {
	t.Helper()
	var text strings.Builder
	text.WriteString(head + "\n")
	for i := range 40 {
		text.WriteString(row(i) + "\n")
	}
	fit, err := inlier.Fit{Method: "linear-robust", Data: inlier.Data{Path: saved(t, text.String()), Tolerant: true, Target: "y"}}.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := fit.Fitted().Open()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// firstRow is what a model takes the first row of a table for.
func firstRow(t *testing.T, m *inlier.Opened, text string) ([]float64, error) {
	t.Helper()
	set, err := m.Read(context.Background(), inlier.Data{Path: saved(t, text), Tolerant: true}, false, nil)
	if err != nil {
		return nil, err
	}
	return slices.Clone(set.X.RawRowView(0)), nil
}

// Few rows do not tell what a column is: they are what the model has learned.
func TestRowsAreReadAsTheColumnsWereLearned(t *testing.T) {
	compact := learnedFrom(t, "day,b,y", func(i int) string { return fmt.Sprintf("202408%02d,%d.5,%d", 1+i%28, i%7, i*i%11) })
	iso := learnedFrom(t, "day,b,y", func(i int) string { return fmt.Sprintf("2024-08-%02d,%d.5,%d", 1+i%28, i%7, i*i%11) })
	short := learnedFrom(t, "day,b,y", func(i int) string { return fmt.Sprintf("%d-08-%02d,%d.5,%d", 20+i%9, 1+i%28, i%7, i*i%11) })
	laps := learnedFrom(t, "day,b,y", func(i int) string { return fmt.Sprintf("%d:%02d.%02d,%d.5,%d", 1+i%3, i*7%60, i*13%100, i%7, i*i%11) })
	paid := learnedFrom(t, "day,b,y", func(i int) string {
		return fmt.Sprintf("%s,%d.5,%d", []string{"yes", "no"}[i*i%3%2], i%7, i*i%11)
	})
	for _, c := range []struct {
		m    *inlier.Opened
		cell string
		want float64 // NaN: refused
	}{
		{compact, "20240825", 19960}, {compact, "2024-08-25", 19960}, {iso, "20240825", 19960}, {iso, "2024-08-25", 19960},
		{iso, "45529", math.NaN()}, {compact, "45529", math.NaN()}, {iso, "19960", math.NaN()},
		{short, "24-08-11", 19946}, {short, "24-08-25", 19960},
		{laps, "1:30.50", 90.5 / 86400}, {laps, "59.50", 59.5 / 86400},
		{paid, "1", 1}, {paid, "0", 0}, {paid, "no", 0}, {paid, "1.0", 1}, {paid, "2", math.NaN()}, {paid, "20240825", math.NaN()},
	} {
		for rows := 1; rows < 4; rows++ {
			got, err := firstRow(t, c.m, "day,b\n"+strings.Repeat(c.cell+",2.5\n", rows))
			switch {
			case c.want != c.want:
				if err == nil || !strings.Contains(err.Error(), "day") {
					t.Errorf("%d of %q where %v was learned: %v, %v", rows, c.cell, c.m.Input.Written[0], got, err)
				}
			case err != nil || math.Abs(got[0]-c.want) > 1e-12:
				t.Errorf("%d of %q where %v was learned: %v, %v", rows, c.cell, c.m.Input.Written[0], got, err)
			}
		}
	}
}

// Numbers of an array that are to be dates are read as such, too.
func TestRowsOfArraysAreReadAsTheColumnsWereLearned(t *testing.T) {
	m := learnedFrom(t, "day,b,y", func(i int) string { return fmt.Sprintf("2024-08-%02d,%d.5,%d", 1+i%28, i%7, i*i%11) })
	set := &dataset.Set{Columns: []string{"day", "b"}, X: mat.NewDense(2, 2, []float64{20240825, 2.5, 20240826, 3.5})}
	path := filepath.Join(t.TempDir(), "rows.parquet")
	if err := file.Write(path, set, file.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	got, err := m.Read(context.Background(), inlier.Data{Path: path, Tolerant: true}, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.X.At(0, 0) != 19960 || got.X.At(1, 0) != 19961 || got.X.At(1, 1) != 3.5 {
		t.Errorf("%v", mat.Formatted(got.X))
	}
}

// Units and marks of new rows are held against those that were learned: what has a certain factor is turned, what has not is refused.
func TestUnitsOfRowsAreThoseThatWereLearned(t *testing.T) {
	kilos := learnedFrom(t, "w,b,y", func(i int) string { return fmt.Sprintf("%d.5 kg,%d.5,%d", 10+i%9, i%7, i*i%11) })
	bare := learnedFrom(t, "w,b,y", func(i int) string { return fmt.Sprintf("%d.5,%d.5,%d", 10+i%9, i%7, i*i%11) })
	commas := learnedFrom(t, "w;b;y", func(i int) string { return fmt.Sprintf("%d,5;%d,5;%d", 10+i%9, i%7, i*i%11) })
	for _, c := range []struct {
		m    *inlier.Opened
		cell string
		want float64 // NaN: refused
	}{
		{kilos, "12 kg", 12}, {kilos, "12000 g", 12}, {kilos, "0.012 t", 12}, {kilos, "12", 12}, {kilos, "12 lb", math.NaN()}, {kilos, "12 m", math.NaN()},
		{bare, "12", 12}, {bare, "1k", math.NaN()}, {bare, "1d5", math.NaN()}, {bare, "0x1p4", math.NaN()},
		{bare, "12.345", 12.345}, {commas, "12,345", 12.345}, {commas, "1.234", 1234}, {bare, "1,234", 1234},
	} {
		got, err := firstRow(t, c.m, "w;b\n"+strings.Repeat(c.cell+";2\n", 2))
		if c.want != c.want && err == nil || c.want == c.want && (err != nil || math.Abs(got[0]-c.want) > 1e-9) {
			t.Errorf("%q where %v was learned: %v, %v", c.cell, c.m.Input.Written[0], got, err)
		}
	}
}
