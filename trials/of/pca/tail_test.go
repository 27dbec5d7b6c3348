package pca

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/pca"
)

// Clean rows that are not normal are flagged no more often than normal ones, and rows planted among them are found. Where rows
// are of several groups no cut-off helps, and a remark says what does.
func TestRowsThatAreNotNormal(t *testing.T) {
	const n, d, planted = 400, 6, 40
	for shape, most := range map[string]float64{"normal": 0.07, "t3": 0.04, "lognormal": 0.04, "exponential": 0.04, "zero-inflated": 0.08, "groups": 1} {
		c := synthetic.Clean{N: n, D: d, Shape: shape, Factors: 2}
		g, err := c.Generate(1)
		if err != nil {
			t.Fatal(err)
		}
		x := g.Set.X
		fit := func() *pca.Model {
			m, err := pca.Robust{Options: pca.Options{Components: 2}}.Fit(t.Context(), linalg.FromDense(x))
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		m := fit()
		told := slices.ContainsFunc(m.Warnings(), func(s string) bool { return strings.Contains(s, "inlier check") })
		if share := float64(m.Training().Count()) / n; share > most || told != (shape == "groups") {
			t.Errorf("%s: %.1f %% of the clean rows are flagged; told of groups: %v", shape, 100*share, told)
		}
		if shape == "groups" {
			continue
		}
		r := rand.New(rand.NewPCG(1, 23))
		for i := range planted {
			for j := range d {
				x.Set(i, j, x.At(i, j)+25*r.NormFloat64())
			}
		}
		m = fit()
		found := 0
		for _, out := range m.Training().Outlier[:planted] {
			if out {
				found++
			}
		}
		if others := float64(m.Training().Count()-found) / (n - planted); found < planted-1 || others > most+0.02 {
			t.Errorf("%s: %d of %d planted rows are found, %.1f %% of the others flagged", shape, found, planted, 100*others)
		}
	}
}
