package linalg

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
)

// Columns of one unit, of which some are nearly nothing as those of saturated nodes: the solution is
// that of gonum's singular value decomposition with small values cut off, for tall and wide
// tables.
func TestAlikeIsThePseudoInverse(t *testing.T) {
	for _, size := range [][2]int{{60, 12}, {12, 12}, {8, 20}, {1, 5}} {
		n, p := size[0], size[1]
		for _, tiny := range []float64{1e-48, 1e-200, 1e-20} {
			g := rand.New(rand.NewPCG(uint64(n), 3))
			a, b := mat.NewDense(n, p, nil), mat.NewDense(n, 2, nil)
			a.Apply(func(_, j int, _ float64) float64 {
				if j%3 == 1 {
					return tiny * g.Float64()
				}
				return g.NormFloat64()
			}, a)
			b.Apply(func(_, _ int, _ float64) float64 { return g.NormFloat64() }, b)
			var svd mat.SVD
			if !svd.Factorize(a, mat.SVDThin) {
				t.Fatal("no decomposition")
			}
			rank := svd.Rank(1e-13)
			var want mat.Dense
			svd.SolveTo(&want, b, rank)
			got, err := linalg.RidgeAlike(context.Background(), a, b, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			sum := linalg.NewTSQR(p, 2).Alike()
			if err := sum.Add(a, b, nil); err != nil {
				t.Fatal(err)
			}
			again, err := sum.Solve(0)
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range []*mat.Dense{got, again} {
				var diff mat.Dense
				if diff.Sub(x, &want); !(mat.Norm(&diff, 2) <= 1e-9*math.Max(1, mat.Norm(&want, 2))) {
					t.Errorf("%d x %d, tiny columns of %g: off by %g of %g", n, p, tiny, mat.Norm(&diff, 2), mat.Norm(&want, 2))
				}
			}
		}
	}
}
