package tensor

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
)

// graph describes every sample by its nearest neighbours.
type graph struct {
	k       int
	near    []int     // n x k
	weights []float64 // n x k, each row adds up to one
}

// neighbourRows is how many samples are compared with all others at once.
const neighbourRows = 16

// describe finds the k nearest other samples in the Frobenius norm (ties to the lower
// number) and the least squares weights with sum one.
func describe(ctx context.Context, x *mat.Dense, mean []float64, k int) (*graph, error) {
	n, d := x.Dims()
	g := &graph{k: k, near: make([]int, n*k), weights: make([]float64, n*k)}
	norms := make([]float64, n)
	if err := linalg.Residuals(ctx, linalg.FromDense(x), mean, nil, norms, nil); err != nil {
		return nil, err
	}
	raw := x.RawMatrix()
	linalg.Parallel((n+neighbourRows-1)/neighbourRows, func(part int) {
		if ctx.Err() != nil {
			return
		}
		first := part * neighbourRows
		count := min(neighbourRows, n-first)
		own, products := make([]float64, count*d), make([]float64, count*n)
		offset := make([]float64, count)
		for i := range count {
			row := own[i*d : (i+1)*d]
			copy(row, x.RawRowView(first+i))
			kernel.Daxpy(d, -1, mean, 1, row, 1)
			offset[i] = kernel.Ddot(d, row, 1, mean, 1)
		}
		fastblas.Gemm(1, false, true, count, n, d, 1, own, d, raw.Data, raw.Stride, 0, products, n)
		candidates := make([]near, 0, k+1)
		difference, local := make([]float64, k*d), make([]float64, k*k)
		for i := range count {
			candidates = candidates[:0]
			for j, p := range products[i*n : (i+1)*n] {
				if j == first+i {
					continue
				}
				c := near{distance: norms[first+i] + norms[j] - 2*(p-offset[i]), sample: j}
				if len(candidates) < k || c.before(candidates[len(candidates)-1]) {
					at, _ := slices.BinarySearchFunc(candidates, c, func(a, b near) int {
						if a.before(b) {
							return -1
						}
						return 1
					})
					candidates = slices.Insert(candidates, at, c)
					candidates = candidates[:min(len(candidates), k)]
				}
			}
			list, weights := g.near[(first+i)*k:(first+i+1)*k], g.weights[(first+i)*k:(first+i+1)*k]
			for j, c := range candidates {
				list[j] = c.sample
				row := difference[j*d : (j+1)*d]
				copy(row, x.RawRowView(first+i))
				kernel.Daxpy(d, -1, x.RawRowView(c.sample), 1, row, 1)
			}
			fastblas.Gemm(1, false, true, k, k, d, 1, difference, d, difference, d, 0, local, k)
			describing(weights, local, k)
		}
	})
	return g, ctx.Err()
}

// near is a candidate for a neighbour.
type near struct {
	distance float64
	sample   int
}

func (a near) before(b near) bool {
	return a.distance < b.distance || a.distance == b.distance && a.sample < b.sample
}

// describing solves (G + 1e-3 tr(G)/k I) w = 1 by Cholesky and makes the weights add up to
// one: the weights of locally linear embedding. g is destroyed.
func describing(w, g []float64, k int) {
	trace := 0.0
	for i := range k {
		trace += g[i*k+i]
	}
	if !(trace > 0) { // the sample equals its neighbours
		fill(w, 1/float64(k))
		return
	}
	for i := range k {
		g[i*k+i] += 1e-3 * trace / float64(k)
	}
	for i := range k {
		for j := range i + 1 {
			sum := g[i*k+j]
			for p := range j {
				sum -= g[i*k+p] * g[j*k+p]
			}
			if i == j {
				g[i*k+i] = math.Sqrt(sum)
			} else {
				g[i*k+j] = sum / g[j*k+j]
			}
		}
	}
	for i := range k {
		w[i] = 1
		for p := range i {
			w[i] -= g[i*k+p] * w[p]
		}
		w[i] /= g[i*k+i]
	}
	total := 0.0
	for i := k - 1; i >= 0; i-- {
		for p := i + 1; p < k; p++ {
			w[i] -= g[p*k+i] * w[p]
		}
		w[i] /= g[i*k+i]
		total += w[i]
	}
	for i := range k {
		w[i] /= total
	}
}

// residual writes what the neighbours leave of sample i into to.
func (g *graph) residual(to []float64, x *mat.Dense, i int) {
	row := x.RawRowView(i)
	to = to[:len(row)]
	copy(to, row)
	for j := i * g.k; j < (i+1)*g.k; j++ {
		kernel.Daxpy(len(row), -g.weights[j], x.RawRowView(g.near[j]), 1, to, 1)
	}
}
