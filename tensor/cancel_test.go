package tensor

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
)

// patience is a context that ends at a given look at it.
type patience struct {
	context.Context
	left atomic.Int64
}

func (p *patience) Err() error {
	if p.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// A fit whose context ends gives an error as long as it has no whole state, then a whole
// model of the best state, then the finished one: never one after the other in another order.
func TestCancelAtEveryLook(t *testing.T) {
	defer linalg.SetThreads(0)
	linalg.SetThreads(1)
	shape := []int{6, 5}
	x := made(t, 30, shape, []int{2, 2}, 0.1, 5).Set.X
	for _, m := range every(Options{Shape: shape, Rank: []int{2, 2}, MaxSteps: 12}) {
		stage, models := 0, 0 // 0 error, 1 cancelled, 2 finished
		for k := int64(0); stage < 2; k++ {
			if k > 5000 {
				t.Fatalf("%T: not finished after %d looks", m, k)
			}
			ctx := &patience{Context: context.Background()}
			ctx.left.Store(k)
			got, err := m.Fit(ctx, linalg.FromDense(x))
			now := 2
			switch {
			case err != nil && !errors.Is(err, context.Canceled):
				t.Fatalf("%T at look %d: %v", m, k, err)
			case err != nil:
				now = 0
			case got.Status() == irls.Cancelled:
				now = 1
				models++
				checkNumbers(t, "cancelled", got)
				if _, err := fromParts(got.parts()); err != nil {
					t.Fatalf("%T at look %d: %v", m, k, err)
				}
				if _, err := got.Judge(context.Background(), x); err != nil || got.Training() == nil {
					t.Fatalf("%T at look %d does not judge: %v", m, k, err)
				}
			}
			if now < stage {
				t.Fatalf("%T at look %d: from %d back to %d (%v)", m, k, stage, now, err)
			}
			stage = now
		}
		switch m.(type) {
		case R1SVD2D, Corr, Robust, NPP2D:
			if models == 0 {
				t.Errorf("%T: never a model of an unfinished fit", m)
			}
		}
	}
}
