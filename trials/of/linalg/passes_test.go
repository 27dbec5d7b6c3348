package linalg

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
)

// trace remembers blocks and merges in the order in which they came.
type trace struct{ steps []string }

func tracePass(ctx context.Context, src linalg.Source) (*trace, error) {
	return linalg.Pass(ctx, src,
		func() *trace { return &trace{} },
		func(t *trace, first int, block *mat.Dense) {
			rows, _ := block.Dims()
			t.steps = append(t.steps, fmt.Sprint(first, "+", rows, ":", mat.Sum(block)))
		},
		func(into, from *trace) { into.steps = append(append(into.steps, "|"), from.steps...) })
}

// Blocks, their contents and the order of merging are the same for any number of
// threads, in memory and from a file with blocks of another size.
func TestPassVisitsTheSameBlocksInTheSameOrder(t *testing.T) {
	for _, n := range []int{0, 1, 255, 256, 257, 4096, 4097, 9001} {
		m := &mat.Dense{}
		if n > 0 {
			m = random(1, n, 3)
		}
		var want string
		underThreads(t, func(t *testing.T, threads int) {
			for _, src := range []linalg.Source{linalg.FromDense(m), &fileLike{m: m, size: 100}, &fileLike{m: m, size: 5000}} {
				got, err := tracePass(context.Background(), src)
				if err != nil {
					t.Fatal(err)
				}
				text := strings.Join(got.steps, " ")
				if want == "" {
					want = text
				}
				if text != want {
					t.Fatalf("%d rows, %d threads, %T:\n%s\nwant\n%s", n, threads, src, text, want)
				}
			}
		})
	}
}

// Few accumulators may be alive at once, however many stripes there are.
func TestPassKeepsFewAccumulators(t *testing.T) {
	defer linalg.SetThreads(0)
	linalg.SetThreads(4)
	for _, src := range []linalg.Source{linalg.FromDense(random(1, 60000, 2)), &fileLike{m: random(1, 60000, 2), size: 999}} {
		var alive, most atomic.Int64
		_, err := linalg.Pass(context.Background(), src,
			func() *trace {
				if now := alive.Add(1); now > most.Load() {
					most.Store(now)
				}
				return &trace{}
			},
			func(_ *trace, first int, _ *mat.Dense) {
				if first == 0 {
					time.Sleep(10 * time.Millisecond) // the first stripe holds up the merging
				}
			},
			func(_, _ *trace) { alive.Add(-1) })
		if err != nil {
			t.Fatal(err)
		}
		if most.Load() > 9 {
			t.Errorf("%T: %d accumulators at once", src, most.Load())
		}
	}
}

func TestPassStopsWhenCancelled(t *testing.T) {
	underThreads(t, func(t *testing.T, threads int) {
		m := random(1, 20000, 2)
		for _, src := range []linalg.Source{linalg.FromDense(m), &fileLike{m: m, size: 100}} {
			ctx, stop := context.WithCancel(context.Background())
			var blocks, late atomic.Int64
			var stopped atomic.Bool
			_, err := linalg.Pass(ctx, src,
				func() *trace { return &trace{} },
				func(*trace, int, *mat.Dense) {
					if stopped.Load() {
						late.Add(1)
					}
					if blocks.Add(1) == 3 {
						stop()
						stopped.Store(true)
					}
				},
				func(_, _ *trace) {})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%T: error %v", src, err)
			}
			// A worker may have looked just before.
			if late.Load() > int64(threads) {
				t.Errorf("%T: went on for %d blocks", src, late.Load())
			}
		}
	})
}

func TestPassReportsTheSourcesErrors(t *testing.T) {
	m := random(1, 5000, 2)
	underThreads(t, func(t *testing.T, threads int) {
		if _, err := tracePass(context.Background(), &fileLike{m: m, size: 100, failAt: 3000}); !errors.Is(err, errBroken) {
			t.Errorf("error %v, want %v", err, errBroken)
		}
		_, err := tracePass(context.Background(), &fileLike{m: m, size: 100, endAt: 3000})
		if err == nil || !strings.Contains(err.Error(), "5000 rows ended after 3000") {
			t.Errorf("source that ends early: error %v", err)
		}
	})
}

func TestPassPassesPanicsOn(t *testing.T) {
	m := random(1, 20000, 2)
	boom := errors.New("boom")
	underThreads(t, func(t *testing.T, threads int) {
		for _, src := range []linalg.Source{linalg.FromDense(m), &fileLike{m: m, size: 100}} {
			for _, inMerge := range []bool{false, true} {
				func() {
					defer func() {
						err, ok := recover().(error)
						if !ok || !errors.Is(err, boom) {
							t.Errorf("%T: recovered %v", src, err)
						}
					}()
					_, _ = linalg.Pass(context.Background(), src,
						func() *trace { return &trace{} },
						func(_ *trace, first int, _ *mat.Dense) {
							if !inMerge && first > 9000 {
								panic(boom)
							}
						},
						func(_, _ *trace) {
							if inMerge {
								panic(boom)
							}
						})
					t.Errorf("%T: no panic", src)
				}()
			}
		}
	})
	// nobody is left behind
	for range 100 {
		if runtime.NumGoroutine() < 20 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines", runtime.NumGoroutine())
}

// fileLike is a Source that hands out copies in one reused block of odd size and fails
// or ends early on request.
type fileLike struct {
	m      *mat.Dense
	size   int
	failAt int // row at which Scan returns errBroken; 0 never
	endAt  int // row at which Scan ends without an error; 0 never
	scans  int
}

var errBroken = errors.New("broken file")

func (f *fileLike) Dims() (int, int) { return f.m.Dims() }

func (f *fileLike) Scan(ctx context.Context, visit func(int, *mat.Dense) error) error {
	f.scans++
	n, d := f.m.Dims()
	memory := make([]float64, f.size*d)
	for first := 0; first < n; first += f.size {
		if f.failAt > 0 && first >= f.failAt {
			return errBroken
		}
		if f.endAt > 0 && first >= f.endAt {
			return nil
		}
		last := min(first+f.size, n)
		block := mat.NewDense(last-first, d, memory[:(last-first)*d])
		block.Copy(f.m.Slice(first, last, 0, d))
		if err := visit(first, block); err != nil {
			return err
		}
		for i := range memory {
			memory[i] = math.NaN() // nobody may still be looking
		}
	}
	return nil
}
