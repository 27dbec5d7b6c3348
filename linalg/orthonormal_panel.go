package linalg

import "math"

// wellApart is the squared distance from the rows before it, below which a row of length one is left to the way that
// looks at every row by itself. What a Cholesky factor loses beyond it, the second round would not make good.
const wellApart = 1e-6

// panelRoom is what a panel needs beside itself.
type panelRoom struct{ coeffs, gram, factor, part []float64 }

// panelPart is the number of columns of a panel that are replaced at a time: what stays in a cache.
const panelPart = 512

// orthonormalisePanel makes rows first to first+count-1 of q, whose length was one, orthonormal and orthogonal to the
// rows before them by Cholesky's factor of their inner products, twice: products on the matrix kernel alone. It returns
// count; where a row hardly differs from the span of those before it, it returns how many are good before that. The
// rows have less in common with those before the panel then, and each has kept the length that this left it, or is
// far from depending on others.
func (r *panelRoom) orthonormalisePanel(q []float64, first, count, d int) int {
	panel := q[first*d : (first+count)*d]
	r.coeffs, r.part = grown(r.coeffs, count*first), grown(r.part, count*panelPart)
	r.gram, r.factor = grown(r.gram, count*count), grown(r.factor, count*count)
	for round := range 2 {
		if first > 0 {
			gemm(Threads(), false, true, count, first, d, 1, panel, d, q, d, 0, r.coeffs, first)
			gemm(Threads(), false, false, count, d, first, -1, r.coeffs, first, q, d, 1, panel, d)
		}
		gemm(Threads(), false, true, count, count, d, 1, panel, d, panel, d, 0, r.gram, count)
		least := wellApart
		if round > 0 {
			least = 0.5 // all but orthonormal, or the first round has lost too much
		}
		if good := inverseFactor(r.factor, r.gram, count, least); good < count {
			return good
		}
		for from := 0; from < d; from += panelPart {
			width := min(panelPart, d-from)
			gemm(Threads(), false, false, count, width, count, 1, r.factor, count, panel[from:], d, 0, r.part, width)
			for i := range count {
				copy(panel[i*d+from:], r.part[i*width:(i+1)*width])
			}
		}
	}
	return count
}

// inverseFactor writes the inverse of the lower Cholesky factor of the n x n matrix g to inv, both row after row, the
// upper triangle zeros. It returns n, or the number of rows before a pivot that is below least; g is lost.
func inverseFactor(inv, g []float64, n int, least float64) int {
	for j := range n {
		row := g[j*n : (j+1)*n]
		pivot := row[j]
		for k := range j {
			pivot -= row[k] * row[k]
		}
		if !(pivot >= least) || math.IsInf(pivot, 0) {
			return j
		}
		row[j] = math.Sqrt(pivot)
		for i := j + 1; i < n; i++ {
			below := g[i*n : i*n+j+1]
			below[j] = (below[j] - dot(below[:j], row[:j])) / row[j]
		}
	}
	clear(inv[:n*n])
	for i := range n {
		for j := range i {
			sum := 0.0
			for k := j; k < i; k++ {
				sum += g[i*n+k] * inv[k*n+j]
			}
			inv[i*n+j] = -sum / g[i*n+i]
		}
		inv[i*n+i] = 1 / g[i*n+i]
	}
	return n
}
