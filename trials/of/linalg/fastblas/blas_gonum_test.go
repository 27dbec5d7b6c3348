package fastblas

import (
	"fmt"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/linalg/fastblas"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/testblas"
)

// gonum's own tests, which include the panics on invalid arguments.
func TestGonumSuites(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		var impl fastblas.Implementation
		t.Run("Ddot", func(t *testing.T) { testblas.DdotTest(t, impl) })
		t.Run("Daxpy", func(t *testing.T) { testblas.DaxpyTest(t, impl) })
		t.Run("Dgemv", func(t *testing.T) { testblas.DgemvTest(t, impl) })
		t.Run("Dger", func(t *testing.T) { testblas.DgerTest(t, impl) })
		t.Run("Dsymv", func(t *testing.T) { testblas.DsymvTest(t, impl) })
		t.Run("Dsymm", func(t *testing.T) { testblas.DsymmTest(t, impl) })
		t.Run("Dsyrk", func(t *testing.T) { testblas.DsyrkTest(t, impl) })
		t.Run("Dsyr2k", func(t *testing.T) { testblas.Dsyr2kTest(t, impl) })
		t.Run("Dtrmm", func(t *testing.T) { testblas.DtrmmTest(t, impl) })
		t.Run("Dtrsm", func(t *testing.T) { testblas.DtrsmTest(t, impl) })
	})
}

var (
	uplos      = []blas.Uplo{blas.Upper, blas.Lower}
	sides      = []blas.Side{blas.Left, blas.Right}
	transposes = []blas.Transpose{blas.NoTrans, blas.Trans}
	diags      = []blas.Diag{blas.NonUnit, blas.Unit}
)

func TestSymmetricAgainstGonum(t *testing.T) {
	var impl fastblas.Implementation
	eachKernel(t, func(t *testing.T) {
		for _, n := range []int{1, 25, 63, 131} {
			for _, k := range []int{1, 31, 400} {
				rnd := newRand(uint64(n*k + 1))
				ld := max(n, k) + 3
				a, b, c := numbers(rnd, max(n, k)*ld), numbers(rnd, max(n, k)*ld), numbers(rnd, n*ld)
				for _, ul := range uplos {
					for _, tA := range transposes {
						for _, beta := range []float64{0, -0.5} {
							what := fmt.Sprintf("uplo %c trans %c n=%d k=%d beta=%v", ul, tA, n, k, beta)
							got, want := clone(c), clone(c)
							impl.Dsyrk(ul, tA, n, k, 1.5, a, ld, beta, got, ld)
							reference.Dsyrk(ul, tA, n, k, 1.5, a, ld, beta, want, ld)
							checkClose(t, "Dsyrk "+what, got, want, 1e-13*float64(k+10))
							got, want = clone(c), clone(c)
							impl.Dsyr2k(ul, tA, n, k, 1.5, a, ld, b, ld, beta, got, ld)
							reference.Dsyr2k(ul, tA, n, k, 1.5, a, ld, b, ld, beta, want, ld)
							checkClose(t, "Dsyr2k "+what, got, want, 1e-13*float64(k+10))
						}
					}
				}
			}
		}
		for _, m := range []int{1, 24, 41, 133} {
			for _, n := range []int{1, 9, 50, 150} {
				rnd := newRand(uint64(m*n + 1))
				ld := max(m, n) + 2
				a, b, c := numbers(rnd, ld*ld), numbers(rnd, m*ld), numbers(rnd, m*ld)
				for _, ul := range uplos {
					for _, s := range sides {
						got, want := clone(c), clone(c)
						impl.Dsymm(s, ul, m, n, 1.5, a, ld, b, ld, 0.5, got, ld)
						reference.Dsymm(s, ul, m, n, 1.5, a, ld, b, ld, 0.5, want, ld)
						checkClose(t, fmt.Sprintf("Dsymm side %c uplo %c %dx%d", s, ul, m, n), got, want, 1e-11)
					}
				}
			}
		}
	})
}

