package linalg

import (
	"math"

	"github.com/inlier-ml/inlier/linalg/fastblas"
)

// epsilon is the distance from 1 to the next larger float64.
const epsilon = 0x1p-52

// dot returns the inner product of two vectors of the same length.
func dot(x, y []float64) float64 {
	return kernels.Ddot(len(x), x, 1, y, 1)
}

// axpy adds alpha x to y.
func axpy(alpha float64, x, y []float64) {
	kernels.Daxpy(len(x), alpha, x, 1, y, 1)
}

// Inner is x'y for vectors of any length, on this project's kernels.
func Inner(x, y []float64) float64 { return dot(x, y[:len(x)]) }

// Axpy adds alpha x to y, on this project's kernels.
func Axpy(alpha float64, x, y []float64) { axpy(alpha, x, y[:len(x)]) }

// Below is [fastblas.Below].
func Below(x, y []float64, bound float64) int { return fastblas.Below(x, y, bound) }

// norm2 returns the Euclidean norm without overflow or underflow.
func norm2(x []float64) float64 {
	if s := dot(x, x); s > 1e-250 && s < 1e250 {
		return math.Sqrt(s)
	}
	return kernels.Dnrm2(len(x), x, 1)
}

// scale multiplies x by alpha.
func scale(alpha float64, x []float64) {
	for i := range x {
		x[i] *= alpha
	}
}

// SquaredDistance is ||x - y||^2, without the cancellation of ||x||^2 - 2x'y + ||y||^2: its
// relative error is a few roundings. Beyond the range of a float64 it is +Inf or 0. Where
// many distances are computed by products, those that rounding can have changed are to be
// measured again by it.
func SquaredDistance(x, y []float64) float64 {
	var s0, s1, s2, s3 float64
	y = y[:len(x)]
	i := 0
	for ; i+4 <= len(x); i += 4 {
		a, b := x[i:i+4:i+4], y[i:i+4:i+4]
		d0, d1, d2, d3 := a[0]-b[0], a[1]-b[1], a[2]-b[2], a[3]-b[3]
		s0 += d0 * d0
		s1 += d1 * d1
		s2 += d2 * d2
		s3 += d3 * d3
	}
	for ; i < len(x); i++ {
		d := x[i] - y[i]
		s0 += d * d
	}
	return (s0 + s1) + (s2 + s3)
}

// Dot is x'y for short vectors, in a plain loop: working memory on the stack stays there.
func Dot(x, y []float64) float64 {
	var s0, s1, s2, s3 float64 // side by side: an addition need not wait for the last
	y = y[:len(x)]
	i := 0
	for ; i+4 <= len(x); i += 4 {
		a, b := x[i:i+4:i+4], y[i:i+4:i+4]
		s0 += a[0] * b[0]
		s1 += a[1] * b[1]
		s2 += a[2] * b[2]
		s3 += a[3] * b[3]
	}
	for ; i < len(x); i++ {
		s0 += x[i] * y[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// grown returns a slice of n entries, x if it is large enough.
func grown(x []float64, n int) []float64 {
	if cap(x) >= n {
		return x[:n]
	}
	return make([]float64, n)
}

// allFinite reports whether x has no NaN and no infinity.
func allFinite(x []float64) bool {
	sum := 0.0 // NaN from the first such entry on, 0 otherwise
	for _, v := range x {
		sum += v - v
	}
	return sum == 0
}
