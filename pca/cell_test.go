package pca

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset/corrupt"
	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/loss"
)

// dirtyCells is a low-rank table with a share of bad rows and a share of bad cells at about 6
// spreads of their columns.
type dirtyCells struct {
	x     *mat.Dense
	basis *mat.Dense
	row   []bool
	dirt  *corrupt.Dirt // nil: no cell is bad
}

func withBadCells(t testing.TB, n int, rows float64, kind string, cells float64, seed uint64) dirtyCells {
	t.Helper()
	c := synthetic.DefaultLowRank()
	c.N, c.Fraction, c.Outliers = n, rows, kind
	g, err := c.Generate(seed)
	if err != nil {
		t.Fatal(err)
	}
	out := dirtyCells{x: g.Set.X, basis: g.Truth.Basis, row: g.Truth.Outlier}
	if cells > 0 {
		set, dirt, err := corrupt.Apply(g.Set, fmt.Sprintf("feature:%g,size=6", cells), seed)
		if err != nil {
			t.Fatal(err)
		}
		out.x, out.dirt = set.X, dirt
	}
	return out
}

// With square losses it is ordinary PCA of columns in the units found.
func TestCellsSquareIsPCA(t *testing.T) {
	x := withBadCells(t, 200, 0, "none", 0, 5).x
	m := fit(t, Cell{Options: Options{Components: 3, Tol: 1e-13, MaxSteps: 500}, Loss: loss.MustParse("square"), CellLoss: loss.MustParse("square")}, x)
	scaled, n := mat.DenseCopyOf(x), 200
	basis := m.Basis()
	for j, u := range m.cells.unit {
		for i := range n {
			scaled.Set(i, j, scaled.At(i, j)/u)
		}
		for l := range 3 {
			basis.Set(j, l, basis.At(j, l)/u)
		}
	}
	want := fit(t, Classic{Options{Components: 3}}, scaled).Basis()
	if a := largestAngle(want, cellState{mu: m.mean, a: basis}.orthonormal().a); !(a < 1e-4) {
		t.Errorf("%.3g degrees from PCA", a)
	}
}
