package cluster

import (
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// Limits of large clusters are those of all rows, also where kinds of rows or weights of zero
// take turns.
func TestLimitsOfRowsThatTakeTurns(t *testing.T) {
	const n = 8192
	g := rand.New(rand.NewPCG(1, 8))
	x, w := mat.NewDense(n, 2, nil), make([]float64, n)
	fit := func(wide int, weights []float64) *Model {
		g = rand.New(rand.NewPCG(1, 8))
		for i := range n {
			size := 1.0
			if i%2 == wide {
				size = 3
			}
			x.SetRow(i, []float64{size * g.NormFloat64(), size * g.NormFloat64()})
		}
		m, err := KMeans{Clusters: 1, Weights: weights}.Fit(context.Background(), linalg.FromDense(x))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	a, b := fit(0, nil), fit(1, nil)
	if p, q := a.cutoffs[0], b.cutoffs[0]; !(p < 1.15*q && q < 1.15*p) {
		t.Errorf("limits %g and %g of the same rows, every other one swapped", p, q)
	}
	for turn := range 2 {
		for i := range w {
			w[i] = float64((i + turn) % 2)
		}
		if m := fit(turn, w); !(m.cutoffs[0] > 2 && m.cutoffs[0] < 12) {
			t.Errorf("limit %g where every other row has no weight", m.cutoffs[0])
		}
	}
}
