package server

import (
	"errors"
	"os"
	"path/filepath"
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
