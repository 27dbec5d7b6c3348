package words

import (
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/internal/words"
)

// Every library package of the tree stands before its messages, and the user sees none.
func TestPackageNamesAreStripped(t *testing.T) {
	tree := os.DirFS("../../../..")
	packages := map[string]bool{}
	err := fs.WalkDir(tree, ".", func(at string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (strings.HasPrefix(e.Name(), ".") && len(e.Name()) > 1 || e.Name() == "cmd" || e.Name() == "internal" || e.Name() == "testdata" || foreign(tree, at)):
			return fs.SkipDir
		case strings.HasSuffix(at, ".go") && path.Dir(at) != ".":
			if room := path.Dir(at); path.Dir(room) != "dataset" { // which speaks for the rooms below it
				packages[path.Base(room)] = true
			}
		}
		return nil
	})
	if err != nil || len(packages) < 10 {
		t.Fatalf("%d packages found: %v", len(packages), err)
	}
	for name := range packages {
		for _, text := range []string{name + ": broke", "catalog: " + name + ": broke"} {
			if got := words.OneLine(text); got != "broke" {
				t.Errorf("%q is shown as %q", text, got)
			}
		}
		if got := words.OneLine("a.csv: " + name + ": broke"); got != "a.csv: broke" {
			t.Errorf("after a file: %q", got)
		}
	}
}

// foreign tells whether a folder is a module of its own, of which messages stay as they are.
func foreign(tree fs.FS, folder string) bool {
	_, err := fs.Stat(tree, path.Join(folder, "go.mod"))
	return err == nil && folder != "."
}
