package tensor

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
)

// errorGram forms sum_i E_i' D_i E_i, where D_i depends on norm and projection.
type errorGram struct {
	ctx   context.Context // ends sums early
	x     *mat.Dense
	graph *graph
	shape []int
	prior []float64
	eps   float64
	desks shelf[*nppDesk]
}

// alone is the work, in multiplications, below which one goroutine is quicker than several.
const alone = 1 << 20

// tally is one part of the sum.
type tally struct {
	objective float64
	mean      float64 // of singular values or row norms
	count     float64
	gram      []float64
}

// sum adds up what visit makes of each E_i, given as rows along the second mode.
func (e *errorGram) sum(visit func(t *tally, k *nppDesk, rows []float64, weight float64)) *tally {
	n, _ := e.x.Dims()
	b := e.shape[1]
	parts := min(stripes, n)
	size := (n + parts - 1) / parts
	all := make([]*tally, parts)
	part := func(p int) {
		t := &tally{gram: make([]float64, b*b)}
		k, ok := e.desks.take()
		if !ok {
			k = newNPPDesk(e.shape)
		}
		defer e.desks.put(k)
		for i := p * size; i < min((p+1)*size, n) && e.ctx.Err() == nil; i++ {
			weight := 1.0
			if e.prior != nil {
				weight = e.prior[i]
			}
			if weight > 0 {
				e.graph.residual(k.x, e.x, i)
				visit(t, k, k.fibres(1), weight)
			}
		}
		all[p] = t
	}
	if n*product(e.shape)*b < alone {
		for p := range parts {
			part(p)
		}
	} else {
		linalg.Parallel(parts, part)
	}
	for _, t := range all[1:] {
		all[0].objective += t.objective
		all[0].mean += t.mean
		all[0].count += t.count
		for j, v := range t.gram {
			all[0].gram[j] += v
		}
	}
	return all[0]
}

// plain is the sum without reweighting: 2DNPP with the Frobenius norm.
func (e *errorGram) plain() *mat.SymDense {
	b := e.shape[1]
	t := e.sum(func(t *tally, k *nppDesk, rows []float64, weight float64) {
		fill(k.weights, weight)
		fastblas.WeightedGram(1, len(rows)/b, b, rows, b, k.weights, nil, t.gram, b)
	})
	return mat.NewSymDense(b, t.gram)
}

// smooth fixes eps from the sizes of the terms at the start.
func (e *errorGram) smooth(norm Norm, w *mat.Dense) {
	t := e.sum(func(t *tally, k *nppDesk, rows []float64, weight float64) {
		for _, s := range k.terms(norm, rows, w) {
			t.mean += weight * math.Sqrt(math.Max(s, 0))
			t.count += weight
		}
	})
	e.eps = math.Max(math.Pow(0.1*t.mean/t.count, 2), math.SmallestNonzeroFloat64*1e100)
}

// at returns the mean smoothed norm of E_i W and the reweighted sum for the next step.
func (e *errorGram) at(norm Norm, w *mat.Dense) (float64, *mat.SymDense) {
	b := e.shape[1]
	total := 0.0
	if n, _ := e.x.Dims(); e.prior == nil {
		total = float64(n)
	} else {
		for _, v := range e.prior {
			total += v
		}
	}
	t := e.sum(func(t *tally, k *nppDesk, rows []float64, weight float64) {
		terms := k.terms(norm, rows, w)
		for _, s := range terms {
			t.objective += weight * math.Sqrt(math.Max(s, 0)+e.eps)
		}
		if norm == Sparse {
			for i, s := range terms {
				k.weights[i] = weight / math.Sqrt(s+e.eps)
			}
			fastblas.WeightedGram(1, len(rows)/b, b, rows, b, k.weights, nil, t.gram, b)
			return
		}
		k.nuclear(t.gram, rows, terms, weight, e.eps)
	})
	return t.objective / total, mat.NewSymDense(b, t.gram)
}
