package file

import (
	"context"
	"runtime"
	"sync"
)

// ahead fills chunks in the background while the one before is visited. Fill makes room in a
// chunk for as many rows as it likes and returns how many those are, 0 at the end.
func ahead(ctx context.Context, fill func(c *chunk, first int) (int, error), visit func(*chunk) error) error {
	free := make(chan *chunk, 2)
	for range cap(free) {
		free <- new(chunk)
	}
	full := make(chan *chunk, cap(free))
	stop := make(chan struct{})
	var failed error
	go func() {
		defer close(full)
		for first := 0; ; {
			var c *chunk
			select {
			case c = <-free:
			case <-stop:
				return
			}
			n, err := 0, error(nil)
			err = caught(func() error { n, err = fill(c, first); return err })
			if err != nil || n == 0 {
				failed = err
				return
			}
			c.first, c.rows = first, n
			first += n
			full <- c
		}
	}()
	var err error
	for c := range full {
		if err == nil {
			if err = ctx.Err(); err == nil {
				err = visit(c)
			}
			if err != nil {
				close(stop)
			}
		}
		if err == nil {
			free <- c
		}
	}
	if err != nil {
		return err
	}
	return failed
}

// inOrder runs work on all cores for the tasks that produce emits, and visits the
// results one at a time in the order of the tasks.
func inOrder[T any](ctx context.Context, produce func(emit func(T) error) error, work func(T) (*chunk, error), visit func(*chunk) error) error {
	type slot struct {
		task  T
		chunk *chunk
		err   error
		done  chan struct{}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := runtime.GOMAXPROCS(0)
	tasks := make(chan *slot, workers)
	order := make(chan *slot, workers)
	var failed error
	var running sync.WaitGroup
	running.Go(func() {
		defer close(order)
		defer close(tasks)
		failed = caught(func() error {
			return produce(func(task T) error {
				s := &slot{task: task, done: make(chan struct{})}
				for _, queue := range []chan *slot{order, tasks} {
					select {
					case queue <- s:
					case <-ctx.Done():
						return ctx.Err()
					}
				}
				return nil
			})
		})
	})
	for range workers {
		running.Go(func() {
			for s := range tasks {
				s.err = caught(func() (err error) { s.chunk, err = work(s.task); return err })
				close(s.done)
			}
		})
	}
	err := func() error {
		first := 0
		for s := range order {
			select {
			case <-s.done:
			case <-ctx.Done():
				return ctx.Err()
			}
			if s.err != nil {
				return s.err
			}
			s.chunk.first = first
			first += s.chunk.rows
			err := visit(s.chunk)
			s.chunk.free()
			if err != nil {
				return err
			}
		}
		return nil
	}()
	cancel()
	for range order { // let the producer see the cancellation
	}
	running.Wait()
	if err != nil {
		return err
	}
	return failed
}
