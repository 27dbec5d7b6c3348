package jobs

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/report"
)

// TestModelsInBlocks: a model says of a table that does not fit into memory what it says of the same table there, number by number.
func TestModelsInBlocks(t *testing.T) {
	ctx := context.Background()
	paths := smallTable(t, 33500) // two parts
	classes := classTable(t, 33500)
	for k, c := range []struct {
		method, target, shape string
		parameters            catalog.Parameters
	}{
		{method: "pca-robust", parameters: catalog.Parameters{"components": "2", "scaling": "robust"}},
		{method: "pca-cell", parameters: catalog.Parameters{"components": "2"}},
		{method: "corr-2dsvd", shape: "2x3"},
		{method: "linear-robust", target: "f"},
		{method: "relm", target: "f", parameters: catalog.Parameters{"hidden": "40"}},
		{method: "logistic", target: "class"},
		{method: "regmaxcem", target: "class", parameters: catalog.Parameters{"kernel": "rbf", "max-steps": "3"}},
		{method: "elm-rcc", target: "class", parameters: catalog.Parameters{"hidden": "30"}},
		{method: "nearest-subspace", target: "class"},
		{method: "kmeans", target: "class", parameters: catalog.Parameters{"clusters": "3"}},
		{method: "logistic", target: "class", parameters: catalog.Parameters{"reduce": "pca", "reduce.components": "3"}},
	} {
		data := inlier.Data{Path: paths[k%3], Target: c.target, Shape: c.shape}
		if c.target == "class" {
			data.Path, data.ID = classes, "name"
		}
		learn := data
		if learn.Limit = 400; c.method == "regmaxcem" {
			learn.Limit = 100
		}
		fitted := fitOf(t, inlier.Fit{Method: c.method, Data: learn, Parameters: c.parameters}).Fitted()
		blocks := data
		blocks.Memory = 3 << 19
		name := c.method + " of " + filepath.Base(data.Path)
		if _, ok := fitted.Value.(catalog.Detector); ok {
			for _, j := range []inlier.Judge{{}, {Flagged: true, Why: c.target != "class"}, {Top: 7}} {
				j.Model, j.Data = fitted, data
				want, err := j.Run(ctx, nil)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				j.Data = blocks
				var got *report.Table
				total, err := j.Stream(ctx, nil, func(part *inlier.JudgeResult) error { got = joined(got, part.Table(j.Why)); return nil })
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				sameTable(t, name, got, want.Table(j.Why))
				if total.Memory == 0 || total.Outliers != want.Outliers || total.Of != want.Of || total.KindsText() != want.KindsText() {
					t.Errorf("%s: %d of %d%s, in memory %d of %d%s", name, total.Outliers, total.Of, total.KindsText(), want.Outliers, want.Of, want.KindsText())
				}
				if j.Flagged || j.Top > 0 {
					if total, err = j.Run(ctx, nil); err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					sameTable(t, name, total.Table(j.Why), want.Table(j.Why))
				}
			}
		}
		if _, ok := fitted.Value.(catalog.Predictor); ok {
			want, err := inlier.Predict{Model: fitted, Data: data, Probabilities: true}.Run(ctx, nil)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			var got *report.Table
			total, err := inlier.Predict{Model: fitted, Data: blocks, Probabilities: true}.Stream(ctx, nil, func(part *inlier.PredictResult) error { got = joined(got, part.Table()); return nil })
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			sameTable(t, name, got, want.Table())
			if !slices.Equal(total.Remarks(), want.Remarks()) {
				t.Errorf("%s: %v, in memory %v", name, total.Remarks(), want.Remarks())
			}
		}
		if _, ok := fitted.Value.(catalog.Transformer); ok {
			want, err := inlier.Transform{Model: fitted, Data: data}.Run(ctx, nil)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			var got *report.Table
			_, err = inlier.Transform{Model: fitted, Data: blocks}.Stream(ctx, nil, func(part *inlier.RowsResult) error { got = joined(got, part.Table()); return nil })
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			sameTable(t, name, got, want.Table())
		}
		want, err := inlier.Score{Model: fitted, Data: data}.Run(ctx, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		blocks.Memory = 7 << 20 // so that curves fit
		got, err := inlier.Score{Model: fitted, Data: blocks}.Run(ctx, nil)
		if err != nil || got.Memory == 0 || len(got.List) != len(want.List) {
			t.Fatalf("%s: %v; %v, in memory %v", name, err, got, want)
		}
		for i, x := range got.List {
			if y := want.List[i]; x.Name != y.Name || x.Text != y.Text || !(math.Abs(float64(x.Value-y.Value)) <= 1e-12*math.Abs(float64(y.Value))) {
				t.Errorf("%s: %v, in memory %v", name, x, y)
			}
		}
	}
}

// TestAllRowsInBlocks lists what needs all rows in memory and is refused, and what is left out.
func TestAllRowsInBlocks(t *testing.T) {
	ctx := context.Background()
	path := classTable(t, 4700)
	data := inlier.Data{Path: path, Target: "class", ID: "name"}
	fitted := fitOf(t, inlier.Fit{Method: "logistic", Data: data}).Fitted()
	data.Memory = 1 << 14
	each := func(*inlier.JudgeResult) error { return nil }
	for say, run := range map[string]func() error{
		"a verdict on every row holds all of the 4700 x 6 numbers": func() error { _, err := inlier.Judge{Model: fitted, Data: data}.Run(ctx, nil); return err },
		"a reason why labels are doubtful": func() error {
			_, err := inlier.Judge{Model: fitted, Data: data, Why: true}.Stream(ctx, nil, each)
			return err
		},
		"a prediction for every row": func() error { _, err := inlier.Predict{Model: fitted, Data: data}.Run(ctx, nil); return err },
		"a picture of all rows":      func() error { _, err := inlier.Score{Model: fitted, Data: data, Whole: true}.Run(ctx, nil); return err },
	} {
		if e, ok := inlier.AsError(run()); !ok || !strings.Contains(e.Error(), say) || !strings.Contains(e.Hint, "MiB would do") {
			t.Errorf("%s: %v", say, e)
		}
	}
	got, err := inlier.Score{Model: fitted, Data: data}.Run(ctx, nil)
	if err != nil || len(got.Remarks) != 1 || got.Metrics["accuracy"] == 0 {
		t.Errorf("%v: %v", err, got)
	}
	if _, has := got.Metrics["auc"]; has {
		t.Error("an area of rows that are not held")
	}
}

// TestRefusalsInBlocks: what is refused of a table in blocks is what is refused in memory, by the same row, and no other way of reading is
// recommended for what a model does not know.
func TestRefusalsInBlocks(t *testing.T) {
	write := func(name string, hole, strange int) string {
		lines := []string{"a,b,c,class"}
		for i := range 40000 {
			line := fmt.Sprintf("%d,%d,%d,%s", i, i*i%7, i%5, []string{"rose", "lily"}[i%2])
			switch i {
			case hole:
				line = fmt.Sprintf("%d,,%d,rose", i, i%5)
			case strange:
				line = fmt.Sprintf("%d,1,%d,thistle", i, i%5)
			}
			lines = append(lines, line)
		}
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	clean, holes, strange := write("clean.csv", -1, -1), write("holes.csv", 39029, -1), write("strange.csv", -1, 39030)
	columns := []string{"a", "b", "c"}
	reduced := fitOf(t, inlier.Fit{Method: "pca", Data: inlier.Data{Path: clean, Columns: columns}, Parameters: catalog.Parameters{"components": "1", "missing": "fit"}}).Fitted()
	learned := fitOf(t, inlier.Fit{Method: "nearest-center", Data: inlier.Data{Path: clean, Target: "class"}}).Fitted()
	for say, job := range map[string]inlier.Score{
		`row 39030, column "b" is missing`: {Model: reduced, Data: inlier.Data{Path: holes}},
		`class "thistle" is not among`:     {Model: learned, Data: inlier.Data{Path: strange}},
	} {
		_, want := job.Run(context.Background(), nil)
		job.Data.Memory = 1
		_, got := job.Run(context.Background(), nil)
		a, _ := inlier.AsError(want)
		b, _ := inlier.AsError(got)
		if a == nil || b == nil || !strings.Contains(a.Error(), say) || a.Error() != b.Error() || a.Hint != b.Hint {
			t.Errorf("%v (%v), in memory %v (%v)", got, b, want, a)
		}
	}
}

// A text column that is called as a value within an ONNX graph would make a graph that no program reads: it is refused.
func TestExportRefusesInnerNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "names.csv")
	text := "inlier/1,b,y\n" + strings.Repeat("red,1,2\nblue,2,3\nred,3,5\nblue,5,5.5\n", 5)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	fitted := fitOf(t, inlier.Fit{Method: "relm", Data: inlier.Data{Path: path, Target: "y", Categorical: "onehot"}}).Fitted()
	_, err := inlier.Export{Model: fitted}.Run(context.Background(), nil)
	if e, ok := inlier.AsError(err); !ok || !strings.Contains(e.Error(), "inlier/1") {
		t.Errorf("%v", err)
	}
}

