package dataset

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/pca"
)

// made is row i of a table that both kinds of sources deliver.
func made(i int) []float64 {
	x := math.Sin(float64(i))
	return []float64{x, 2*x + math.Cos(float64(3*i))/20, float64(i%7) / 10}
}

func fromRows(t *testing.T, n int) dataset.Source {
	t.Helper()
	i := 0
	s, err := dataset.FromRows([]string{"a", "b", "c"}, func(dst []float64) (bool, error) {
		copy(dst, made(i))
		i++
		return i <= n, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func sequence(n int) func(func([]float64, error) bool) {
	return func(yield func([]float64, error) bool) {
		for i, row := 0, make([]float64, 3); i < n; i++ {
			copy(row, made(i)) // the same slice each time
			if !yield(row, nil) {
				return
			}
		}
	}
}

// Rows of a program are the rows of a matrix, pass after pass, and fits agree.
func TestRowsAreAMatrix(t *testing.T) {
	ctx := context.Background()
	for _, n := range []int{1, 255, 256, 257, 1000} {
		want := mat.NewDense(n, 3, nil)
		for i := range n {
			want.SetRow(i, made(i))
		}
		again, err := dataset.FromSeq(ctx, []string{"a", "b", "c"}, sequence(n))
		if err != nil {
			t.Fatal(err)
		}
		for _, source := range []dataset.Source{fromRows(t, n), again} {
			for range 2 {
				set, err := dataset.Read(ctx, source)
				if err != nil || !mat.Equal(set.X, want) || !slices.Equal(set.Columns, []string{"a", "b", "c"}) {
					t.Fatalf("%d rows: %v", n, err)
				}
			}
			if n < 1000 {
				continue
			}
			inMemory, err := pca.Robust{}.Fit(ctx, linalg.FromDense(want))
			if err != nil {
				t.Fatal(err)
			}
			model, err := pca.Robust{}.Fit(ctx, source)
			if err != nil || !mat.EqualApprox(model.Basis(), inMemory.Basis(), 1e-6) || !floats.EqualApprox(model.Weights(), inMemory.Weights(), 1e-6) {
				t.Errorf("a fit from rows differs: %v", err)
			}
		}
	}
}

func TestRowsThatAreWrong(t *testing.T) {
	ctx, broken := context.Background(), errors.New("the connection was lost")
	names := []string{"a", "b", "c"}
	if _, err := dataset.FromRows(names, func([]float64) (bool, error) { return false, broken }); !errors.Is(err, broken) {
		t.Errorf("the cursor's error is lost: %v", err)
	}
	if _, err := dataset.FromSeq(ctx, names, func(yield func([]float64, error) bool) { yield(nil, broken) }); !errors.Is(err, broken) {
		t.Errorf("the sequence's error is lost: %v", err)
	}
	for text, make := range map[string]func() (dataset.Source, error){
		"there are no rows":                                func() (dataset.Source, error) { return dataset.FromSeq(ctx, names, sequence(0)) },
		"rows: there are no columns":                       func() (dataset.Source, error) { return dataset.FromSeq(ctx, nil, sequence(3)) },
		`two columns are named "a"`:                        func() (dataset.Source, error) { return dataset.FromSeq(ctx, []string{"a", "b", "a"}, sequence(3)) },
		"row 1: the row has 3 values where 2 are expected": func() (dataset.Source, error) { return dataset.FromSeq(ctx, []string{"a", "b"}, sequence(3)) },
	} {
		if _, err := make(); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%q expected, got %v", text, err)
		}
	}
	n := 300
	shrinking, err := dataset.FromSeq(ctx, names, func(yield func([]float64, error) bool) { sequence(n)(yield); n-- })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := dataset.Read(ctx, shrinking); err == nil || !strings.Contains(err.Error(), "a pass gave 299 rows where the first gave 300") {
		t.Errorf("rows that went away: %v", err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := dataset.FromSeq(ended, names, sequence(10)); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled pass: %v", err)
	}
}

func TestTakeTarget(t *testing.T) {
	set, err := dataset.Read(context.Background(), fromRows(t, 50))
	if err != nil {
		t.Fatal(err)
	}
	got, err := set.TakeTarget("b", dataset.TaskRegression)
	if err != nil || !slices.Equal(got.Columns, []string{"a", "c"}) || got.Target.Name != "b" || got.Target.Values[7] != made(7)[1] || got.X.At(7, 1) != made(7)[2] || set.Dim() != 3 {
		t.Errorf("target taken: %+v, %v", got, err)
	}
	if _, err := set.TakeTarget("z", dataset.TaskAuto); err == nil {
		t.Error("a column that is not there is taken")
	}
}

func TestFromMatrix(t *testing.T) {
	x := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	if s, err := dataset.FromMatrix(x, nil); err != nil || !s.Unnamed || !slices.Equal(s.Columns, []string{"x1", "x2"}) || s.X != x {
		t.Errorf("without names: %+v, %v", s, err)
	}
	if s, err := dataset.FromMatrix(x, []string{"a", "b"}); err != nil || s.Unnamed || s.Columns[1] != "b" {
		t.Errorf("with names: %+v, %v", s, err)
	}
	for _, names := range [][]string{{"a"}, {"a", "a"}, {}} {
		if _, err := dataset.FromMatrix(x, names); err == nil {
			t.Errorf("names %q are taken", names)
		}
	}
}

func TestNoCursorIsRefused(t *testing.T) {
	var input *dataset.InputError
	if _, err := dataset.FromRows([]string{"a"}, nil); !errors.As(err, &input) {
		t.Error(err)
	}
	if _, err := dataset.FromSeq(context.Background(), []string{"a"}, nil); !errors.As(err, &input) {
		t.Error(err)
	}
}

// A later pass that gives more rows than the first ends before they are handed over: what
// reads them has room for those of the first.
func TestLongerPassIsRefusedInTime(t *testing.T) {
	ctx, pass, most := context.Background(), 0, 0
	src, err := dataset.FromSeq(ctx, []string{"a"}, func(yield func([]float64, error) bool) {
		pass++
		for i := range 600 * pass {
			if !yield([]float64{float64(i)}, nil) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	err = src.Scan(ctx, func(first int, block *mat.Dense) error {
		n, _ := block.Dims()
		most = max(most, first+n)
		return nil
	})
	if err == nil || most > 600 {
		t.Errorf("%d rows were handed over where the first pass gave 600: %v", most, err)
	}
}

// A number that is missing is of no class.
func TestMissingClass(t *testing.T) {
	target := dataset.NumberTarget("t", []float64{1, math.NaN(), 0, 1}, dataset.TaskClass)
	if len(target.Classes) != 2 || !slices.Equal(target.Labels, []int{1, -1, 0, 1}) {
		t.Errorf("classes %v, labels %v", target.Classes, target.Labels)
	}
	if err := target.Match([]string{"0", "1"}); err == nil {
		t.Error("a missing class is matched")
	}
}

func TestUnknownTaskIsRefused(t *testing.T) {
	set, err := dataset.FromMatrix(mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6.5}), []string{"a", "y"})
	if err != nil {
		t.Fatal(err)
	}
	var input *dataset.InputError
	if _, err := set.TakeTarget("y", "regress"); !errors.As(err, &input) {
		t.Errorf("numbers become classes by a task that there is not: %v", err)
	}
}
