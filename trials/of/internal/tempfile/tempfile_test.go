package tempfile

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/inlier-ml/inlier/internal/tempfile"
)

func TestRemoveAllRemovesWhatIsLeft(t *testing.T) {
	dir := t.TempDir()
	make := func(name string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		tempfile.Track(path)
		return path
	}
	left, renamed, removed := make("left"), make("renamed"), make("removed")
	tempfile.Forget(renamed)
	if err := tempfile.Remove(removed); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "folder")
	if err := os.MkdirAll(filepath.Join(folder, "inner"), 0o700); err != nil {
		t.Fatal(err)
	}
	tempfile.Track(folder)
	tempfile.RemoveAll()
	for path, want := range map[string]bool{left: false, renamed: true, removed: false, folder: false} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", path, err == nil, want)
		}
	}
}
