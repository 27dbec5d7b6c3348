package linalg

import (
	"context"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
)

// Pass reads a source once, on all cores. The rows are cut into stripes; each stripe
// gets an accumulator of its own from fresh, add is called for its blocks in order,
// and merge joins the accumulators from the first stripe to the last. The stripes
// depend on the size of the table alone, so the result does not depend on the number
// of threads, nor on whether the table is in memory.
//
// A is a pointer, slice or map that add and merge change in place. add may be called
// for different accumulators at the same time; merge never runs twice at once. A block
// may be used only during the call and must not be changed.
//
// Where the source is a [Keeper] and A a [Finding], a pass that was made before is not made again; one of a source that is
// [Elsewhere] may be made by others.
//
// Pass stops when ctx is cancelled or the source fails, and returns that error. A
// panic in one of the functions becomes a panic of Pass.
func Pass[A any](ctx context.Context, src Source, fresh func() A, add func(acc A, first int, block *mat.Dense), merge func(into, from A)) (A, error) {
	ctx = given.Context(ctx)
	n, d := src.Dims()
	if n == 0 {
		return fresh(), ctx.Err()
	}
	return recalled(src, fresh, func() (A, error) {
		plan := planStripes(n, d)
		if out, made, err := elsewhere(ctx, src, plan, fresh, add, merge); made {
			return out, err
		}
		f := newFold(plan.count(), merge)
		if rows := readerOf(src); rows != nil {
			passMemory(ctx, rows, plan, f, fresh, add)
		} else {
			passStream(ctx, src, plan, f, fresh, add)
		}
		return f.result()
	})
}

// EachBlock reads a source once, on all cores, for what is found of each row alone: do is called for the blocks of a [Pass], with
// a room from fresh that one worker has for all blocks it meets. In memory workers take block by block, so that
// the last of them ends soon after the first. It stops, and panics, as Pass does.
func EachBlock[A any](ctx context.Context, src Source, fresh func() A, do func(room A, first int, block *mat.Dense)) error {
	rows := readerOf(src)
	if rows == nil {
		_, err := Pass(ctx, src, fresh, do, func(_, _ A) {})
		return err
	}
	ctx = given.Context(ctx)
	n, d := src.Dims()
	size := blockRows(d)
	count := (n + size - 1) / size
	var next atomic.Int64
	Parallel(min(Threads(), count), func(int) {
		room, block := fresh(), mat.Dense{}
		for first := int(next.Add(1)-1) * size; first < n && ctx.Err() == nil; first = int(next.Add(1)-1) * size {
			do(room, first, rows(&block, first, min(first+size, n)))
		}
	})
	return ctx.Err()
}

// passMemory lets every worker take the next stripe until none is left.
func passMemory[A any](ctx context.Context, rows reader, plan stripes, f *fold[A], fresh func() A, add func(A, int, *mat.Dense)) {
	workers := min(Threads(), plan.count())
	work := func() {
		var room mat.Dense
		for {
			i, ok := f.claim(2 * workers)
			if !ok {
				return
			}
			acc := fresh()
			first, last := plan.span(i)
			for b := first; b < last; b += plan.block {
				if err := ctx.Err(); err != nil {
					f.fail(err)
					return
				}
				add(acc, b, rows(&room, b, min(b+plan.block, last)))
			}
			f.put(i, acc)
		}
	}
	var crew sync.WaitGroup
	for range workers - 1 {
		crew.Go(func() { f.guarded(work) })
	}
	f.guarded(work)
	crew.Wait()
}

// fold merges accumulators in the order of their stripes as they become ready.
type fold[A any] struct {
	count   int
	merge   func(into, from A)
	lock    sync.Mutex
	changed *sync.Cond
	ready   map[int]A // finished stripes that wait for an earlier one
	claimed int       // stripes handed out
	merged  int       // stripes already in total
	merging bool      // somebody is at it
	total   A
	err     error
	failed  bool
	failure caught
}

// claim hands out the next stripe once fewer than ahead stripes are unmerged, so that
// few accumulators are alive; false means that there is nothing left to do.
func (f *fold[A]) claim(ahead int) (int, bool) {
	f.lock.Lock()
	defer f.lock.Unlock()
	for !f.failed && f.claimed < f.count && f.claimed-f.merged >= ahead {
		f.changed.Wait()
	}
	if f.failed || f.claimed == f.count {
		return 0, false
	}
	f.claimed++
	return f.claimed - 1, true
}

// put hands in the accumulator of stripe i and merges whatever is in turn.
func (f *fold[A]) put(i int, acc A) {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.ready[i] = acc
	if f.merging {
		return
	}
	f.merging = true
	for !f.failed {
		acc, ok := f.ready[f.merged]
		if !ok {
			break
		}
		delete(f.ready, f.merged)
		if f.merged == 0 {
			f.total = acc
		} else {
			f.lock.Unlock()
			f.mergeOne(acc)
			f.lock.Lock()
		}
		f.merged++
		f.changed.Broadcast()
	}
	f.merging = false
}

// mergeOne merges outside the lock and keeps a panic for result.
func (f *fold[A]) mergeOne(acc A) {
	f.guarded(func() { f.merge(f.total, acc) })
}

// fail stops the pass; the first error counts.
func (f *fold[A]) fail(err error) {
	f.lock.Lock()
	defer f.lock.Unlock()
	if !f.failed {
		f.failed, f.err = true, err
	}
	f.changed.Broadcast()
}

// stopped reports whether the pass has failed.
func (f *fold[A]) stopped() bool {
	f.lock.Lock()
	defer f.lock.Unlock()
	return f.failed
}

// guarded calls run and turns a panic in it into a failure that result raises again.
func (f *fold[A]) guarded(run func()) {
	fine := false
	defer func() {
		if !fine {
			f.fail(nil)
		}
	}()
	defer f.failure.catch()
	run()
	fine = true
}

// result returns the merged accumulator after all workers have ended.
func (f *fold[A]) result() (A, error) {
	f.failure.raise()
	if f.failed {
		var none A
		return none, f.err
	}
	return f.total, nil
}
