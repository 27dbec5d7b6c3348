package pca

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/linalg"
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

// What makes a row good leverage is its deviation within the subspace, not its residual.
func TestContributionsOfGoodLeverage(t *testing.T) {
	ctx := context.Background()
	m, err := Robust{Options: Options{Components: 2}, Loss: DefaultLoss}.Fit(ctx, linalg.FromDense(nearPlane(7, 100, 6, 2, 0.1)))
	if err != nil {
		t.Fatal(err)
	}
	row := mat.NewDense(1, 6, nil)
	for c := range 6 {
		row.Set(0, c, m.mean[c]+100*m.basis.At(c, 0))
	}
	parts, err := m.Contributions(ctx, row)
	if err != nil {
		t.Fatal(err)
	}
	for c := range 6 {
		if want := 100 * m.basis.At(c, 0); math.Abs(parts.At(0, c)-want) > 1e-9 {
			t.Errorf("column %d contributes %g, deviates by %g", c, parts.At(0, c), want)
		}
	}
}

// With one component less than columns every column, set right, takes the whole distance away; the guilty one is told by where the row is then.
func TestContributionsWithOneDirectionLeft(t *testing.T) {
	ctx := context.Background()
	named, faults := 0, 0
	for seed := range uint64(5) {
		x := nearPlane(seed, 200, 5, 4, 0.05)
		m, err := Robust{Options: Options{Components: 4}, Loss: DefaultLoss}.Fit(ctx, linalg.FromDense(x))
		if err != nil {
			t.Fatal(err)
		}
		for c := range 5 {
			row := mat.DenseCopyOf(x.Slice(10*c, 10*c+1, 0, 5))
			row.Set(0, c, row.At(0, c)+20)
			judged, err := m.Judge(ctx, row)
			if err != nil {
				t.Fatal(err)
			}
			if judged.OrthogonalDistance[0] < 2*m.orthogonalCutoff { // the column hardly takes part in what is left
				continue
			}
			parts, err := m.Contributions(ctx, row)
			if err != nil {
				t.Fatal(err)
			}
			most := 0
			for j, v := range parts.RawRowView(0) {
				if math.Abs(v) > math.Abs(parts.At(0, most)) {
					most = j
				}
			}
			if d := math.Abs(parts.At(0, most)); math.Abs(d-judged.OrthogonalDistance[0]) > 1e-9*d {
				t.Errorf("the largest part is %g of a distance of %g", d, judged.OrthogonalDistance[0])
			}
			if faults++; most == c {
				named++
			}
		}
	}
	if faults < 15 || named < faults*9/10 {
		t.Errorf("%d of %d faults are told by their column", named, faults)
	}
}

// Where most rows are equal they are no outliers, the others are, and nobody says that
// all rows are equal; where a large part is, fits still work.
func TestManyEqualRows(t *testing.T) {
	ctx := context.Background()
	for _, d := range []int{3, 120} {
		for _, equal := range []int{40, 60} {
			x := nearPlane(3, 100, d, 2, 0.2)
			for i := range equal {
				x.SetRow(i, mat.Row(nil, 0, x))
			}
			for _, name := range []string{"r1-pca", "hq-pca", "pca-gm", "pca-robust tukey"} {
				m, err := all(Options{Components: 2})[name].Fit(ctx, linalg.FromDense(x))
				if err != nil {
					t.Errorf("%s, %d equal rows of %d columns: %v", name, equal, d, err)
					continue
				}
				first, others := 0, 0
				for i := range 100 {
					switch {
					case !m.Training().Outlier[i]:
					case i < equal:
						first++
					default:
						others++
					}
				}
				if first > 0 || equal == 60 && others < 40 {
					t.Errorf("%s, %d equal rows of %d columns: %d of them outliers, %d others", name, equal, d, first, others)
				}
			}
		}
	}
	x := nearPlane(3, 100, 3, 2, 0.2)
	for i := range 60 {
		x.SetRow(i, mat.Row(nil, 0, x))
	}
	if _, err := (HQ{}).Fit(ctx, linalg.FromDense(x)); !errors.Is(err, errHalfEqual) {
		t.Errorf("an automatic number of components where most rows are equal: %v", err)
	}
}

// Where all rows lie in a plane, new rows of it are regular and a row off it is not.
func TestRowOffAnExactPlane(t *testing.T) {
	for _, offset := range []float64{0, 1e5} {
		r := rand.New(rand.NewPCG(8, 1))
		row := func() []float64 {
			a, b := offset+r.NormFloat64(), 20*r.NormFloat64()
			return []float64{a, b, a + b, a - b}
		}
		x := mat.NewDense(60, 4, nil)
		for i := range 60 {
			x.SetRow(i, row())
		}
		for _, m := range []*Model{fit(t, Classic{Options{Components: 2}}, x), fit(t, Robust{Options: Options{Components: 2}}, x)} {
			if n := m.Training().Count(); n > 3 {
				t.Errorf("%s, mean %g: %d training rows are outliers", m.Describe(archive.Names{}).Method, offset, n)
			}
			for range 200 {
				in := row()
				if v := m.JudgeRow(in); v.OrthogonalDistance > m.orthogonalCutoff {
					t.Fatalf("a row of the plane: %+v, cut-off %g", v, m.orthogonalCutoff)
				}
				in[2] += 0.01
				if v := m.JudgeRow(in); !v.Outlier {
					t.Fatalf("off the plane: %+v, cut-off %g", v, m.orthogonalCutoff)
				}
			}
		}
	}
}
