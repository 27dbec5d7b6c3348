package elm

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"gonum.org/v1/gonum/mat"
)

// far makes a smooth surface with two far targets, one of them far out in the inputs too.
func far(n int, seed uint64) (x, y *mat.Dense) {
	draw := rand.New(rand.NewPCG(seed, 7))
	x, y = mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		a, b := draw.NormFloat64(), draw.NormFloat64()
		if i < 4 {
			a += 12
		}
		v := a + math.Sin(b) + 0.1*draw.NormFloat64()
		if i == 0 || i == 10 {
			v += 50
		}
		x.SetRow(i, []float64{a, b})
		y.Set(i, 0, v)
	}
	return x, y
}

// A machine with as many nodes as rows does not hide a far target by following it, with
// inputs far out beside it or without.
func TestManyNodesDoNotHideOutliers(t *testing.T) {
	const n = 120
	for seed := range uint64(5) {
		x, y := far(n, seed)
		m, err := elm.Robust{Options: elm.Options{Hidden: n, Seed: seed}, Loss: loss.MustParse("welsch")}.Fit(context.Background(), linalg.FromDense(x), y)
		w := must(t, m, err).EntryWeights().RawMatrix().Data
		if w[0] > 0.1 || w[10] > 0.1 {
			t.Errorf("seed %d: far targets have weights %g and %g", seed, w[0], w[10])
		}
	}
}

// Cancelling the second start leaves the whole fit of the first.
func TestCancellingTheSecondStartKeepsTheFirst(t *testing.T) {
	started := false
	for seed := range uint64(4) {
		ctx, stop := context.WithCancel(context.Background())
		x, y := far(120, seed)
		first, last, second := 0, 0, false
		o := elm.Options{Hidden: 120, Seed: seed, OnStep: func(s irls.Step) {
			if s.Number < last {
				second = true
				stop()
			}
			if last = s.Number; !second {
				first++
			}
		}}
		m, err := elm.RCC{Options: o}.Fit(ctx, linalg.FromDense(x), y)
		stop()
		m = must(t, m, err)
		if second {
			started = true
			if m.Status() != irls.Cancelled || len(m.Steps()) != first {
				t.Errorf("seed %d: %v after %d steps, the first start took %d", seed, m.Status(), len(m.Steps()), first)
			}
		}
	}
	if !started {
		t.Error("no second start in four fits")
	}
}
