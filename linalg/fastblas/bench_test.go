package fastblas

import (
	"fmt"
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/blas"
)

func BenchmarkSmallGemm(b *testing.B) {
	for _, n := range []int{8, 12, 16, 20, 24, 32, 48} {
		x, y, c := numbers(newRand(1), n*n), numbers(newRand(2), n*n), make([]float64, n*n)
		b.Run(fmt.Sprintf("%d/builtin", n), func(b *testing.B) {
			measure(b, 2*float64(n*n*n), func() { multiply(1, false, false, n, n, n, 1, x, n, y, n, 0, c, n, whole) })
		})
		b.Run(fmt.Sprintf("%d/gonum", n), func(b *testing.B) {
			measure(b, 2*float64(n*n*n), func() { reference.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, x, n, y, n, 0, c, n) })
		})
	}
}

// measure runs work of the given number of operations and reports its mean speed, and
// the best, which tells more on a machine that others use too.
func measure(b *testing.B, flops float64, work func()) {
	best := time.Duration(math.MaxInt64)
	for b.Loop() {
		start := time.Now()
		work()
		best = min(best, time.Since(start))
	}
	b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GF/s")
	b.ReportMetric(flops/best.Seconds()/1e9, "best-GF/s")
}
