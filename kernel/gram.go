package kernel

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
	"github.com/inlier-ml/inlier/refusal"
)

// gramRows is the number of rows of a block of a Gram matrix: one block is one
// matrix product and one sweep of the exponential.
const gramRows = 256

// Gram returns the kernel of every row of a (n x d) with every row of b (m x d), n x m.
func (k Kernel) Gram(a, b *mat.Dense) (*mat.Dense, error) {
	n, _ := a.Dims()
	m, _ := b.Dims()
	if n == 0 || m == 0 {
		return nil, refusal.Data("a Gram matrix needs rows on both sides, not %d and %d", n, m)
	}
	out := mat.NewDense(n, m, nil)
	return out, k.GramTo(out, a, b)
}

// GramTo is Gram into a matrix of the right size.
func (k Kernel) GramTo(dst, a, b *mat.Dense) error {
	if err := k.ready(); err != nil {
		return err
	}
	n, d := a.Dims()
	m, e := b.Dims()
	if d != e {
		return refusal.Data("rows of %d and of %d numbers cannot be compared", d, e)
	}
	if r, c := dst.Dims(); r != n || c != m {
		return fmt.Errorf("kernel: a Gram matrix of %d and %d rows does not fit into %d x %d", n, m, r, c)
	}
	other := k.prepare(b)
	linalg.Parallel((n+gramRows-1)/gramRows, func(block int) {
		first := block * gramRows
		last := min(first+gramRows, n)
		rows := a.Slice(first, last, 0, d).(*mat.Dense)
		k.fill(dst.Slice(first, last, 0, m).(*mat.Dense), rows, other, 0)
	})
	return nil
}

// Symmetric returns the kernel of every row with every row; each pair is computed
// once, and the diagonal is exact.
func (k Kernel) Symmetric(x *mat.Dense) (*mat.SymDense, error) {
	n, _ := x.Dims()
	if n == 0 {
		return nil, refusal.Data("a Gram matrix needs rows")
	}
	out := mat.NewDense(n, n, nil)
	if err := k.SymmetricTo(out, x); err != nil {
		return nil, err
	}
	return mat.NewSymDense(n, out.RawMatrix().Data), nil
}

// mirrorRows is the side of the squares that are mirrored at a time, so that both sides stay near the processor.
const mirrorRows = 32

// SymmetricTo is Symmetric into both triangles of a matrix of the right size.
func (k Kernel) SymmetricTo(dst, x *mat.Dense) error {
	if err := k.ready(); err != nil {
		return err
	}
	n, d := x.Dims()
	if r, c := dst.Dims(); r != n || c != n {
		return fmt.Errorf("kernel: a Gram matrix of %d rows does not fit into %d x %d", n, r, c)
	}
	all, raw := k.prepare(x), dst.RawMatrix()
	linalg.Parallel((n+gramRows-1)/gramRows, func(block int) {
		first := block * gramRows
		last := min(first+gramRows, n)
		k.fill(dst.Slice(first, last, first, n).(*mat.Dense), x.Slice(first, last, 0, d).(*mat.Dense), all, first)
		for i := first; i < last; i++ {
			row := x.RawRowView(i)
			dst.Set(i, i, k.At(row, row))
		}
		for top := first; top < last; top += mirrorRows {
			for left := top; left < n; left += mirrorRows {
				for j := left; j < min(left+mirrorRows, n); j++ {
					to := dst.RawRowView(j)
					for i := top; i < min(top+mirrorRows, last, j); i++ {
						to[i] = raw.Data[i*raw.Stride+j]
					}
				}
			}
		}
	})
	return nil
}

const (
	// cancels is the size of gamma times squared lengths from which on a difference of them
	// has fewer than nine digits after the point.
	cancels = 1e6
	// vanishes is the exponent from which on a kernel is 0, with room for rounding.
	vanishes = 1e3
)

// recheck measures the distances of a row anew where the expansion may have lost them: large
// squares, or such that overflow, for a kernel that is not 0.
func (k Kernel) recheck(exponents, x []float64, square float64, b *side, from int) {
	for j, v := range exponents {
		if !(k.Gamma*(square+b.squares[from+j]) < cancels) && !(v < -vanishes) {
			exponents[j] = -k.Gamma * linalg.SquaredDistance(x, b.original.RawRowView(from+j))
		}
	}
}

