package elm

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The formula for left-out outputs is what ridge regression without the row gives, with more rows
// than nodes and with fewer, and of a row that counts twice one is left out.
func TestLeftOutOutputs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, nodes := range []int{6, 40} {
		const n = 25
		h := &hidden{n: n, l: nodes, kept: mat.NewDense(n, nodes, nil)}
		targets := mat.NewDense(n, 2, nil)
		single, prior, at := make([]float64, n), make([]float64, n), make([]int, n)
		for i := range n {
			at[i], single[i], prior[i] = i, r.Float64(), float64(1+i%2)
			for j := range nodes {
				h.kept.Set(i, j, r.NormFloat64())
			}
			targets.SetRow(i, []float64{r.NormFloat64(), 1})
		}
		single[3] = 0
		p := &regression{h: h, t: targets, k: 2, lambda: 0.7}
		got, err := p.leftOut(context.Background(), single, prior, at)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			w := make([]float64, n)
			for j := range n {
				w[j] = single[j] * prior[j]
			}
			w[i] = single[i] * (prior[i] - 1)
			beta, err := p.solve(context.Background(), nil, weighting{w: w, k: 2, perRow: true}, true)
			if err != nil {
				t.Fatal(err)
			}
			for c := range 2 {
				want := mat.Dot(h.kept.RowView(i), beta.ColView(c))
				if math.Abs(got[2*i+c]-want) > 1e-7 {
					t.Fatalf("%d nodes, row %d: %v, without the row %v", nodes, i, got[2*i+c], want)
				}
			}
		}
	}
}
