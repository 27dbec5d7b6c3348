package fastblas

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/blas/testblas"
	"pgregory.net/rapid"
)

var reference gonum.Implementation

func op(t bool) blas.Transpose {
	if t {
		return blas.Trans
	}
	return blas.NoTrans
}

// checkGemm compares one product with gonum's.
func checkGemm(t *testing.T, threads int, tA, tB bool, m, n, k, pad int, alpha, beta float64) {
	t.Helper()
	rnd := newRand(uint64(m*1000003 + n*1009 + k))
	rowsA, colsA, rowsB, colsB := m, k, k, n
	if tA {
		rowsA, colsA = k, m
	}
	if tB {
		rowsB, colsB = n, k
	}
	lda, ldb, ldc := max(1, colsA+pad), max(1, colsB+pad), max(1, n+pad)
	a, b, c := numbers(rnd, rowsA*lda), numbers(rnd, rowsB*ldb), numbers(rnd, m*ldc)
	want := clone(c)
	reference.Dgemm(op(tA), op(tB), m, n, k, alpha, a, lda, b, ldb, beta, want, ldc)
	Gemm(threads, tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
	what := fmt.Sprintf("tA=%v tB=%v %dx%dx%d pad %d alpha %v beta %v threads %d", tA, tB, m, n, k, pad, alpha, beta, threads)
	checkClose(t, what, c, want, 1e-14*float64(k+10)*max(1, math.Abs(alpha)))
}

func eachTranspose(f func(tA, tB bool)) {
	for _, tA := range []bool{false, true} {
		for _, tB := range []bool{false, true} {
			f(tA, tB)
		}
	}
}

func TestGemmSmallAndOddSizes(t *testing.T) {
	sizes := []int{0, 1, 2, 3, 5, 7, 8, 9, 12, 17, 24, 25, 49}
	eachKernel(t, func(t *testing.T) {
		eachTranspose(func(tA, tB bool) {
			for _, m := range sizes {
				for _, n := range sizes {
					for _, k := range []int{0, 1, 7, 9, 33} {
						checkGemm(t, 1, tA, tB, m, n, k, 3, 1.5, 0.5)
					}
				}
			}
		})
	})
}

func TestGemmAroundBlockEdges(t *testing.T) {
	type shape struct{ m, n, k int }
	var shapes []shape
	for _, d := range []int{-1, 0, 1} {
		shapes = append(shapes,
			shape{40, 30, maxDepth + d}, shape{17, 130, 2*maxDepth + d},
			shape{96 + d, 125, 20}, shape{192 + d, 125, 20}, shape{384 + d, 125, 20}, shape{512 + d, 121, 9},
			shape{33, thinColumns + d, 50}, shape{9, packedB/maxDepth + d, 8},
		)
	}
	// Blocks of B that do not fit the packing buffer whole, in either direction.
	shapes = append(shapes, shape{9, 130, packedB/130 + 40}, shape{9, packedB/maxDepth + 30, 400})
	eachKernel(t, func(t *testing.T) {
		eachTranspose(func(tA, tB bool) {
			for i, s := range shapes {
				if testing.Short() && s.m*s.n*s.k > 1<<21 {
					continue
				}
				checkGemm(t, 1+i%3, tA, tB, s.m, s.n, s.k, i%3, 1, 1)
			}
		})
	})
}

func TestGemmScalars(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		for _, alpha := range []float64{0, 1, -1, 2.5} {
			for _, beta := range []float64{0, 1, -1, 0.25} {
				checkGemm(t, 1, false, false, 30, 40, 50, 1, alpha, beta)
				checkGemm(t, 2, true, true, 130, 140, 150, 0, alpha, beta)
			}
		}
	})
}

func TestGemmZeroBetaOverwritesNaN(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		for _, k := range []int{0, 1, 20} {
			for _, alpha := range []float64{0, 1} {
				const m, n = 21, 27
				c := make([]float64, m*n)
				for i := range c {
					c[i] = math.NaN()
				}
				a, b := numbers(newRand(1), m*max(1, k)), numbers(newRand(2), k*n)
				Gemm(1, false, false, m, n, k, alpha, a, max(1, k), b, n, 0, c, n)
				want := make([]float64, m*n)
				reference.Dgemm(blas.NoTrans, blas.NoTrans, m, n, k, alpha, a, max(1, k), b, n, 0, want, n)
				checkClose(t, "product", c, want, 1e-12)
			}
		}
	})
}

func TestGemmPropagatesNaNAndInf(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		const n = 30
		a, b, c := numbers(newRand(1), n*n), numbers(newRand(2), n*n), make([]float64, n*n)
		a[4*n+7], b[9*n+11] = math.NaN(), math.Inf(1)
		Gemm(1, false, false, n, n, n, 1, a, n, b, n, 0, c, n)
		for i := range n {
			for j := range n {
				v := c[i*n+j]
				switch {
				case i == 4:
					if !math.IsNaN(v) {
						t.Fatalf("(%d,%d) is %v, want NaN", i, j, v)
					}
				case j == 11:
					if !math.IsInf(v, 0) {
						t.Fatalf("(%d,%d) is %v, want infinite", i, j, v)
					}
				case math.IsNaN(v) || math.IsInf(v, 0):
					t.Fatalf("(%d,%d) is %v, want finite", i, j, v)
				}
			}
		}
	})
}

