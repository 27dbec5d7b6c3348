package synthetic

import (
	"math"
	"math/rand/v2"
)

// normals fills dst with independent draws from N(0, sd^2).
func normals(r *rand.Rand, dst []float64, sd float64) {
	for j := range dst {
		dst[j] = sd * r.NormFloat64()
	}
}

// directions draws k orthonormal vectors of length d, uniformly distributed over
// all such frames: Gaussian vectors, orthogonalised twice by Gram-Schmidt. Plain
// loops keep the result independent of the matrix kernel in use. It needs k <= d.
func directions(r *rand.Rand, d, k int) [][]float64 {
	frame := make([][]float64, 0, k)
	for len(frame) < k {
		v := make([]float64, d)
		normals(r, v, 1)
		for range 2 {
			for _, u := range frame {
				addScaled(v, -dot(u, v), u)
			}
		}
		norm := math.Sqrt(dot(v, v))
		if norm < 1e-8 {
			continue // as good as dependent on the others: draw again
		}
		for j := range v {
			v[j] /= norm
		}
		frame = append(frame, v)
	}
	return frame
}

func dot(a, b []float64) float64 {
	s := 0.0
	for j, v := range a {
		s += v * b[j]
	}
	return s
}

func addScaled(dst []float64, c float64, v []float64) {
	for j := range dst {
		dst[j] += c * v[j]
	}
}

// marked chooses count of n rows at random and marks them.
func marked(r *rand.Rand, n, count int) []bool {
	marked := make([]bool, n)
	for _, i := range r.Perm(n)[:count] {
		marked[i] = true
	}
	return marked
}
