package fastblas

import (
	"gonum.org/v1/gonum/blas/gonum"
)

var reference gonum.Implementation
