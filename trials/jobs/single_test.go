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
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
)

// planeFile writes rows with two causes, five wrong cells in a hundred rows, a target and classes.
func planeFile(t *testing.T, name string, rows int, at func(i, j int) float64) string {
	t.Helper()
	x, y := mat.NewDense(rows, 6, nil), make([]float64, rows)
	for i := range rows {
		for j := range 6 {
			x.Set(i, j, at(i, j))
		}
		y[i] = math.Round(x.At(i, 0) - 2*x.At(i, 3))
		if i%20 == 7 {
			x.Set(i, i%6, x.At(i, i%6)+400)
		}
	}
	path := filepath.Join(t.TempDir(), name)
	set := &dataset.Set{X: x, Columns: []string{"a", "b", "c", "d", "e", "f"}, Target: &dataset.Target{Name: "y", Values: y}}
	if err := file.Write(path, set, file.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	return path
}

// whole are numbers that single precision holds as they are.
func whole(i, j int) float64 {
	u, v := math.Sin(float64(7*i)), math.Cos(float64(11*i))
	return math.Round(100*(u*float64(j-2)+v*float64(j*j%5))) + float64((i*(j+3))%7)
}

// Where nothing is rounded a fit to a table in single precision is that to the table in double precision, for every method that reads in blocks.
func TestSinglePrecisionOfWholeNumbers(t *testing.T) {
	path := planeFile(t, "whole.csv", 1500, whole)
	tried := 0
	for _, m := range catalog.Methods() {
		data := inlier.Data{Path: path, Target: "y", Task: "regression"}
		if slices.Contains(m.Tasks, catalog.Classify) && !slices.Contains(m.Tasks, catalog.Regress) {
			data.Task = "class"
		}
		if !m.Beside && m.Name != "pca" && m.Name != "pca-robust" && m.Name != "hq-pca" && m.Name != "kmeans" {
			continue
		}
		double, err := inlier.Fit{Method: m.Name, Data: data, Seed: 3}.Run(context.Background(), nil)
		if err != nil {
			continue // the conformance suite knows why
		}
		data.Precision = "single"
		single, err := inlier.Fit{Method: m.Name, Data: data, Seed: 3}.Run(context.Background(), nil)
		if err != nil {
			if !strings.Contains(err.Error(), "in double precision") {
				t.Errorf("%s: %v", m.Name, err)
			}
			continue
		}
		tried++
		if single.Single == nil || single.Single.Column != "" || single.Single.Bytes < 4*1500*6 {
			t.Errorf("%s held %+v", m.Name, single.Single)
		}
		a, b := float64(double.Objective), float64(single.Objective)
		if !(math.Abs(a-b) <= 1e-3*math.Abs(a)) || double.Outliers > 0 != (single.Outliers > 0) {
			t.Errorf("%s: objective %g and %d outliers, in single precision %g and %d", m.Name, a, double.Outliers, b, single.Outliers)
		}
	}
	if tried < 6 {
		t.Errorf("only %d methods were tried", tried)
	}
}

// What is rounded is told, as is a column that would be rounded too much; one absurd number is none.
func TestSinglePrecisionTellsWhatItRounds(t *testing.T) {
	ctx := context.Background()
	tenths := planeFile(t, "tenths.npz", 400, func(i, j int) float64 {
		if i == 33 && j == 2 {
			return 1e300
		}
		return whole(i, j) / 10
	})
	var fits [2]*inlier.FitResult
	for k, precision := range []string{"double", "single"} {
		fit, err := inlier.Fit{Method: "pca-robust", Parameters: map[string]string{"components": "2"}, Data: inlier.Data{Path: tenths, Precision: precision}}.Run(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		fits[k] = fit
	}
	if h := fits[1].Single; h == nil || h.Rounding <= 0 || h.Rounding > 1e-6 || !strings.Contains(fits[1].Held(), h.Column) {
		t.Errorf("told is %+v", h)
	}
	if !slices.Equal(fits[0].OutlierRows, fits[1].OutlierRows) || !slices.Contains(fits[1].OutlierRows, 34) {
		t.Errorf("outliers %v, in single precision %v", fits[0].OutlierRows, fits[1].OutlierRows)
	}
	far := planeFile(t, "far.csv", 400, func(i, j int) float64 {
		if j == 4 {
			return 1.7e9 + whole(i, j)
		}
		return whole(i, j)
	})
	_, err := inlier.Fit{Method: "pca", Data: inlier.Data{Path: far, Precision: "single"}}.Run(ctx, nil)
	if e, ok := inlier.AsError(err); !ok || e.Parameter != "precision" || !strings.Contains(err.Error(), `column "e"`) {
		t.Errorf("a column far from 0: %v", err)
	}
	tiny := planeFile(t, "tiny.csv", 400, func(i, j int) float64 { return 1e-60 * whole(i, j) })
	if _, err := (inlier.Fit{Method: "pca", Data: inlier.Data{Path: tiny, Precision: "single"}}).Run(ctx, nil); err == nil || !strings.Contains(err.Error(), "as much as its values differ") {
		t.Errorf("a column below the least of single precision: %v", err)
	}
	for _, d := range []inlier.Data{{Path: far, Precision: "half"}, {Path: far, Precision: "single", Tolerant: true}} {
		if _, err := (inlier.Fit{Method: "pca", Data: d}).Run(ctx, nil); err == nil {
			t.Errorf("%+v is taken", d)
		}
	}
}

// Limits, chosen columns, names of rows, classes of texts and several files are as in double precision.
func TestSinglePrecisionReadsTheSameRows(t *testing.T) {
	var b strings.Builder
	b.WriteString("who,a,b,kind,c\n")
	for i := range 300 {
		fmt.Fprintf(&b, "r%d,%g,%g,%s,%g\n", i, whole(i, 1), whole(i, 2), []string{"red", "blue"}[i*7%2], whole(i, 4)+300*float64(i*7%2))
	}
	path := saved(t, b.String())
	for _, d := range []inlier.Data{
		{Path: path, Target: "kind", ID: "who"},
		{Path: path, Target: "kind", Columns: []string{"c", "a"}, Limit: 211},
		{Path: path, Paths: []string{path}, Target: "kind", Drop: []string{"who"}},
	} {
		var fits [2]*inlier.FitResult
		for k, precision := range []string{"double", "single"} {
			d.Precision = precision
			fit, err := inlier.Fit{Method: "square", Parameters: map[string]string{"lambda": "0.01"}, Data: d}.Run(context.Background(), nil)
			if err != nil {
				t.Fatal(err)
			}
			fits[k] = fit
		}
		if a, b := fits[0], fits[1]; a.Rows != b.Rows || a.Columns != b.Columns || math.Abs(float64(a.Objective-b.Objective)) > 1e-6*float64(a.Objective) || !slices.Equal(a.OutlierIDs, b.OutlierIDs) {
			t.Errorf("%+v: %d x %d, objective %g, outliers %v; in single precision %d x %d, %g, %v", d, a.Rows, a.Columns, a.Objective, a.OutlierIDs, b.Rows, b.Columns, b.Objective, b.OutlierIDs)
		}
	}
}