func TestGemmDoesNotDependOnThreads(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		for _, s := range []struct{ m, n, k int }{{211, 187, 100}, {600, 50, 133}, {133, 50, 600}, {20, 1500, 100}, {3000, 9, 80}} {
			eachTranspose(func(tA, tB bool) {
				rnd := newRand(5)
				lda, ldb := s.k, s.n
				if tA {
					lda = s.m
				}
				if tB {
					ldb = s.k
				}
				a, b, c := numbers(rnd, s.m*s.k), numbers(rnd, s.k*s.n), numbers(rnd, s.m*s.n)
				var want []float64
				for _, threads := range []int{1, 2, 3, 8} {
					got := clone(c)
					Gemm(threads, tA, tB, s.m, s.n, s.k, 1.25, a, lda, b, ldb, -0.5, got, s.n)
					if want == nil {
						want = got
					}
					checkSame(t, fmt.Sprintf("%v with %d threads", s, threads), got, want)
				}
			})
		}
	})
}

// The rows and columns of a product do not depend on what else is computed beside them:
// the cutting into tiles leaves no trace.
func TestGemmDoesNotDependOnTiles(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		const m, n, k = 70, 90, 200
		a, b := numbers(newRand(1), m*k), numbers(newRand(2), k*n)
		want := make([]float64, m*n)
		Gemm(1, false, false, m, n, k, 1.1, a, k, b, n, 0, want, n)
		for _, cut := range [][4]int{{0, 0, 33, 35}, {5, 7, 41, 29}, {69, 0, 1, 90}, {31, 89, 30, 1}} {
			i, j, rows, cols := cut[0], cut[1], cut[2], cut[3]
			got := make([]float64, m*n)
			copy(got, want)
			for r := i; r < i+rows; r++ {
				clear(got[r*n+j : r*n+j+cols])
			}
			Gemm(1, false, false, rows, cols, k, 1.1, a[i*k:], k, b[j:], n, 0, got[i*n+j:], n)
			checkSame(t, fmt.Sprint("part ", cut), got, want)
		}
	})
}

// The assembly kernels of a machine round alike.
func TestAssemblyKernelsAgree(t *testing.T) {
	const m, n, k = 123, 157, 700
	a, b := numbers(newRand(1), m*k), numbers(newRand(2), k*n)
	var want []float64
	eachKernel(t, func(t *testing.T) {
		if Kernel() == portable.name {
			return
		}
		got := make([]float64, m*n)
		Gemm(2, false, false, m, n, k, 1.1, a, k, b, n, 0, got, n)
		if want == nil {
			want = got
		}
		checkSame(t, Kernel(), got, want)
	})
}

func TestGemmIsLinearAndAssociative(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rapid.Check(t, func(rt *rapid.T) {
			m, n, k, l := rapid.IntRange(1, 60).Draw(rt, "m"), rapid.IntRange(1, 60).Draw(rt, "n"), rapid.IntRange(1, 60).Draw(rt, "k"), rapid.IntRange(1, 60).Draw(rt, "l")
			rnd := newRand(rapid.Uint64().Draw(rt, "seed"))
			a, b, c := numbers(rnd, m*k), numbers(rnd, k*l), numbers(rnd, l*n)
			mul := func(m, n, k int, a, b []float64) []float64 {
				c := make([]float64, m*n)
				Gemm(1, false, false, m, n, k, 1, a, k, b, n, 0, c, n)
				return c
			}
			left := mul(m, n, l, mul(m, l, k, a, b), c)
			right := mul(m, n, k, a, mul(k, n, l, b, c))
			for i := range left {
				if math.Abs(left[i]-right[i]) > 1e-11*float64(k*l) {
					rt.Fatalf("(AB)C and A(BC) differ: %v and %v", left[i], right[i])
				}
			}
		})
	})
}

// Nor do they depend on how few rows there are.
func TestGemmOfFewRows(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		const m = 20
		for _, s := range [][2]int{{50, 784}, {16, 2*maxDepth + 3}, {130, 401}, {17, 110}} {
			n, k := s[0], s[1]
			a, b := numbers(newRand(1), m*k), numbers(newRand(2), k*(n+1))
			want := make([]float64, m*n)
			Gemm(1, false, false, m, n, k, 1, a, k, b, n+1, 0, want, n)
			for rows := 1; rows <= fewRows+1; rows++ {
				got := clone(want)
				for j := range rows * n {
					got[7*n+j] = math.NaN()
				}
				Gemm(1, false, false, rows, n, k, 1, a[7*k:], k, b, n+1, 0, got[7*n:], n)
				checkSame(t, fmt.Sprint(rows, " rows of ", s), got, want)
			}
		}
	})
}

func TestGemmDoesNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes sync.Pool forget on purpose")
	}
	const n = 200
	a, b, c := numbers(newRand(1), n*n), numbers(newRand(2), n*n), make([]float64, n*n)
	run := func() { Gemm(1, false, false, n, n, n, 1, a, n, b, n, 0, c, n) }
	run()
	if got := testing.AllocsPerRun(20, run); got > 0.5 {
		t.Errorf("%v allocations in a product on one thread", got)
	}
}

func TestGonumDgemmSuite(t *testing.T) {
	eachKernel(t, func(t *testing.T) { testblas.TestDgemm(t, Implementation{}) })
}
