package pca

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/pca"
	"github.com/inlier-ml/inlier/verdict"
	"gonum.org/v1/gonum/mat"
)

// nearPlane is rows near a subspace of the given dimension.
func nearPlane(seed uint64, n, d, m int, noise float64) *mat.Dense {
	r := rand.New(rand.NewPCG(seed, 1))
	basis, z, x := mat.NewDense(m, d, nil), mat.NewDense(n, m, nil), mat.NewDense(n, d, nil)
	basis.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, basis)
	z.Apply(func(_, _ int, _ float64) float64 { return 3 * r.NormFloat64() }, z)
	x.Mul(z, basis)
	x.Apply(func(_, _ int, v float64) float64 { return v + noise*r.NormFloat64() }, x)
	return x
}

// Where rows are left out, a cell that is moved to a limit changes the verdict of its own
// row and of no other, and that row is judged by its true value.
func TestFarCellAndLeftOutRows(t *testing.T) {
	ctx := context.Background()
	x := nearPlane(5, 40, 30, 4, 0.3)
	fit := func(size float64) *pca.Model {
		x.Set(7, 3, size)
		m, err := pca.Robust{Options: pca.Options{Components: 4}, Loss: pca.DefaultLoss}.Fit(ctx, linalg.FromDense(x))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	near, far := fit(1e6), fit(1e200)
	for i, want := range near.Training().ScoreDistance {
		if i != 7 && math.Abs(far.Training().ScoreDistance[i]-want) > 1e-6*(1+want) {
			t.Errorf("row %d: score distance %g beside a far cell, %g beside a less far one", i, far.Training().ScoreDistance[i], want)
		}
	}
	if d := far.Training().OrthogonalDistance[7]; !(d > 1e199) {
		t.Errorf("the row at 1e200 has distance %g", d)
	}
}

// A far cell of a row with gaps is judged by its true value, in training and afterwards.
func TestFarCellBesideGap(t *testing.T) {
	ctx := context.Background()
	x := nearPlane(6, 60, 6, 2, 0.3)
	for _, size := range []float64{1e12, 1e170, -1e300, math.MaxFloat64} {
		x.Set(3, 0, size)
		x.Set(3, 2, math.NaN())
		for _, start := range []pca.Start{pca.StartAuto, pca.StartSpherical} {
			m, err := pca.Robust{Options: pca.Options{Components: 2, Missing: true, Start: start}, Loss: pca.DefaultLoss}.Fit(ctx, linalg.FromDense(x))
			if err != nil {
				t.Fatal(err)
			}
			judged, err := m.Judge(ctx, x)
			if err != nil {
				t.Fatal(err)
			}
			for what, j := range map[string]*verdict.Rows{"training": m.Training(), "judged": judged} {
				if d := j.OrthogonalDistance[3]; !(d > 1e-3*math.Abs(size)) || j.Weight[3] != 0 || j.Kind[3] != verdict.Orthogonal && j.Kind[3] != verdict.BadLeverage || math.IsNaN(j.ScoreDistance[3]) {
					t.Errorf("%s, start %s, %g: distances %g and %g, weight %g, %s", what, start, size, d, j.ScoreDistance[3], j.Weight[3], j.Kind[3])
				}
			}
		}
	}
}

// The rows that R1-PCA and PCA-GM leave out have no part in the first steps on a sample
// either: Huber's cut-off is the median distance of the others.
func TestFarRowsAndSample(t *testing.T) {
	const n, d = 12000, 5
	x := nearPlane(8, n, d, 2, 0.3)
	for i := 0; i < n; i += 10 {
		for c := range d {
			x.Set(i, c, 1e5*float64(c%3))
		}
	}
	m, err := pca.R1{Options: pca.Options{Components: 2}}.Fit(context.Background(), linalg.FromDense(x))
	if err != nil {
		t.Fatal(err)
	}
	if c := m.Loss().Scale(); c < 0.3 || c > 0.7 { // three directions of noise: about 0.3 * 1.54
		t.Errorf("cut-off %g", c)
	}
}

// Of a handful of clean rows none is left out because the others lie in a subspace of
// that size by chance.
func TestFewRowsKeepTheirVote(t *testing.T) {
	for n := 3; n <= 5; n++ {
		for seed := range uint64(5) {
			m, err := pca.R1{}.Fit(context.Background(), linalg.FromDense(nearPlane(seed, n, 5, 3, 0.3)))
			if err != nil {
				t.Fatal(err)
			}
			for i, w := range m.Weights() {
				if w == 0 {
					t.Errorf("%d rows, seed %d: row %d has no vote", n, seed, i)
				}
			}
		}
	}
}

// A relation between rounded columns is missed by a third of the rows, by a step: that is no
// reason to call them outliers. An exact relation between whole numbers has the few rows
// flagged that miss it, be it by a single step.
func TestRoundedRelation(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(2) {
		g := rand.New(rand.NewPCG(seed, 3))
		cents := func(v float64) float64 { return math.Round(v*100) / 100 }
		rounded, exact := mat.NewDense(300, 4, nil), mat.NewDense(300, 4, nil)
		for i := range 300 {
			a, b, c := 10+3*g.NormFloat64(), 20+5*g.NormFloat64(), 5+g.NormFloat64()
			rounded.SetRow(i, []float64{cents(a), cents(b), cents(c), cents(a + b + c)})
			a, b, c = math.Round(10*a), math.Round(10*b), math.Round(10*c)
			exact.SetRow(i, []float64{a, b, c, a + b + c})
			if i < 10 {
				exact.Set(i, 3, a+b+c+float64(1+i%3))
			}
		}
		rounded.Set(7, 3, rounded.At(7, 3)+0.1)
		for _, name := range []string{"pca", "pca-robust tukey", "pca-robust gcorr", "hq-pca", "r1-pca", "pca-gm"} {
			m, err := all(pca.Options{Components: 3})[name].Fit(ctx, linalg.FromDense(rounded))
			if err != nil {
				t.Fatal(err)
			}
			if j := m.Training(); j.Count() > 15 || !j.Outlier[7] {
				t.Errorf("%s: %d of 300 rounded rows are outliers; the faulty one: %v", name, j.Count(), j.Outlier[7])
			}
		}
		m, err := pca.Robust{Options: pca.Options{Components: 3}}.Fit(ctx, linalg.FromDense(exact))
		if err != nil {
			t.Fatal(err)
		}
		for i, k := range m.Training().Kind {
			if off := k == verdict.Orthogonal || k == verdict.BadLeverage; off != (i < 10) {
				t.Errorf("row %d of an exact relation: %v", i, k)
			}
		}
	}
}

// Whole numbers that were not rounded (levels of a design, row numbers) hide no outliers: rows
// that miss the line by many deviations of the others are found, however many they are.
func TestStepsOfADesignAreNoRounding(t *testing.T) {
	const n = 200
	for name, world := range map[string]struct{ step, slope, noise, fault float64 }{
		"levels": {10, 2, 0.01, 3}, "row numbers": {0, 0.5, 0.05, 0.3},
	} {
		for _, every := range []int{20, 7, 4} {
			g := rand.New(rand.NewPCG(1, 11))
			x := mat.NewDense(n, 2, nil)
			for i := range n {
				at := float64(i + 1)
				if world.step > 0 {
					at = world.step * float64(i%10)
				}
				y := world.slope*at + world.noise*g.NormFloat64()
				if i%every == 0 {
					y += world.fault * float64(1-2*(i/every%2))
				}
				x.SetRow(i, []float64{at, y})
			}
			for _, method := range []string{"pca-robust tukey", "hq-pca"} {
				m, err := all(pca.Options{Components: 1})[method].Fit(context.Background(), linalg.FromDense(x))
				if err != nil {
					t.Fatal(err)
				}
				for i := 0; i < n; i += every {
					if !m.Training().Outlier[i] {
						t.Errorf("%s, %s, every %dth row: row %d is no outlier (distance %g, cut-off %g)", name, method, every, i, m.Training().OrthogonalDistance[i], m.Training().OrthogonalCutoff)
						break
					}
				}
			}
		}
	}
}
