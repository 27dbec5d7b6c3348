package file

import (
	"context"
	"testing"

	"github.com/inlier-ml/inlier/dataset"
)

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
