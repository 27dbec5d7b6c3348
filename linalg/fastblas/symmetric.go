package fastblas

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// Dsyrk computes C = alpha*A*A' + beta*C or, transposed, C = alpha*A'*A + beta*C on one
// triangle of C.
func (Implementation) Dsyrk(ul blas.Uplo, tA blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int) {
	if !isUplo(ul) || !isTranspose(tA) || n < 0 || k < 0 || !fitsOp(tA, n, k, a, lda) || !fits(n, n, c, ldc) || n*n*k <= smallWork {
		gonum.Implementation{}.Dsyrk(ul, tA, n, k, alpha, a, lda, beta, c, ldc)
		return
	}
	t := tA != blas.NoTrans
	multiply(0, t, !t, n, n, k, alpha, a, lda, a, lda, beta, c, ldc, regionOf(ul))
}

// Dsyr2k computes C = alpha*A*B' + alpha*B*A' + beta*C or, transposed,
// C = alpha*A'*B + alpha*B'*A + beta*C on one triangle of C.
func (Implementation) Dsyr2k(ul blas.Uplo, tA blas.Transpose, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	if !isUplo(ul) || !isTranspose(tA) || n < 0 || k < 0 || !fitsOp(tA, n, k, a, lda) || !fitsOp(tA, n, k, b, ldb) || !fits(n, n, c, ldc) || n*n*k <= smallWork {
		gonum.Implementation{}.Dsyr2k(ul, tA, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	t := tA != blas.NoTrans
	multiply(0, t, !t, n, n, k, alpha, a, lda, b, ldb, beta, c, ldc, regionOf(ul))
	multiply(0, t, !t, n, n, k, alpha, b, ldb, a, lda, 1, c, ldc, regionOf(ul))
}

// Dsymm computes C = alpha*A*B + beta*C or, with A on the right side, C = alpha*B*A + beta*C,
// where A is symmetric and one triangle of it is stored.
func (Implementation) Dsymm(s blas.Side, ul blas.Uplo, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	k := n
	if s == blas.Left {
		k = m
	}
	if !isSide(s) || !isUplo(ul) || !fits(k, k, a, lda) || !fits(m, n, b, ldb) || !fits(m, n, c, ldc) || m*n*k <= smallWork {
		gonum.Implementation{}.Dsymm(s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	symmetric := operand{data: a, ld: lda, storage: symUpper}
	if ul == blas.Lower {
		symmetric.storage = symLower
	}
	p := products.Get().(*product)
	p.m, p.n, p.k = m, n, k
	p.alpha, p.beta = alpha, beta
	if s == blas.Left {
		p.a, p.b = symmetric, operand{data: b, ld: ldb, byDepth: true}
	} else {
		p.a, p.b = operand{data: b, ld: ldb}, symmetric
	}
	p.c, p.ldc = c, ldc
	p.region = whole
	p.threads = 0
	p.multiply()
}

// Dsymv computes y = alpha*A*x + beta*y, where A is symmetric and one triangle of it is stored.
// Four rows at a time serve as rows and as columns of A, so it is read only once.
func (Implementation) Dsymv(ul blas.Uplo, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	if !isUplo(ul) || !fits(n, n, a, lda) || n < 16 || incX != 1 || incY != 1 || len(x) < n || len(y) < n || alpha == 0 {
		gonum.Implementation{}.Dsymv(ul, n, alpha, a, lda, x, incX, beta, y, incY)
		return
	}
	kn := current.Load()
	scaleVector(beta, y[:n])
	out := vectorsOf4.Get().(*[8]float64)
	dots, factors := out[:4], out[4:]
	for i := 0; i < n; i += 4 {
		rows := min(4, n-i)
		// The square on the diagonal, from the stored triangle.
		for r := i; r < i+rows; r++ {
			sum := a[r*lda+r] * x[r]
			for q := i; q < r; q++ {
				v := a[q*lda+r]
				if ul == blas.Lower {
					v = a[r*lda+q]
				}
				sum += v * x[q]
				y[q] += alpha * v * x[r]
			}
			y[r] += alpha * sum
		}
		from, to := i+rows, n
		if ul == blas.Lower {
			from, to = 0, i
		}
		if from == to {
			continue
		}
		for r := range rows {
			factors[r] = alpha * x[i+r]
		}
		if rows == 4 {
			kn.dot4(to-from, &a[i*lda+from], lda, &x[from], &dots[0])
			kn.axpy4(to-from, &factors[0], &a[i*lda+from], lda, &y[from])
		} else {
			for r := range rows {
				dots[r] = kn.dot(to-from, &a[(i+r)*lda+from], &x[from])
				kn.axpy(to-from, factors[r], &a[(i+r)*lda+from], &y[from])
			}
		}
		for r := range rows {
			y[i+r] += alpha * dots[r]
		}
	}
	vectorsOf4.Put(out)
}

func regionOf(ul blas.Uplo) region {
	if ul == blas.Upper {
		return upper
	}
	return lower
}

func isUplo(ul blas.Uplo) bool { return ul == blas.Upper || ul == blas.Lower }

func isSide(s blas.Side) bool { return s == blas.Left || s == blas.Right }

// fitsOp is fits for a matrix whose op is rows x cols.
func fitsOp(t blas.Transpose, rows, cols int, x []float64, ld int) bool {
	if t != blas.NoTrans {
		rows, cols = cols, rows
	}
	return fits(rows, cols, x, ld)
}
