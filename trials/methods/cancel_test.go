package methods

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/irls"
)

// lookingContext ends at its k-th look: every Err and Done is one.
type lookingContext struct {
	mu    sync.Mutex
	left  int
	looks int
	ended chan struct{}
	after []func()
}

func newLooking(k int) *lookingContext {
	return &lookingContext{left: k, ended: make(chan struct{})}
}

func (c *lookingContext) look() bool {
	c.mu.Lock()
	c.looks++
	c.left--
	var after []func()
	if c.left == -1 {
		close(c.ended)
		after, c.after = c.after, nil
	}
	over := c.left < 0
	c.mu.Unlock()
	for _, f := range after {
		f()
	}
	return over
}

func (c *lookingContext) Err() error {
	if c.look() {
		return context.Canceled
	}
	return nil
}

func (c *lookingContext) Done() <-chan struct{} {
	c.look()
	return c.ended
}

func (c *lookingContext) Deadline() (time.Time, bool) { return time.Time{}, false }
func (c *lookingContext) Value(any) any               { return nil }

// AfterFunc makes contexts derived from this one end with it at once.
func (c *lookingContext) AfterFunc(f func()) func() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left < 0 {
		go f()
		return func() bool { return false }
	}
	c.after = append(c.after, f)
	return func() bool { return true }
}

// The later a context ends, the better the outcome: the context's error, then whole models
// with status cancelled, then the finished model. INLIER_CONFORMANCE=all tries every look.
func TestCancelledAtEveryLook(t *testing.T) {
	side(t, func(t *testing.T, e entrant) {
		data := generate(e.world, 40, 1)
		count := newLooking(1 << 40)
		finished, err := e.fit(count, data, catalog.Run{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if count.looks == 0 {
			t.Fatal("the fit never looks at its context")
		}
		step := max(1, count.looks/25)
		if everything() {
			step = 1
		}
		const errored, cancelled, done = 0, 1, 2
		stage, first := errored, 0
		for k := 0; k <= count.looks; k += step {
			model, err := e.attempt(newLooking(k), data, catalog.Run{Seed: 1})
			now := done
			switch {
			case errors.Is(err, context.Canceled):
				now = errored
			case err != nil:
				t.Fatalf("look %d of %d: %v", k, count.looks, err)
			case model.Describe().Status == irls.Cancelled.String():
				now = cancelled
			}
			if k == 0 && now != errored {
				t.Errorf("a context that has ended gives %v", model.Describe().Status)
			}
			if now < stage {
				t.Fatalf("look %d of %d: outcome %d, although a context that ended at look %d gave %d", k, count.looks, now, first, stage)
			}
			if now > stage {
				stage, first = now, k
			}
			if now == errored {
				continue
			}
			back := whole(t, e.method, model)
			if a := apart(t, model, back, data); !(a <= 1e-9) {
				t.Fatalf("look %d of %d: the model changes by %g when it is restored", k, count.looks, a)
			}
			if judged(t, model, data) == nil {
				t.Fatalf("look %d of %d: the model does not judge", k, count.looks)
			}
			if back.Describe().Status != model.Describe().Status {
				t.Fatalf("the status %q comes back as %q", model.Describe().Status, back.Describe().Status)
			}
		}
		if s := finished.Describe().Status; s == irls.Cancelled.String() || s == irls.Unfinished.String() {
			t.Errorf("an undisturbed fit has status %q", s)
		}
		last, err := e.attempt(newLooking(count.looks), data, catalog.Run{Seed: 1})
		if err != nil || last.Describe().Status != finished.Describe().Status {
			t.Errorf("a context that never ends gives %v, %v", last, err)
		}
	})
}
