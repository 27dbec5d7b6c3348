package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// interrupted starts the program, feeds it, interrupts it when it is ready, and returns
// what it said. Nothing but the named files may be left in its folders.
func interrupted(t *testing.T, input string, keepOpen bool, ready func(temp string) bool, work string, args ...string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("processes cannot be interrupted from outside here")
	}
	temp := t.TempDir()
	c := exec.Command("inlier", args...)
	c.Dir = work
	c.Env = append(os.Environ(), "TMPDIR="+temp)
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs strings.Builder
	c.Stderr = &errs
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Process.Kill() }()
	if _, err := io.WriteString(in, input); err != nil {
		t.Fatalf("%v; it said %s", err, errs.String())
	}
	if !keepOpen {
		in.Close()
	}
	for began := time.Now(); !ready(temp); time.Sleep(time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatal("it never came so far")
		}
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	err = c.Wait()
	var failed *exec.ExitError
	if !errors.As(err, &failed) || failed.ExitCode() != exitInterrupted {
		t.Errorf("it ended with %v, want exit code %d; it said %s", err, exitInterrupted, errs.String())
	}
	if left := entries(t, temp); len(left) > 0 {
		t.Errorf("it left %v in the folder of temporary files", left)
	}
	return errs.String()
}

func entries(t *testing.T, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// holds tells whether a folder of temporary files holds a copy of standard input.
func holds(temp string) bool {
	list, err := os.ReadDir(temp)
	return err == nil && len(list) > 0
}

func wantOnly(t *testing.T, dir string, names ...string) {
	t.Helper()
	if got := entries(t, dir); strings.Join(got, " ") != strings.Join(names, " ") {
		t.Errorf("the folder holds %v, want %v", got, names)
	}
}

// While standard input is read, also from somebody who never ends it.
func TestInterruptWhileReading(t *testing.T) {
	work := t.TempDir()
	path := filepath.Join(work, "m.npz")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	said := interrupted(t, "a,b\n"+strings.Repeat("1,2\n3,5\n", 1<<16), true, holds, work, "fit", "pca-robust", "-", "--out", path, "--force")
	if want := "inlier: interrupted; nothing was written\n"; said != want {
		t.Errorf("it said %q, want %q", said, want)
	}
	if got, _ := os.ReadFile(path); string(got) != "old" {
		t.Errorf("the old file holds %q", got)
	}
	wantOnly(t, work, "m.npz")
}

// rowsOfNoise are enough for a fit that lasts.
func rowsOfNoise(n int) string {
	var b strings.Builder
	b.WriteString("a,b,c,y\n")
	state := uint32(1)
	next := func() float64 { state = state*1664525 + 1013904223; return float64(state>>8) / (1 << 24) }
	for range n {
		a, c := next(), next()
		fmt.Fprintf(&b, "%.6f,%.6f,%.6f,%.6f\n", a, next(), c, a+2*c+next())
	}
	return b.String()
}

// While the fit is at work: the copy of standard input has been there and is gone.
func TestInterruptWhileFitting(t *testing.T) {
	work, seen := t.TempDir(), false
	ready := func(temp string) bool {
		there := holds(temp)
		seen = seen || there
		return seen && !there
	}
	said := interrupted(t, rowsOfNoise(4000), false, ready, work, "fit", "linear-robust", "-", "--target", "y", "--set", "samples=1000000")
	if want := "inlier: interrupted; nothing was written\n"; said != want {
		t.Errorf("it said %q, want %q", said, want)
	}
	wantOnly(t, work)
}

// What was kept is told.
func TestInterruptKeepsTheJournal(t *testing.T) {
	work := t.TempDir()
	if err := os.WriteFile(filepath.Join(work, "d.csv"), []byte(rowsOfNoise(300)), 0o600); err != nil {
		t.Fatal(err)
	}
	ready := func(string) bool {
		text, _ := os.ReadFile(filepath.Join(work, "j"))
		return strings.Count(string(text), "\n") > 3
	}
	said := interrupted(t, "", false, ready, work, "tune", "relm", "d.csv", "--target", "y", "--repeats", "2000", "--resume", "j")
	if !strings.HasPrefix(said, "inlier: interrupted; ") || !strings.Contains(said, "fits are kept in j; the same command goes on from there") || strings.Contains(said, "nothing was written") || strings.Count(said, "\n") != 1 {
		t.Errorf("it said %q", said)
	}
	wantOnly(t, work, "d.csv", "j")
}

// A journal without a finished fit is not nothing.
func TestInterruptBeforeTheFirstFit(t *testing.T) {
	work := t.TempDir()
	if err := os.WriteFile(filepath.Join(work, "d.csv"), []byte(rowsOfNoise(4000)), 0o600); err != nil {
		t.Fatal(err)
	}
	ready := func(string) bool { _, err := os.Stat(filepath.Join(work, "j")); return err == nil }
	said := interrupted(t, "", false, ready, work, "tune", "linear-robust", "d.csv", "--target", "y", "--grid", "samples=1000000", "--resume", "j")
	if want := "inlier: interrupted; no fit was finished; the same command goes on with j\n"; said != want {
		t.Errorf("it said %q, want %q", said, want)
	}
	wantOnly(t, work, "d.csv", "j")
}

// While a file is written: it does not appear.
func TestInterruptWhileWriting(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	path := filepath.Join(t.TempDir(), "x.csv")
	a := &app{}
	err := a.write(ctx, path, anyFile, func(w io.Writer) error {
		if _, err := io.WriteString(w, "half"); err != nil {
			return err
		}
		cancel()
		_, err := io.WriteString(w, " and half")
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	wantOnly(t, filepath.Dir(path))
	if got, want := a.left.Text(), "nothing was written"; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
}

// A demo that is interrupted takes away the folder that it made for its page.
func TestInterruptedDemoLeavesNoFolder(t *testing.T) {
	work := t.TempDir()
	said := interrupted(t, "", false, func(string) bool { return len(entries(t, work)) > 0 }, work, "demo", "--out", "page")
	if !strings.Contains(said, "nothing was written") {
		t.Errorf("it said %q", said)
	}
	if left := entries(t, work); len(left) > 0 {
		t.Errorf("it left %v", left)
	}
}

// A server runs until it is stopped: that is no failure.
func TestServeIsStopped(t *testing.T) {
	c, _ := serving(t, t.TempDir())
	stopped(t, c)
}

// serving starts a server, and returns where its interface is.
func serving(t *testing.T, folder string, args ...string) (c *exec.Cmd, at string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("processes cannot be interrupted from outside here")
	}
	c = exec.Command("inlier", append([]string{"serve", "--no-browser", "--data-dir", folder}, args...)...)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return c, strings.TrimSpace(strings.TrimPrefix(line, "The workbench is at ")) + "api/v1/"
}

// stopped interrupts a server, which ends properly by that.
func stopped(t *testing.T, c *exec.Cmd) {
	t.Helper()
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
}

// A server that is stopped lets the job under way end within the grace that it was given, and tells of it when it runs again.
func TestServeEndsItsJob(t *testing.T) {
	folder := t.TempDir()
	c, at := serving(t, folder, "--grace", "5m")
	post := func(path, kind, body string) (answer struct{ ID string }) {
		r, err := http.Post(at+path, kind, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		if err := json.NewDecoder(r.Body).Decode(&answer); err != nil || answer.ID == "" {
			t.Fatalf("%s: %s %v", path, r.Status, err)
		}
		return answer
	}
	upload := post("uploads?name=noise.csv", "", rowsOfNoise(20000))
	job := post("checks", "application/json", `{"upload":"`+upload.ID+`"}`)
	for waiting := true; waiting; time.Sleep(time.Millisecond) { // until it is under way
		r, err := http.Get(at + "jobs/" + job.ID)
		if err != nil {
			t.Fatal(err)
		}
		state, _ := io.ReadAll(r.Body)
		r.Body.Close()
		waiting = bytes.Contains(state, []byte(`"state":"waiting"`))
	}
	stopped(t, c)
	said, err := os.ReadFile(filepath.Join(folder, "journal.jsonl"))
	if last := string(said[bytes.LastIndex(said, []byte(job.ID)):]); err != nil || !strings.Contains(last, `"state":"done"`) {
		t.Errorf("%v: the job ended with %.200s", err, last)
	}
}
