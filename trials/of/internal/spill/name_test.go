package spill

import (
	"os"
	"testing"

	"github.com/inlier-ml/inlier/internal/spill"
)

// TestNoName: no file is left, also where the program is ended at once.
func TestNoName(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	r, err := spill.New(1<<20, 1<<40)
	if err != nil {
		t.Skip(err)
	}
	defer r.Close()
	spill.Make[byte](r, 1<<20)
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("%d files have names", len(left))
	}
}
