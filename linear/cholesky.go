package linear

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// doubtful is the smallest pivot of a matrix with a diagonal of ones below which its
// condition is looked at more closely; above, it is far from worstCondition.
const doubtful = 1e-7

// factorise overwrites the upper part of the symmetric p x p matrix a with U, a = U'U, and
// returns the smallest pivot, the square of U's smallest diagonal element. It is for the
// thousands of small systems of a start, where the general routine's care (a condition
// estimate each, memory of its own) would cost more than the solution; ok is false when a
// is not positive definite. The part below the diagonal is not touched.
func factorise(a []float64, p int) (least float64, ok bool) {
	least = math.Inf(1)
	for k := range p {
		row := a[k*p : (k+1)*p]
		pivot := row[k]
		if !(pivot > 0) || math.IsInf(pivot, 1) {
			return 0, false
		}
		least = min(least, pivot)
		inverse := 1 / math.Sqrt(pivot)
		row = row[k:]
		for j := range row {
			row[j] *= inverse
		}
		for i := k + 1; i < p; i++ {
			f := row[i-k]
			to, from := a[i*p+i:(i+1)*p], row[i-k:]
			from = from[:len(to)]
			for j := range to {
				to[j] -= f * from[j]
			}
		}
	}
	return least, true
}

// solveFactorised overwrites b with the solution of U'U x = b.
func solveFactorised(u []float64, p int, b []float64) {
	for k := range p {
		row := u[k*p : (k+1)*p]
		b[k] /= row[k]
		f := b[k]
		for j := k + 1; j < p; j++ {
			b[j] -= f * row[j]
		}
	}
	for k := p - 1; k >= 0; k-- {
		row := u[k*p : (k+1)*p]
		t := b[k]
		for j := k + 1; j < p; j++ {
			t -= row[j] * b[j]
		}
		b[k] = t / row[k]
	}
}

// condition estimates the condition number of U'U, from above.
func condition(u []float64, p int) float64 {
	var chol mat.Cholesky
	chol.SetFromU(mat.NewTriDense(p, mat.Upper, u))
	return chol.Cond()
}
