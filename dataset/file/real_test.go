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
