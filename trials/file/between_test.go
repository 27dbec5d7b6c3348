package file

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
)

// rowsOf reads a source from its first row to its last.
func rowsOf(t *testing.T, s *file.Source) (out [][]float64) {
	t.Helper()
	err := s.Scan(context.Background(), func(first int, block *mat.Dense) error {
		if first != len(out) {
			t.Fatalf("row %d after %d", first, len(out))
		}
		n, _ := block.Dims()
		for i := range n {
			out = append(out, append([]float64(nil), block.RawRowView(i)...))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Any range of rows is the same as in a reading of the whole, from wherever its reading begins.
func TestBetween(t *testing.T) {
	const n = 60000
	folder := t.TempDir()
	text := func(from, to int) string {
		var b strings.Builder
		b.WriteString("\xef\xbb\xbf# a remark\na,\"b\n\",c\n")
		for i := from; i < to; i++ {
			fmt.Fprintf(&b, "%d,\"%d\",%d.5\n", i, 2*i, i%7)
			if i%1000 == 0 {
				b.WriteString("\n")
			}
		}
		return b.String()
	}
	write := func(name, content string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	set, err := dataset.FromMatrix(mat.NewDense(n, 3, nil), []string{"a", "b\n", "c"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		copy(set.X.RawRowView(i), []float64{float64(i), float64(2 * i), float64(i%7) + 0.5})
	}
	as := func(name string) string {
		path := filepath.Join(folder, name)
		if err := file.Write(path, set, file.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		return path
	}
	whole := write("whole.csv", text(0, n))
	for name, paths := range map[string][]string{
		"text":           {whole},
		"several texts":  {write("1.csv", text(0, 20001)), write("2.csv", text(20001, 20003)), write("3.csv", text(20003, n))},
		"parquet":        {as("t.parquet")},
		"array":          {as("t.npy")},
		"packed":         {as("t.csv.gz")},
		"several arrays": {as("u.npy"), as("v.npy")},
	} {
		t.Run(name, func(t *testing.T) {
			src, err := file.Open(paths[0], file.Options{More: paths[1:]})
			if err != nil {
				t.Fatal(err)
			}
			defer src.Close()
			rows, err := src.Count(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			marks, err := src.Marks(context.Background(), 5000)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(name, "text") && len(marks) < 2 {
				t.Errorf("%d marks", len(marks))
			}
			for _, r := range [][2]int{{0, 10}, {0, rows}, {19990, 20010}, {20003, 20004}, {rows / 2, rows}, {rows - 1, rows}, {5000, 15000}} {
				got := rowsOf(t, src.Between(r[0], r[1], marks))
				if len(got) != r[1]-r[0] {
					t.Fatalf("rows %d to %d: %d rows", r[0], r[1], len(got))
				}
				for k, row := range got {
					i := (r[0] + k) % n
					if row[0] != float64(i) || row[1] != float64(2*i) || row[2] != float64(i%7)+0.5 {
						t.Fatalf("row %d is %v", r[0]+k, row)
					}
				}
			}
		})
	}
}
