package pca

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/inlier-ml/inlier/dataset/corrupt"
	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/pca"
	"github.com/inlier-ml/inlier/verdict"
	"gonum.org/v1/gonum/mat"
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

// found counts the bad cells of good rows, those of them that are called wrong, and all cells that
// are.
func (c dirtyCells) found(t testing.TB, m *pca.Model) (bad, hit, called int) {
	t.Helper()
	judged, err := m.Judge(context.Background(), c.x)
	if err != nil {
		t.Fatal(err)
	}
	n, d := c.x.Dims()
	for i := range n {
		for j := 0; j < d && !c.row[i]; j++ {
			wrong, planted := judged.Cells.Wrong(i, j), c.dirt != nil && c.dirt.Cell(i, j)
			if wrong {
				called++
			}
			if planted {
				bad++
			}
			if planted && wrong {
				hit++
			}
		}
	}
	return bad, hit, called
}

// The study of ALGORITHMS, section 8: 400 rows of 20 columns, 3 components, cells at 6 spreads. R's MacroPCA
// stays at 1.9 to 2.2 degrees up to 20 % bad cells with 10 % bad rows on top; DetectDeviatingCells finds
// all bad cells with a precision of 0.61, 0.96 and 1.00 at 2, 10 and 20 %.
func TestCellsBreakdown(t *testing.T) {
	seeds, kinds, shares := uint64(1), []string{"clustered"}, []float64{0.02, 0.2}
	if os.Getenv("INLIER_CONFORMANCE") == "all" {
		seeds, kinds, shares = 10, []string{"scattered", "clustered", "own-subspace"}, []float64{0.02, 0.05, 0.1, 0.2}
	}
	least := map[float64]float64{0.02: 0.61, 0.05: 0.9, 0.1: 0.96, 0.2: 0.995}
	for k, kind := range kinds {
		for _, rows := range []float64{0, 0.1} {
			if rows == 0 && k > 0 {
				continue
			}
			for _, share := range shares {
				angle, worst, bad, hit, called := 0.0, 0.0, 0, 0, 0
				for seed := uint64(1); seed <= seeds; seed++ {
					data := withBadCells(t, 400, rows, kind, share, seed)
					m := fit(t, pca.Cell{Options: pca.Options{Components: 3, Seed: seed}}, data.x)
					a := largestAngle(data.basis, m.Basis())
					angle, worst = angle+a/float64(seeds), math.Max(worst, a)
					b, h, c := data.found(t, m)
					bad, hit, called = bad+b, hit+h, called+c
				}
				recall, precision := float64(hit)/float64(bad), float64(hit)/float64(called)
				t.Logf("%2.0f %% of cells, %2.0f %% of rows (%s): %.2f degrees (worst %.2f), recall %.4f, precision %.3f", 100*share, 100*rows, kind, angle, worst, recall, precision)
				if !(angle <= 2.6) || !(recall >= 0.999) || !(precision >= least[share]) {
					t.Errorf("%g of cells, %g of rows (%s): %.2f degrees, recall %.4f, precision %.3f", share, rows, kind, angle, recall, precision)
				}
			}
		}
	}
}

// Where a row has hardly more cells than scores its bad cells are found too, as far as the others tell: a row whose second start needs
// twice as many cells as scores has none (765 of 3,200 bad cells of 8 columns were missed, 3.9 degrees).
func TestCellsOfFewColumns(t *testing.T) {
	angle, bad, hit := 0.0, 0, 0
	const seeds = 4
	for seed := uint64(1); seed <= seeds; seed++ {
		c := synthetic.DefaultLowRank()
		c.N, c.D, c.SDs, c.Fraction = 400, 8, []float64{5, 4, 3, 2.5}, 0
		g, err := c.Generate(seed)
		if err != nil {
			t.Fatal(err)
		}
		set, dirt, err := corrupt.Apply(g.Set, "feature:0.1,size=6", seed)
		if err != nil {
			t.Fatal(err)
		}
		data := dirtyCells{x: set.X, row: g.Truth.Outlier, dirt: dirt}
		m := fit(t, pca.Cell{Options: pca.Options{Components: 4, Seed: seed}}, data.x)
		angle += largestAngle(g.Truth.Basis, m.Basis()) / seeds
		b, h, _ := data.found(t, m)
		bad, hit = bad+b, hit+h
	}
	t.Logf("%.2f degrees, %d of %d found", angle, hit, bad)
	if angle > 2 || 10*hit < 9*bad {
		t.Errorf("%.2f degrees, %d of %d found", angle, hit, bad)
	}
}

// On clean data the variance of the subspace is at most that of PCA over 0.9, and few cells
// are called wrong.
func TestCellsEfficiency(t *testing.T) {
	cells, classic, called := 0.0, 0.0, 0
	const seeds = 3
	for seed := uint64(1); seed <= seeds; seed++ {
		data := withBadCells(t, 400, 0, "none", 0, seed)
		m := fit(t, pca.Cell{Options: pca.Options{Components: 3, Seed: seed}}, data.x)
		cells += math.Pow(largestAngle(data.basis, m.Basis()), 2)
		classic += math.Pow(largestAngle(data.basis, fit(t, pca.Classic{pca.Options{Components: 3}}, data.x).Basis()), 2)
		_, _, wrong := data.found(t, m)
		called += wrong
	}
	t.Logf("efficiency %.3f; %d of %d clean cells are called wrong", classic/cells, called, seeds*400*20)
	if classic/cells < 0.9 {
		t.Errorf("efficiency %.3f", classic/cells)
	}
	if called > seeds*400*20/500 { // 8 are meant
		t.Errorf("%d clean cells are called wrong", called)
	}
}

