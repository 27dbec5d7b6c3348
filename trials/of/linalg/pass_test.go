package linalg

import (
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
)

func TestThreads(t *testing.T) {
	defer linalg.SetThreads(0)
	linalg.SetThreads(3)
	if linalg.Threads() != 3 {
		t.Errorf("%d threads, want 3", linalg.Threads())
	}
	linalg.SetThreads(-1)
	if linalg.Threads() != runtime.GOMAXPROCS(0) {
		t.Errorf("%d threads, want GOMAXPROCS", linalg.Threads())
	}
	if !strings.HasPrefix(linalg.Backend(), "builtin ") {
		t.Errorf("backend %q", linalg.Backend())
	}
}

func TestParallelCallsEachOnceAndPassesPanicsOn(t *testing.T) {
	underThreads(t, func(t *testing.T, threads int) {
		for _, n := range []int{0, 1, 5, 1000} {
			calls := make([]atomic.Int64, n)
			linalg.Parallel(n, func(i int) { calls[i].Add(1) })
			for i := range calls {
				if calls[i].Load() != 1 {
					t.Errorf("call %d of %d was made %d times", i, n, calls[i].Load())
				}
			}
		}
		boom := errors.New("boom")
		defer func() {
			if err, ok := recover().(error); !ok || !errors.Is(err, boom) {
				t.Errorf("recovered %v", err)
			}
		}()
		linalg.Parallel(100, func(i int) {
			if i == 57 {
				panic(boom)
			}
		})
		t.Error("no panic")
	})
}
