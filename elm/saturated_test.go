package elm

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Nodes that are hardly ever on add nothing: the output weights are those of the pseudo-inverse,
// by gonum's singular value decomposition.
func TestSaturatedNodes(t *testing.T) {
	const n, l = 120, 15
	g := rand.New(rand.NewPCG(1, 21))
	layer, targets := mat.NewDense(n, l, nil), mat.NewDense(n, 2, nil)
	layer.Apply(func(_, j int, _ float64) float64 {
		z := 2 * g.NormFloat64()
		if j%3 == 1 {
			z -= 60 * float64(j) // an activation of e^-60 to e^-780
		}
		return 1 / (1 + math.Exp(-z))
	}, layer)
	targets.Apply(func(_, _ int, _ float64) float64 { return g.NormFloat64() }, targets)
	var svd mat.SVD
	if !svd.Factorize(layer, mat.SVDThin) {
		t.Fatal("no decomposition")
	}
	var want mat.Dense
	svd.SolveTo(&want, targets, svd.Rank(1e-13))
	r := &regression{h: &hidden{n: n, l: l, kept: layer}, t: targets, k: 2}
	for _, once := range []bool{true, false} {
		got, err := r.solve(t.Context(), nil, weighting{k: 2}, once)
		if err != nil {
			t.Fatal(err)
		}
		var diff mat.Dense
		if diff.Sub(got, &want); !(mat.Norm(&diff, 2) <= 1e-8*mat.Norm(&want, 2)) {
			t.Errorf("output weights of %g, by the pseudo-inverse %g", mat.Norm(got, 2), mat.Norm(&want, 2))
		}
	}
}
