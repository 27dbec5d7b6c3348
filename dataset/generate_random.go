package dataset

import (
	"math"
	"math/rand/v2"

	"github.com/inlier-ml/inlier/internal/random"
)

// Random returns the random source for one purpose under one seed. What is drawn for a
// given pair is fixed for ever; tests pin it.
func Random(seed uint64, purpose string) *rand.Rand { return random.New(seed, purpose) }

// genUniform draws from [lo, hi).
func genUniform(r *rand.Rand, lo, hi float64) float64 { return lo + (hi-lo)*r.Float64() }

// genNormals fills dst with independent draws from N(0, sd^2).
func genNormals(r *rand.Rand, dst []float64, sd float64) {
	for j := range dst {
		dst[j] = sd * r.NormFloat64()
	}
}

// genDirections draws k orthonormal vectors of length d, uniformly distributed over
// all such frames: Gaussian vectors, orthogonalised twice by Gram-Schmidt. Plain
// loops keep the result independent of the matrix kernel in use. It needs k <= d.
func genDirections(r *rand.Rand, d, k int) [][]float64 {
	frame := make([][]float64, 0, k)
	for len(frame) < k {
		v := make([]float64, d)
		genNormals(r, v, 1)
		for range 2 {
			for _, u := range frame {
				genAddScaled(v, -genDot(u, v), u)
			}
		}
		norm := math.Sqrt(genDot(v, v))
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

func genDot(a, b []float64) float64 {
	s := 0.0
	for j, v := range a {
		s += v * b[j]
	}
	return s
}

func genAddScaled(dst []float64, c float64, v []float64) {
	for j := range dst {
		dst[j] += c * v[j]
	}
}

// genMarked chooses count of n rows at random and marks them.
func genMarked(r *rand.Rand, n, count int) []bool {
	marked := make([]bool, n)
	for _, i := range r.Perm(n)[:count] {
		marked[i] = true
	}
	return marked
}
