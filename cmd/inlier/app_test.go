package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/atomicfile"
	"github.com/inlier-ml/inlier/model"
)

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
		line string
		hint string
	}{
		{nil, exitDone, "", ""},
		{usage("do this", "no %s", "way"), exitUsage, "no way", "do this"},
		{&catalog.UsageError{Problem: "p", Hint: "h"}, exitUsage, "p", "h"},
		{&dataset.InputError{File: "a.csv", Line: 3, Problem: "bad", Hint: "mend it"}, exitUsage, "a.csv:3: bad", "mend it"},
		{fmt.Errorf("wrapped: %w", &model.FileError{Path: "m.npz", Problem: "is damaged"}), exitUsage, "wrapped: m.npz: is damaged", ""},
		{&atomicfile.Error{Path: "x", Problem: "is a directory"}, exitUsage, "x: is a directory", ""},
		{errors.New("pca: something\nbroke"), exitFailed, "something; broke", ""},
		{fmt.Errorf("fit: %w", context.Canceled), exitInterrupted, "interrupted; nothing was written", ""},
		{&internalError{value: "index out of range"}, exitFailed, "internal error: index out of range", "this is a bug; INLIER_TRACE=1 shows where, please report it"},
	} {
		var errs bytes.Buffer
		a := &app{err: &errs}
		if got := a.fail(c.err); got != c.code {
			t.Errorf("%v: exit code %d, want %d", c.err, got, c.code)
		}
		want := ""
		if c.err != nil {
			want = "inlier: " + c.line + "\n"
			if c.hint != "" {
				want += "hint: " + c.hint + "\n"
			}
		}
		if errs.String() != want {
			t.Errorf("%v: printed %q, want %q", c.err, errs.String(), want)
		}
	}
}

// Every library package of the tree stands before its messages, and the user sees none.
func TestPackageNamesAreStripped(t *testing.T) {
	packages := map[string]bool{}
	err := filepath.WalkDir("../..", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (strings.HasPrefix(e.Name(), ".") && len(e.Name()) > 2 || e.Name() == "cmd" || e.Name() == "internal" || e.Name() == "testdata"):
			return filepath.SkipDir
		case strings.HasSuffix(path, ".go") && filepath.Dir(path) != "../..":
			packages[filepath.Base(filepath.Dir(path))] = true
		}
		return nil
	})
	if err != nil || len(packages) < 10 {
		t.Fatalf("%d packages found: %v", len(packages), err)
	}
	for name := range packages {
		for _, text := range []string{name + ": broke", "catalog: " + name + ": broke"} {
			if got := oneLine(text); got != "broke" {
				t.Errorf("%q is shown as %q", text, got)
			}
		}
		if got := oneLine("a.csv: " + name + ": broke"); got != "a.csv: broke" {
			t.Errorf("after a file: %q", got)
		}
	}
}

func TestOutlyingnessOfMarginsHasASign(t *testing.T) {
	o := &catalog.Outliers{Residual: []float64{2, -0.5, 0.1, -3}, Suggested: []string{"a", "b", "a", "b"}}
	order := []int{3, 1, 2, 0}
	for k := range order[1:] {
		if a, b := outlyingness(o, order[k]), outlyingness(o, order[k+1]); !(a > b) {
			t.Errorf("margin %v ranks %v, margin %v ranks %v", o.Residual[order[k]], a, o.Residual[order[k+1]], b)
		}
	}
	o.OrthogonalDistance, o.OrthogonalCutoff = []float64{8, 1, 1, 1}, 2
	if outlyingness(o, 0) <= outlyingness(o, 1) || outlyingness(o, 0) != 3 {
		t.Errorf("a row at four cut-offs from the subspace ranks %v", outlyingness(o, 0))
	}
	signed := &catalog.Outliers{Residual: []float64{-4, 3}, ResidualCutoff: 2.5}
	if outlyingness(signed, 0) <= outlyingness(signed, 1) {
		t.Error("residuals of a regression are ranked by sign")
	}
}

func TestPanicsEndInOneLine(t *testing.T) {
	var out, errs bytes.Buffer
	if got := runWith(func(*app) *cobra.Command {
		return &cobra.Command{Use: "inlier", SilenceErrors: true, SilenceUsage: true, Run: func(*cobra.Command, []string) { panic("boom") }}
	}, []string{}, strings.NewReader(""), &out, &errs); got != exitFailed {
		t.Errorf("exit code %d, want %d", got, exitFailed)
	}
	if !strings.HasPrefix(errs.String(), "inlier: internal error: boom\nhint: ") || strings.Count(errs.String(), "\n") != 2 {
		t.Errorf("printed %q", errs.String())
	}
}

