package jobs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/archive"
)

// Where an option is wrong and not the file, reading tolerantly is no advice.
func TestWrongOptionsAreNotTolerated(t *testing.T) {
	table := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(table, []byte("a,b,c\n1,2,3\n4,5,7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, d := range []inlier.Data{{Delimiter: "ab"}, {Header: "maybe"}, {Format: "foo"}, {Format: "npy"}, {Resize: "3"}, {Limit: -1}, {Categorical: "foo"}, {Shape: "0x3"}, {Shape: "2x2"}} {
		d.Path = table
		_, err := d.Read(context.Background(), nil)
		if mistake, ok := inlier.AsError(err); !ok || strings.Contains(mistake.Hint, "tolerant") {
			t.Errorf("%v, %+v", err, mistake)
		}
	}
}

// A file that cannot be checked against is refused with what can.
func TestCheckAgainstSomethingElse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "orders.csv")
	if err := os.WriteFile(path, []byte("a,b\n1,2\n3,4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := inlier.Check{Paths: []string{path}, Against: path}.Run(context.Background(), nil)
	var file *archive.FileError
	if !errors.As(err, &file) || !errors.Is(err, archive.ErrNotModel) || !strings.Contains(file.Hint, "earlier check") {
		t.Errorf("%v, hint %+v", err, file)
	}
}
