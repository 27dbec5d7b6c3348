package tensor

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// BenchmarkSweep is one step of the reweighting, weights apart: residuals, mean, and one
// factor per reduced mode. The sizes are those of MNIST and of colour LFW in the
// corr-tensor paper, and grow by factors of two.
func BenchmarkSweep(b *testing.B) {
	for _, c := range []struct {
		n            int
		shape, ranks []int
	}{
		{7500, []int{28, 28}, []int{15, 15}}, {15000, []int{28, 28}, []int{15, 15}}, {30000, []int{28, 28}, []int{15, 15}},
		{1140, []int{64, 64}, []int{40, 40}}, {1140, []int{64, 64, 3}, []int{40, 40, 3}}, {1140, []int{64, 64, 3}, []int{40, 40, 2}},
	} {
		b.Run(fmt.Sprintf("%dx%s/%s", c.n, times(c.shape), times(c.ranks)), func(b *testing.B) {
			random := rand.New(rand.NewPCG(1, 1))
			d := product(c.shape)
			x := mat.NewDense(c.n, d, nil)
			raw := x.RawMatrix().Data
			for i := range raw {
				raw[i] = random.Float64()
			}
			p := &problem{samples: newSamples(linalg.FromDense(x), c.shape), ranks: c.ranks, spread: 1}
			w, s := make([]float64, c.n), make([]float64, c.n)
			for i := range w {
				w[i] = random.Float64()
			}
			all, err := p.once(context.Background(), w, x.RawRowView(0))
			if err != nil {
				b.Fatal(err)
			}
			at := all.at(c.ranks)
			b.SetBytes(int64(8 * len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				if at, err = p.Solve(context.Background(), at, w); err != nil {
					b.Fatal(err)
				}
				if err := p.Residuals(context.Background(), at, s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
