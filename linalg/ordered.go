package linalg

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
)

// PassInOrder reads a source once, in blocks of so many rows from the first to the last, into one accumulator: for those that
// are too large to have several, whose work is in kernels that use all cores themselves. The next block is read
// meanwhile. For blocks, cancelling and keeping holds what [Pass] says.
func PassInOrder[A any](ctx context.Context, src Source, rows int, fresh func() A, add func(acc A, first int, block *mat.Dense)) (A, error) {
	ctx = given.Context(ctx)
	return recalled(src, fresh, func() (A, error) {
		acc := fresh()
		if m := inMemory(src); m != nil {
			n, _ := m.Dims()
			for first := 0; first < n; first += rows {
				if err := ctx.Err(); err != nil {
					return acc, err
				}
				add(acc, first, rowsOf(m, first, min(first+rows, n)))
			}
			return acc, nil
		}
		type piece struct {
			first int
			block *mat.Dense
		}
		pieces, spare, stop := make(chan piece), make(chan *mat.Dense, 1), make(chan struct{})
		defer close(stop)
		var failed error
		var failure caught
		go func() {
			defer close(pieces)
			defer failure.catch()
			failed = reblock(ctx, src, rows, func(first int, block *mat.Dense) (*mat.Dense, error) {
				select {
				case pieces <- piece{first, block}:
				case <-stop:
					return nil, errStopped
				}
				select {
				case b := <-spare:
					return b, nil
				default:
					return nil, nil
				}
			})
		}()
		for p := range pieces {
			if ctx.Err() != nil {
				continue // the reader ends by itself
			}
			add(acc, p.first, p.block)
			select {
			case spare <- p.block:
			default:
			}
		}
		failure.raise()
		if failed == nil {
			failed = ctx.Err()
		}
		return acc, failed
	})
}
