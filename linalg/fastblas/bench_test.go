package fastblas

import (
	"fmt"
	"testing"
)

// shapes of the products this project lives on; k is the number of terms.
var benchShapes = []struct {
	name    string
	tA, tB  bool
	m, n, k int
}{
	{"square-256", false, false, 256, 256, 256},
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
				for b.Loop() {
					Gemm(threads, s.tA, s.tB, s.m, s.n, s.k, 1, x, lda, y, ldb, 0, c, s.n)
				}
				reportSpeed(b, 2*float64(s.m)*float64(s.n)*float64(s.k))
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
				for b.Loop() {
					WeightedGram(threads, s.n, s.d, x, s.d, w, shift, c, s.d)
				}
				reportSpeed(b, float64(s.n)*float64(s.d)*float64(s.d+1))
			})
		}
	}
}

func BenchmarkExp(b *testing.B) {
	src := numbers(newRand(1), 100000)
	dst := make([]float64, len(src))
	for b.Loop() {
		Exp(dst, src)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(src)), "ns/value")
}

// reportSpeed adds the figure that compares between shapes.
func reportSpeed(b *testing.B, flops float64) {
	b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GF/s")
}
