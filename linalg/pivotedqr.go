package linalg

import (
	"math"

	"gonum.org/v1/gonum/blas"
)

// pivotedQR turns the rows x width matrix a by Householder reflections into one whose first
// p columns, in the order that is returned, are upper triangular with a diagonal that falls
// in absolute value: each step takes the column of which most is left (Businger and Golub
// 1965). The other columns are transformed along. Below the diagonal of the first p columns
// nothing is left that counts.
func pivotedQR(a []float64, rows, p, width int) (pivot []int) {
	pivot = make([]int, p)
	left, at := make([]float64, p), make([]float64, p) // length of what is left of a column; the same when last computed
	for j := range p {
		pivot[j] = j
		left[j] = columnNorm(a[j:], rows, width)
	}
	copy(at, left)
	v, w := make([]float64, rows), make([]float64, width)
	for k := range min(rows, p) {
		most := k
		for j := k + 1; j < p; j++ {
			if left[j] > left[most] {
				most = j
			}
		}
		if most != k {
			for i := range rows {
				a[i*width+k], a[i*width+most] = a[i*width+most], a[i*width+k]
			}
			pivot[k], pivot[most] = pivot[most], pivot[k]
			left[most], at[most] = left[k], at[k]
		}
		height := rows - k
		for i := range height {
			v[i] = a[(k+i)*width+k]
		}
		tau := reflector(&v[0], v[1:height])
		a[k*width+k] = v[0]
		v[0] = 1
		rest := width - k - 1
		if rest == 0 {
			continue
		}
		if tau != 0 {
			block := a[k*width+k+1:]
			kernels.Dgemv(blas.Trans, height, rest, 1, block, width, v[:height], 1, 0, w[:rest], 1)
			kernels.Dger(height, rest, -tau, v[:height], 1, w[:rest], 1, block, width)
		}
		for j := k + 1; j < p; j++ {
			if left[j] == 0 {
				continue
			}
			part := math.Abs(a[k*width+j]) / left[j]
			shrunk := math.Sqrt(math.Max(0, (1-part)*(1+part)))
			if ratio := shrunk * left[j] / at[j]; ratio*ratio > math.Sqrt(epsilon) {
				left[j] *= shrunk
				continue
			}
			// subtracting has lost the digits
			left[j] = columnNorm(a[(k+1)*width+j:], height-1, width)
			at[j] = left[j]
		}
	}
	return pivot
}

// columnNorm is the length of the first column of a matrix.
func columnNorm(a []float64, rows, width int) float64 {
	if rows == 0 {
		return 0
	}
	return kernels.Dnrm2(rows, a, width)
}
