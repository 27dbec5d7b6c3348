package jobs

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/random"
)

// What is expected of a cell has the decimals of its column, whether a text or an array holds it.
func TestCheckExpectsTheSameOfTextAndArrays(t *testing.T) {
	r := random.New(4, "formats")
	text := "height,weight,share\n"
	for i := range 300 {
		h := 165 + 8*r.NormFloat64()
		w := 22 * h * h / 1e4 * (1 + 0.1*r.NormFloat64())
		if i%60 == 7 {
			w *= 10
		}
		text += fmt.Sprintf("%.1f,%.1f,%.3f\n", h, w, math.Abs(r.NormFloat64()))
	}
	path := saved(t, text)
	set, err := inlier.Data{Path: path}.Read(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	array := filepath.Join(t.TempDir(), "rows.parquet")
	if err := file.Write(array, set, file.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	var said [2]string
	for k, path := range []string{path, array} {
		found, err := inlier.Check{Paths: []string{path}}.Run(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range found.WrongCells {
			said[k] += fmt.Sprintln(c.Row, c.Column, c.Expected, c.Low, c.High)
		}
	}
	if said[0] == "" || said[0] != said[1] {
		t.Errorf("of a text\n%sof an array\n%s", said[0], said[1])
	}
}
