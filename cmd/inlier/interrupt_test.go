package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// An interrupted fit ends with exit code 130 and leaves the file that was there.
func TestInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("processes cannot be interrupted from outside here")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "m.npz")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("inlier", "fit", "pca-robust", "-", "--out", path)
	c.Env = append(os.Environ(), "TMPDIR="+dir)
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs strings.Builder
	c.Stderr = &errs
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	// More than a pipe holds: when this is written, the program is at work.
	if _, err := io.WriteString(in, "a,b\n"+strings.Repeat("1,2\n3,5\n", 1<<17)); err != nil {
		t.Fatal(err)
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	in.Close()
	err = c.Wait()
	var failed *exec.ExitError
	if !errors.As(err, &failed) || failed.ExitCode() != exitInterrupted {
		t.Errorf("it ended with %v, want exit code %d", err, exitInterrupted)
	}
	if got, want := errs.String(), "inlier: interrupted; nothing was written\n"; got != want {
		t.Errorf("it said %q, want %q", got, want)
	}
	if got, _ := os.ReadFile(path); string(got) != "old" {
		t.Errorf("the old file holds %q", got)
	}
}
