package fastblas

import (
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// shortVector is the length below which a call of a kernel does not pay.
const shortVector = 16

// vectorsOf4 holds what the kernels for four rows read and write beside matrices.
var vectorsOf4 = sync.Pool{New: func() any { return new([8]float64) }}

// Ddot returns the sum of x[i]*y[i].
func (Implementation) Ddot(n int, x []float64, incX int, y []float64, incY int) float64 {
	if n < shortVector || incX != 1 || incY != 1 || len(x) < n || len(y) < n {
		return gonum.Implementation{}.Ddot(n, x, incX, y, incY)
	}
	return current.Load().dot(n, &x[0], &y[0])
}

// Daxpy adds alpha*x[i] to y[i].
func (Implementation) Daxpy(n int, alpha float64, x []float64, incX int, y []float64, incY int) {
	if n < shortVector || incX != 1 || incY != 1 || len(x) < n || len(y) < n || alpha == 0 {
		gonum.Implementation{}.Daxpy(n, alpha, x, incX, y, incY)
		return
	}
	current.Load().axpy(n, alpha, &x[0], &y[0])
}

// Below is a place before which no x[i]-y[i] is below a bound; one of the eight from there on is, or they are the last.
func Below(x, y []float64, bound float64) int {
	n := min(len(x), len(y)) &^ 7
	if n == 0 {
		return 0
	}
	return current.Load().below(n, &x[0], &y[0], bound)
}

// Dger adds alpha*x*y' to A.
func (Implementation) Dger(m, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64, lda int) {
	if n < shortVector || incX != 1 || incY != 1 || len(x) < m || len(y) < n || !fits(m, n, a, lda) || alpha == 0 {
		gonum.Implementation{}.Dger(m, n, alpha, x, incX, y, incY, a, lda)
		return
	}
	kn := current.Load()
	for i := range m {
		kn.axpy(n, alpha*x[i], &y[0], &a[i*lda])
	}
}

// Dgemv computes y = alpha*A*x + beta*y or, transposed, y = alpha*A'*x + beta*y.
func (Implementation) Dgemv(tA blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	lenX, lenY := n, m
	if tA != blas.NoTrans {
		lenX, lenY = m, n
	}
	if incY == 1 && 0 <= lenY && lenY <= len(y) {
		y = y[:lenY] // off amd64 gonum's own clears what follows
	}
	if !isTranspose(tA) || n < shortVector || m < 4 || incX != 1 || incY != 1 || len(x) < lenX || len(y) < lenY || !fits(m, n, a, lda) || alpha == 0 {
		gonum.Implementation{}.Dgemv(tA, m, n, alpha, a, lda, x, incX, beta, y, incY)
		return
	}
	x, y = x[:lenX], y[:lenY]
	scaleVector(beta, y)
	v := matrixVector{kn: current.Load(), m: m, n: n, alpha: alpha, a: a, lda: lda, x: x, y: y}
	// Threads share the elements of y, in pieces that leave the grouping by four rows,
	// and so the rounding, as it is.
	threads := resolveThreads(0, float64(m)*float64(n))
	if threads == 1 {
		v.compute(tA, 0, lenY)
		return
	}
	v.split(tA, threads)
}

// matrixVector is one product of a matrix and a vector.
type matrixVector struct {
	kn    *kernel
	m, n  int
	alpha float64
	a     []float64
	lda   int
	x, y  []float64
}

func (v matrixVector) split(tA blas.Transpose, threads int) {
	var all sync.WaitGroup
	piece := roundUp((len(v.y)+threads-1)/threads, 8)
	for from := 0; from < len(v.y); from += piece {
		all.Go(func() { v.compute(tA, from, min(from+piece, len(v.y))) })
	}
	all.Wait()
}

// compute adds to the elements [from,to) of y.
func (v *matrixVector) compute(tA blas.Transpose, from, to int) {
	if tA == blas.NoTrans {
		v.rows(from, to)
		return
	}
	const slab = 1024 // so many sums stay in the first-level cache
	for j := from; j < to; j += slab {
		v.columns(j, min(j+slab, to))
	}
}

// rows adds alpha times the products of the rows [from,to) with x.
func (v *matrixVector) rows(from, to int) {
	dots := vectorsOf4.Get().(*[8]float64)
	i := from
	for ; i+4 <= to; i += 4 {
		v.kn.dot4(v.n, &v.a[i*v.lda], v.lda, &v.x[0], &dots[0])
		for r := range 4 {
			v.y[i+r] += v.alpha * dots[r]
		}
	}
	for ; i < to; i++ {
		v.y[i] += v.alpha * v.kn.dot(v.n, &v.a[i*v.lda], &v.x[0])
	}
	vectorsOf4.Put(dots)
}

// columns adds alpha times the columns [from,to) of all rows, each row multiplied by its x.
func (v *matrixVector) columns(from, to int) {
	factors := vectorsOf4.Get().(*[8]float64)
	i := 0
	for ; i+4 <= v.m; i += 4 {
		for r := range 4 {
			factors[r] = v.alpha * v.x[i+r]
		}
		v.kn.axpy4(to-from, &factors[0], &v.a[i*v.lda+from], v.lda, &v.y[from])
	}
	for ; i < v.m; i++ {
		v.kn.axpy(to-from, v.alpha*v.x[i], &v.a[i*v.lda+from], &v.y[from])
	}
	vectorsOf4.Put(factors)
}

// scaleVector multiplies by beta; 0 overwrites anything.
func scaleVector(beta float64, y []float64) {
	switch beta {
	case 1:
	case 0:
		clear(y)
	default:
		for i := range y {
			y[i] *= beta
		}
	}
}
