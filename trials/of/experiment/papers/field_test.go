package papers

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/experiment/papers"
)

// A mistake in a request is told with the field that holds it, as those of the root package are.
func TestMistakesNameTheirField(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		field   string
		request papers.Replicate
	}{
		{"ids", papers.Replicate{}},
		{"ids", papers.Replicate{IDs: []string{"absent"}}},
		{"ids", papers.Replicate{IDs: []string{"absent"}, All: true}},
		{"repeats", papers.Replicate{All: true, Repeats: -1}},
		{"out", papers.Replicate{All: true, Out: file}},
		{"guide", papers.Replicate{All: true, Pages: true, Out: t.TempDir(), Guide: filepath.Join(file, "guide.md")}},
	} {
		_, err := c.request.Run(t.Context(), nil)
		if e, ok := inlier.AsError(err); !ok {
			t.Errorf("a mistake in %s is no mistake of the user's: %v", c.field, err)
		} else if e.Parameter != c.field {
			t.Errorf("%q is named for a mistake in %s: %v", e.Parameter, c.field, err)
		}
	}
}

// A nil context is one that never ends, and nobody has to look. Without data nothing is run.
func TestNilContext(t *testing.T) {
	var none context.Context
	if _, err := (papers.Replicate{IDs: []string{"beyond-anomaly"}, Data: t.TempDir(), Out: t.TempDir()}).Run(none, nil); err != nil {
		t.Error(err)
	}
}
