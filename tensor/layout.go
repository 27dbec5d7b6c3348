package tensor

import (
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg/fastblas"
)

// A chunk of samples is one row-major array whose first index counts the samples. A mode
// product over all of them is a single matrix product if the mode stands first or last,
// so modes are brought there: the two functions below move them.

// rotate turns each of the outer matrices of rows x cols into its transpose: an array
// (outer, rows, cols) becomes (outer, cols, rows).
func rotate(dst, src []float64, outer, rows, cols int) {
	size := rows * cols
	if rows == 1 || cols == 1 {
		copy(dst[:outer*size], src)
		return
	}
	for o := range outer {
		in, out := src[o*size:(o+1)*size], dst[o*size:(o+1)*size]
		j := 0
		for ; j+4 <= cols; j += 4 {
			d0, d1, d2, d3 := out[j*rows:(j+1)*rows], out[(j+1)*rows:(j+2)*rows], out[(j+2)*rows:(j+3)*rows], out[(j+3)*rows:(j+4)*rows]
			d1, d2, d3 = d1[:len(d0)], d2[:len(d0)], d3[:len(d0)]
			at := j
			for i := range d0 {
				four := in[at : at+4 : at+4]
				d0[i], d1[i], d2[i], d3[i] = four[0], four[1], four[2], four[3]
				at += cols
			}
		}
		if cols-j == 3 { // the colours of a pixel
			d0, d1, d2 := out[j*rows:(j+1)*rows], out[(j+1)*rows:(j+2)*rows], out[(j+2)*rows:(j+3)*rows]
			d1, d2 = d1[:len(d0)], d2[:len(d0)]
			at := j
			for i := range d0 {
				three := in[at : at+3 : at+3]
				d0[i], d1[i], d2[i] = three[0], three[1], three[2]
				at += cols
			}
			j = cols
		}
		for ; j < cols; j++ {
			to := out[j*rows : (j+1)*rows]
			at := j
			for i := range to {
				to[i] = in[at]
				at += cols
			}
		}
	}
}

// bringFirst turns an array (lead, n, rest) into (n, lead, rest), by runs of rest.
func bringFirst(dst, src []float64, lead, n, rest int) {
	if lead == 1 {
		copy(dst[:n*rest], src)
		return
	}
	for l := range lead {
		for p := range n {
			from := (l*n + p) * rest
			to := (p*lead + l) * rest
			copy(dst[to:to+rest], src[from:from+rest])
		}
	}
}

// contractLast is dst (rows x r) = src (rows x n) * u (n x r).
func contractLast(dst, src []float64, rows int, u *mat.Dense) {
	raw := u.RawMatrix()
	fastblas.Gemm(1, false, false, rows, raw.Cols, raw.Rows, 1, src, raw.Rows, raw.Data, raw.Stride, 0, dst, raw.Cols)
}

// expandLast is dst (rows x n) = src (rows x r) * u' (r x n).
func expandLast(dst, src []float64, rows int, u *mat.Dense) {
	raw := u.RawMatrix()
	fastblas.Gemm(1, false, true, rows, raw.Rows, raw.Cols, 1, src, raw.Cols, raw.Data, raw.Stride, 0, dst, raw.Rows)
}

// contractFirst is dst (r x cols) = u' (r x n) * src (n x cols).
func contractFirst(dst, src []float64, cols int, u *mat.Dense) {
	raw := u.RawMatrix()
	fastblas.Gemm(1, true, false, raw.Cols, cols, raw.Rows, 1, raw.Data, raw.Stride, src, cols, 0, dst, cols)
}

// product of the lengths.
func product(lengths []int) int {
	p := 1
	for _, n := range lengths {
		p *= n
	}
	return p
}
