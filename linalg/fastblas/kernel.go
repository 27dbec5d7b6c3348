package fastblas

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
)

// maxTile is the largest number of elements in a register tile of any kernel.
const maxTile = 8 * 24

// kernel is a set of innermost loops for one kind of processor. All strides are
// counted in elements. Pointers are used instead of slices because each call touches
// a handful of strided runs; the callers own the bounds.
type kernel struct {
	name string

	lane int // width of a vector; packed strips are cut into pieces of lane
	mr   int // rows of a register tile, equal to lane
	nr   int // columns of a register tile, a multiple of lane
	mc   int // rows of A packed at a time

	ahead bool // the next panel of B is fetched while one is at work

	// tile[w-1] adds alpha*A*B to a tile of C of mr rows and w*lane columns.
	// A(i,p) stands at a[i*rs+p*cs], row p of B starts at b[p*bs]. With every p the cache
	// line at next is fetched and next moves on by step bytes (if these are few, fetching in
	// every fourth p is enough).
	tile []tileFunc

	// gather copies lane neighbours from each of k rows: dst[p*ds+i] = src[p*ld+i].
	gather func(k int, src *float64, ld int, dst *float64, ds int)
	// center is gather of (src-shift[i])*w[p]; shift and w may not be nil.
	center func(k int, src *float64, ld int, dst *float64, ds int, shift, w *float64)
	// transpose gathers from lane rows: dst[p*ds+i] = src[i*ld+p], k a multiple of lane.
	transpose func(k int, src *float64, ld int, dst *float64, ds int)

	dot  func(n int, x, y *float64) float64
	axpy func(n int, alpha float64, x, y *float64)
	// dot4 writes the products of four rows of a with x to out[0..3].
	dot4 func(n int, a *float64, lda int, x *float64, out *float64)
	// axpy4 adds to y four rows of a, row i multiplied by alpha[i].
	axpy4 func(n int, alpha *float64, a *float64, lda int, y *float64)
	// below is the first of vectors of lane places in which x[i]-y[i] is below a bound somewhere, n a multiple of lane; n: there is none.
	below func(n int, x, y *float64, bound float64) int
	// exp is applied to n numbers, n a multiple of lane.
	exp func(n int, dst, src *float64)

	single *singleKernel // nil: there are none
}

type tileFunc = func(k int, alpha float64, a *float64, rs, cs int, b *float64, bs int, c *float64, ldc int, next uintptr, step int)

var current atomic.Pointer[kernel]

func init() {
	current.Store(&supported()[0])
	if name := os.Getenv("INLIER_KERNEL"); name != "" {
		// An impossible wish leaves the best supported kernel in place: a program
		// must start on every machine. Kernel tells which one runs.
		_ = Force(name)
	}
}

// Kernel names the kernel in use: "avx512", "avx2", "neon" or "go".
func Kernel() string { return current.Load().name }

// Force makes all later calls use the named kernel: "avx512", "avx2", "neon" or "go". It
// returns an error, and changes nothing, if this machine does not support it.
func Force(name string) error {
	var names []string
	for i := range supported() {
		k := &supported()[i]
		if k.name == name {
			current.Store(k)
			return nil
		}
		names = append(names, k.name)
	}
	return fmt.Errorf("fastblas: kernel %q is not one of those this machine supports: %s", name, strings.Join(names, ", "))
}
