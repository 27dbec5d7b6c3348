package fastblas

import "fmt"

// WeightedGram adds the weighted scatter of the n rows of x, each of d numbers, to the
// upper triangle of the d x d matrix c:
//
//	c += sum_i w[i] * (x_i-shift)' * (x_i-shift)
//
// x and c are row-major, ldx and ldc the distances between their rows. w nil means
// weights of 1, shift nil no shift. The elements of c below the diagonal are neither read
// nor written. Weights and shift are applied on the way into the packing buffers, so no
// weighted or shifted copy of x is made. 0 threads stands for [Threads]; the result does
// not depend on their number.
//
// It panics if a slice is too short.
func WeightedGram(threads, n, d int, x []float64, ldx int, w, shift []float64, c []float64, ldc int) {
	switch {
	case n < 0 || d < 0:
		panic(fmt.Sprintf("fastblas: weighted Gram of %d rows and %d columns", n, d))
	case !fits(n, d, x, ldx):
		panic(fmt.Sprintf("fastblas: weighted Gram: %d numbers with stride %d do not hold %d rows of %d", len(x), ldx, n, d))
	case w != nil && len(w) < n:
		panic(fmt.Sprintf("fastblas: weighted Gram: %d weights for %d rows", len(w), n))
	case shift != nil && len(shift) < d:
		panic(fmt.Sprintf("fastblas: weighted Gram: shift of %d numbers for %d columns", len(shift), d))
	case !fits(d, d, c, ldc):
		panic(fmt.Sprintf("fastblas: weighted Gram: %d numbers with stride %d do not hold %d x %d", len(c), ldc, d, d))
	}
	p := products.Get().(*product)
	p.m, p.n, p.k = d, d, n
	p.alpha, p.beta = 1, 1
	p.a = operand{data: x, ld: ldx, byDepth: true, shift: shift, weight: w}
	p.b = operand{data: x, ld: ldx, byDepth: true, shift: shift}
	p.c, p.ldc = c, ldc
	p.region = upper
	p.threads = threads
	p.multiply()
}
