package fastblas

import (
	"fmt"
	"testing"

	"github.com/inlier-ml/inlier/linalg/fastblas"
	"gonum.org/v1/gonum/blas"
)

// The methods of Implementation do not depend on the number of threads.
func TestImplementationDoesNotDependOnThreads(t *testing.T) {
	defer fastblas.SetThreads(0)
	var impl fastblas.Implementation
	const n = 200
	a, b := numbers(newRand(1), n*n), numbers(newRand(2), n*n)
	for i := range n {
		a[i*n+i] += n
	}
	const rows, columns = 2005, 1103 // enough for a second thread
	tall := numbers(newRand(4), rows*columns)
	calls := map[string]func(c []float64){
		"Dsyrk":   func(c []float64) { impl.Dsyrk(blas.Lower, blas.NoTrans, n, n, 1, a, n, 0.5, c, n) },
		"Dsyr2k":  func(c []float64) { impl.Dsyr2k(blas.Upper, blas.Trans, n, n, 1, a, n, b, n, 0.5, c, n) },
		"Dsymm":   func(c []float64) { impl.Dsymm(blas.Right, blas.Upper, n, n, 1, a, n, b, n, 0.5, c, n) },
		"Dtrsm":   func(c []float64) { impl.Dtrsm(blas.Left, blas.Upper, blas.Trans, blas.NonUnit, n, n, 1, a, n, c, n) },
		"Dtrmm":   func(c []float64) { impl.Dtrmm(blas.Right, blas.Lower, blas.NoTrans, blas.NonUnit, n, n, 1, a, n, c, n) },
		"Dgemv":   func(c []float64) { impl.Dgemv(blas.NoTrans, rows, columns, 1, tall, columns, b, 1, 0.5, c, 1) },
		"Dgemv-T": func(c []float64) { impl.Dgemv(blas.Trans, rows, columns, 1, tall, columns, b, 1, 0.5, c, 1) },
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			var want []float64
			for _, threads := range []int{1, 2, 8} {
				fastblas.SetThreads(threads)
				if fastblas.Threads() != threads {
					t.Fatalf("%d threads, want %d", fastblas.Threads(), threads)
				}
				got := numbers(newRand(3), n*n)
				call(got)
				if want == nil {
					want = got
				}
				checkSame(t, fmt.Sprint(threads, " threads"), got, want)
			}
		})
	}
}
