package cluster

import (
	"math"

	"github.com/inlier-ml/inlier/linalg"
)

// subtract sets dst = x - y.
func subtract(dst, x, y []float64) {
	if len(dst) < 32 { // calling a kernel takes longer than that
		x, y = x[:len(dst)], y[:len(dst)]
		for j, v := range x {
			dst[j] = v - y[j]
		}
		return
	}
	copy(dst, x)
	kernel.Daxpy(len(dst), -1, y, 1, dst, 1)
}

// Squares between these neither overflow nor lose digits below the smallest float64.
const (
	leastSquare = linalg.LeastSquare
	mostSquare  = linalg.MostSquare
)

// square is the square of a distance, the largest float64 where it is larger.
func square(distance float64) float64 { return math.Min(distance*distance, math.MaxFloat64) }

// squaredLengths are the squared norms of rows of length d.
func squaredLengths(x []float64, d int) []float64 {
	out := make([]float64, len(x)/d)
	for c := range out {
		row := x[c*d : (c+1)*d]
		out[c] = kernel.Ddot(d, row, 1, row, 1)
	}
	return out
}

// grown returns a slice of n entries, x itself if it is large enough.
func grown(x []float64, n int) []float64 {
	if cap(x) >= n {
		return x[:n]
	}
	return make([]float64, n)
}
