//go:build unix

package atomicfile

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/inlier-ml/inlier/internal/atomicfile"
)

// New files have the permissions that the umask leaves; replaced files keep theirs.
func TestUmask(t *testing.T) {
	for _, mask := range []int{0o022, 0o077, 0o002, 0o027, 0} {
		path := filepath.Join(t.TempDir(), "a.txt")
		before := syscall.Umask(mask)
		err := atomicfile.Write(path, text("new"))
		syscall.Umask(before)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := permissions(t, path), fs.FileMode(0o666&^mask); got != want {
			t.Errorf("umask %03o: a new file has %03o, want %03o", mask, got, want)
		}
	}
	for _, mode := range []fs.FileMode{0o600, 0o640, 0o444, 0o664} {
		path := filepath.Join(t.TempDir(), "a.txt")
		if err := atomicfile.Write(path, text("old")); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		err := atomicfile.Write(path, func(w io.Writer) error {
			entries, err := os.ReadDir(filepath.Dir(path))
			if err != nil {
				return err
			}
			for _, e := range entries {
				if got := permissions(t, filepath.Join(filepath.Dir(path), e.Name())); got&^(mode|0o200) != 0 {
					t.Errorf("while %03o is replaced %s has %03o", mode, e.Name(), got)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := permissions(t, path); got != mode {
			t.Errorf("a replaced file has %03o, had %03o", got, mode)
		}
	}
}

// The longest name that the file system allows can be written.
func TestLongName(t *testing.T) {
	dir := t.TempDir()
	name := strings.Repeat("n", 255)
	if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
		t.Skip("no such long names here")
	}
	if err := atomicfile.Write(filepath.Join(dir, name), text("content")); err != nil {
		t.Error(err)
	}
	only(t, dir, name)
}

func permissions(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}
