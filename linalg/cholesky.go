package linalg

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
	lapackgo "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"
)

// Cholesky is the factor U of a symmetric positive definite matrix a = U'U.
type Cholesky struct {
	n    int
	u    []float64 // n x n; below the diagonal nothing that counts
	norm float64   // of a: largest sum of absolute values of a row
}

// choleskyPanel is the number of rows that are factored element by element, the rest being products.
const choleskyPanel = 64

// NewCholesky factors a matrix; ok is false if it is not positive definite or holds what is no
// number. The matrix is left as it is.
func NewCholesky(a *mat.SymDense) (c *Cholesky, ok bool) {
	n := a.SymmetricDim()
	c = &Cholesky{n: n, u: make([]float64, n*n)}
	raw := a.RawSymmetric()
	sums := make([]float64, n)
	for i := range n {
		row := c.u[i*n : (i+1)*n]
		copy(row[i:], raw.Data[i*raw.Stride+i:i*raw.Stride+n])
		if !allFinite(row[i:]) {
			return c, false
		}
		sums[i] += math.Abs(row[i])
		for j := i + 1; j < n; j++ {
			v := math.Abs(row[j])
			sums[i] += v
			sums[j] += v
		}
	}
	for _, s := range sums {
		if s > c.norm || math.IsNaN(s) {
			c.norm = s
		}
	}
	return c, c.factor(0, n)
}

// factor replaces the square of count rows from the first on by its factor: that of its upper left half, the rows beside it,
// and what they leave of the lower right. Nearly all is products of large matrices.
func (c *Cholesky) factor(first, count int) bool {
	own := c.u[first*c.n+first:]
	if count <= choleskyPanel {
		return lapackgo.Implementation{}.Dpotf2(blas.Upper, count, own, c.n)
	}
	half := (count/2 + choleskyPanel - 1) / choleskyPanel * choleskyPanel
	if !c.factor(first, half) {
		return false
	}
	beside := own[half:]
	kernels.Dtrsm(blas.Left, blas.Upper, blas.Trans, blas.NonUnit, half, count-half, 1, own, c.n, beside, c.n)
	kernels.Dsyrk(blas.Upper, blas.Trans, count-half, half, -1, beside, c.n, 1, c.u[(first+half)*c.n+first+half:], c.n)
	return c.factor(first+half, count-half)
}

// Cond estimates the condition number of the matrix.
func (c *Cholesky) Cond() float64 {
	if c.n == 0 {
		return 1
	}
	return 1 / lapackgo.Implementation{}.Dpocon(blas.Upper, c.n, c.u, c.n, c.norm, make([]float64, 3*c.n), make([]int, c.n))
}

// LogDet returns the logarithm of the determinant.
func (c *Cholesky) LogDet() float64 {
	sum := 0.0
	for i := range c.n {
		sum += 2 * math.Log(c.u[i*c.n+i])
	}
	return sum
}

// Solve overwrites b with the solution of a x = b.
func (c *Cholesky) Solve(b *mat.Dense) {
	raw := b.RawMatrix()
	if raw.Rows != c.n {
		panic(mat.ErrShape)
	}
	kernels.Dtrsm(blas.Left, blas.Upper, blas.Trans, blas.NonUnit, c.n, raw.Cols, 1, c.u, c.n, raw.Data, raw.Stride)
	c.Divide(b)
}

// Divide overwrites b with the solution of U x = b.
func (c *Cholesky) Divide(b *mat.Dense) {
	raw := b.RawMatrix()
	if raw.Rows != c.n {
		panic(mat.ErrShape)
	}
	kernels.Dtrsm(blas.Left, blas.Upper, blas.NoTrans, blas.NonUnit, c.n, raw.Cols, 1, c.u, c.n, raw.Data, raw.Stride)
}

// Inverse returns the inverse of the matrix.
func (c *Cholesky) Inverse() *mat.SymDense {
	root := unitMatrix(c.n) // becomes U^-1
	c.Divide(root)
	return RowProducts(root)
}

// Lower returns U', with zeros above the diagonal.
func (c *Cholesky) Lower() *mat.Dense {
	out := mat.NewDense(c.n, c.n, nil)
	for i := range c.n {
		for j := range i + 1 {
			out.Set(i, j, c.u[j*c.n+i])
		}
	}
	return out
}

// InverseLower returns the inverse of U', with zeros above the diagonal.
func (c *Cholesky) InverseLower() *mat.Dense {
	if c.n > choleskyPanel {
		out := unitMatrix(c.n)
		raw := out.RawMatrix()
		kernels.Dtrsm(blas.Left, blas.Upper, blas.Trans, blas.NonUnit, c.n, c.n, 1, c.u, c.n, raw.Data, raw.Stride)
		for i := range c.n {
			clear(out.RawRowView(i)[i+1:])
		}
		return out
	}
	out := c.Lower()
	raw := out.RawMatrix()
	if !(lapackgo.Implementation{}).Dtrtri(blas.Lower, blas.NonUnit, c.n, raw.Data, max(raw.Stride, 1)) {
		panic("linalg: a Cholesky factor without inverse") // its diagonal is positive
	}
	return out
}

func unitMatrix(n int) *mat.Dense {
	out := mat.NewDense(n, n, nil)
	for i := range n {
		out.Set(i, i, 1)
	}
	return out
}

// conditionOfTriangle estimates 1/cond of the upper triangular p x p matrix r.
func conditionOfTriangle(r []float64, p int) float64 {
	return lapackgo.Implementation{}.Dtrcon(lapack.MaxColumnSum, blas.Upper, blas.NonUnit, p, r, p, make([]float64, 3*p), make([]int, p))
}
