package classify

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
)

// directWork is the number of multiplications up to which least squares is solved by QR.
const directWork = 3e5

// inexact is the forcing of solves inside a reweighting or Newton's method, whose next
// step corrects what this one left: three hundredths, with which as many steps are taken as
// with full solves, less where more is asked of the end, and a tenth where the end is as coarse as foldTol.
func inexact(tol float64) float64 {
	if tol >= foldTol {
		return 1e-1
	}
	return min(3e-2, 3e4*tol)
}

// coarse is the forcing of the solve that a reweighting begins with.
func coarse(tol float64) float64 { return min(inexact(tol), max(1e-3, 1e2*tol)) }

// importance is how much each residual of an n x k table counts: one weight per row, or
// one per element when rows is nil. With joint, the probabilities q of classes, residuals e of a row count
// together as w (diag q - q q') e.
type importance struct {
	rows     []float64
	elements *mat.Dense
	joint    *mat.Dense
}

// mean is one weight per row.
func (w importance) mean() []float64 {
	if w.joint != nil {
		return w.meanJoint()
	}
	if w.rows != nil {
		return w.rows
	}
	n, k := w.elements.Dims()
	out := make([]float64, n)
	for i := range n {
		for _, v := range w.elements.RawRowView(i) {
			out[i] += v / float64(k)
		}
	}
	return out
}

// scale multiplies row number i of residuals by its weights.
func (w importance) scale(i int, row []float64) {
	if w.joint != nil {
		w.scaleJoint(i, row)
		return
	}
	if w.rows != nil {
		for l := range row {
			row[l] *= w.rows[i]
		}
		return
	}
	for l, v := range w.elements.RawRowView(i) {
		row[l] *= v
	}
}

// system is weighted ridge regression on one table of features whose last column is the
// intercept's: every solve minimises, for k right-hand sides,
//
//	sum_il w_il (t_il - a_i'theta_l)^2 + ridge * ||theta without the intercepts||^2.
//
// Solves differ in weights and targets alone, so each begins where the last one ended.
// A small problem is solved by QR. A larger one by conjugate gradients for all
// right-hand sides at once, one fused pass over the table per step; the preconditioner is
// the Cholesky factor of an earlier solve's normal equations, made anew when steps
// become many. Conjugate gradients lower the objective in every step, so that even
// a solve cut short is a step of descent.
type system struct {
	a       *mat.Dense
	ridge   float64
	kernel  bool       // a holds the exact kernel, whose equations are those of rows (rows.go)
	near    *mat.Dense // features whose inner products are nearly the kernel
	hard    bool       // conjugate gradients took too many steps with the kernel
	stacked *mat.Dense // a over sqrt(ridge) I, for QR
	factor  *linalg.Cholesky
	size    []float64 // squared sizes of the right-hand sides when the factor was made
	forcing float64   // conjugate gradients may stop when their residual fell to this part; 0: solve fully
	young   int       // steps that the first solve with the factor took
	tired   bool      // the last solve took so many steps that a new factor pays
	twins   bool      // two right-hand sides of opposite sign, with equal weights: the second solution is the first one's negative
	forced  string    // "qr", "cg" or "rows" whatever the size, for tests
}

// system is the task's, with a penalty of ridge beside the sum of squares.
func (t *task) system(ridge float64) *system {
	return &system{a: t.a, kernel: t.kernel, ridge: ridge, twins: t.twins()}
}

// solve returns theta, (m+1) x k, from a start and its residuals t - a theta.
func (s *system) solve(ctx context.Context, start, residual *mat.Dense, w importance) (*mat.Dense, error) {
	n, p := s.a.Dims()
	_, k := residual.Dims()
	if s.twins && k == 2 {
		if w.rows == nil {
			w.elements = firstColumn(w.elements)
		}
		one, err := s.solve(ctx, firstColumn(start), firstColumn(residual), w)
		if err != nil {
			return nil, err
		}
		both := mat.NewDense(p, 2, nil)
		for j := range p {
			both.Set(j, 0, one.At(j, 0))
			both.Set(j, 1, -one.At(j, 0))
		}
		return both, nil
	}
	if s.kernel {
		return s.solveKernel(ctx, start, residual, w)
	}
	work := float64(n) * float64(p) * float64(p)
	if w.rows == nil {
		work *= float64(k)
	}
	if s.forced == "qr" || (s.forced == "" && work <= directWork) {
		return s.direct(ctx, start, residual, w)
	}
	if s.forced == "rows" || s.forced == "" && w.rows == nil && s.fewRows(w) {
		if theta, ok := s.solveRows(ctx, start, residual, w); ok {
			return theta, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return s.iterate(ctx, start, residual, w)
}

// firstColumn is a copy of it.
func firstColumn(m *mat.Dense) *mat.Dense {
	rows, _ := m.Dims()
	return mat.DenseCopyOf(m.Slice(0, rows, 0, 1))
}

// direct solves for the change of theta by QR.
func (s *system) direct(ctx context.Context, start, residual *mat.Dense, w importance) (*mat.Dense, error) {
	n, p := s.a.Dims()
	_, k := residual.Dims()
	m := p - 1
	if s.stacked == nil {
		s.stacked = mat.NewDense(n+m, p, nil)
		s.stacked.Slice(0, n, 0, p).(*mat.Dense).Copy(s.a)
		for j := range m {
			s.stacked.Set(n+j, j, math.Sqrt(s.ridge))
		}
	}
	right := mat.NewDense(n+m, k, nil)
	right.Slice(0, n, 0, k).(*mat.Dense).Copy(residual)
	for j := range m {
		for l := range k {
			right.Set(n+j, l, -math.Sqrt(s.ridge)*start.At(j, l))
		}
	}
	weights := make([]float64, n+m)
	for j := range m {
		weights[n+j] = 1
	}
	theta := mat.DenseCopyOf(start)
	if w.rows != nil {
		copy(weights, w.rows)
		change, err := linalg.Ridge(ctx, s.stacked, right, weights, 0)
		if err != nil {
			return nil, err
		}
		theta.Add(theta, change)
		return theta, nil
	}
	for l := range k {
		for i := range n {
			weights[i] = w.elements.At(i, l)
		}
		change, err := linalg.Ridge(ctx, s.stacked, mat.DenseCopyOf(right.Slice(0, n+m, l, l+1)), weights, 0)
		if err != nil {
			return nil, err
		}
		for j := range p {
			theta.Set(j, l, theta.At(j, l)+change.At(j, 0))
		}
	}
	return theta, nil
}

// scores returns a theta.
func (s *system) scores(theta *mat.Dense) *mat.Dense {
	n, p := s.a.Dims()
	_, k := theta.Dims()
	out := mat.NewDense(n, k, nil)
	x, y := s.a.RawMatrix(), theta.RawMatrix()
	fastblas.Gemm(linalg.Threads(), false, false, n, k, p, 1, x.Data, x.Stride, y.Data, y.Stride, 0, out.RawMatrix().Data, k)
	return out
}
