package jobs

import (
	"context"
	"encoding/csv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset/file"
)

// smallTable writes a plane of rows with a tenth of them off it, in three classes, and returns its files.
func smallTable(t *testing.T, rows int) []string {
	const columns = 6
	draw := rand.New(rand.NewPCG(4, 9))
	folder := t.TempDir()
	var lines [][]string
	for i := range rows {
		class := i % 3
		a, b := draw.NormFloat64()+6*float64(class), draw.NormFloat64()
		line := make([]string, columns)
		for j := range columns {
			v := 3*a*math.Cos(float64(j)) + b*float64(j) + 0.2*draw.NormFloat64()
			if i%10 == 7 {
				v = 40 + draw.NormFloat64()
			}
			line[j] = strconv.FormatFloat(v, 'g', -1, 64)
		}
		lines = append(lines, line)
	}
	var text strings.Builder
	w := csv.NewWriter(&text)
	_ = w.Write([]string{"a", "b", "c", "d", "e", "f"})
	if err := w.WriteAll(lines); err != nil {
		t.Fatal(err)
	}
	paths := []string{filepath.Join(folder, "t.csv"), filepath.Join(folder, "t.parquet"), filepath.Join(folder, "t.npy")}
	if err := os.WriteFile(paths[0], []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	set, err := file.Read(context.Background(), paths[0], file.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths[1:] {
		if err := file.Write(path, set, file.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

// TestFitsInBlocks fits within a bound that the table does not fit into, and within memory. Samples are all rows of
// so small a table.
func TestFitsInBlocks(t *testing.T) {
	paths := smallTable(t, 1900)
	for _, c := range []struct {
		method     string
		parameters catalog.Parameters
		paths      []string
		within     float64 // of the objective
	}{
		{method: "pca", paths: paths, within: 1e-12},
		{method: "pca-robust", paths: paths, within: 1e-12},
		{method: "hq-pca", paths: paths[:1], within: 1e-6},
		{method: "2dsvd", paths: paths[:1], within: 1e-6},
		{method: "kmeans", parameters: catalog.Parameters{"clusters": "3"}, paths: paths[1:2], within: 1e-12},
		{method: "kmeans-robust", parameters: catalog.Parameters{"clusters": "3"}, paths: paths[2:], within: 1e-12},
	} {
		data := inlier.Data{Path: paths[0]}
		if c.method == "2dsvd" {
			data.Shape = "2x3"
		}
		whole := fitOf(t, inlier.Fit{Method: c.method, Data: data, Parameters: c.parameters})
		if whole.Reads != 0 || whole.Memory != 0 {
			t.Errorf("%s of a small table was fitted in blocks", c.method)
		}
		for _, path := range c.paths {
			data.Path, data.Memory = path, 1<<18
			parts := fitOf(t, inlier.Fit{Method: c.method, Data: data, Parameters: c.parameters})
			name := c.method + " of " + filepath.Base(path)
			if parts.Reads < 1 || parts.Reads > 20 || parts.Memory != 1<<18 {
				t.Errorf("%s was read %d times within %d bytes", name, parts.Reads, parts.Memory)
			}
			if d := math.Abs(float64(parts.Objective)/float64(whole.Objective) - 1); !(d <= c.within) || parts.Rows != whole.Rows || parts.Columns != whole.Columns {
				t.Errorf("%s: objective %v of %d x %d in blocks, %v of %d x %d in memory", name, parts.Objective, parts.Rows, parts.Columns, whole.Objective, whole.Rows, whole.Columns)
			}
			if parts.Outliers != whole.Outliers || !slices.Equal(parts.OutlierRows, whole.OutlierRows) {
				t.Errorf("%s: %d outliers in blocks, %d in memory", name, parts.Outliers, whole.Outliers)
			}
		}
	}
}

// TestManyRowsInBlocks learns from a sample and four readings, and its model file judges as the fit did.
func TestManyRowsInBlocks(t *testing.T) {
	path := smallTable(t, 5000)[2]
	f := inlier.Fit{Method: "pca-robust", Parameters: catalog.Parameters{"components": "2"}, Data: inlier.Data{Path: path}}
	whole := fitOf(t, f)
	f.Data.Memory = 1 << 18
	parts := fitOf(t, f)
	if parts.Reads > 4 || parts.Rows != 5000 || len(parts.OutlierRows) != parts.Outliers || math.Abs(float64(parts.Outliers-whole.Outliers)) > 25 {
		t.Errorf("%d rows read %d times have %d outliers, %d named; in memory %d", parts.Rows, parts.Reads, parts.Outliers, len(parts.OutlierRows), whole.Outliers)
	}
	if d := float64(parts.Objective)/float64(whole.Objective) - 1; !(math.Abs(d) < 0.02) {
		t.Errorf("objective %v, in memory %v", parts.Objective, whole.Objective)
	}
	saved := filepath.Join(t.TempDir(), "m.npz")
	if err := parts.Save(saved); err != nil {
		t.Fatal(err)
	}
	judged, err := inlier.Judge{Model: inlier.Model{Path: saved}, Data: inlier.Data{Path: path}, Flagged: true}.Run(context.Background(), nil)
	if err != nil || len(judged.Rows) != parts.Outliers {
		t.Fatalf("%v, want %d outliers", err, parts.Outliers)
	}
	for k, row := range judged.Rows {
		if row.Row != parts.OutlierRows[k] {
			t.Fatalf("row %d is an outlier, want %d", row.Row, parts.OutlierRows[k])
		}
	}
}

// TestRegressionInBlocks: the target stands in any column, is not held, and the coefficients are those of all rows in memory.
func TestRegressionInBlocks(t *testing.T) {
	for _, path := range smallTable(t, 5000) {
		f := inlier.Fit{Method: "linear-robust", Data: inlier.Data{Path: path, Target: "3", Drop: []string{"5"}}}
		whole := fitOf(t, f)
		f.Data.Memory = 1 << 18
		parts := fitOf(t, f)
		if parts.Reads > 4 || parts.Rows != 5000 || parts.Columns != 4 || len(parts.OutlierRows) != parts.Outliers || math.Abs(float64(parts.Outliers-whole.Outliers)) > 10 ||
			math.Abs(float64(parts.Objective/whole.Objective)-1) > 1e-3 {
			t.Errorf("%s: objective %v of %d rows read %d times, %d outliers; in memory %v, %d", path, parts.Objective, parts.Rows, parts.Reads, parts.Outliers, whole.Objective, whole.Outliers)
		}
		a, b := parts.Fitted().Value.Describe(), whole.Fitted().Value.Describe()
		if a.Target != b.Target || !slices.Equal(a.ColumnNames, b.ColumnNames) {
			t.Errorf("learns %s from %v, in memory %s from %v", a.Target, a.ColumnNames, b.Target, b.ColumnNames)
		}
	}
}

// TestNodesCountInTheBound: a table that would fit is read in blocks where the nodes of a machine would not.
func TestNodesCountInTheBound(t *testing.T) {
	f := inlier.Fit{Method: "relm", Parameters: catalog.Parameters{"hidden": "20"}, Data: inlier.Data{Path: smallTable(t, 2500)[2], Target: "6", Memory: 53 << 20}}
	if r := fitOf(t, f); r.Reads != 0 {
		t.Errorf("few nodes are read in blocks")
	}
	f.Parameters["hidden"] = "300"
	if r := fitOf(t, f); r.Reads == 0 {
		t.Errorf("many nodes are held in memory")
	}
}

// TestSeveralFilesInBlocks counts the rows of both files.
func TestSeveralFilesInBlocks(t *testing.T) {
	path := smallTable(t, 700)[0]
	data := inlier.Data{Path: path, Paths: []string{path}}
	whole := fitOf(t, inlier.Fit{Method: "pca", Data: data})
	data.Memory = 1 << 16
	parts := fitOf(t, inlier.Fit{Method: "pca", Data: data})
	if parts.Reads == 0 || parts.Rows != 1400 || !(math.Abs(float64(parts.Objective)/float64(whole.Objective)-1) <= 1e-6) {
		t.Errorf("%d rows read %d times have objective %v, want %v", parts.Rows, parts.Reads, parts.Objective, whole.Objective)
	}
}

// TestRefusedInBlocks lists what holds all rows in memory and says so, and what is asked of data in memory too.
func TestRefusedInBlocks(t *testing.T) {
	path := smallTable(t, 600)[0]
	for _, c := range []struct {
		method, target, say string
	}{
		{"elm", "f", "elm holds all of its 600 x 5 numbers in memory"},
		{"correntropy-pca", "", "correntropy-pca holds all of its 600 x 6 numbers in memory"},
	} {
		_, err := inlier.Fit{Method: c.method, Data: inlier.Data{Path: path, Target: c.target, Memory: 1 << 14}}.Run(context.Background(), nil)
		if e, ok := inlier.AsError(err); !ok || !strings.Contains(e.Error(), c.say) {
			t.Errorf("%s: %v", c.method, err)
		}
	}
	constant := filepath.Join(t.TempDir(), "c.csv")
	if err := os.WriteFile(constant, []byte("a,b\n1,2\n"+strings.Repeat("2,2\n3,2\n", 400)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := inlier.Fit{Method: "pca", Data: inlier.Data{Path: constant, Memory: 1 << 12}}.Run(context.Background(), nil)
	if err == nil || !strings.Contains(err.Error(), `column "b" is 2 in every row`) {
		t.Errorf("a column that never changes: %v", err)
	}
}

func fitOf(t *testing.T, f inlier.Fit) *inlier.FitResult {
	t.Helper()
	result, err := f.Run(context.Background(), nil)
	if err != nil {
		t.Fatalf("%s of %s: %v", f.Method, filepath.Base(f.Data.Path), err)
	}
	return result
}

// TestScaledInBlocks: columns are scaled in memory, where the fit may hold them; else scaling is what is too large.
func TestScaledInBlocks(t *testing.T) {
	f := inlier.Fit{Method: "pca-robust", Parameters: catalog.Parameters{"scaling": "robust"}, Data: inlier.Data{Path: smallTable(t, 600)[0]}}
	whole := fitOf(t, f)
	f.Data.Memory = 1 << 18 // of which a quarter holds the table
	if parts := fitOf(t, f); parts.Reads == 0 || parts.Objective != whole.Objective || !slices.Equal(parts.OutlierRows, whole.OutlierRows) {
		t.Errorf("objective %v after %d readings, want %v", parts.Objective, parts.Reads, whole.Objective)
	}
	f.Data.Memory = 1 << 14
	if _, err := f.Run(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "pca-robust with scaling=robust holds all of its 600 x 6 numbers in memory") {
		t.Error(err)
	}
}
