package fastblas

import (
	"fmt"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/linalg/fastblas"
)

// eachKernel runs a test with every kernel that there is here.
func eachKernel(t *testing.T, test func(t *testing.T)) {
	before := fastblas.Kernel()
	t.Cleanup(func() { _ = fastblas.Force(before) })
	for _, name := range []string{"avx512", "avx2", "neon", "go"} {
		if fastblas.Force(name) == nil {
			t.Run(name, test)
		}
	}
}

// narrow is a table in single precision, and what it holds.
func narrow(x []float64) (single []float32, same []float64) {
	for _, v := range x {
		single = append(single, float32(v))
		same = append(same, float64(float32(v)))
	}
	return single, same
}

// Of small integers every product and sum is exact, so that an element in a wrong place shows whatever its size. Nothing is
// read or written between rows or below the diagonal.
func TestSingleGramOfIntegersIsExact(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		for _, d := range []int{0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 47, 48, 49, 63, 64, 65, 95, 97, 113, 145, 200} {
			if testing.Short() && d > 50 && d != 97 {
				continue
			}
			for _, n := range []int{0, 1, 2, 255, 256, 257, 600, 1025} {
				for mask := range 4 {
					rnd := newRand(uint64(1000*n + 4*d + mask))
					ldx, ldc := d+3, d+1
					x, w, shift, c := make([]float32, n*ldx), []float64(nil), []float32(nil), make([]float64, d*ldc)
					for i := range x {
						x[i] = float32(rnd.IntN(9))
						if i%ldx >= d {
							x[i] = float32(math.NaN())
						}
					}
					for i := range c {
						c[i] = float64(rnd.IntN(100))
					}
					for i := range n * (mask & 1) {
						w = append(w, float64(i%4))
					}
					for range d * (mask >> 1) {
						shift = append(shift, float32(rnd.IntN(5)))
					}
					if mask == 1 && n == 0 || mask == 2 && d == 0 {
						continue
					}
					want := append([]float64(nil), c...)
					for p := range n {
						weight := 1.0
						if w != nil {
							weight = w[p]
						}
						row := make([]float64, d)
						for j := range row {
							if row[j] = float64(x[p*ldx+j]); shift != nil {
								row[j] -= float64(shift[j])
							}
						}
						for i := range row {
							for j := i; j < d; j++ {
								want[i*ldc+j] += weight * row[i] * row[j]
							}
						}
					}
					fastblas.WeightedGramSingle(1+mask, n, d, x, ldx, w, shift, c, ldc)
					checkSame(t, fmt.Sprintf("n=%d d=%d mask %d", n, d, mask), c, want)
				}
			}
		}
	})
}

// Of other numbers it is off by a millionth of the product of two columns' lengths at most, also where columns have units of 1e-12 and 1e12.
// Threads do not change a bit, nor does it matter which of the kernels with single precision computes.
func TestSingleGramIsNearThatInDouble(t *testing.T) {
	const n, d = 3000, 150
	rnd := newRand(5)
	x, shift, w := numbers(rnd, n*d), make([]float64, d), numbers(rnd, n)
	for i := range x {
		x[i] = (x[i] + 3) * math.Pow(10, float64(i%d%25-12))
	}
	single, x := narrow(x)
	for j := range shift {
		shift[j] = 3 * math.Pow(10, float64(j%25-12))
	}
	about, shift := narrow(shift)
	for i := range w {
		w[i] = math.Abs(w[i])
	}
	want := make([]float64, d*d)
	fastblas.WeightedGram(2, n, d, x, d, w, shift, want, d)
	first := map[bool][]float64{}
	eachKernel(t, func(t *testing.T) {
		for _, threads := range []int{1, 2, 3, 8} {
			got := make([]float64, d*d)
			fastblas.WeightedGramSingle(threads, n, d, single, d, w, about, got, d)
			for i := range d {
				for j := i; j < d; j++ {
					if off := math.Abs(got[i*d+j]-want[i*d+j]) / math.Sqrt(want[i*d+i]*want[j*d+j]); !(off < 1e-6) {
						t.Fatalf("element %d, %d is %g instead of %g: off by %.1e", i, j, got[i*d+j], want[i*d+j], off)
					}
				}
			}
			vector := fastblas.Kernel()[0] == 'a'
			if first[vector] == nil {
				first[vector] = got
			}
			if vector || fastblas.Kernel() == "go" && threads > 1 {
				checkSame(t, fmt.Sprintf("%s, %d threads", fastblas.Kernel(), threads), got, first[vector])
			}
		}
	})
}