// classTable is smallTable with names and classes of the rows.
func classTable(t *testing.T, rows int) string {
	text, err := os.ReadFile(smallTable(t, rows)[0])
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for i, line := range lines {
		if i == 0 {
			lines[i] = "name," + line + ",class"
			continue
		}
		class := []string{"rose", "aster", "lily"}[(i-1)%3]
		if i%11 == 0 { // wrong
			class = "aster"
		}
		lines[i] = "r" + strings.Repeat("x", i%4) + "," + line + "," + class
	}
	path := filepath.Join(t.TempDir(), "classes.csv")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func joined(to, part *report.Table) *report.Table {
	if to == nil {
		return part
	}
	to.Rows = append(to.Rows, part.Rows...)
	return to
}

func sameTable(t *testing.T, name string, got, want *report.Table) {
	t.Helper()
	if len(got.Rows) != len(want.Rows) || !slices.Equal(got.Columns, want.Columns) {
		t.Fatalf("%s: %d rows of %v, in memory %d of %v", name, len(got.Rows), got.Columns, len(want.Rows), want.Columns)
	}
	for i, row := range want.Rows {
		if !slices.Equal(got.Rows[i], row) {
			t.Fatalf("%s: row %d is %v, in memory %v", name, i+1, got.Rows[i], row)
		}
	}
}
