package jobs

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/pca"
)

// parts is a table whose columns go together, the last one being the sum of the first two.
func parts(t *testing.T) *dataset.Set {
	t.Helper()
	x := mat.NewDense(60, 4, nil)
	for i := range 60 {
		a, b := float64(i%13), 3*math.Sin(float64(i))
		x.SetRow(i, []float64{a, b, 40*a + b/7 + math.Cos(float64(5*i)), a + b + 0.01*math.Sin(float64(3*i))})
	}
	set, err := dataset.FromMatrix(x, []string{"a", "b", "c", "y"})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// Rows of a program are matched with a model's columns by name, as those of a file are.
func TestColumnsOfAProgramAreMatchedByName(t *testing.T) {
	ctx := context.Background()
	set := parts(t)
	turned, err := set.Select([]string{"y", "c", "b", "a"})
	if err != nil {
		t.Fatal(err)
	}
	fit, err := inlier.Fit{Data: inlier.Data{Set: set}}.Run(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := inlier.Judge{Model: fit.Fitted(), Data: inlier.Data{Set: set}}.Run(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range []inlier.Data{{Set: turned}, {Source: turned.Source()}} {
		got, err := inlier.Judge{Model: fit.Fitted(), Data: data}.Run(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got.Outliers != want.Outliers {
			t.Errorf("%d outliers with the columns in another order, %d before", got.Outliers, want.Outliers)
		}
	}
	if _, err := (inlier.Judge{Model: fit.Fitted(), Data: inlier.Data{Set: &dataset.Set{X: set.X, Columns: []string{"a", "b", "c", "z"}}}}).Run(ctx, nil); err == nil || !strings.Contains(err.Error(), "column y") {
		t.Errorf("a column that is not there: %v", err)
	}
	named := &dataset.Set{X: set.X, Columns: []string{"x1", "x2", "x3", "x4"}}
	if fit, err = (inlier.Fit{Data: inlier.Data{Set: named}}).Run(ctx, nil); err != nil {
		t.Fatal(err)
	}
	for _, names := range [][]string{{"x4", "x3", "x2", "z"}, {"a", "b", "c", "d"}} {
		if _, err := (inlier.Judge{Model: fit.Fitted(), Data: inlier.Data{Set: &dataset.Set{X: set.X, Columns: names}}}).Run(ctx, nil); err == nil || !strings.Contains(err.Error(), "missing") {
			t.Errorf("%v for x1 to x4: %v", names, err)
		}
	}
}

// A column of a set can be the target, as one of a file.
func TestTargetOfASet(t *testing.T) {
	ctx := context.Background()
	data := inlier.Data{Set: parts(t), Target: "y"}
	fit, err := inlier.Fit{Method: "linear-robust", Data: data}.Run(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if fit.Columns != 3 {
		t.Errorf("%d columns", fit.Columns)
	}
	for _, d := range []inlier.Data{data, {Set: parts(t)}, {Source: parts(t).Source()}} {
		if v, err := (inlier.Judge{Model: fit.Fitted(), Data: d}).Run(ctx, nil); err != nil || v.Of != 60 {
			t.Errorf("judge: %v", err)
		}
		if p, err := (inlier.Predict{Model: fit.Fitted(), Data: d}).Run(ctx, nil); err != nil || len(p.Prediction.Values) != 60 {
			t.Errorf("predict: %v", err)
		}
	}
	if fit, err := (inlier.Fit{Data: data}).Run(ctx, nil); err != nil || fit.Columns != 3 {
		t.Errorf("a reduction learned from the target: %v", err)
	}
	if _, err := (inlier.Fit{Data: inlier.Data{Set: parts(t), Target: "z"}}).Run(ctx, nil); err == nil {
		t.Error("a target that is not there")
	}
}

// A set that a program has not filled whole is refused.
func TestSetsThatAreNotWhole(t *testing.T) {
	ctx := context.Background()
	x := parts(t).X
	for name, set := range map[string]*dataset.Set{
		"empty":   {},
		"names":   {X: x, Columns: []string{"a", "b"}},
		"targets": {X: x, Columns: []string{"a", "b", "c", "y"}, Target: &dataset.Target{Name: "t", Values: make([]float64, 7)}},
		"labels":  {X: x, Columns: []string{"a", "b", "c", "y"}, Target: &dataset.Target{Name: "t", Labels: make([]int, 60)}},
		"ids":     {X: x, Columns: []string{"a", "b", "c", "y"}, IDs: []string{"one"}},
		"shape":   {X: x, Columns: []string{"a", "b", "c", "y"}, Shape: []int{5, 5}},
	} {
		_, err := inlier.Fit{Data: inlier.Data{Set: set}}.Run(ctx, nil)
		if _, ok := inlier.AsError(err); !ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := (inlier.Fit{Data: inlier.Data{Set: &dataset.Set{X: x}}}).Run(ctx, nil); err != nil {
		t.Errorf("a set without names: %v", err)
	}
	if _, err := (inlier.Judge{Data: inlier.Data{Set: parts(t)}}).Run(ctx, nil); err == nil || !strings.Contains(err.Error(), "no model") {
		t.Errorf("no model is named: %v", err)
	}
	if _, err := pca.Load(filepath.Join(t.TempDir(), "none.npz")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that does not exist: %v", err)
	}
}

// The jobs that look at data take rows of a program as they take files.
func TestRowsOfAProgramAreLookedAt(t *testing.T) {
	ctx, set := context.Background(), parts(t)
	set.X.Set(3, 1, math.NaN())
	for name, data := range map[string]inlier.Data{"set": {Set: set}, "source": {Source: set.Source()}} {
		head, err := inlier.Head{Data: data, Rows: 5}.Run(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		if head.Set.Rows() != 5 || set.Rows() != 60 {
			t.Errorf("%s: the first 5 rows are %d", name, head.Set.Rows())
		}
		info, err := inlier.Info{Data: data}.Run(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		a, b := info.Summary[0], info.Summary[1]
		if info.Rows != 60 || info.Columns != 4 || info.Missing != 1 || b.Missing != 1 || a.Name != "a" || a.Min != 0 || a.Max != 12 || a.Median != 5.5 {
			t.Errorf("%s: %+v", name, info)
		}
	}
}

// renamed is a source that names its columns wrongly.
type renamed struct {
	dataset.Source
	columns []string
}

func (r renamed) Columns() []string { return r.columns }

func TestSourceWithOtherNamesIsRefused(t *testing.T) {
	for _, columns := range [][]string{nil, {"a", "b"}, {"a", "b", "c", "d", "e"}} {
		_, err := inlier.Fit{Data: inlier.Data{Source: renamed{parts(t).Source(), columns}}}.Run(context.Background(), nil)
		if _, ok := inlier.AsError(err); !ok {
			t.Errorf("%d names of 4 columns: %v", len(columns), err)
		}
	}
}

// A score leaves the caller's rows as they are, whatever the order of their classes, and
// asks for no class that no row is of.
func TestScoreLeavesTheTargetAlone(t *testing.T) {
	ctx, set := context.Background(), parts(t)
	set.Target = &dataset.Target{Name: "t", Labels: make([]int, 60), Classes: []string{"low", "high", "never"}}
	for i := range 60 {
		if set.X.At(i, 0) > 6 {
			set.Target.Labels[i] = 1
		}
	}
	fit, err := inlier.Fit{Method: "nearest-center", Data: inlier.Data{Set: set}}.Run(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	turned := *set
	turned.Target = &dataset.Target{Name: "t", Labels: make([]int, 60), Classes: []string{"never", "high", "low"}}
	for i, k := range set.Target.Labels {
		turned.Target.Labels[i] = 2 - k
	}
	a, err := inlier.Score{Model: fit.Fitted(), Data: inlier.Data{Set: set}}.Run(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := inlier.Score{Model: fit.Fitted(), Data: inlier.Data{Set: &turned}}.Run(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a.Metrics["accuracy"] != b.Metrics["accuracy"] {
		t.Errorf("accuracy %v, with the classes in another order %v", a.Metrics["accuracy"], b.Metrics["accuracy"])
	}
	if turned.Target.Classes[0] != "never" || turned.Target.Class(0) != set.Target.Class(0) {
		t.Errorf("the caller's classes are now %v", turned.Target.Classes)
	}
}

// A model that is only named is saved as well; one that is not there is a mistake, no fault.
func TestSaveOfANamedModel(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	fit, err := inlier.Fit{Data: inlier.Data{Set: parts(t)}}.Run(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	first, second := filepath.Join(dir, "a.npz"), filepath.Join(dir, "b.npz")
	if err := fit.Save(first); err != nil {
		t.Fatal(err)
	}
	if err := (inlier.Model{Path: first}).Save(second); err != nil {
		t.Fatal(err)
	}
	if _, err := (inlier.Model{Path: second}).Open(); err != nil {
		t.Error(err)
	}
	none := &inlier.FitResult{}
	if _, ok := inlier.AsError(none.Save(second)); !ok || none.Model != "" {
		t.Errorf("nothing was fitted: %v, saved to %q", none.Save(second), none.Model)
	}
}

// Whatever is wrong with the columns of a set or of a file, the field of the request is named.
func TestRefusedColumnsNameTheirParameter(t *testing.T) {
	ctx := context.Background()
	set := parts(t)
	fit, err := inlier.Fit{Data: inlier.Data{Set: set}}.Run(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	stream := func(d inlier.Data) inlier.Data {
		d.Reader = strings.NewReader("a,b\n1,2\n2,1\n4,7\n")
		return d
	}
	other := func(columns []string, shape []int) inlier.Data {
		return inlier.Data{Set: &dataset.Set{X: set.X, Columns: columns, Shape: shape}}
	}
	for name, c := range map[string]struct {
		data inlier.Data
		want string
	}{
		"a target that a set lacks":  {inlier.Data{Set: set, Target: "z"}, "target"},
		"a target that a file lacks": {stream(inlier.Data{Target: "z"}), "target"},
		"columns":                    {stream(inlier.Data{Columns: []string{"z"}}), "columns"},
		"drop":                       {stream(inlier.Data{Drop: []string{"z"}}), "drop"},
		"id":                         {stream(inlier.Data{ID: "z"}), "id"},
		"text":                       {stream(inlier.Data{Text: []string{"z"}}), "text"},
		"too few names":              {other([]string{"a"}, nil), "columns"},
		"another shape":              {other(set.Columns, []int{3, 3}), "shape"},
	} {
		_, err := inlier.Fit{Data: c.data}.Run(ctx, nil)
		if e, ok := inlier.AsError(err); !ok || e.Parameter != c.want {
			t.Errorf("%s: %+v", name, e)
		}
	}
	_, err = inlier.Judge{Model: fit.Fitted(), Data: other([]string{"a", "b", "c", "z"}, nil)}.Run(ctx, nil)
	if e, ok := inlier.AsError(err); !ok || e.Parameter != "columns" {
		t.Errorf("a column that the model wants: %+v", e)
	}
}
