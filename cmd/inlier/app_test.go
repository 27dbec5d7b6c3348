package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/atomicfile"
	"github.com/inlier-ml/inlier/linalg"
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
		{fmt.Errorf("wrapped: %w", &archive.FileError{Path: "m.npz", Problem: "is damaged"}), exitUsage, "wrapped: m.npz: is damaged", ""},
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

func TestDefaultModelPath(t *testing.T) {
	for data, want := range map[string]string{
		"a/sales.csv": "sales.pca.npz", "sales.csv.gz": "sales.pca.npz", "faces/": "faces.pca.npz", "-": "pca.npz", "/": "pca.npz", "x": "x.pca.npz",
	} {
		if got := inlier.ModelPath([]string{data}, "pca"); got != want {
			t.Errorf("the model of %q is called %q, want %q", data, got, want)
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

// A number of threads that no machine has costs nothing: a million of them took all memory.
func TestThreadsAreThoseOfTheMachine(t *testing.T) {
	had := runtime.GOMAXPROCS(0)
	defer func() { runtime.GOMAXPROCS(had); linalg.SetThreads(0) }()
	var out, errs bytes.Buffer
	if code := run([]string{"version", "--json", "--threads", "5000"}, strings.NewReader(""), &out, &errs); code != 0 {
		t.Fatal(code, errs.String())
	}
	var got struct{ Threads int }
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || got.Threads < 1 || got.Threads > runtime.NumCPU() {
		t.Errorf("%d threads on %d cores: %v", got.Threads, runtime.NumCPU(), err)
	}
}
