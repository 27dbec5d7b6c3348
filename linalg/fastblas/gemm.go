package fastblas

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// Implementation is gonum's implementation of the BLAS with the routines on float64 that
// matter replaced by faster ones. The zero value is ready for use, by any number of
// goroutines at once.
type Implementation struct{ gonum.Implementation }

var _ blas.Float64 = Implementation{}

// smallWork is the number of multiply-adds below which preparing a packed product costs
// more than it saves.
const smallWork = 12 * 12 * 12

// Gemm computes C = alpha*op(A)*op(B) + beta*C, where op(A) is m x k, op(B) is k x n, and
// op transposes if tA or tB says so. All matrices are row-major; lda, ldb and ldc are the
// distances between rows. With beta = 0, C need not be set. 0 threads stands for
// [Threads]; the result does not depend on their number.
func Gemm(threads int, tA, tB bool, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	opA, opB := blas.NoTrans, blas.NoTrans
	if tA {
		opA = blas.Trans
	}
	if tB {
		opB = blas.Trans
	}
	gemm(threads, opA, opB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Dgemm computes C = alpha*op(A)*op(B) + beta*C.
func (Implementation) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	gemm(0, tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

func gemm(threads int, tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	rowsA, colsA, rowsB, colsB := m, k, k, n
	if tA != blas.NoTrans {
		rowsA, colsA = k, m
	}
	if tB != blas.NoTrans {
		rowsB, colsB = n, k
	}
	valid := isTranspose(tA) && isTranspose(tB) && k >= 0 &&
		fits(rowsA, colsA, a, lda) && fits(rowsB, colsB, b, ldb) && fits(m, n, c, ldc)
	if !valid || m*n*k <= smallWork {
		gonum.Implementation{}.Dgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	if m <= fewRows && tA == blas.NoTrans && tB == blas.NoTrans && alpha == 1 && beta == 0 && n >= shortVector {
		for i := range m {
			clear(c[i*ldc : i*ldc+n])
		}
		multiplyFew(m, n, k, a, lda, b, ldb, c, ldc)
		return
	}
	multiply(threads, tA != blas.NoTrans, tB != blas.NoTrans, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, whole)
}

// multiply is the product on a region of C; the arguments are known to be valid.
func multiply(threads int, tA, tB bool, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int, on region) {
	p := products.Get().(*product)
	p.m, p.n, p.k = m, n, k
	p.alpha, p.beta = alpha, beta
	p.a = operand{data: a, ld: lda, byDepth: tA}
	p.b = operand{data: b, ld: ldb, byDepth: !tB}
	p.c, p.ldc = c, ldc
	p.region = on
	p.threads = threads
	p.multiply()
}

// fits tells whether a slice holds a row-major matrix. Arguments that do not fit are
// handed to gonum, which knows best what to say about them.
func fits(rows, cols int, x []float64, ld int) bool {
	return rows >= 0 && cols >= 0 && ld >= max(1, cols) && (rows == 0 || len(x) >= (rows-1)*ld+cols)
}

func isTranspose(t blas.Transpose) bool {
	return t == blas.NoTrans || t == blas.Trans || t == blas.ConjTrans
}
