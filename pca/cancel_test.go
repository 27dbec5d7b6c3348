package pca

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
)

// ending is a context that ends at its k-th look.
type ending struct {
	looks atomic.Int64
	k     int64
	done  chan struct{}
}

func (e *ending) Deadline() (time.Time, bool) { return time.Time{}, false }
func (e *ending) Value(any) any               { return nil }
func (e *ending) Done() <-chan struct{} {
	if e.Err() != nil {
		return e.done
	}
	return nil
}
func (e *ending) Err() error {
	if e.looks.Add(1) >= e.k {
		return context.Canceled
	}
	return nil
}

func newEnding(k int64) *ending {
	e := &ending{k: k, done: make(chan struct{})}
	close(e.done)
	return e
}

// A fit that ends at its k-th look is an error for small k, then a whole model that says
// so, then the finished model: never a panic, and never back.
func TestCancelledAtEveryLook(t *testing.T) {
	defer linalg.SetThreads(0)
	linalg.SetThreads(1) // so that looks are counted alike
	x := lowRank(t, 30, 4, 0.1, 4).Set.X
	gaps := mat.DenseCopyOf(x)
	gaps.Set(3, 2, nan())
	for _, data := range []struct {
		x *mat.Dense
		o Options
	}{{x, Options{Components: 2}}, {gaps, Options{Components: 2, Missing: true}}, {x, Options{Components: 2, Start: StartSpherical}}} {
		for name, m := range all(data.o) {
			if (data.o.Missing || data.o.Start != "") && name != "hq-pca" && name != "pca-gm" {
				continue
			}
			stage := 0 // 0: errors, 1: cancelled models, 2: finished
			for k := int64(1); stage < 2 && k < 5000; k++ {
				k += k / 12 // later looks more coarsely
				model, err := m.Fit(newEnding(k), linalg.FromDense(data.x))
				now := 0
				switch {
				case err != nil:
					if !errors.Is(err, context.Canceled) {
						t.Fatalf("%s, look %d: %v", name, k, err)
					}
				case model.Status() == irls.Cancelled:
					now = 1
				default:
					now = 2
				}
				if now < stage {
					t.Fatalf("%s, look %d: stage %d after %d", name, k, now, stage)
				}
				stage = now
				if err != nil {
					continue
				}
				if _, err := model.Judge(context.Background(), data.x); err != nil {
					t.Fatalf("%s, look %d: %v", name, k, err)
				}
				if _, err := fromParts(model.parts()); err != nil {
					t.Fatalf("%s, look %d: %v", name, k, err)
				}
			}
			if stage < 2 {
				t.Errorf("%s never ends", name)
			}
		}
	}
}

func nan() float64 { return math.NaN() }
