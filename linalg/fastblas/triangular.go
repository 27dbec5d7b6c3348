package fastblas

import (
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// Dtrsm solves op(A)*X = alpha*B or, with A on the right side, X*op(A) = alpha*B, where A is
// triangular. X overwrites B.
func (Implementation) Dtrsm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	if !triangularFits(s, ul, tA, d, m, n, a, lda, b, ldb) || alpha == 0 {
		gonum.Implementation{}.Dtrsm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	applyTriangle(true, s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}

// Dtrmm computes B = alpha*op(A)*B or, with A on the right side, B = alpha*B*op(A), where A is
// triangular.
func (Implementation) Dtrmm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	if !triangularFits(s, ul, tA, d, m, n, a, lda, b, ldb) || alpha == 0 {
		gonum.Implementation{}.Dtrmm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	applyTriangle(false, s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}

// triangularFits tells whether the arguments are valid and large enough for the kernel.
func triangularFits(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, a []float64, lda int, b []float64, ldb int) bool {
	k := n
	if s == blas.Left {
		k = m
	}
	return isSide(s) && isUplo(ul) && isTranspose(tA) && (d == blas.Unit || d == blas.NonUnit) &&
		fits(k, k, a, lda) && fits(m, n, b, ldb) && m*n*k > smallWork
}

// triangle is B = L*B or the solution of L*X = B, in place. L is op(A); with A on the right
// side it is op(A)', and B' takes the place of B.
type triangle struct {
	solve      bool
	a          []float64
	lda        int
	transposed bool // element (i,j) of L stands at a[j*lda+i]
	lower      bool // L is lower triangular
	unit       bool // the diagonal of L is not stored, it is 1
	b          []float64
	ldb        int
	right      bool
	length     int // of the vectors that L mixes: rows of B, or columns
}

func applyTriangle(solve bool, s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	for i := range m {
		scaleVector(alpha, b[i*ldb:i*ldb+n])
	}
	t := triangle{solve: solve, a: a, lda: lda, unit: d == blas.Unit, b: b, ldb: ldb, right: s == blas.Right}
	t.transposed = (tA != blas.NoTrans) != t.right
	t.lower = (ul == blas.Lower) != t.transposed
	size := m
	t.length = n
	if t.right {
		size, t.length = n, m
	}
	t.apply(0, size)
}

const (
	triangleBase = 32  // size of the triangles that are treated element by element
	triangleSlab = 128 // length of the vectors this is done to at a time, to stay in cache
)

// apply treats the vectors [first,first+size): two halves and the rectangle between them.
func (t *triangle) apply(first, size int) {
	if size <= triangleBase {
		t.base(first, size)
		return
	}
	half := roundUp(size/2, triangleBase)
	second, rest := first+half, size-half
	// Solving lower goes down; multiplying by lower goes up, as it needs the old values.
	if t.lower == t.solve {
		t.apply(first, half)
		if t.solve {
			t.update(second, rest, first, half)
		} else {
			t.update(first, half, second, rest)
		}
		t.apply(second, rest)
		return
	}
	t.apply(second, rest)
	if t.solve {
		t.update(first, half, second, rest)
	} else {
		t.update(second, rest, first, half)
	}
	t.apply(first, half)
}

// update adds L times the source vectors to the target vectors, or subtracts it when solving.
func (t *triangle) update(target, targets, source, sources int) {
	sign := 1.0
	if t.solve {
		sign = -1
	}
	l, tL := t.a[target*t.lda+source:], blas.NoTrans
	if t.transposed {
		l, tL = t.a[source*t.lda+target:], blas.Trans
	}
	if !t.right {
		gemm(0, tL, blas.NoTrans, targets, t.length, sources, sign, l, t.lda, t.b[source*t.ldb:], t.ldb, 1, t.b[target*t.ldb:], t.ldb)
		return
	}
	flipped := blas.Trans
	if t.transposed {
		flipped = blas.NoTrans
	}
	gemm(0, blas.NoTrans, flipped, t.length, targets, sources, sign, t.b[source:], t.ldb, l, t.lda, 1, t.b[target:], t.ldb)
}

// triangleSpace holds a small triangle and a piece of B' for it.
type triangleSpace struct {
	l [triangleBase * triangleBase]float64
	b [triangleBase * triangleSlab]float64
}

var triangleSpaces = sync.Pool{New: func() any { return new(triangleSpace) }}

// base treats a small triangle, with slabs of B that fit the cache.
func (t *triangle) base(first, size int) {
	space := triangleSpaces.Get().(*triangleSpace)
	for i := range size {
		row := space.l[i*triangleBase : i*triangleBase+size]
		from, to := 0, i+1
		if !t.lower {
			from, to = i, size
		}
		for j := from; j < to; j++ {
			if t.transposed {
				row[j] = t.a[(first+j)*t.lda+first+i]
			} else {
				row[j] = t.a[(first+i)*t.lda+first+j]
			}
			if t.solve {
				row[j] = -row[j]
			}
		}
		if t.unit {
			row[i] = 1
		} else if t.solve {
			row[i] = -1 / row[i]
		}
	}
	for p := 0; p < t.length; p += triangleSlab {
		width := min(triangleSlab, t.length-p)
		if !t.right {
			t.slab(&space.l, size, t.b[first*t.ldb+p:], t.ldb, width)
			continue
		}
		for q := range width {
			for i, v := range t.b[(p+q)*t.ldb+first : (p+q)*t.ldb+first+size] {
				space.b[i*triangleSlab+q] = v
			}
		}
		t.slab(&space.l, size, space.b[:], triangleSlab, width)
		for q := range width {
			row := t.b[(p+q)*t.ldb+first : (p+q)*t.ldb+first+size]
			for i := range row {
				row[i] = space.b[i*triangleSlab+q]
			}
		}
	}
	triangleSpaces.Put(space)
}

// slab treats size rows of b. Off its diagonal, l holds the factors with which rows are
// added to each other; on it, the factor of the row itself: when solving, its reciprocal,
// applied last.
func (t *triangle) slab(l *[triangleBase * triangleBase]float64, size int, b []float64, ldb, width int) {
	kn := current.Load()
	for step := range size {
		i := step
		if t.lower != t.solve {
			i = size - 1 - step
		}
		row := b[i*ldb : i*ldb+width]
		if !t.solve {
			multiplyVector(l[i*triangleBase+i], row)
		}
		j, end := 0, i
		if !t.lower {
			j, end = i+1, size
		}
		for ; j+4 <= end; j += 4 {
			kn.axpy4(width, &l[i*triangleBase+j], &b[j*ldb], ldb, &row[0])
		}
		for ; j < end; j++ {
			kn.axpy(width, l[i*triangleBase+j], &b[j*ldb], &row[0])
		}
		if t.solve {
			multiplyVector(l[i*triangleBase+i], row)
		}
	}
}

func multiplyVector(factor float64, row []float64) {
	if factor == 1 {
		return
	}
	for i := range row {
		row[i] *= factor
	}
}
