package tempfile

import (
	"os"
	"path/filepath"
	"testing"
)

func TestRemoveAllRemovesWhatIsLeft(t *testing.T) {
	dir := t.TempDir()
	make := func(name string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		Track(path)
		return path
	}
	left, renamed, removed := make("left"), make("renamed"), make("removed")
	Forget(renamed)
	if err := Remove(removed); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "folder")
	if err := os.MkdirAll(filepath.Join(folder, "inner"), 0o700); err != nil {
		t.Fatal(err)
	}
	Track(folder)
	RemoveAll()
	for path, want := range map[string]bool{left: false, renamed: true, removed: false, folder: false} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", path, err == nil, want)
		}
	}
}
