package cluster

// subtract sets dst = x - y.
func subtract(dst, x, y []float64) {
	copy(dst, x)
	kernel.Daxpy(len(dst), -1, y, 1, dst, 1)
}

// squaredDistance is ||x - y||^2, without the cancellation of ||x||^2 - 2x'y + ||y||^2.
func squaredDistance(x, y []float64) float64 {
	y = y[:len(x)]
	sum := 0.0
	for j, v := range x {
		d := v - y[j]
		sum += d * d
	}
	return sum
}

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
