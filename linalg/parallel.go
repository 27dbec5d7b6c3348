package linalg

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// Parallel calls do(0) ... do(n-1), each once, on up to Threads() goroutines, and
// returns when all have ended. The calls must not depend on one another: for results
// that do not depend on the number of threads, each writes to a place of its own. A
// panic in one of them becomes a panic of Parallel.
func Parallel(n int, do func(i int)) {
	workers := min(Threads(), n)
	if workers <= 1 {
		for i := range n {
			do(i)
		}
		return
	}
	var next atomic.Int64
	var crew sync.WaitGroup
	var failure caught
	work := func() {
		defer failure.catch()
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			do(i)
		}
	}
	for range workers - 1 {
		crew.Go(work)
	}
	work()
	crew.Wait()
	failure.raise()
}

// ParallelUntil is [Parallel] that leaves off where the context ends, with its error.
func ParallelUntil(ctx context.Context, n int, do func(i int)) error {
	Parallel(n, func(i int) {
		if ctx.Err() == nil {
			do(i)
		}
	})
	return ctx.Err()
}

// span is how many numbers or rows [Spans] gives away at a time.
const span = 4096

// Spans calls do for consecutive stretches of 0 to n, each once, as [Parallel] does. The stretches do not depend on the
// number of threads.
func Spans(n int, do func(from, to int)) {
	Parallel((n+span-1)/span, func(i int) { do(i*span, min((i+1)*span, n)) })
}

// Largest is the largest of numbers; NaN where one is, -Inf of none.
func Largest(x []float64) float64 {
	parts := make([]float64, (len(x)+span-1)/span)
	Spans(len(x), func(from, to int) { parts[from/span] = slices.Max(x[from:to]) })
	if len(parts) == 0 {
		return math.Inf(-1)
	}
	return slices.Max(parts)
}

// Least is the least of numbers; NaN where one is, +Inf of none.
func Least(x []float64) float64 {
	parts := make([]float64, (len(x)+span-1)/span)
	Spans(len(x), func(from, to int) { parts[from/span] = slices.Min(x[from:to]) })
	if len(parts) == 0 {
		return math.Inf(1)
	}
	return slices.Min(parts)
}

// Total adds up what part gives for the stretches of [Spans], in their order: the sum does not depend on the number of threads.
func Total(n int, part func(from, to int) float64) float64 {
	parts := make([]float64, (n+span-1)/span)
	Spans(n, func(from, to int) { parts[from/span] = part(from, to) })
	sum := 0.0
	for _, v := range parts {
		sum += v
	}
	return sum
}

// mostStretches is how many parts sums over rows have at most.
const mostStretches = 256

// stretches cuts 0 to n into equal parts, not more than [mostStretches]; their number depends on n alone.
func stretches(n int) (length, count int) {
	length = span * max((n+span*mostStretches-1)/(span*mostStretches), 1)
	return length, (n + length - 1) / length
}

// Totals adds up width sums at once: add puts what a stretch of 0 to n gives on top of sums, which begin at zero. The stretches are
// added in their order, so that the sums do not depend on the number of threads.
func Totals(n, width int, add func(from, to int, sums []float64)) []float64 {
	length, count := stretches(n)
	parts := make([]float64, max(count, 1)*width)
	Parallel(count, func(i int) { add(i*length, min((i+1)*length, n), parts[i*width:(i+1)*width:(i+1)*width]) })
	for i := 1; i < count; i++ {
		for j, v := range parts[i*width : (i+1)*width] {
			parts[j] += v
		}
	}
	return parts[:width:width]
}