// At fixed bandwidths and units of cells the objective falls, for every pair of losses.
func TestCellsTraceFalls(t *testing.T) {
	x := withBadCells(t, 100, 0.1, "scattered", 0.05, 1).x
	for _, texts := range [][2]string{{"welsch", "welsch"}, {"square", "welsch:sigma=2"}, {"tukey", "huber"}, {"kmpe:p=4,sigma=0.5", "kmpe:p=4,sigma=4"}, {"l1", "cauchy"}, {"gm:p=0.4", "gcorr:alpha=4,beta=4"}} {
		m := fit(t, pca.Cell{Options: pca.Options{Components: 3, Tol: 1e-9, MaxSteps: 60}, Loss: loss.MustParse(texts[0]), CellLoss: loss.MustParse(texts[1])}, x)
		steps := m.Steps()
		for k := 1; k < len(steps); k++ {
			if steps[k].Stage == steps[k-1].Stage && steps[k].Objective > steps[k-1].Objective*(1+1e-10) {
				t.Errorf("%v, step %d: objective rose from %v to %v", texts, k, steps[k-1].Objective, steps[k].Objective)
			}
			if steps[k].Number != k {
				t.Errorf("%v: step %d has number %d", texts, k, steps[k].Number)
			}
		}
	}
}

// The units of the columns make no difference.
func TestCellsUnits(t *testing.T) {
	x := withBadCells(t, 150, 0.1, "scattered", 0.05, 2).x
	a := fit(t, pca.Cell{Options: pca.Options{Components: 3}}, x)
	scaled := mat.DenseCopyOf(x)
	unit := func(j int) float64 { return math.Pow(10, float64(j%7-3)) }
	scaled.Apply(func(_, j int, v float64) float64 { return v*unit(j) + 5*unit(j) }, scaled)
	b := fit(t, pca.Cell{Options: pca.Options{Components: 3}}, scaled)
	ctx := context.Background()
	p, err := a.Judge(ctx, x)
	if err != nil {
		t.Fatal(err)
	}
	q, err := b.Judge(ctx, scaled)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 150 {
		for j := range 20 {
			if u, v := p.Cells.Deviation.At(i, j), q.Cells.Deviation.At(i, j); math.Abs(u-v) > 1e-3*(1+math.Abs(u)) {
				t.Fatalf("cell %d, %d deviates by %g, in other units by %g", i, j, u, v)
			}
		}
	}
}

// A wrong cell is named with what was there before, within what is allowed for; so is a missing one.
func TestCellsExpected(t *testing.T) {
	data := withBadCells(t, 300, 0, "none", 0, 4)
	m := fit(t, pca.Cell{Options: pca.Options{Components: 3}}, data.x)
	x := mat.DenseCopyOf(data.x)
	g := rand.New(rand.NewPCG(7, 7))
	for i := range 300 {
		j := g.IntN(20)
		x.Set(i, j, x.At(i, j)+[]float64{10, -1e6, 1e300, math.NaN()}[i%4])
	}
	judged, err := m.Judge(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	within := 0
	for i := range 300 {
		for j := range 20 {
			if v := x.At(i, j); v == data.x.At(i, j) {
				continue
			} else if v == v && (!judged.Cells.Wrong(i, j) || judged.Kind[i] == verdict.Regular) {
				t.Errorf("cell %d, %d of %g instead of %g is not called wrong", i, j, v, data.x.At(i, j))
			}
			if math.Abs(judged.Cells.Expected.At(i, j)-data.x.At(i, j)) <= 1.96*judged.Cells.Tolerance.At(i, j) {
				within++
			}
		}
	}
	if within < 275 || within > 296 { // 285 of 300 are meant
		t.Errorf("%d of 300 cells were as expected", within)
	}
	if one := m.JudgeRow(x.RawRowView(2)); one.Kind != judged.Kind[2] || math.Abs(one.Weight-judged.Weight[2]) > 1e-9 {
		t.Errorf("row 2 alone: %+v; among others %v", one, judged.Kind[2])
	}
}

// Rows that are bad as a whole say nothing of the spread of cells: their scores go through one or two of their cells, and what
// the others are off by is measured by next to nothing.
func TestCellsOfBadRowsSetNoSpread(t *testing.T) {
	const n, d, bad = 72, 6, 15
	flagged, rows := 0, 0
	for seed := uint64(1); seed <= 6; seed++ {
		x, _ := farTable(t, n, d, seed)
		r := rand.New(rand.NewPCG(seed, 8))
		for i := range bad {
			for j := range d {
				x.Set(i, j, 1e3*float64(1-2*(j%2))*(0.5+float64(j)/12)+r.NormFloat64())
			}
		}
		m := fit(t, pca.Cell{Options: pca.Options{Components: 3, Seed: seed}}, x)
		for _, outlier := range m.Training().Outlier[bad:] {
			if rows++; outlier {
				flagged++
			}
		}
	}
	// 5.4 % are meant: one binomial count in a thousand is more than 32 of 342.
	if flagged > 32 {
		t.Errorf("%d of %d clean rows are flagged", flagged, rows)
	}
}
