package linalg

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// FixSigns turns every column of v so that its entry of largest absolute value (the
// first of equals) is positive. Eigenvectors are unique up to sign; this makes them
// comparable.
func FixSigns(v *mat.Dense) {
	if v == nil || v.IsEmpty() {
		return
	}
	raw := v.RawMatrix()
	largest := make([]float64, raw.Cols) // with its sign
	for i := range raw.Rows {
		for c, x := range raw.Data[i*raw.Stride : i*raw.Stride+raw.Cols] {
			if math.Abs(x) > math.Abs(largest[c]) {
				largest[c] = x
			}
		}
	}
	for i := range raw.Rows {
		row := raw.Data[i*raw.Stride : i*raw.Stride+raw.Cols]
		for c, x := range row {
			if largest[c] < 0 {
				row[c] = -x
			}
		}
	}
}

// Orthonormalize replaces the columns of v by orthonormal columns, the Q of its QR
// factorisation with positive diagonal: the first c columns span what they spanned
// before. Where a column depends on those before it, a column orthogonal to all others
// takes its place. v must not have more columns than rows, and only finite entries.
func Orthonormalize(v *mat.Dense) {
	if v == nil || v.IsEmpty() {
		return
	}
	d, m := v.Dims()
	if m > d {
		panic("linalg: Orthonormalize: more columns than rows")
	}
	rows := transposed(v)
	orthonormaliseRows(context.Background(), rows, m, d, 0, true)
	raw := v.RawMatrix()
	transpose(raw.Data, raw.Stride, rows, d, d, m)
}

// OrthonormalizeRows does to the rows of v what Orthonormalize does to columns. v must not have more rows than
// columns. Its error is that of the context.
func OrthonormalizeRows(ctx context.Context, v *mat.Dense) error {
	if v == nil || v.IsEmpty() {
		return nil
	}
	m, d := v.Dims()
	if m > d {
		panic("linalg: OrthonormalizeRows: more rows than columns")
	}
	raw := v.RawMatrix()
	if raw.Stride == d {
		orthonormaliseRows(ctx, raw.Data, m, d, 0, true)
		return ctx.Err()
	}
	rows := mat.DenseCopyOf(v)
	orthonormaliseRows(ctx, rows.RawMatrix().Data, m, d, 0, true)
	v.Copy(rows)
	return ctx.Err()
}

// Numbers of rows that are orthogonalised together: products with the rows before them run on the matrix kernel.
const (
	orthonormalPanel = 16 // one row after the other within
	widePanel        = 48 // by inner products
)

// orthonormaliseRows makes rows ready to m-1 of the m x d matrix q (row after row)
// orthonormal and orthogonal to the rows before them, which are orthonormal already.
// It is block Gram-Schmidt done twice, which leaves an error of the order of epsilon.
// A row that depends on those before it is replaced by a row orthogonal to them if
// complete is true, otherwise by zeros.
func orthonormaliseRows(ctx context.Context, q []float64, m, d, ready int, complete bool) {
	for i := ready; i < m; i++ {
		normalise(q[i*d : (i+1)*d])
	}
	var room panelRoom
	for first := ready; first < m && ctx.Err() == nil; {
		count := min(widePanel, m-first)
		good, by := room.orthonormalisePanel(q, first, count, d), 0
		if good < count {
			by = min(orthonormalPanel, count)
			if good >= orthonormalPanel/2 && room.orthonormalisePanel(q, first, good, d) == good {
				by = 1 // the one that depends on those
			} else {
				good = 0
			}
		}
		first += good
		orthonormaliseEach(q, first+by, d, first, complete)
		first += by
	}
}

// orthonormaliseEach is orthonormaliseRows of rows whose length was one, and looks at every row by itself: slower, and
// certain where rows depend on each other.
func orthonormaliseEach(q []float64, m, d, ready int, complete bool) {
	var coeffs []float64
	for first := ready; first < m; first += orthonormalPanel {
		count := min(orthonormalPanel, m-first)
		panel := q[first*d : (first+count)*d]
		coeffs = grown(coeffs, count*first)
		for range 2 {
			if first > 0 {
				gemm(Threads(), false, true, count, first, d, 1, panel, d, q, d, 0, coeffs, first)
				gemm(Threads(), false, false, count, d, first, -1, coeffs, first, q, d, 1, panel, d)
			}
			for i := range count {
				row := panel[i*d : (i+1)*d]
				if !orthogonaliseRow(row, panel[:i*d], d) {
					if complete {
						replaceRow(q, first+i, d)
					} else {
						clear(row)
					}
				}
			}
		}
	}
}

// dependent is the length below which what is left of a unit row after the projection
// is taken for rounding error.
func dependent(d int) float64 { return 8 * epsilon * math.Sqrt(float64(d)) }

// orthogonaliseRow subtracts from row, which had length one when the work on it began,
// its components along the orthonormal rows of before, twice, and gives it length one.
// It returns false if nothing is left.
func orthogonaliseRow(row, before []float64, d int) bool {
	left := norm2(row)
	if left <= dependent(d) {
		return false
	}
	scale(1/left, row)
	for range 2 {
		for i := 0; i < len(before); i += d {
			other := before[i : i+d]
			axpy(-dot(row, other), other, row)
		}
		n := norm2(row)
		left *= n
		if left <= dependent(d) {
			return false
		}
		scale(1/n, row)
	}
	return true
}

// replaceRow makes row i of q a unit vector orthogonal to the rows before it.
func replaceRow(q []float64, i, d int) {
	row := q[i*d : (i+1)*d]
	random := rand.New(rand.NewPCG(uint64(i), uint64(d)))
	for {
		for j := range row {
			row[j] = random.NormFloat64()
		}
		normalise(row)
		if orthogonaliseRow(row, q[:i*d], d) {
			return
		}
	}
}

// normalise gives x length one unless it is zero.
func normalise(x []float64) {
	if n := norm2(x); n > 0 {
		scale(1/n, x)
	}
}

// transposed returns the entries of v column after column.
func transposed(v *mat.Dense) []float64 {
	raw := v.RawMatrix()
	out := make([]float64, raw.Rows*raw.Cols)
	transpose(out, raw.Rows, raw.Data, raw.Stride, raw.Cols, raw.Rows)
	return out
}

// transpose writes the transpose of src, which is columns x rows, to dst, which is rows
// x columns; lds and ldd are their strides.
func transpose(dst []float64, ldd int, src []float64, lds, rows, columns int) {
	const tile = 32
	for r0 := 0; r0 < rows; r0 += tile {
		for c0 := 0; c0 < columns; c0 += tile {
			for r := r0; r < min(r0+tile, rows); r++ {
				for c := c0; c < min(c0+tile, columns); c++ {
					dst[r*ldd+c] = src[c*lds+r]
				}
			}
		}
	}
}
