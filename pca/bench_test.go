package pca

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// BenchmarkGrowth shows how the cost of one step grows: linearly in the rows and in
// columns x components.
func BenchmarkGrowth(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, size := range [][3]int{{10000, 200, 10}, {20000, 200, 10}, {40000, 200, 10}, {4000, 2000, 10}, {4000, 4000, 10}, {4000, 8000, 10}, {4000, 4000, 20}, {4000, 4000, 40}} {
		n, d, m := size[0], size[1], size[2]
		b.Run(fmt.Sprintf("%dx%d/%d", n, d, m), func(b *testing.B) {
			x := mat.NewDense(n, d, nil)
			raw := x.RawMatrix().Data
			for i := range raw {
				raw[i] = random.NormFloat64() / float64(1+i%d)
			}
			p := &problem{src: linalg.FromDense(x), m: m}
			start := mat.NewDense(d, m, nil)
			for j := 0; j < m; j++ {
				start.Set(j, j, 1)
			}
			at := subspace{mean: make([]float64, d), basis: start}
			w, s := make([]float64, n), make([]float64, n)
			for i := range w {
				w[i] = 1
			}
			for b.Loop() {
				next, err := p.Solve(context.Background(), at, w)
				if err != nil {
					b.Fatal(err)
				}
				if err := p.Residuals(context.Background(), next, s); err != nil {
					b.Fatal(err)
				}
				at = next
			}
		})
	}
}
