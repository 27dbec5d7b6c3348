package inlier

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// An expected time is written as the nearest one that its column can write, as the sentence says it.
func TestExpectedDatesAreTheNearest(t *testing.T) {
	const evening = 19875*86400 + 20*3600 + 31*60 + 40.7 // of 2024-06-01
	for layout, want := range map[string]string{
		"02.01.2006":              "02.06.2024",
		"2006-01-02 15:04":        "2024-06-01 20:32",
		"2006-01-02 15:04:05":     "2024-06-01 20:31:41",
		"2006-01-02T15:04:05.000": "2024-06-01T20:31:40.700",
		"02/01/2006 15":           "01/06/2024 21",
	} {
		if got := written(&tolerant.Column{Kind: tolerant.Date, Layout: layout}, evening); got != want {
			t.Errorf("%s: %s, want %s", layout, got, want)
		}
	}
}

// A file that cannot be checked against is refused with what can.
func TestCheckAgainstSomethingElse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "orders.csv")
	if err := os.WriteFile(path, []byte("a,b\n1,2\n3,4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Check{Paths: []string{path}, Against: path}.Run(context.Background(), nil)
	var file *archive.FileError
	if !errors.As(err, &file) || !errors.Is(err, archive.ErrNotModel) || !strings.Contains(file.Hint, "earlier check") {
		t.Errorf("%v, hint %+v", err, file)
	}
}
