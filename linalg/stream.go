package linalg

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"gonum.org/v1/gonum/mat"
)

// errStopped ends a scan whose pass has already failed for another reason.
var errStopped = errors.New("linalg: pass stopped")

// passStream reads the source in order in the caller's goroutine and hands complete
// stripes to workers. The blocks are copied, because a source may reuse its memory;
// the copies are recycled, and at most about a quarter of a gigabyte of them exists.
func passStream[A any](ctx context.Context, src Source, plan stripes, f *fold[A], fresh func() A, add func(A, int, *mat.Dense)) {
	_, d := src.Dims()
	const budget = 1 << 28
	affordable := max(2, budget/(8*plan.stripe*max(d, 1)))
	workers := min(Threads(), plan.count(), affordable)

	type stripe struct {
		index  int
		blocks []*mat.Dense
	}
	jobs := make(chan stripe)
	spare := make(chan *mat.Dense, (workers+2)*(plan.stripe/plan.block))
	work := func() {
		for job := range jobs {
			if f.stopped() {
				return
			}
			acc := fresh()
			first, _ := plan.span(job.index)
			for _, block := range job.blocks {
				if ctx.Err() != nil {
					f.fail(ctx.Err())
					return
				}
				add(acc, first, block)
				rows, _ := block.Dims()
				first += rows
				select {
				case spare <- block:
				default:
				}
			}
			f.put(job.index, acc)
		}
	}
	var crew sync.WaitGroup
	for range workers {
		crew.Go(func() {
			f.guarded(work)
			for range jobs { // after a failure: keep the reader from blocking
			}
		})
	}

	var err error
	defer func() { // also when the source panics
		close(jobs)
		crew.Wait()
		if err != nil {
			f.fail(err)
		}
	}()
	var current stripe
	err = reblock(ctx, src, plan.block, func(first int, block *mat.Dense) (*mat.Dense, error) {
		if f.stopped() {
			return nil, errStopped
		}
		rows, _ := block.Dims()
		current.blocks = append(current.blocks, block)
		if _, last := plan.span(current.index); first+rows == last {
			if _, ok := f.claim(2 * workers); !ok {
				return nil, errStopped
			}
			jobs <- current
			current = stripe{index: current.index + 1}
		}
		select {
		case b := <-spare:
			return b, nil
		default:
			return nil, nil
		}
	})
}

// reblock scans src and passes its rows on in copied blocks of exactly size rows (the
// last may be shorter). take owns the block it gets; it returns a block to write the
// next rows to, or nil for a new one. Rows that are missing, too many or of another
// width are errors.
func reblock(ctx context.Context, src Source, size int, take func(first int, block *mat.Dense) (*mat.Dense, error)) error {
	n, d := src.Dims()
	var block *mat.Dense
	seen, filled := 0, 0
	err := src.Scan(ctx, func(first int, rows *mat.Dense) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		count, width := rows.Dims()
		if first != seen || width != d || seen+count > n {
			return fmt.Errorf("linalg: source of %d x %d sent a %d x %d block at row %d after %d rows", n, d, count, width, first, seen)
		}
		for used := 0; used < count; {
			want := min(size, n-(seen-filled))
			if block == nil {
				block = mat.NewDense(want, d, nil)
			} else if have, _ := block.Dims(); have != want {
				block = mat.NewDense(want, d, nil)
			}
			part := min(want-filled, count-used)
			rowsOf(block, filled, filled+part).Copy(rowsOf(rows, used, used+part))
			filled += part
			used += part
			seen += part
			if filled == want {
				next, err := take(seen-want, block)
				if err != nil {
					return err
				}
				block, filled = next, 0
			}
		}
		return nil
	})
	if err == nil && seen != n {
		err = fmt.Errorf("linalg: source of %d rows ended after %d", n, seen)
	}
	return err
}
