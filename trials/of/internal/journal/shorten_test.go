package journal

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/internal/journal"
)

// A file that is shortened keeps its lock and its other lines, takes new ones, and stays as it is where it cannot be replaced.
func TestShorten(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "j")
	f, err := journal.Open(path, collect(new([]string)), nil)
	if err != nil {
		t.Fatal(err)
	}
	even := func(number int) bool { return number%2 == 0 }
	if err := errors.Join(f.Keep(1, 2, 3, 4, 5), f.Shorten(even), f.Keep(6), f.Shorten(even)); err != nil {
		t.Fatal(err)
	}
	if _, err := journal.Open(path, collect(new([]string)), nil); err == nil {
		t.Error("the lock was lost")
	}
	if err := os.Rename(path, path+"2"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := f.Shorten(func(int) bool { return false }); err == nil {
		t.Error("a folder was replaced")
	}
	if err := errors.Join(os.Remove(path), os.Rename(path+"2", path), f.Append(7), f.Close()); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || strings.ReplaceAll(string(text), "\n", " ") != "4 7 " {
		t.Errorf("%q, %v", text, err)
	}
	if left, _ := filepath.Glob(filepath.Join(folder, "*")); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}
