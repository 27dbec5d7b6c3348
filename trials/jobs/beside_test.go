package jobs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
)

// Coefficients stand beside those of the same column, wherever the other model has it; those of one model alone stand nowhere.
func TestBesideKnowsColumns(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 3))
	rows := make([][]string, 80)
	for i := range rows {
		a, b, c := draw.NormFloat64(), draw.NormFloat64(), draw.NormFloat64()
		rows[i] = []string{fmt.Sprint(a), fmt.Sprint(b), fmt.Sprint(c), fmt.Sprint(a + 20*b + 300*c + 0.01*draw.NormFloat64())}
	}
	fitted := func(names string, order ...int) inlier.Model {
		text := names + "\n"
		for _, row := range rows {
			var line []string
			for _, j := range order {
				line = append(line, row[j])
			}
			text += strings.Join(line, ",") + "\n"
		}
		path := filepath.Join(t.TempDir(), "x.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := inlier.Fit{Method: "linear-robust", Data: inlier.Data{Path: path, Target: "y"}}.Run(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return f.Fitted()
	}
	first := fitted("a,b,c,y", 0, 1, 2, 3)
	for _, c := range []struct {
		second inlier.Model
		want   []string
	}{{fitted("c,b,a,y", 2, 1, 0, 3), []string{"a", "b", "c", "(constant)"}}, {fitted("b,c,d,y", 1, 2, 0, 3), []string{"b", "c", "(constant)"}}} {
		got, err := inlier.Beside{First: first, Second: c.second}.Run(t.Context(), nil)
		if err != nil || len(got.Coefficients) != len(c.want) {
			t.Fatalf("%v %+v", err, got)
		}
		for k, p := range got.Coefficients {
			if p.Name != c.want[k] || math.Abs(float64(p.First-p.Second)) > 0.1 {
				t.Errorf("%+v", p)
			}
		}
	}
}

// A missing cell is missing in the cell map too.
func TestCellMapOfMissingCells(t *testing.T) {
	draw := rand.New(rand.NewPCG(5, 5))
	text := "a,b,c\n"
	for i := range 200 {
		a := draw.NormFloat64()
		b, c := fmt.Sprintf("%.3f", 2*a+0.01*draw.NormFloat64()), fmt.Sprintf("%.3f", draw.NormFloat64())
		if i == 17 {
			b, c = "60", ""
		}
		text += fmt.Sprintf("%.3f,%s,%s\n", a, b, c)
	}
	path := filepath.Join(t.TempDir(), "x.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := inlier.Check{Paths: []string{path}, Seed: 1}.Run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	m := found.CellMap(10)
	if m == nil || m.Rows[0] != 18 || !math.IsNaN(float64(m.Values[0][2])) {
		t.Errorf("%+v", m)
	}
}
