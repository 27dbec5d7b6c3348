package fastblas

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"testing"

	"gonum.org/v1/gonum/blas"
)

// plainNumbers are numbers between -1 and 1 that every processor makes alike: no step rounds.
func plainNumbers(seed uint64, n int) []float64 {
	rnd := newRand(seed)
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(int64(rnd.Uint64())>>12) * 0x1p-51
	}
	return x
}

// fingerprint is a hash of all bits.
func fingerprint(results ...[]float64) uint64 {
	h := fnv.New64a()
	for _, x := range results {
		for _, v := range x {
			_ = binary.Write(h, binary.LittleEndian, math.Float64bits(v))
		}
	}
	return h.Sum64()
}

// Products are rounded alike by the assembly of all processors, and where Go itself adds products
// with one rounding (on arm64) by plain Go too. What is expected was computed with AVX2.
func TestProductsHaveTheSameBitsEverywhere(t *testing.T) {
	const expected = uint64(0xb0e457a45ba0d563)
	eachKernel(t, func(t *testing.T) {
		if Kernel() == portable.name && !fuses() {
			t.Skip("plain Go rounds twice on this processor")
		}
		var results [][]float64
		for i, s := range []struct{ m, n, k int }{{61, 143, 790}, {30, 50, 401}, {131, 37, 90}, {45, 125, 20}} {
			eachTranspose(func(tA, tB bool) {
				a, b, c := plainNumbers(1, s.m*s.k), plainNumbers(2, s.k*s.n), plainNumbers(3, s.m*s.n)
				lda, ldb := s.k, s.n
				if tA {
					lda = s.m
				}
				if tB {
					ldb = s.k
				}
				Gemm(1+i%2, tA, tB, s.m, s.n, s.k, 1.1, a, lda, b, ldb, 1, c, s.n)
				results = append(results, c)
			})
		}
		for _, s := range []struct{ n, d int }{{801, 29}, {150, 131}} {
			c := make([]float64, s.d*s.d)
			WeightedGram(1, s.n, s.d, plainNumbers(1, s.n*s.d), s.d, plainNumbers(2, s.n), plainNumbers(3, s.d), c, s.d)
			results = append(results, c)
		}
		if got := fingerprint(results...); got != expected {
			t.Errorf("fingerprint of the products is %#x, want %#x", got, expected)
		}
	})
}

// fuses tells whether this processor's Go adds a product with one rounding.
func fuses() bool {
	const x = 1 + 0x1p-30
	return addProduct(x, x, -(1+0x1p-29)) != 0 // the square of x, rounded
}

//go:noinline
func addProduct(x, y, z float64) float64 { return x*y + z }

// Sums along vectors and exponentials are rounded alike by AVX2 and NEON.
func TestVectorsHaveTheSameBitsOnBothArchitectures(t *testing.T) {
	const expected = uint64(0x491c5f6640b88598)
	var impl Implementation
	eachKernel(t, func(t *testing.T) {
		if k := Kernel(); k != "avx2" && k != "neon" {
			t.Skip("another order of additions")
		}
		var results [][]float64
		for _, n := range []int{16, 31, 66, 1003} {
			const m = 7
			a, x, y := plainNumbers(1, m*n), plainNumbers(2, n), plainNumbers(3, n)
			results = append(results, []float64{impl.Ddot(n, x, 1, y, 1)})
			impl.Daxpy(n, 1.1, x, 1, y, 1)
			z := plainNumbers(4, m)
			impl.Dgemv(blas.NoTrans, m, n, 1.5, a, n, x, 1, 0, z, 1)
			impl.Dgemv(blas.Trans, m, n, 1.5, a, n, z, 1, 1, y, 1)
			for i := range x {
				x[i] *= 800
			}
			Exp(x, x)
			results = append(results, x, y, z)
		}
		if got := fingerprint(results...); got != expected {
			t.Errorf("fingerprint of the vectors is %#x, want %#x", got, expected)
		}
	})
}
