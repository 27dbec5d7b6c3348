package tensor

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// method is what every configuration can do.
type method interface {
	Fit(ctx context.Context, x linalg.Source) (*Model, error)
}

func mustFit(t testing.TB, m method, x *mat.Dense) *Model {
	t.Helper()
	out, err := m.Fit(context.Background(), linalg.FromDense(x))
	if err != nil {
		t.Fatalf("%T: %v", m, err)
	}
	return out
}

// apart is the largest difference of the projectors U U' of two factors; nil is the identity.
func apart(a, b *mat.Dense) float64 {
	var p, q mat.Dense
	p.Mul(a, a.T())
	if b == nil {
		n, _ := p.Dims()
		b = mat.NewDense(n, n, nil)
		for i := range n {
			b.Set(i, i, 1)
		}
	}
	q.Mul(b, b.T())
	p.Sub(&p, &q)
	return mat.Norm(&p, math.Inf(1))
}

func largestDifference(a, b []float64) float64 {
	worst := 0.0
	if len(a) != len(b) {
		return math.Inf(1)
	}
	for i := range a {
		worst = math.Max(worst, math.Abs(a[i]-b[i]))
	}
	return worst
}
