package elm

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"gonum.org/v1/gonum/mat"
)

// wide makes standard normal inputs and a smooth target.
func wide(n, d int) (x, t *mat.Dense) {
	random := rand.New(rand.NewPCG(1, 1))
	x, t = mat.NewDense(n, d, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = random.NormFloat64()
		}
		t.Set(i, 0, math.Sin(row[0])+row[1]*row[2]+0.1*random.NormFloat64())
		if i%10 == 0 {
			t.Set(i, 0, t.At(i, 0)+20)
		}
	}
	return x, t
}

// BenchmarkFit is a fit of the size that `inlier bench --peers` times beside NumPy: 100000 x 50, 500 nodes.
func BenchmarkFit(b *testing.B) {
	x, t := wide(100000, 50)
	o := elm.Options{Hidden: 500, Lambda: 1e-2, Seed: 1}
	b.Run("relm", func(b *testing.B) {
		for b.Loop() {
			if _, err := (elm.Ridge{o}).Fit(context.Background(), linalg.FromDense(x), t); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("elm-kmpe", func(b *testing.B) {
		steps := 0
		for b.Loop() {
			o := o
			o.Tol = 1e-6
			m, err := elm.KMPE{Options: o, P: 2, Sigma: loss.FixedAt(2)}.Fit(context.Background(), linalg.FromDense(x), t)
			if err != nil {
				b.Fatal(err)
			}
			steps = m.Steps()[len(m.Steps())-1].Number
		}
		b.ReportMetric(float64(steps), "steps")
	})
}
