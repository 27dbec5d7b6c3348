package tensor

import (
	"cmp"
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

// neighbourRows is how many of n samples are compared with all others: many, because each product lays the others out
// anew, but few enough for every core to have some.
func neighbourRows(n int) int { return max(16, min(256, n/32)) }

// neighbourColumns is how many of the others they are compared with at once: their products stay near the processor.
const neighbourColumns = 1024

// describe finds the k nearest samples that are different and have weight, in the Frobenius
// norm (ties to the lower number), and the least squares weights with sum one. Of equal
// samples one counts, so that a weight of two is the same as two equal samples. Products
// of the samples less a centre near them give candidates, whose distances are then measured.
func describe(ctx context.Context, x *mat.Dense, w, centre []float64, k int) (*graph, error) {
	n, d := x.Dims()
	g := &graph{k: k, near: make([]int, n*k), weights: make([]float64, n*k)}
	norms := make([]float64, n)
	if err := linalg.Residuals(ctx, linalg.FromDense(x), centre, nil, norms, nil); err != nil {
		return nil, err
	}
	raw := x.RawMatrix()
	together := neighbourRows(n)
	linalg.Parallel((n+together-1)/together, func(part int) {
		if ctx.Err() != nil {
			return
		}
		first := part * together
		count := min(together, n-first)
		own, products := make([]float64, count*d), make([]float64, count*min(n, neighbourColumns))
		offset := make([]float64, count)
		for i := range count {
			row := own[i*d : (i+1)*d]
			copy(row, x.RawRowView(first+i))
			kernel.Daxpy(d, -1, centre, 1, row, 1)
			offset[i] = kernel.Ddot(d, row, 1, centre, 1)
		}
		found := make([][]near, count)
		for i := range found {
			found[i] = make([]near, 0, 2*k+9)
		}
		for from := 0; from < n; from += neighbourColumns {
			others := min(neighbourColumns, n-from)
			fastblas.Gemm(1, false, true, count, others, d, 1, own, d, raw.Data[from*raw.Stride:], raw.Stride, 0, products, others)
			for i := range count {
				for j, p := range products[i*others : (i+1)*others] {
					if j += from; j == first+i || w != nil && w[j] == 0 {
						continue
					}
					c := near{distance: norms[first+i] + norms[j] - 2*(p-offset[i]), sample: j}
					found[i] = insert(found[i], c, x, first+i, norms[first+i]+norms[j], 2*k+8)
				}
			}
		}
		difference, local := make([]float64, k*d), make([]float64, k*k)
		for i, candidates := range found {
			row := x.RawRowView(first + i)
			for j, c := range candidates {
				candidates[j].distance = linalg.SquaredDistance(row, x.RawRowView(c.sample))
			}
			slices.SortFunc(candidates, near.compare)
			candidates = candidates[:min(k, len(candidates))]
			nearest := len(candidates)
			list, weights := g.near[(first+i)*k:(first+i+1)*k], g.weights[(first+i)*k:(first+i+1)*k]
			for j, c := range candidates {
				list[j] = c.sample
				to := difference[j*d : (j+1)*d]
				copy(to, row)
				kernel.Daxpy(d, -1, x.RawRowView(c.sample), 1, to, 1)
			}
			if nearest > 0 {
				fastblas.Gemm(1, false, true, nearest, nearest, d, 1, difference, d, difference, d, 0, local, nearest)
				describing(weights[:nearest], local, nearest)
			}
		}
	})
	return g, ctx.Err()
}

// insert puts a candidate for a neighbour of a sample in its place among at most the given
// number, unless it equals the sample or a candidate. size is that of the squares whose
// difference the distance is.
func insert(candidates []near, c near, x *mat.Dense, sample int, size float64, most int) []near {
	if len(candidates) == most && !(c.distance <= candidates[most-1].distance) {
		return candidates
	}
	row := x.RawRowView(c.sample)
	level := 1e-9 * size
	if c.distance <= level && slices.Equal(row, x.RawRowView(sample)) {
		return candidates
	}
	at, _ := slices.BinarySearchFunc(candidates, c, near.compare)
	for j := at - 1; j >= 0 && c.distance-candidates[j].distance <= level; j-- {
		if slices.Equal(row, x.RawRowView(candidates[j].sample)) {
			return candidates
		}
	}
	for j := at; j < len(candidates) && candidates[j].distance-c.distance <= level; j++ {
		if slices.Equal(row, x.RawRowView(candidates[j].sample)) {
			return candidates
		}
	}
	candidates = slices.Insert(candidates, at, c)
	return candidates[:min(len(candidates), most)]
}

// near is a candidate for a neighbour.
type near struct {
	distance float64
	sample   int
}

func (a near) compare(b near) int {
	if order := cmp.Compare(a.distance, b.distance); order != 0 {
		return order
	}
	return a.sample - b.sample
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
