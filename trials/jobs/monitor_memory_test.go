package jobs

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
)

// The votes of all rows at all scales count as memory: a table that leaves no room for them is fitted at the settled scale alone, and says so.
func TestVotesAlongTheScaleTakeMemory(t *testing.T) {
	var text strings.Builder
	text.WriteString("a,b\n")
	for i := range 100_000 {
		a := math.Sin(float64(i))
		fmt.Fprintf(&text, "%.3f,%.3f\n", a, 2*a+0.1*math.Cos(7*float64(i)))
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for fits, said := range map[int]bool{1: false, 25: true} {
		r, err := inlier.Monitor{Fit: inlier.Fit{Method: "pca-kmpe", Data: inlier.Data{Path: path, Memory: 56 << 20}}, Fits: fits}.Run(t.Context(), nil)
		if err != nil || len(r.Fits) > 0 || strings.Contains(strings.Join(r.Warnings, "\n"), "would take 11.9 MiB") != said {
			t.Errorf("%d fits: %d along the scale, %q: %v", fits, len(r.Fits), r.Warnings, err)
		}
	}
}
