package file

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
)

// TestPartsAreTheTable: parts of any size, put together, are what Read reads: numbers, codes, targets, names.
func TestPartsAreTheTable(t *testing.T) {
	var text strings.Builder
	text.WriteString("name,a,kind,class,grade,y\n")
	for i := range 1000 {
		fmt.Fprintf(&text, "r%d,%d,%s,%s,%d,%g\n", i, i*i%91, []string{"x", "y", "z"}[i%3], []string{"rose", "aster", "lily"}[i/7%3], 5-i%4, float64(i)/8)
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "t.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	parquet := filepath.Join(folder, "t.parquet")
	whole, err := file.Read(t.Context(), path, file.Options{Target: "y", Drop: []string{"name", "kind", "class"}})
	if err == nil {
		err = file.Write(parquet, whole, file.WriteOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path string
		opts file.Options
		id   string
	}{
		{path, file.Options{Target: "class", Categorical: file.OneHot, ID: "name"}, "name"},
		{path, file.Options{Target: "grade", Drop: []string{"name", "kind", "class"}}, ""},
		{path, file.Options{Target: "grade", Task: dataset.TaskRegression, Categorical: file.Ordinal, Drop: []string{"name"}}, ""},
		{path, file.Options{Target: "y", Drop: []string{"name", "kind", "class"}, Limit: 777}, "name"},
		{parquet, file.Options{Target: "grade", Task: dataset.TaskClass}, "a"},
		{parquet, file.Options{}, ""},
	} {
		s, err := file.Open(c.path, c.opts)
		if err != nil {
			t.Fatal(err)
		}
		want, err := s.Read(t.Context())
		if err == nil && c.id != "" {
			want.IDs, err = s.Texts(t.Context(), c.id)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{1, 37, 256, 5000} {
			at := 0
			err = s.Parts(context.Background(), size, c.id, func(first int, part *dataset.Set) error {
				n := part.Rows()
				if first != at || n != min(size, want.Rows()-first) {
					t.Fatalf("rows %d to %d follow %d", first, first+n, at)
				}
				at += n
				if !mat.Equal(part.X, want.X.Slice(first, at, 0, want.Dim())) || (part.IDs == nil) != (want.IDs == nil) || part.IDs != nil && !slices.Equal(part.IDs, want.IDs[first:at]) {
					t.Errorf("rows %d to %d differ", first+1, at)
				}
				if (part.Target == nil) != (want.Target == nil) {
					t.Fatal("one has a target")
				}
				if goal := want.Target; goal != nil {
					of := *goal
					if goal.Values != nil {
						of.Values = goal.Values[first:at]
					}
					if goal.Labels != nil {
						of.Labels = goal.Labels[first:at]
					}
					if d := cmp.Diff(&of, part.Target); d != "" {
						t.Errorf("target: %s", d)
					}
				}
				return nil
			})
			if err != nil || at != want.Rows() {
				t.Errorf("%d of %d rows: %v", at, want.Rows(), err)
			}
		}
		s.Close()
	}
}
