package file

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
)

// TestPartsAreWrittenAlike: a table in parts has the bytes of the same table written at once.
func TestPartsAreWrittenAlike(t *testing.T) {
	const n = 3000
	draw := rand.New(rand.NewPCG(1, 2))
	set := &dataset.Set{X: mat.NewDense(n, 2, nil), Columns: []string{"a", "b"}}
	columns := []file.Column{{Name: "row", Integers: make([]int, n)}, {Name: "weight", Numbers: make([]float64, n)}, {Name: "outlier", Flags: make([]bool, n)}, {Name: "kind", Texts: make([]string, n)}}
	for i := range n {
		set.X.SetRow(i, []float64{draw.NormFloat64(), float64(i % 7)})
		columns[0].Integers[i], columns[1].Numbers[i], columns[2].Flags[i], columns[3].Texts[i] = i, draw.Float64(), i%3 == 0, []string{"regular", "far, out"}[i%2]
	}
	columns[1].Numbers[5] = math.NaN()
	folder := t.TempDir()
	for _, name := range []string{"t.csv", "t.tsv", "t.csv.gz", "t.parquet", "t.npy"} {
		path := filepath.Join(folder, name)
		mixed := name != "t.npy"
		err := file.Write(path, set, file.WriteOptions{})
		if mixed {
			err = file.WriteTableFile(t.Context(), path, columns)
		}
		if err != nil {
			t.Fatal(err)
		}
		want, _ := os.ReadFile(path)
		for _, size := range []int{1, 500, 512, 700, n} {
			var got bytes.Buffer
			w, err := file.NewPartWriter(&got, path, n, nil)
			if err != nil {
				t.Fatal(err)
			}
			for first := 0; first < n; first += size {
				last := min(first+size, n)
				if mixed {
					err = w.Write([]file.Column{{Name: "row", Integers: columns[0].Integers[first:last]}, {Name: "weight", Numbers: columns[1].Numbers[first:last]},
						{Name: "outlier", Flags: columns[2].Flags[first:last]}, {Name: "kind", Texts: columns[3].Texts[first:last]}})
				} else {
					err = w.WriteSet(&dataset.Set{X: set.X.Slice(first, last, 0, 2).(*mat.Dense), Columns: set.Columns})
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil || !bytes.Equal(got.Bytes(), want) {
				t.Errorf("%s in parts of %d rows: %d bytes, at once %d (%v)", name, size, got.Len(), len(want), err)
			}
		}
	}
	if _, err := file.NewPartWriter(&bytes.Buffer{}, "t.npz", n, nil); err == nil {
		t.Error("an archive is written in parts")
	}
}