func TestTriangularAgainstGonum(t *testing.T) {
	var impl fastblas.Implementation
	eachKernel(t, func(t *testing.T) {
		for _, m := range []int{5, 33, 64, 101} {
			for _, n := range []int{7, 40, 129} {
				rnd := newRand(uint64(m*n + 1))
				ld := max(m, n) + 2
				a, b := numbers(rnd, ld*ld), numbers(rnd, m*ld)
				for i := range a { // unit diagonals must stay well conditioned
					a[i] /= float64(ld)
				}
				for i := range ld {
					a[i*ld+i] = 2 + math.Abs(a[i*ld+i])
				}
				for _, s := range sides {
					for _, ul := range uplos {
						for _, tA := range transposes {
							for _, d := range diags {
								for _, alpha := range []float64{0, -2} {
									what := fmt.Sprintf("side %c uplo %c trans %c diag %c %dx%d alpha %v", s, ul, tA, d, m, n, alpha)
									got, want := clone(b), clone(b)
									impl.Dtrmm(s, ul, tA, d, m, n, alpha, a, ld, got, ld)
									reference.Dtrmm(s, ul, tA, d, m, n, alpha, a, ld, want, ld)
									checkClose(t, "Dtrmm "+what, got, want, 1e-12)
									got, want = clone(b), clone(b)
									impl.Dtrsm(s, ul, tA, d, m, n, alpha, a, ld, got, ld)
									reference.Dtrsm(s, ul, tA, d, m, n, alpha, a, ld, want, ld)
									checkClose(t, "Dtrsm "+what, got, want, 1e-11)
								}
							}
						}
					}
				}
			}
		}
	})
}

func TestVectorsAgainstGonum(t *testing.T) {
	var impl fastblas.Implementation
	eachKernel(t, func(t *testing.T) {
		for n := range 140 {
			x, y := numbers(newRand(1), n+1), numbers(newRand(2), n+1)
			if got, want := impl.Ddot(n, x, 1, y, 1), reference.Ddot(n, x, 1, y, 1); math.Abs(got-want) > 1e-12 {
				t.Fatalf("Ddot of %d: %v, want %v", n, got, want)
			}
			got, want := clone(y), clone(y)
			impl.Daxpy(n, 1.5, x, 1, got, 1)
			reference.Daxpy(n, 1.5, x, 1, want, 1)
			checkClose(t, fmt.Sprint("Daxpy of ", n), got, want, 1e-14)
		}
		for _, m := range []int{1, 3, 4, 5, 18, 67, 1100} {
			for _, n := range []int{1, 15, 16, 17, 40, 71, 1030} {
				lda := n + 3
				rnd := newRand(uint64(m*n + 1))
				a, x, y := numbers(rnd, m*lda), numbers(rnd, max(m, n)+1), numbers(rnd, max(m, n)+1)
				for _, tA := range transposes {
					length := m // of the result; off amd64 gonum's own clears what follows
					if tA != blas.NoTrans {
						length = n
					}
					for _, beta := range []float64{0, 1, 0.5} {
						got, want := clone(y), clone(y)
						if beta == 0 {
							got[0] = math.NaN()
						}
						impl.Dgemv(tA, m, n, 1.5, a, lda, x, 1, beta, got, 1)
						reference.Dgemv(tA, m, n, 1.5, a, lda, x, 1, beta, want[:length], 1)
						checkClose(t, fmt.Sprintf("Dgemv %c %dx%d beta %v", tA, m, n, beta), got, want, 1e-11)
					}
				}
				got, want := clone(a), clone(a)
				impl.Dger(m, n, 1.5, x, 1, y, 1, got, lda)
				reference.Dger(m, n, 1.5, x, 1, y, 1, want, lda)
				checkClose(t, fmt.Sprintf("Dger %dx%d", m, n), got, want, 1e-13)
				if m < n {
					continue
				}
				for _, ul := range uplos {
					got, want := clone(y), clone(y)
					impl.Dsymv(ul, n, 1.5, numbers(newRand(3), n*lda), lda, x, 1, 0.5, got, 1)
					reference.Dsymv(ul, n, 1.5, numbers(newRand(3), n*lda), lda, x, 1, 0.5, want, 1)
					checkClose(t, fmt.Sprintf("Dsymv %c %d", ul, n), got, want, 1e-11)
				}
			}
		}
	})
}

func clone(x []float64) []float64 { return append([]float64(nil), x...) }

// checkClose compares all elements, those between the rows of a matrix included: a routine must not touch what is not its own.
func checkClose(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	for i, v := range got {
		if !(math.Abs(v-want[i]) <= tolerance) && !(math.IsNaN(v) && math.IsNaN(want[i])) && v != want[i] {
			t.Fatalf("%s: element %d of %d is %v, want %v", what, i, len(got), v, want[i])
		}
	}
}
