package tensor

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg/fastblas"
)

// nppDesk is the room in which one error matrix is weighed.
type nppDesk struct {
	*desk
	weights []float64 // one per row
	image   []float64 // E W
	small   []float64 // W'E'E W, then its eigenvalues on the diagonal
	vectors []float64
	squares []float64
	back    []float64 // E' E W, then times vectors
	turned  []float64
	r       int
}

func newNPPDesk(shape []int) *nppDesk {
	k := &nppDesk{desk: newDesk(shape)}
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
		k.image, k.small, k.vectors = make([]float64, count*r), make([]float64, r*r), make([]float64, r*r)
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
	jacobi(k.small, k.vectors, r)
	for j := range r {
		k.squares[j] = math.Max(k.small[j*r+j], 0)
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
	fastblas.Gemm(1, true, false, r, b, r, 1, k.vectors, r, k.back, b, 0, k.turned, b)
	for j, t := range terms {
		next := math.Sqrt(t + eps)
		c := -weight / (root * next * (root + next))
		row := k.turned[j*b : (j+1)*b]
		for p, x := range row {
			kernel.Daxpy(b-p, c*x, row[p:], 1, gram[p*b+p:], 1)
		}
	}
}

// jacobi turns the symmetric n x n matrix a into a diagonal one by plane rotations and
// puts the eigenvectors into the columns of v. For the small matrices of single images.
func jacobi(a, v []float64, n int) {
	clear(v)
	for i := range n {
		v[i*n+i] = 1
	}
	total := 0.0
	for _, x := range a[:n*n] {
		total += x * x
	}
	for range 30 {
		off := 0.0
		for i := range n {
			for j := i + 1; j < n; j++ {
				off += a[i*n+j] * a[i*n+j]
			}
		}
		if off <= 1e-32*total {
			return
		}
		for i := range n {
			for j := i + 1; j < n; j++ {
				turn(a, v, n, i, j)
			}
		}
	}
}

// turn makes a[i][j] zero.
func turn(a, v []float64, n, i, j int) {
	x := a[i*n+j]
	if x == 0 {
		return
	}
	theta := (a[j*n+j] - a[i*n+i]) / (2 * x)
	t := 1 / (math.Abs(theta) + math.Hypot(theta, 1))
	if theta < 0 {
		t = -t
	}
	c := 1 / math.Hypot(t, 1)
	s := t * c
	for k := range n {
		p, q := a[k*n+i], a[k*n+j]
		a[k*n+i], a[k*n+j] = c*p-s*q, s*p+c*q
	}
	for k := range n {
		p, q := a[i*n+k], a[j*n+k]
		a[i*n+k], a[j*n+k] = c*p-s*q, s*p+c*q
	}
	for k := range n {
		p, q := v[k*n+i], v[k*n+j]
		v[k*n+i], v[k*n+j] = c*p-s*q, s*p+c*q
	}
}
