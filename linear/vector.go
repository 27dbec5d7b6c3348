package linear

import "gonum.org/v1/gonum/blas/blas64"

func dot(x, y []float64) float64 { return blas64.Implementation().Ddot(len(x), x, 1, y, 1) }

func axpy(alpha float64, x, y []float64) {
	blas64.Implementation().Daxpy(len(x), alpha, x, 1, y, 1)
}

func norm(x []float64) float64 { return blas64.Implementation().Dnrm2(len(x), x, 1) }
