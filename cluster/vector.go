package cluster

import "math"

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

// squaredDistance is ||x - y||^2, without the cancellation of ||x||^2 - 2x'y + ||y||^2: its
// relative error is a few roundings. Beyond the range of a float64 it is +Inf or 0.
func squaredDistance(x, y []float64) float64 {
	y = y[:len(x)]
	var a, b, c, e float64 // four sums side by side: an addition need not wait for the last
	j := 0
	for ; j+4 <= len(x); j += 4 {
		p, q := x[j:j+4:j+4], y[j:j+4:j+4]
		d0, d1, d2, d3 := p[0]-q[0], p[1]-q[1], p[2]-q[2], p[3]-q[3]
		a += d0 * d0
		b += d1 * d1
		c += d2 * d2
		e += d3 * d3
	}
	for ; j < len(x); j++ {
		d := x[j] - y[j]
		a += d * d
	}
	return (a + b) + (c + e)
}

// Squares between these neither overflow nor lose digits below the smallest float64.
const (
	leastSquare = 1e-280
	mostSquare  = 1e290
)

// distance is ||x - y|| for all finite numbers, the largest float64 where it is larger.
func distance(x, y []float64) float64 {
	if s := squaredDistance(x, y); s >= leastSquare && s <= mostSquare {
		return math.Sqrt(s)
	}
	most := 0.0 // of half the differences, which do not overflow
	for j, v := range x {
		most = math.Max(most, math.Abs(v/2-y[j]/2))
	}
	if most < leastSquare { // halves could vanish; whole differences do not overflow
		most = 0
		for j, v := range x {
			most = math.Max(most, math.Abs(v-y[j])/2)
		}
	}
	if most == 0 {
		return math.Sqrt(squaredDistance(x, y))
	}
	sum := 0.0
	for j, v := range x {
		d := (v/2 - y[j]/2) / most
		if most < leastSquare {
			d = (v - y[j]) / 2 / most
		}
		sum += d * d
	}
	return math.Min(2*(most*math.Sqrt(sum)), math.MaxFloat64)
}

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
