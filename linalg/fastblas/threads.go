package fastblas

import (
	"runtime"
	"sync/atomic"
)

var threadLimit atomic.Int64

// SetThreads sets the number of threads of [Implementation], and of the other
// functions when they are called with 0 threads. 0, the initial value, means
// GOMAXPROCS. Results do not depend on it.
func SetThreads(n int) { threadLimit.Store(int64(max(n, 0))) }

// Threads returns the number of threads that 0 stands for.
func Threads() int {
	if n := int(threadLimit.Load()); n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// resolveThreads gives a product of the given number of multiply-adds as many threads
// as are asked for, but none that would have less to do than it costs to wake it.
func resolveThreads(asked int, work float64) int {
	const workPerThread = 1 << 20 // about 30 microseconds
	if asked <= 0 {
		asked = Threads()
	}
	if limit := work / workPerThread; limit < float64(asked) {
		return max(1, int(limit))
	}
	return asked
}
