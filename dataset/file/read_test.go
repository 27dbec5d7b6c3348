package file

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/inlier-ml/inlier/dataset"
)

// write makes a file in a folder of its own.
func write(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t testing.TB, path string, opts Options) *dataset.Set {
	t.Helper()
	s, err := Read(context.Background(), path, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// rows returns the matrix of a set as slices.
func rows(s *dataset.Set) [][]float64 {
	out := make([][]float64, s.Rows())
	for i := range out {
		out[i] = append([]float64(nil), s.X.RawRowView(i)...)
	}
	return out
}

// flags names options as a command line does.
func flags(option string) string { return "--" + option }
