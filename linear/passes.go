package linear

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
)

// passRows is the number of rows that one goroutine takes at a time. Sums are formed in
// pieces of this many rows and added in order, so results do not depend on the threads.
const passRows = 4096

// residuals writes y - Z beta for the rows first to last-1.
func (g *design) residuals(beta []float64, first, last int) {
	r := g.r[first:last]
	copy(r, g.y[first:last])
	blas64.Implementation().Dgemv(blas.NoTrans, last-first, g.p, -1, g.rows[first*g.stride:], g.stride, beta, 1, 1, r, 1)
	at := first*g.stride + g.p
	for i, v := range r {
		if math.Abs(v) <= g.zero {
			v = 0
			r[i] = 0
		}
		g.rows[at] = v
		at += g.stride
	}
}

// measure finds the residuals at beta and copies them to out (unless nil).
func (g *design) measure(ctx context.Context, beta, out []float64) error {
	linalg.Parallel((g.n+passRows-1)/passRows, func(k int) {
		if ctx.Err() != nil {
			return
		}
		first, last := k*passRows, min((k+1)*passRows, g.n)
		g.residuals(beta, first, last)
		if out != nil {
			copy(out[first:last], g.r[first:last])
		}
	})
	return ctx.Err()
}

// gram adds the sum of w [z r 0][z r 0]' over rows to the stride x stride matrix c (upper
// part).
func (g *design) gram(w []float64, first, last int, c []float64) {
	fastblas.WeightedGram(1, last-first, g.stride, g.rows[first*g.stride:], g.stride, w[first:last], nil, c, g.stride)
}

// gramAll is gram over all rows.
func (g *design) gramAll(ctx context.Context, w []float64) ([]float64, error) {
	pieces := (g.n + passRows - 1) / passRows
	size := g.stride * g.stride
	parts := make([][]float64, pieces)
	linalg.Parallel(pieces, func(k int) {
		if ctx.Err() != nil {
			return
		}
		parts[k] = make([]float64, size)
		g.gram(w, k*passRows, min((k+1)*passRows, g.n), parts[k])
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, part := range parts[1:] {
		axpy(1, part, parts[0])
	}
	return parts[0], nil
}

// worstCondition is the condition number of the weighted normal equations up to which
// they are trusted. A step starts from the residuals at hand, so their error is relative
// to the step and dies out as the steps do.
const worstCondition = 1e11

// advance returns the minimum of sum w (y - z b)^2 + lambda |b|^2 from the normal
// equations c at the residuals of beta; false when they are too ill-conditioned.
func (g *design) advance(beta, c []float64) ([]float64, bool) {
	p := g.p
	scale := make([]float64, p) // columns of length one, because weights change lengths
	step := make([]float64, p)
	for j := range p {
		v := c[j*g.stride+j]
		step[j] = c[j*g.stride+p]
		if j >= g.ones {
			v += g.lambda
			step[j] -= g.lambda * beta[j]
		}
		if !(v > 0) || math.IsInf(v, 1) {
			return nil, false
		}
		scale[j] = 1 / math.Sqrt(v)
	}
	a := mat.NewSymDense(p, nil)
	for i := range p {
		for j := i; j < p; j++ {
			v := c[i*g.stride+j]
			if i == j && i >= g.ones {
				v += g.lambda
			}
			a.SetSym(i, j, v*scale[i]*scale[j])
		}
		step[i] *= scale[i]
	}
	var chol mat.Cholesky
	if !chol.Factorize(a) || !(chol.Cond() < worstCondition) {
		return nil, false
	}
	var x mat.VecDense
	if err := chol.SolveVecTo(&x, mat.NewVecDense(p, step)); err != nil {
		return nil, false
	}
	next := make([]float64, p)
	for j := range next {
		next[j] = beta[j] + x.AtVec(j)*scale[j]
	}
	return next, true
}

// solve returns the weighted least-squares coefficients. The residuals of beta must have
// been measured.
func (g *design) solve(ctx context.Context, beta, w []float64) ([]float64, error) {
	c, err := g.gramAll(ctx, w)
	if err != nil {
		return nil, err
	}
	if next, ok := g.advance(beta, c); ok {
		return next, nil
	}
	return g.solveByQR(ctx, w)
}

// solveByQR is for weights that leave the columns nearly dependent.
func (g *design) solveByQR(ctx context.Context, w []float64) ([]float64, error) {
	y := mat.NewDense(g.n, 1, g.y)
	if g.lambda == 0 {
		x, err := linalg.Ridge(ctx, g.matrix(), y, w, 0)
		if err != nil {
			return nil, err
		}
		return mat.Col(nil, 0, x), nil
	}
	t := linalg.NewTSQR(g.p, 1)
	if err := t.Add(g.matrix(), y, w); err != nil {
		return nil, err
	}
	penalty := mat.NewDense(g.p, g.p, nil)
	for j := g.ones; j < g.p; j++ {
		penalty.Set(j, j, math.Sqrt(g.lambda))
	}
	if err := t.Add(penalty, mat.NewDense(g.p, 1, nil), nil); err != nil {
		return nil, err
	}
	x, err := t.Solve(0)
	if err != nil {
		return nil, err
	}
	return mat.Col(nil, 0, x), nil
}
