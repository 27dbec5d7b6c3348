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

// each runs phase for every chunk, on all threads. Which thread runs which chunk is
// left to chance, as no chunk depends on another.
func (p *product) each(chunks int, phase func(*product, *workspace, int)) {
	p.phase, p.chunks = phase, chunks
	p.next.Store(0)
	for range min(p.threads, chunks) - 1 {
		p.helpers.Add(1)
		go p.help()
	}
	p.work()
	p.helpers.Wait()
}

func (p *product) help() {
	defer p.helpers.Done()
	p.work()
}

func (p *product) work() {
	ws := workspaces.Get().(*workspace)
	for {
		chunk := int(p.next.Add(1)) - 1
		if chunk >= p.chunks {
			break
		}
		p.phase(p, ws, chunk)
	}
	workspaces.Put(ws)
}
