package tensor

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
)

// nppDesk is the room in which one error matrix is weighed.
type nppDesk struct {
	*desk
	weights []float64      // one per row
	image   []float64      // E W
	small   []float64      // W'E'E W
	vectors blas64.General // its eigenvectors as columns
	squares []float64
	back    []float64 // E' E W, then times vectors
	turned  []float64
	r       int
}

func newNPPDesk(shape []int) *nppDesk {
	k := &nppDesk{desk: deskFor(1, shape)}
	k.weights = make([]float64, k.d/shape[1])
	return k
}

// terms returns the squares of what the norm of E W adds up: squared row norms, or squared
// singular values. The result is valid until the next call.
func (k *nppDesk) terms(norm Norm, rows []float64, w *mat.Dense) []float64 {
	b, r := w.Dims()
	count := len(rows) / b
	if k.r != r {
		k.r = r
		k.image, k.small = make([]float64, count*r), make([]float64, r*r)
		k.squares, k.back, k.turned = make([]float64, max(count, r)), make([]float64, b*r), make([]float64, b*r)
	}
	contractLast(k.image, rows, count, w)
	if norm == Sparse {
		for i := range count {
			one := k.image[i*r : (i+1)*r]
			k.squares[i] = kernel.Ddot(r, one, 1, one, 1)
		}
		return k.squares[:count]
	}
	fastblas.Gemm(1, true, false, r, r, count, 1, k.image, r, k.image, r, 0, k.small, r)
	values, vectors, err := linalg.SymEigen(context.Background(), mat.NewSymDense(r, k.small))
	if err != nil { // only for numbers that are not finite, which were refused at the door
		panic(err)
	}
	k.vectors = vectors.RawMatrix()
	for j, v := range values {
		k.squares[j] = math.Max(v, 0)
	}
	return k.squares[:r]
}

// nuclear adds weight * E' (A A' + eps I)^(-1/2) E to the upper triangle of gram, where A = E W
// with squared singular values terms, as terms left them. With the right singular vectors V
// of A,
//
//	(A A' + eps I)^(-1/2) = I/sqrt(eps) + A V diag(c) V' A',
//	c_j = -1 / (sqrt(eps) sqrt(t_j+eps) (sqrt(eps) + sqrt(t_j+eps))).
func (k *nppDesk) nuclear(gram, rows, terms []float64, weight, eps float64) {
	b, r := k.shape[1], k.r
	count := len(rows) / b
	root := math.Sqrt(eps)
	fill(k.weights, weight/root)
	fastblas.WeightedGram(1, count, b, rows, b, k.weights, nil, gram, b)
	// (V'A'E)' column by column, as rows of turned, so that the Gram matrix adds them up.
	fastblas.Gemm(1, true, false, r, b, count, 1, k.image, r, rows, b, 0, k.back, b)
	fastblas.Gemm(1, true, false, r, b, r, 1, k.vectors.Data, k.vectors.Stride, k.back, b, 0, k.turned, b)
	for j, t := range terms {
		next := math.Sqrt(t + eps)
		c := -weight / (root * next * (root + next))
		row := k.turned[j*b : (j+1)*b]
		for p, x := range row {
			kernel.Daxpy(b-p, c*x, row[p:], 1, gram[p*b+p:], 1)
		}
	}
}
