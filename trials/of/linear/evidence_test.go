package linear

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linear"
	"gonum.org/v1/gonum/mat"
)

// One absurd cell in a column that does not matter makes the column no more significant than chance: the row fits itself,
// and its residual of nearly 0 is no evidence. Half of such tables had p < 0.01 where HC0 was believed.
func TestOneFarCellIsNoEvidence(t *testing.T) {
	for _, far := range []float64{1e3, 1e300} {
		one, five := 0, 0
		const trials = 20
		for seed := range uint64(trials) {
			draw := rand.New(rand.NewPCG(seed, 3))
			x, y := mat.NewDense(100, 3, nil), make([]float64, 100)
			for i := range y {
				for j := range 3 {
					x.Set(i, j, draw.NormFloat64())
				}
				y[i] = x.At(i, 0) + 2*x.At(i, 2) + draw.NormFloat64()/2
			}
			x.Set(7, 1, far)
			m, err := linear.Robust{Seed: seed}.Fit(context.Background(), linalg.FromDense(x), y)
			if err != nil {
				t.Fatal(err)
			}
			_, columns := m.Table()
			p := columns[1].P
			if p < 0.01 {
				one++
			}
			if p < 0.05 {
				five++
			}
		}
		t.Logf("%g: p is below 0.01 in %d and below 0.05 in %d of 20", far, one, five)
		if one > 2 || five > 4 {
			t.Errorf("%g: p is below 0.01 in %d and below 0.05 in %d of %d tables", far, one, five, trials)
		}
	}
}