func TestRanges(t *testing.T) {
	for _, c := range []struct {
		rows []int
		most int
		want string
	}{
		{nil, 5, ""},
		{[]int{4}, 5, "4"},
		{[]int{1, 2}, 5, "1, 2"},
		{[]int{1, 2, 3, 7, 9, 10, 11}, 5, "1-3, 7, 9-11"},
		{[]int{1, 3, 5, 7, 8, 9}, 3, "1, 3, 5, and 3 more"},
	} {
		if got := ranges(c.rows, c.most); got != c.want {
			t.Errorf("ranges(%v) is %q, want %q", c.rows, got, c.want)
		}
	}
}

func TestDefaultModelPath(t *testing.T) {
	for data, want := range map[string]string{
		"a/sales.csv": "sales.pca.npz", "sales.csv.gz": "sales.pca.npz", "faces/": "faces.pca.npz", "-": "pca.npz", "/": "pca.npz", "x": "x.pca.npz",
	} {
		if got := defaultModelPath(data, "pca"); got != want {
			t.Errorf("the model of %q is called %q, want %q", data, got, want)
		}
	}
}

func TestReasons(t *testing.T) {
	row := []float64{10, 20, 30, 40}
	columns := []string{"a", "b", "c"}
	got := reasons(row, []float64{1, -4, 0, 0.1}, 0, columns, 5)
	if len(got) != 1 || got[0].Column != "b" || got[0].Contribution != -4 || got[0].Value != 20 {
		t.Errorf("one column explains nine tenths, but got %+v", got)
	}
	got = reasons(row, []float64{1, -2, 0, 1.5}, 0, columns, 2)
	if len(got) != 2 || got[0].Column != "b" || got[1].Column != "column 4" {
		t.Errorf("got %+v", got)
	}
	if share := 4 / 7.25; math.Abs(float64(got[0].Share)-share) > 1e-12 {
		t.Errorf("share is %g, want %g", got[0].Share, share)
	}
	if got := reasons(row, make([]float64, 4), 0, columns, 3); len(got) != 0 {
		t.Errorf("nothing contributes, but got %+v", got)
	}
}

func TestReasonsOfHugeNumbers(t *testing.T) {
	got := reasons([]float64{1e300, 2}, []float64{1e300, -1}, 1e300, []string{"a", "b"}, 5)
	if len(got) != 1 || got[0].Column != "a" || got[0].Share != 1 {
		t.Errorf("got %+v", got)
	}
}

func TestShortened(t *testing.T) {
	for in, want := range map[string]string{
		"tukey:c=0.5484109239375735": "tukey:c=0.548411", "rank=15x15 tol=1e-09 seed=123456789": "rank=15x15 tol=1e-09 seed=123456789",
		"sigma=1.2345678901e-07 p=2": "sigma=1.23457e-07 p=2", "0.5": "0.5",
	} {
		if got := shortened(in); got != want {
			t.Errorf("%q is shortened to %q, want %q", in, got, want)
		}
	}
}

// Rows that are wrong come before rows that are merely far, whatever the distances.
func TestWrongRowsComeFirst(t *testing.T) {
	regression := &catalog.Outliers{Residual: []float64{0.1, 3, -9, 1}, ResidualCutoff: 2.5, ScoreDistance: []float64{500, 1, 40, 2}, ScoreCutoff: 3, Outlier: []bool{false, true, true, false}}
	subspace := &catalog.Outliers{OrthogonalDistance: []float64{0, 2, 5, 0}, OrthogonalCutoff: 1, ScoreDistance: []float64{1e9, 0, 9, 1}, ScoreCutoff: 3, Outlier: []bool{true, true, true, false}}
	for name, c := range map[string]struct {
		o    *catalog.Outliers
		want []int
	}{"regression": {regression, []int{3, 2, 4, 1}}, "subspace": {subspace, []int{3, 2, 1, 4}}} {
		v := &verdict{}
		for i := range c.o.Outlier {
			v.Rows = append(v.Rows, judged{Row: i + 1, far: outlyingness(c.o, i), grave: graveness(c.o, i)})
		}
		var got []int
		for _, row := range v.selected(outliersRequest{top: 1 << 40}) {
			got = append(got, row.Row)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: the order is %v, want %v", name, got, c.want)
		}
	}
}

func TestNumbersThatJSONLacks(t *testing.T) {
	var out bytes.Buffer
	a := &app{out: &out}
	if err := a.printJSON(numbers([]float64{1.5, math.NaN(), math.Inf(-1)})); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(strings.Fields(out.String()), ""), "[1.5,null,null]"; got != want {
		t.Errorf("printed %s, want %s", got, want)
	}
}

// Every command has a short text and an example.
func TestCommandsAreDescribed(t *testing.T) {
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Short == "" || c.Example == "" {
			t.Errorf("%s lacks a text or an example", c.CommandPath())
		}
		for _, sub := range c.Commands() {
			if sub.Name() != "help" {
				walk(sub)
			}
		}
	}
	walk(newRoot(&app{}))
}
