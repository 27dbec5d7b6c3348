package server

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/server"
)

// A folder may hold files of somebody else, also under the names of the server's own rooms: they stay.
func TestFilesOfOthersStay(t *testing.T) {
	folder := t.TempDir()
	others := []string{"models/mine.npz", "jobs/notes.txt", "uploads/table.csv", "models/rows-1", "jobs/.hidden"}
	own := []string{"models/0123456789abcdef.npz", "models/.0123456789abcdef.npz.0123456789abcdef.tmp", "jobs/rows-123", "jobs/0123456789abcdef/rows.csv", "uploads/0123456789abcdef/data.csv"}
	for _, name := range append(append([]string{}, others...), own...) {
		path := filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("x"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	began(t, server.Options{Folder: folder})
	for _, name := range others {
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			t.Error(err)
		}
	}
	for _, name := range own {
		if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
			t.Errorf("%s, which a crash has left, stays", name)
		}
	}
}

// Nothing is taken in once the folder is gone or another stands in its place: it would be called kept, and be lost.
func TestFolderThatIsGone(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "work")
	_, c := began(t, server.Options{Folder: folder})
	c.must(201, "POST", "/api/v1/uploads?name=a.csv", "a,b\n1,2\n", nil)
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if code, text, _ := c.do("POST", "/api/v1/uploads?name=b.csv", "text/csv", []byte("a,b\n1,2\n")); code != 503 || !strings.Contains(string(text), "folder") {
			t.Errorf("%d %s", code, text)
		}
		if err := errors.Join(os.MkdirAll(folder, 0o700), os.WriteFile(filepath.Join(folder, "journal.jsonl"), nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}
