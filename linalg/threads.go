package linalg

import (
	"runtime"
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
