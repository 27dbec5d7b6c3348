package linalg

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// ending is a context that ends at its k-th look.
type ending struct {
	context.Context
	left, looks atomic.Int64
}

func (e *ending) Err() error {
	e.looks.Add(1)
	if e.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Of a large matrix all eigenvectors take minutes: the search looks at its context at every panel of the reduction, at every cut
// and on the way back, and ends with it wherever it is.
func TestEigenvectorsEndWithTheContext(t *testing.T) {
	const d = 400
	a := mat.NewSymDense(d, nil)
	for i := range d {
		for j := i; j < d; j++ {
			a.SetSym(i, j, math.Cos(float64(i*j))+map[bool]float64{true: 50}[i == j])
		}
	}
	for name, find := range map[string]func(context.Context) ([]float64, *mat.Dense, error){
		"all":         func(ctx context.Context) ([]float64, *mat.Dense, error) { return linalg.SymEigen(ctx, a) },
		"the leading": func(ctx context.Context) ([]float64, *mat.Dense, error) { return linalg.TopEigen(ctx, a, 10, nil) },
		"nearly all":  func(ctx context.Context) ([]float64, *mat.Dense, error) { return linalg.TopEigen(ctx, a, 300, nil) },
	} {
		whole := &ending{Context: t.Context()}
		whole.left.Store(math.MaxInt64)
		if _, _, err := find(whole); err != nil {
			t.Fatal(name, err)
		}
		looks := whole.looks.Load()
		if least := int64(map[bool]int{true: d / 32, false: 2}[name != "the leading"]); looks < least {
			t.Errorf("%s: %d looks, want %d at least", name, looks, least)
		}
		step := int64(1)
		if testing.Short() { // under emulation every look takes a second
			step = looks/6 + 1
		}
		for k := int64(0); k < looks; k += step {
			now := &ending{Context: t.Context()}
			now.left.Store(k)
			if values, vectors, err := find(now); !errors.Is(err, context.Canceled) || values != nil || vectors != nil {
				t.Fatalf("%s, look %d of %d: %v", name, k, looks, err)
			}
		}
	}
}

// What is cut into parts is not begun any more once the context has ended.
func TestPartsEndWithTheContext(t *testing.T) {
	defer linalg.SetThreads(0)
	for _, threads := range []int{1, 2} {
		linalg.SetThreads(threads)
		ctx, cancel := context.WithCancel(t.Context())
		var done atomic.Int64
		err := linalg.ParallelUntil(ctx, 1000, func(i int) {
			if done.Add(1) == 10 {
				cancel()
			}
		})
		if n := done.Load(); !errors.Is(err, context.Canceled) || n < 10 || n > 11 {
			t.Errorf("%d threads: %d of 1000 parts, %v", threads, n, err)
		}
		if err := linalg.ParallelUntil(t.Context(), 7, func(int) { done.Add(1) }); err != nil {
			t.Error(err)
		}
	}
}
