package fastblas

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/linalg/fastblas"
	"gonum.org/v1/gonum/blas"
)

// shapes of the products this project lives on; k is the number of terms.
var benchShapes = []struct {
	name    string
	tA, tB  bool
	m, n, k int
}{
	{"square-256", false, false, 256, 256, 256},
	{"square-512", false, false, 512, 512, 512},
	{"square-784", false, false, 784, 784, 784},
	{"square-1024", false, false, 1024, 1024, 1024},
	{"square-2048", false, false, 2048, 2048, 2048},
	{"nt-1024", false, true, 1024, 1024, 1024},
	{"tn-1024", true, false, 1024, 1024, 1024},
	{"thin-XV", false, false, 60000, 50, 784},
	{"thin-XtS", true, false, 784, 50, 60000},
	{"subspace-784x80", false, false, 784, 80, 784},
}

func BenchmarkGemm(b *testing.B) {
	for _, s := range benchShapes {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/threads=%d", s.name, threads), func(b *testing.B) {
				lda, ldb := s.k, s.n
				if s.tA {
					lda = s.m
				}
				if s.tB {
					ldb = s.k
				}
				rnd := newRand(1)
				x, y, c := numbers(rnd, s.m*s.k), numbers(rnd, s.k*s.n), make([]float64, s.m*s.n)
				measure(b, 2*float64(s.m)*float64(s.n)*float64(s.k), func() {
					fastblas.Gemm(threads, s.tA, s.tB, s.m, s.n, s.k, 1, x, lda, y, ldb, 0, c, s.n)
				})
			})
		}
	}
}

func BenchmarkWeightedGramSingle(b *testing.B) {
	for _, s := range []struct{ n, d int }{{60000, 784}, {20000, 100}, {2000, 3000}} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("%dx%d/threads=%d", s.n, s.d, threads), func(b *testing.B) {
				rnd := newRand(1)
				x, _ := narrow(numbers(rnd, s.n*s.d))
				w, c := numbers(rnd, s.n), make([]float64, s.d*s.d)
				measure(b, float64(s.n)*float64(s.d)*float64(s.d+1), func() {
					fastblas.WeightedGramSingle(threads, s.n, s.d, x, s.d, w, x[:s.d], c, s.d)
				})
			})
		}
	}
}

func BenchmarkWeightedGram(b *testing.B) {
	for _, s := range []struct{ n, d int }{{60000, 784}, {20000, 100}, {2000, 3000}} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("%dx%d/threads=%d", s.n, s.d, threads), func(b *testing.B) {
				rnd := newRand(1)
				x, w, shift, c := numbers(rnd, s.n*s.d), numbers(rnd, s.n), numbers(rnd, s.d), make([]float64, s.d*s.d)
				measure(b, float64(s.n)*float64(s.d)*float64(s.d+1), func() {
					fastblas.WeightedGram(threads, s.n, s.d, x, s.d, w, shift, c, s.d)
				})
			})
		}
	}
}

// BenchmarkRoutines compares the replaced routines with gonum's own.
func BenchmarkRoutines(b *testing.B) {
	const n = 512
	x, y, c := numbers(newRand(1), n*n), numbers(newRand(2), n*n), make([]float64, n*n)
	for i := range n {
		x[i*n+i] += n
	}
	for _, impl := range []struct {
		name string
		blas.Float64
	}{{"builtin", fastblas.Implementation{}}, {"gonum", reference}} {
		for _, r := range []struct {
			name  string
			flops float64
			work  func()
		}{
			{"Dsyrk", n * n * n, func() { impl.Dsyrk(blas.Upper, blas.Trans, n, n, 1, x, n, 0, c, n) }},
			{"Dsyr2k", 2 * n * n * n, func() { impl.Dsyr2k(blas.Lower, blas.NoTrans, n, n, 1, x, n, y, n, 0, c, n) }},
			{"Dsymm", 2 * n * n * n, func() { impl.Dsymm(blas.Left, blas.Upper, n, n, 1, x, n, y, n, 0, c, n) }},
			{"Dtrmm-left", n * n * n, func() { copy(c, y); impl.Dtrmm(blas.Left, blas.Upper, blas.NoTrans, blas.NonUnit, n, n, 1, x, n, c, n) }},
			{"Dtrsm-left", n * n * n, func() { copy(c, y); impl.Dtrsm(blas.Left, blas.Upper, blas.NoTrans, blas.NonUnit, n, n, 1, x, n, c, n) }},
			{"Dtrsm-right", n * n * n, func() {
				copy(c, y)
				impl.Dtrsm(blas.Right, blas.Upper, blas.NoTrans, blas.NonUnit, n, n, 1, x, n, c, n)
			}},
			{"Dgemv", 2 * n * n, func() { impl.Dgemv(blas.NoTrans, n, n, 1, x, n, y, 1, 0, c, 1) }},
			{"Dgemv-T", 2 * n * n, func() { impl.Dgemv(blas.Trans, n, n, 1, x, n, y, 1, 0, c, 1) }},
			{"Dsymv", 2 * n * n, func() { impl.Dsymv(blas.Upper, n, 1, x, n, y, 1, 0, c, 1) }},
			{"Dger", 2 * n * n, func() { impl.Dger(n, n, 1e-9, x, 1, y, 1, c, n) }},
			{"Ddot", 2 * n, func() { impl.Ddot(n, x, 1, y, 1) }},
			{"Daxpy", 2 * n, func() { impl.Daxpy(n, 1e-9, x, 1, c, 1) }},
		} {
			b.Run(r.name+"/"+impl.name, func(b *testing.B) { measure(b, r.flops, r.work) })
		}
	}
}

func BenchmarkExp(b *testing.B) {
	src := numbers(newRand(1), 100000)
	dst := make([]float64, len(src))
	for b.Loop() {
		fastblas.Exp(dst, src)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(src)), "ns/value")
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
