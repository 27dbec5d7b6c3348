package judge

import (
	"context"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/judge"
	"github.com/inlier-ml/inlier/verdict"
)

// A row with one wrong cell and one that is missing is told by that cell and what was expected there, whatever
// the units of the columns.
func TestReasonsNameTheWrongCell(t *testing.T) {
	g, err := synthetic.Generate("low-rank", map[string]string{"n": "120", "d": "8", "fraction": "0"}, 3)
	if err != nil {
		t.Fatal(err)
	}
	x := g.Set.X
	for i := range 120 {
		x.Set(i, 0, 1e4*x.At(i, 0))
		x.Set(i, 5, 1e-3*x.At(i, 5))
	}
	before := x.At(7, 5)
	x.Set(7, 5, before+0.02)
	x.Set(7, 2, math.NaN())
	m, err := catalog.Lookup("pca-cell")
	if err != nil {
		t.Fatal(err)
	}
	model, err := m.Fit(context.Background(), g.Set.Source(), map[string]string{"components": "3"}, catalog.Run{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	v, err := judge.All(context.Background(), model.(catalog.Detector), g.Set, true)
	if err != nil {
		t.Fatal(err)
	}
	row := v.Rows[7]
	if row.Kind != verdict.BadCells || len(row.Why) != 1 || row.Why[0].Column != g.Set.Columns[5] || row.Why[0].Expected == nil || math.Abs(float64(*row.Why[0].Expected)-before) > 2e-3 {
		t.Errorf("%+v", row)
	}
}
