package linalg

import (
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
