package inlier_test

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
