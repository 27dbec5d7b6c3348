package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/inlier-ml/inlier/internal/atomicfile"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

func only(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(names) {
		t.Fatalf("%d files are left, want %v", len(entries), names)
	}
	for i, e := range entries {
		if e.Name() != names[i] {
			t.Errorf("found %s, want %s", e.Name(), names[i])
		}
	}
}

func TestWriteReplacesWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	for _, want := range []string{"first", "second"} {
		if err := atomicfile.Write(path, text(want)); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(path); string(got) != want {
			t.Errorf("file holds %q, want %q", got, want)
		}
	}
	only(t, dir, "a.txt")
}

func TestFailureLeavesWhatWasThere(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	if err := atomicfile.Write(path, text("old")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := atomicfile.Write(path, func(w io.Writer) error { _, _ = io.WriteString(w, "half"); return broken })
	if !errors.Is(err, broken) {
		t.Fatalf("error is %v, want %v", err, broken)
	}
	if got, _ := os.ReadFile(path); string(got) != "old" {
		t.Errorf("file holds %q, want the old content", got)
	}
	only(t, dir, "a.txt")
}

func TestLinksAreFollowedAndModeKept(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "a.txt"), filepath.Join(dir, "link")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Skip("no links here:", err)
	}
	if err := atomicfile.Write(link, text("new")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
	if info, err = os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode is %v (%v), want 0600", info.Mode(), err)
	}
	if got, _ := os.ReadFile(path); string(got) != "new" {
		t.Errorf("file holds %q", got)
	}
}

func TestTargetsThatCannotBe(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{"", dir, dir + "/", filepath.Join(dir, "none") + "/", filepath.Join(dir, "none", "a.txt")} {
		var typed *atomicfile.Error
		if err := atomicfile.Write(path, text("x")); !errors.As(err, &typed) {
			t.Errorf("Write(%q) gave %v, want an *Error", path, err)
		}
		if err := atomicfile.Check(path); !errors.As(err, &typed) {
			t.Errorf("Check(%q) gave %v, want an *Error", path, err)
		}
	}
	only(t, dir)
}

func TestCheckLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	if err := atomicfile.Check(filepath.Join(dir, "a.txt")); err != nil {
		t.Fatal(err)
	}
	only(t, dir)
}

func TestDevicesAreWrittenStraight(t *testing.T) {
	if _, err := os.Stat(os.DevNull); err != nil {
		t.Skip("no null device here")
	}
	if err := atomicfile.Write(os.DevNull, text("x")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(os.DevNull)
	if err != nil || info.Mode().IsRegular() {
		t.Errorf("the null device was replaced: %v, %v", info.Mode(), err)
	}
}
