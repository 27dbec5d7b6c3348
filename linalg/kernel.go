package linalg

import (
	"github.com/inlier-ml/inlier/linalg/fastblas"
)

// kernelName names the arithmetic behind the functions below.
func kernelName() string { return "builtin " + fastblas.Kernel() }

// gemm computes c = alpha op(a) op(b) + beta c for row-major matrices, where op
// transposes if asked to; op(a) is m x k and op(b) is k x n. At most threads
// goroutines work on it.
func gemm(threads int, tA, tB bool, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	if m == 0 || n == 0 {
		return
	}
	fastblas.Gemm(threads, tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

// weightedGram adds sum_i w_i (x_i - shift)(x_i - shift)' over the n rows of x to the
// upper triangle of the d x d matrix c; w nil means ones, shift nil means zeros.
func weightedGram(threads int, n, d int, x []float64, ldx int, w, shift []float64, c []float64, ldc int) {
	fastblas.WeightedGram(threads, n, d, x, ldx, w, shift, c, ldc)
}

// expSlice writes e to the power of src[i] to dst[i].
func expSlice(dst, src []float64) { fastblas.Exp(dst, src) }
