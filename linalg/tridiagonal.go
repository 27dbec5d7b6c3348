package linalg

import "context"

// tridiagonal is a symmetric matrix A = Q T Q' with T tridiagonal and Q a product of
// Householder reflections.
type tridiagonal struct {
	n        int
	diagonal []float64 // of T
	beside   []float64 // of T, n-1 entries
	a        []float64 // row j holds the vector of reflection j from column j+2 on; column j+1 stands for 1
	tau      []float64 // factors of the reflections
}

// tridiagonalPanel is the number of columns that are reduced before the rest of the
// matrix is brought up to date by one matrix product.
const tridiagonalPanel = 32

// reduceToTridiagonal overwrites the n x n matrix a, of which it reads the upper
// triangle. It is the blocked method of Dongarra, Hammarling and Sorensen (1989): half
// of the operations are products of the remaining matrix with one vector, the other
// half one matrix product per panel. Where the context ends, it leaves off.
func reduceToTridiagonal(ctx context.Context, a []float64, n int) *tridiagonal {
	t := &tridiagonal{n: n, a: a, diagonal: make([]float64, n), beside: make([]float64, max(n-1, 0)), tau: make([]float64, max(n-1, 0))}
	// The rows of pair are v_0 ... then w_0 ...; swapped has the halves exchanged. The
	// reduced matrix is A - sum v_i w_i' - sum w_i v_i'.
	pair := make([]float64, 2*min(tridiagonalPanel, n)*n)
	swapped := make([]float64, len(pair))
	product := newSymmetricProduct(n)
	for first := 0; first < n-1 && ctx.Err() == nil; first += tridiagonalPanel {
		count := min(tridiagonalPanel, n-1-first)
		v := func(i int) []float64 { return pair[i*n : (i+1)*n] }
		w := func(i int) []float64 { return pair[(count+i)*n : (count+i+1)*n] }
		for i := range count {
			j := first + i
			row := a[j*n : (j+1)*n]
			for l := range i {
				axpy(-v(l)[j], w(l)[j:], row[j:])
				axpy(-w(l)[j], v(l)[j:], row[j:])
			}
			t.diagonal[j] = row[j]
			t.tau[j] = reflector(&row[j+1], row[j+2:])
			t.beside[j] = row[j+1]
			vi, wi := v(i), w(i)
			clear(vi[:j+1])
			clear(wi[:j+1])
			vi[j+1] = 1
			copy(vi[j+2:], row[j+2:])
			if t.tau[j] == 0 {
				clear(vi)
				clear(wi)
				continue
			}
			tail, out := vi[j+1:], wi[j+1:]
			product.times(a[(j+1)*n+j+1:], n, n-j-1, tail, out)
			for l := range i {
				vl, wl := v(l)[j+1:], w(l)[j+1:]
				byW, byV := dot(wl, tail), dot(vl, tail)
				axpy(-byW, vl, out)
				axpy(-byV, wl, out)
			}
			scale(t.tau[j], out)
			axpy(-t.tau[j]/2*dot(out, tail), tail, out)
		}
		last := first + count
		copy(swapped[:count*n], pair[count*n:2*count*n])
		copy(swapped[count*n:2*count*n], pair[:count*n])
		rankUpdate(a, n, last, pair, swapped, 2*count)
	}
	t.diagonal[n-1] = a[n*n-1]
	return t
}

// rankUpdate subtracts p'q from the upper triangle of rows and columns first to n-1 of
// a; p and q have k rows of n entries.
func rankUpdate(a []float64, n, first int, p, q []float64, k int) {
	const tile = 256
	for r := first; r < n; r += tile {
		rows := min(tile, n-r)
		gemm(Threads(), true, false, rows, n-r, k, -1, p[r:], n, q[r:], n, 1, a[r*n+r:], n)
	}
}

// symmetricProduct multiplies symmetric matrices, given by their upper triangles, with
// vectors. The rows are dealt out to a number of parts that depends on the size alone.
type symmetricProduct struct{ sums []float64 }

const (
	productParts = 8   // at most
	productRows  = 256 // rows of the matrix per part, at least
	productDeal  = 32  // consecutive rows that go to the same part
)

func newSymmetricProduct(n int) *symmetricProduct {
	return &symmetricProduct{sums: make([]float64, min(productParts, n/productRows)*n)}
}

// times computes y = A x for the m x m matrix A with stride lda.
func (s *symmetricProduct) times(a []float64, lda, m int, x, y []float64) {
	parts := min(productParts, max(1, m/productRows))
	Parallel(parts, func(part int) {
		sum := y
		if part > 0 {
			sum = s.sums[part*m : (part+1)*m]
		}
		clear(sum)
		for from := part * productDeal; from < m; from += parts * productDeal {
			for i := from; i < min(from+productDeal, m); i++ {
				row := a[i*lda+i+1 : i*lda+m]
				sum[i] += a[i*lda+i]*x[i] + dot(row, x[i+1:])
				axpy(x[i], row, sum[i+1:])
			}
		}
	})
	for part := 1; part < parts; part++ {
		axpy(1, s.sums[part*m:(part+1)*m], y)
	}
}

// backPanel is the number of reflections that are applied together.
const backPanel = 64

// apply overwrites each of the count rows of z, vectors of n entries, by Q times it.
func (t *tridiagonal) apply(ctx context.Context, z []float64, count int) error {
	n := t.n
	total := n - 2 // reflection n-2 is the identity: nothing lies beyond column n-1
	if total < 1 || count == 0 {
		return nil
	}
	most := min(backPanel, total)
	v := make([]float64, most*n)
	gram := make([]float64, most*most)
	factor := make([]float64, most*most)
	y := make([]float64, count*most)
	yt := make([]float64, count*most)
	for first := (total - 1) / backPanel * backPanel; first >= 0; first -= backPanel {
		if err := ctx.Err(); err != nil {
			return err
		}
		k := min(backPanel, total-first)
		width := n - first - 1 // columns before first+1 are not touched
		for i := range k {
			row := v[i*width : (i+1)*width]
			clear(row[:i])
			row[i] = 1
			j := first + i
			copy(row[i+1:], t.a[j*n+j+2:(j+1)*n])
		}
		gemm(Threads(), false, true, k, k, width, 1, v, width, v, width, 0, gram, k)
		triangularFactor(factor, gram, t.tau[first:first+k], k)
		tail := z[first+1:]
		gemm(Threads(), false, true, count, k, width, 1, tail, n, v, width, 0, y, k)
		gemm(Threads(), false, true, count, k, k, 1, y, k, factor, k, 0, yt, k)
		gemm(Threads(), false, false, count, width, k, -1, yt, k, v, width, 1, tail, n)
	}
	return nil
}
