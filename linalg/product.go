package linalg

import (
	"unsafe"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg/fastblas"
)

// kernels are called directly: gonum's own BLAS, which the rest of the program may use or
// replace, stays as it is.
var kernels fastblas.Implementation

// Mul sets dst to the product of a and b, as dst.Mul(a, b) does, on this project's
// kernels. Dense matrices, views of them, their transposes and vectors are read where they
// stand; other types are copied first. An empty dst is given its size; one that shares
// memory with a or b is computed aside. It panics where the sizes do not fit.
func Mul(dst *mat.Dense, a, b mat.Matrix) {
	m, k := a.Dims()
	inner, n := b.Dims()
	if k != inner {
		panic(mat.ErrShape)
	}
	left, leftT := rawOf(a)
	right, rightT := rawOf(b)
	if dst.IsEmpty() {
		dst.ReuseAs(m, n)
	} else if r, c := dst.Dims(); r != m || c != n {
		panic(mat.ErrShape)
	}
	to := dst.RawMatrix()
	aside := overlap(to.Data, left.Data) || overlap(to.Data, right.Data)
	if aside {
		to = blas64.General{Rows: m, Cols: n, Stride: n, Data: make([]float64, m*n)}
	}
	if leftT != rightT && sameView(left, right) {
		if leftT && tall(m, m, k) {
			tallProduct(to, left, left, true, nil)
		} else {
			kernels.Dsyrk(blas.Upper, transposition(leftT), m, k, 1, left.Data, left.Stride, 0, to.Data, to.Stride)
		}
		for i := range m {
			for j := range i {
				to.Data[i*to.Stride+j] = to.Data[j*to.Stride+i]
			}
		}
	} else if leftT && !rightT && tall(m, n, k) {
		tallProduct(to, left, right, false, nil)
	} else {
		kernels.Dgemm(transposition(leftT), transposition(rightT), m, n, k, 1, left.Data, left.Stride, right.Data, right.Stride, 0, to.Data, to.Stride)
	}
	if aside {
		dst.Copy(mat.NewDense(m, n, to.Data))
	}
}

// MulVec sets dst to the product of a matrix and a vector, as dst.MulVec(a, x) does, on
// this project's kernels. An empty dst is given its size; dst must not share memory with x.
func MulVec(dst *mat.VecDense, a mat.Matrix, x *mat.VecDense) {
	m, n := a.Dims()
	if x.Len() != n {
		panic(mat.ErrShape)
	}
	if dst.IsEmpty() {
		dst.ReuseAsVec(m)
	} else if dst.Len() != m {
		panic(mat.ErrShape)
	}
	from, to := x.RawVector(), dst.RawVector()
	if s, ok := a.(*mat.SymDense); ok {
		raw := s.RawSymmetric()
		kernels.Dsymv(raw.Uplo, n, 1, raw.Data, raw.Stride, from.Data, from.Inc, 0, to.Data, to.Inc)
		return
	}
	raw, transposed := rawOf(a)
	kernels.Dgemv(transposition(transposed), raw.Rows, raw.Cols, 1, raw.Data, raw.Stride, from.Data, from.Inc, 0, to.Data, to.Inc)
}

// RowProducts returns the inner products of the rows of x: x x'. Those of its columns are
// RowProducts(x.T()).
func RowProducts(x mat.Matrix) *mat.SymDense {
	n, k := x.Dims()
	out := mat.NewSymDense(n, nil)
	raw, transposed := rawOf(x)
	to := out.RawSymmetric()
	if transposed && tall(n, n, k) {
		tallProduct(blas64.General{Rows: n, Cols: n, Stride: to.Stride, Data: to.Data}, raw, raw, true, nil)
		return out
	}
	kernels.Dsyrk(blas.Upper, transposition(transposed), n, k, 1, raw.Data, raw.Stride, 0, to.Data, to.Stride)
	return out
}

// AddGram adds the sum of w_i x_i x_i' over the rows of x to a symmetric matrix; w nil means ones.
func AddGram(to *mat.SymDense, x *mat.Dense, w []float64) {
	n, d := x.Dims()
	raw, sum := x.RawMatrix(), to.RawSymmetric()
	if !tall(d, d, n) {
		weightedGram(0, n, d, raw.Data, raw.Stride, w, nil, sum.Data, sum.Stride)
		return
	}
	found := mat.NewSymDense(d, nil).RawSymmetric()
	tallProduct(blas64.General{Rows: d, Cols: d, Stride: d, Data: found.Data}, raw, raw, true, w)
	for i := range d {
		for j := i; j < d; j++ {
			sum.Data[i*sum.Stride+j] += found.Data[i*d+j]
		}
	}
}

const (
	// tallRows is from how many rows on products of columns with columns are cut along the rows,
	// tallResults up to how many results: there is one tile of them for one core, and the rest would stand by.
	tallRows    = 4 * span
	tallResults = 4096
)

// part is what belongs to some rows of weights; nil where they are ones.
func part(w []float64, from, end int) []float64 {
	if w == nil {
		return nil
	}
	return w[from:end]
}

// tall tells whether a product of m columns with n others, of k rows each, is cut along the rows.
func tall(m, n, k int) bool { return k >= tallRows && m*n <= tallResults }

// tallProduct is a'b, with half its upper triangle alone, in which rows may have weights: sums over stretches of rows that depend on the number of
// rows alone, added in their order.
func tallProduct(to, a, b blas64.General, half bool, w []float64) {
	m, n := a.Cols, b.Cols
	sums := Totals(a.Rows, m*n, func(from, end int, sums []float64) {
		if half {
			weightedGram(1, end-from, m, a.Data[from*a.Stride:], a.Stride, part(w, from, end), nil, sums, n)
		} else {
			gemm(1, true, false, m, n, end-from, 1, a.Data[from*a.Stride:], a.Stride, b.Data[from*b.Stride:], b.Stride, 0, sums, n)
		}
	})
	for i := range m {
		from := 0
		if half {
			from = i
		}
		copy(to.Data[i*to.Stride+from:i*to.Stride+n], sums[i*n+from:(i+1)*n])
	}
}

// rawOf returns a matrix as it stands in memory and whether it stands there transposed.
func rawOf(m mat.Matrix) (raw blas64.General, transposed bool) {
	for {
		switch v := m.(type) {
		case mat.Transpose:
			m, transposed = v.Matrix, !transposed
		case mat.TransposeVec:
			m, transposed = v.Vector, !transposed
		case *mat.Dense:
			return v.RawMatrix(), transposed
		case *mat.VecDense:
			x := v.RawVector()
			return blas64.General{Rows: x.N, Cols: 1, Stride: max(x.Inc, 1), Data: x.Data}, transposed
		default:
			return mat.DenseCopyOf(m).RawMatrix(), transposed
		}
	}
}

func transposition(transposed bool) blas.Transpose {
	if transposed {
		return blas.Trans
	}
	return blas.NoTrans
}

// overlap tells whether two slices share memory.
func overlap(x, y []float64) bool {
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	a, b := uintptr(unsafe.Pointer(&x[0])), uintptr(unsafe.Pointer(&y[0]))
	return a < b+uintptr(len(y))*8 && b < a+uintptr(len(x))*8
}

// sameView tells whether two matrices are one.
func sameView(a, b blas64.General) bool {
	return len(a.Data) > 0 && len(b.Data) > 0 && &a.Data[0] == &b.Data[0] && a.Rows == b.Rows && a.Cols == b.Cols && a.Stride == b.Stride
}
