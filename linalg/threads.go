package linalg

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/inlier-ml/inlier/linalg/fastblas"
)

// threads is what SetThreads was last given; 0 stands for GOMAXPROCS.
var threads atomic.Int64

// SetThreads sets how many goroutines a single call may keep busy, for the whole
// process; 0 (or less) means as many as GOMAXPROCS. Results never depend on it.
func SetThreads(n int) {
	threads.Store(int64(max(n, 0)))
	fastblas.SetThreads(n)
}

// Threads returns how many goroutines a single call may keep busy, at least one.
func Threads() int {
	if n := int(threads.Load()); n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// Backend names the matrix kernel in use, e.g. "builtin avx512".
func Backend() string { return kernelName() }

// parallel calls do(0) ... do(n-1), each once, on up to Threads() goroutines. The
// calls must not depend on one another.
func parallel(n int, do func(i int)) {
	workers := min(Threads(), n)
	if workers <= 1 {
		for i := range n {
			do(i)
		}
		return
	}
	var next atomic.Int64
	var crew sync.WaitGroup
	work := func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			do(i)
		}
	}
	for range workers - 1 {
		crew.Go(work)
	}
	work()
	crew.Wait()
}