// side is one side of a Gram matrix, made ready to meet many blocks of the other.
type side struct {
	rows *mat.Dense
	// For RBF: the rows as they came, and the rows less shift with their squared lengths. Distances do not change
	// when both sides are moved, and near the origin the squared lengths lose fewer digits.
	original *mat.Dense
	shift    []float64
	squares  []float64
	farthest float64 // largest of squares
}

func (k Kernel) prepare(b *mat.Dense) *side {
	if k.kind() != RBF {
		return &side{rows: b}
	}
	s := &side{shift: middle(b)}
	s.original = b
	s.rows, s.squares = s.move(b)
	for _, v := range s.squares {
		s.farthest = math.Max(s.farthest, v) // NaN stays
	}
	return s
}

// middleRows is how many rows the middle of a side is taken from.
const middleRows = 101

// middle is the median of every column over some rows: far ones do not move it, which would
// cost the distances of all others their digits.
func middle(x *mat.Dense) []float64 {
	n, d := x.Dims()
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	if n > middleRows { // rows that take turns are all seen
		rows = univariate.NewRows(n, nil).Spaced(middleRows, univariate.Staggered())
	}
	out, column := make([]float64, d), make([]float64, len(rows))
	for j := range out {
		for k, i := range rows {
			column[k] = x.At(i, j)
			if math.IsNaN(column[k]) { // its row has no kernel anyway
				column[k] = 0
			}
		}
		if out[j] = univariate.Median(column); math.IsInf(out[j], 0) {
			out[j] = 0
		}
	}
	return out
}

// move returns the rows less the shift, and their squared lengths.
func (s *side) move(a *mat.Dense) (rows *mat.Dense, squares []float64) {
	n, d := a.Dims()
	rows = mat.NewDense(n, d, nil)
	squares = make([]float64, n)
	for i := range n {
		to := rows.RawRowView(i)
		for j, v := range a.RawRowView(i) {
			to[j] = v - s.shift[j]
			squares[i] += to[j] * to[j]
		}
	}
	return rows, squares
}

// fill writes the kernel of a block of rows with the rows of b from the given one on.
func (k Kernel) fill(dst, a *mat.Dense, b *side, from int) {
	n, d := a.Dims()
	if k.kind() == Laplace {
		k.fillLaplace(dst, a, b, from)
		return
	}
	var squares []float64
	given := a
	if k.kind() == RBF {
		a, squares = b.move(a)
	}
	x, y, z := a.RawMatrix(), b.rows.RawMatrix(), dst.RawMatrix()
	fastblas.Gemm(1, false, true, n, z.Cols, d, 1, x.Data, x.Stride, y.Data[from*y.Stride:], y.Stride, 0, z.Data, z.Stride)
	for i := range n {
		row := dst.RawRowView(i)
		switch k.kind() {
		case RBF:
			for j, dot := range row {
				row[j] = -k.Gamma * max(0, squares[i]+b.squares[from+j]-2*dot)
			}
			if !(k.Gamma*(squares[i]+b.farthest) < cancels) {
				k.recheck(row, given.RawRowView(i), squares[i], b, from)
			}
			linalg.Exp(row, row)
		case Polynomial:
			for j, dot := range row {
				row[j] = power(k.Gamma*dot+k.Offset, k.degree())
			}
		}
	}
}

// fillLaplace sums absolute differences; no matrix product gives them.
func (k Kernel) fillLaplace(dst, a *mat.Dense, b *side, from int) {
	n, _ := a.Dims()
	_, m := dst.Dims()
	const tile = 32 // rows of b that stay in the first-level cache
	for start := 0; start < m; start += tile {
		end := min(start+tile, m)
		for i := range n {
			x, row := a.RawRowView(i), dst.RawRowView(i)[start:end]
			for j := range row {
				row[j] = -k.Gamma * manhattan(x, b.rows.RawRowView(from+start+j))
			}
			linalg.Exp(row, row)
		}
	}
}

// manhattan is the sum of absolute differences. Four sums side by side keep the
// processor from waiting for each addition.
func manhattan(x, y []float64) float64 {
	var a, b, c, d float64
	y = y[:len(x)]
	for len(x) >= 4 && len(y) >= 4 {
		a += math.Abs(x[0] - y[0])
		b += math.Abs(x[1] - y[1])
		c += math.Abs(x[2] - y[2])
		d += math.Abs(x[3] - y[3])
		x, y = x[4:], y[4:]
	}
	for j, v := range x {
		a += math.Abs(v - y[j])
	}
	return (a + b) + (c + d)
}
