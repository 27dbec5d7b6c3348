package jobs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/npy"
)

// program writes a program that runs these lines.
func program(t *testing.T, lines string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+lines+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// fakes are a Python that is quick and right at one task, lacks a library for another and fails otherwise, and an Inlier that is slower.
func fakes(t *testing.T) inlier.Peers {
	t.Helper()
	basis := filepath.Join(t.TempDir(), "basis.npy")
	f, err := os.Create(basis)
	if err != nil {
		t.Fatal(err)
	}
	a := &npy.Array{Shape: []int{30, 512}, Data: make([]float64, 30*512)}
	for k := range 30 {
		a.Data[k*512+k] = 1
	}
	if err := errors.Join(npy.Write(f, a), f.Close()); err != nil {
		t.Fatal(err)
	}
	python := program(t, `case "$2" in
about) echo '{"Python": "9.9", "NumPy": ""}';;
pca-full) for word; do case $word in answer=*) cp `+basis+` "${word#answer=}";; esac; done
 [ "$OMP_NUM_THREADS" = 1 ] || exit 3
 echo 'a remark'; echo '{"seconds": 0.25, "processor": 0.5, "steps": 2, "peak": 1000000}';;
pca-randomized) echo '{"missing": "sklearn"}';;
*) echo 'ValueError: no such luck' >&2; exit 1;;
esac`)
	ours := program(t, `echo '{"steps": 4, "read_seconds": 9, "fit_seconds": 0.5, "fit_processor_seconds": 0.75, "peak_memory_bytes": 4000000, "outlier_rows": [1]}'`)
	return inlier.Peers{Rounds: 2, Quick: true, Threads: 1, Python: python, R: filepath.Join(t.TempDir(), "none"), Program: ours}
}

// Figures are those that programs tell, what is missing or fails is a line, and where Inlier is behind stands first on the page.
func TestPeersSideBySide(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	job := fakes(t)
	job.Only = []string{"pca-wide", "linear-robust"}
	told := 0
	result, err := job.Run(context.Background(), func(e inlier.Event) { told = max(told, e.Total) })
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, l := range result.Lines {
		got += fmt.Sprintf("%s|%v|%g|%g|%d|%d|%d|%s\n", l.Program, l.Ours, l.Seconds, l.Processor, l.Steps, l.Peak, len(l.Runs), l.Missing)
	}
	const want = `Inlier pca|true|0.5|0.75|4|4000000|2|
scikit-learn PCA full|false|0.25|0.5|2|1000000|2|
scikit-learn PCA randomized|false|NaN|NaN|0|0|0|not installed: sklearn
Inlier linear-robust|true|0.5|0.75|4|4000000|2|
robustbase lmrob|false|NaN|NaN|0|0|0|not installed: NONE
robustbase ltsReg|false|NaN|NaN|0|0|0|not installed: NONE
scikit-learn HuberRegressor|false|NaN|NaN|0|0|0|failed: exit status 1: ValueError: no such luck
`
	if got = strings.ReplaceAll(got, job.R, "NONE"); got != want || told != 14 {
		t.Errorf("%d runs, got\n%swant\n%s", told, got, want)
	}
	if l := result.Lines[1]; l.Measure != "degrees off" || !(l.Accuracy > 80 && l.Accuracy <= 90) {
		t.Errorf("%s %g", l.Measure, l.Accuracy)
	}
	if l := result.Lines[0]; !strings.HasPrefix(l.Measure, "answer not understood") {
		t.Errorf("a model that was not written: %q", l.Measure)
	}
	if v := result.Machine.Versions; v["Python"] != "9.9" || v["NumPy"] != "" || v["R"] != "" {
		t.Error(v)
	}
	behind := result.Behind()
	if len(behind) != 2 || behind[0].In != "time (s)" || math.Abs(behind[0].Mine-0.5) > 1e-12 || behind[1].In != "peak memory (MB)" {
		t.Errorf("%+v", behind)
	}
	page, err := result.Page().HTML()
	if err != nil {
		t.Fatal(err)
	}
	first, second := strings.Index(string(page), "Where Inlier is behind"), strings.Index(string(page), "Side by side")
	if first < 0 || second < first || !strings.Contains(string(page), "NumPy not installed") {
		t.Errorf("sections at %d and %d", first, second)
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("%s is left", left[0].Name())
	}
}

// Growth curves have a line for each value, and a task that there is not is refused.
func TestPeersGrowth(t *testing.T) {
	job := fakes(t)
	job.Rounds, job.Only = 1, []string{"grow-rows"}
	result, err := job.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Lines) != 0 || len(result.Growth) != 6 || result.Growth[0].At >= result.Growth[3].At || result.Growth[5].Axis != "n" {
		t.Errorf("%+v", result.Growth)
	}
	if _, err := result.Page().HTML(); err != nil {
		t.Error(err)
	}
	job.Only = []string{"speed"}
	if _, err := job.Run(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "no such task") {
		t.Error(err)
	}
}

// Cancelling ends the program under way and removes the folder; so does a program that takes too long, which is a line.
func TestPeersEnd(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	job := fakes(t)
	job.Only, job.Rounds = []string{"pca-wide"}, 1
	job.Program = program(t, "exec sleep 60")
	job.Limit = 0.05
	result, err := job.Run(context.Background(), nil)
	if err != nil || !strings.Contains(result.Lines[0].Missing, "took longer than") ||
		result.Lines[1].Missing != "" && !strings.Contains(result.Lines[1].Missing, "took longer than") { // on a busy machine the next may, too
		t.Errorf("%v %+v", err, result)
	}
	job.Limit = 0
	ctx, cancel := context.WithCancel(context.Background())
	began := time.Now()
	_, err = job.Run(ctx, func(e inlier.Event) {
		if strings.Contains(e.Label, "Inlier pca") {
			time.AfterFunc(20*time.Millisecond, cancel)
		}
	})
	if !errors.Is(err, context.Canceled) || time.Since(began) > 2*time.Minute {
		t.Errorf("after %s: %v", time.Since(began), err)
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("%s is left", left[0].Name())
	}
}
