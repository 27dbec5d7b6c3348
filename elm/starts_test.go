package elm

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// The errors of left-out rows against fits that really leave them out.
func TestLeftOutErrorsAreThoseOfRefits(t *testing.T) {
	ctx := context.Background()
	r := wavy(30, 12)
	f := &fitting{prob: &problem{regression: *r}, weights: make([]float64, 30)}
	f.prob.lambda = 1e-6
	for i := range f.weights {
		f.weights[i] = 1 / (1 + float64(i%4))
	}
	var err error
	if f.beta, err = linalg.Ridge(ctx, r.h.kept, r.t, f.weights, f.prob.lambda); err != nil {
		t.Fatal(err)
	}
	got, err := f.leftOut()
	if err != nil {
		t.Fatal(err)
	}
	for i := range f.weights {
		w := append([]float64(nil), f.weights...)
		w[i] = 0
		beta, err := linalg.Ridge(ctx, r.h.kept, r.t, w, f.prob.lambda)
		if err != nil {
			t.Fatal(err)
		}
		e := r.t.At(i, 0) - mat.Dot(r.h.kept.RowView(i), beta.ColView(0))
		if math.Abs(got[i]-e*e) > 1e-6*e*e {
			t.Errorf("row %d: %g, a fit without it has %g", i+1, got[i], e*e)
		}
	}
}

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
		m, err := Robust{Options: Options{Hidden: n, Seed: seed}, Loss: loss.MustParse("welsch")}.Fit(context.Background(), linalg.FromDense(x), y)
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
		o := Options{Hidden: 120, Seed: seed, OnStep: func(s irls.Step) {
			if s.Number < last {
				second = true
				stop()
			}
			if last = s.Number; !second {
				first++
			}
		}}
		m, err := RCC{Options: o}.Fit(ctx, linalg.FromDense(x), y)
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
