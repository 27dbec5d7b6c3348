package linear

import "github.com/inlier-ml/inlier/linalg/fastblas"

// kernels are called directly; gonum's own are left as they are.
var kernels fastblas.Implementation

func dot(x, y []float64) float64 { return kernels.Ddot(len(x), x, 1, y, 1) }

func axpy(alpha float64, x, y []float64) { kernels.Daxpy(len(x), alpha, x, 1, y, 1) }

func norm(x []float64) float64 { return kernels.Dnrm2(len(x), x, 1) }
