package pca

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/pca"
	"gonum.org/v1/gonum/mat"
)

// rareTable has columns that are zero in 60 to 90 % of the rows, and some that are not.
func rareTable(n, rare, dense int, seed uint64) *mat.Dense {
	g := rand.New(rand.NewPCG(seed, 11))
	x := mat.NewDense(n, rare+dense, nil)
	for i := range n {
		for j := range rare {
			if g.Float64() > 0.6+0.3*float64(j)/float64(max(rare-1, 1)) {
				x.Set(i, j, 0.2+g.ExpFloat64())
			}
		}
		factor := g.NormFloat64()
		for j := range dense {
			x.Set(i, rare+j, factor*float64(1+j%3)/2+0.3*g.NormFloat64())
		}
	}
	return x
}

// Rows that are not zero where most are have their own spread: few of them are flagged, and
// planted outliers still are.
func TestColumnsThatAreMostlyZero(t *testing.T) {
	const n, planted = 200, 20
	for _, dense := range []int{0, 4} {
		for seed := range uint64(4) {
			x := rareTable(n, 10, dense, seed)
			m, err := pca.Robust{Options: pca.Options{Components: 2}}.Fit(t.Context(), linalg.FromDense(x))
			if err != nil {
				t.Fatal(err)
			}
			if count := m.Training().Count(); count > n*15/100 {
				t.Errorf("%d dense columns, seed %d: %d of %d clean rows are flagged", dense, seed, count, n)
			}
			g := rand.New(rand.NewPCG(seed, 12))
			for i := range planted {
				row := x.RawRowView(i)
				for j := range row {
					row[j] += 8 * g.NormFloat64()
				}
			}
			if m, err = (pca.Robust{Options: pca.Options{Components: 2}}).Fit(t.Context(), linalg.FromDense(x)); err != nil {
				t.Fatal(err)
			}
			found := 0
			for _, out := range m.Training().Outlier[:planted] {
				if out {
					found++
				}
			}
			if found < planted-1 || m.Training().Count() > planted+n*15/100 {
				t.Errorf("%d dense columns, seed %d: %d of %d planted rows are found, %d flagged in all", dense, seed, found, planted, m.Training().Count())
			}
		}
	}
}

// The same where other columns vary far more, along two directions that are found: rare values
// are most of what is left outside.
func TestColumnsThatAreMostlyZeroBesideWideOnes(t *testing.T) {
	const n, planted = 300, 30
	flagged := 0
	for seed := range uint64(4) {
		g := rand.New(rand.NewPCG(seed, 14))
		x := mat.NewDense(n, 12, nil)
		for i := range n {
			a, b := 3*g.NormFloat64(), 2*g.NormFloat64()
			for j := range 6 {
				if g.Float64() < 0.25 {
					x.Set(i, j, g.ExpFloat64())
				}
				x.Set(i, 6+j, a*float64(1+j%3)/2+b*float64(j%2)+0.3*g.NormFloat64())
			}
		}
		for _, dirty := range []bool{false, true} {
			found := planted
			if dirty {
				for i := range planted {
					for j, v := range x.RawRowView(i) {
						x.Set(i, j, v+8*g.NormFloat64())
					}
				}
			}
			m, err := pca.Robust{Options: pca.Options{Components: 2}}.Fit(t.Context(), linalg.FromDense(x))
			if err != nil {
				t.Fatal(err)
			}
			if dirty {
				found = 0
				for _, out := range m.Training().Outlier[:planted] {
					if out {
						found++
					}
				}
			}
			others := m.Training().Count()
			if dirty {
				others -= found
			}
			if flagged += others; found < planted {
				t.Errorf("seed %d: %d of %d planted rows are found", seed, found, planted)
			}
		}
	}
	if flagged > 8*n/10 {
		t.Errorf("of 8 tables with %d rows %d are flagged beside those planted", n, flagged)
	}
}

// Rows that are equal have no spread; that most others are flagged beside them is said in words.
func TestManyEqualRowsAreToldOf(t *testing.T) {
	g := rand.New(rand.NewPCG(1, 13))
	x := mat.NewDense(200, 3, nil)
	for i := range 200 {
		if i%5 < 3 {
			x.SetRow(i, []float64{g.NormFloat64(), g.NormFloat64(), g.NormFloat64()})
		}
	}
	components := 2
	told := func() bool {
		m, err := pca.Robust{Options: pca.Options{Components: components}}.Fit(t.Context(), linalg.FromDense(x))
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(m.Warnings(), func(s string) bool { return strings.Contains(s, "equal to each other") })
	}
	if !told() {
		t.Error("40 % of the rows are equal, and nothing is said")
	}
	for i := range 200 {
		x.SetRow(i, []float64{g.NormFloat64(), g.NormFloat64(), g.NormFloat64()})
	}
	if told() {
		t.Error("no rows are equal")
	}
	// Nor is one row of three that is not flagged.
	components = 1
	for range 5 {
		x = mat.NewDense(3, 3, nil)
		x.Apply(func(_, _ int, _ float64) float64 { return g.NormFloat64() }, x)
		if told() {
			t.Error("none of 3 rows are equal")
		}
	}
}
