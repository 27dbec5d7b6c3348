package pca

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/pca"
	"gonum.org/v1/gonum/mat"
)

// So few rows that they fit any subspace flag nobody, and say so; of a few more the limits are wide enough. Without either,
// every new row was an outlier to m+3 rows and, robustly, to 2m.
func TestFewRows(t *testing.T) {
	for _, c := range []struct{ d, m int }{{6, 2}, {20, 4}, {12, 6}} {
		draw := func(n int, r *rand.Rand) *mat.Dense {
			x := mat.NewDense(n, c.d, nil)
			for i := range n {
				for j := range c.d {
					x.Set(i, j, r.NormFloat64())
					if j < c.m {
						x.Set(i, j, 10*x.At(i, j))
					}
				}
			}
			return x
		}
		for _, more := range []int{1, 2, 3, 5, 8} {
			for _, robust := range []bool{false, true} {
				const seeds, fresh = 6, 100
				flagged := 0
				for seed := range uint64(seeds) {
					r := rand.New(rand.NewPCG(seed, 70))
					x, o := draw(c.m+more, r), pca.Options{Components: c.m, Seed: seed}
					m := fit(t, pca.Classic{o}, x)
					if robust {
						m = fit(t, pca.Robust{Options: o}, x)
					}
					others := draw(fresh, r)
					j, err := m.Judge(t.Context(), others)
					if err != nil {
						t.Fatal(err)
					}
					if one := m.JudgeRow(others.RawRowView(0)); one.Kind != j.Kind[0] {
						t.Errorf("%v, %d rows: a row is %v, among others %v", c, c.m+more, one.Kind, j.Kind[0])
					}
					flagged += j.Count()
					if told := strings.Contains(strings.Join(m.Warnings(), " "), "too few"); told != (j.OrthogonalCutoff == 0) || more <= 2 && !told {
						t.Errorf("%v, %d rows: a limit of %g and the remarks %q", c, c.m+more, j.OrthogonalCutoff, m.Warnings())
					}
				}
				if share := float64(flagged) / seeds / fresh; share > 0.2 {
					t.Errorf("%v, %d rows, robust %v: %.0f %% of new clean rows are flagged", c, c.m+more, robust, 100*share)
				}
			}
		}
	}
}
