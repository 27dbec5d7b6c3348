package linear

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
)

// passRows is the largest number of rows that one goroutine takes at a time. Sums are
// formed in pieces and added in order, so results do not depend on the threads.
const passRows = 4096

// pieces tells into how many pieces of how many rows a pass over n rows is cut. It depends
// on the table alone; few rows make few pieces, so that the small sums of a piece never
// need much memory beside the table.
func pieces(n, stride int) (count, rows int) {
	rows = (n/32 + 127) / 128 * 128
	rows = max(min(rows, passRows), 512, 4*stride)
	return (n + rows - 1) / rows, rows
}

// each calls do for every piece of the rows first to last-1.
func (g *design) each(ctx context.Context, do func(piece, first, last int)) error {
	count, rows := pieces(g.n, g.stride)
	linalg.Parallel(count, func(k int) {
		if ctx.Err() == nil {
			do(k, k*rows, min((k+1)*rows, g.n))
		}
	})
	return ctx.Err()
}

// eachRow calls do for every row, pieces of them side by side, and returns the error of the
// first row that has one.
func eachRow(ctx context.Context, n int, do func(i int) error) error {
	failures := make([]error, (n+passRows-1)/passRows)
	linalg.Parallel(len(failures), func(k int) {
		failures[k] = ctx.Err()
		for i := k * passRows; i < min((k+1)*passRows, n) && failures[k] == nil; i++ {
			failures[k] = do(i)
		}
	})
	for _, err := range failures {
		if err != nil {
			return err
		}
	}
	return nil
}

// residuals writes y - Z beta for the rows first to last-1.
func (g *design) residuals(beta []float64, first, last int) {
	r := g.r[first:last]
	copy(r, g.y[first:last])
	kernels.Dgemv(blas.NoTrans, last-first, g.p, -1, g.rows[first*g.stride:], g.stride, beta, 1, 1, r, 1)
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

// measure makes the design hold the residuals at beta, unless it does already, and copies
// them to out (unless nil). Coefficient vectors never change once they are made.
func (g *design) measure(ctx context.Context, beta, out []float64) error {
	if same(beta, g.held) {
		copy(out, g.r)
		return nil
	}
	g.held = nil
	err := g.each(ctx, func(_, first, last int) {
		g.residuals(beta, first, last)
		if out != nil {
			copy(out[first:last], g.r[first:last])
		}
	})
	if err == nil {
		g.held = beta
	}
	return err
}

// same tells whether two vectors are the same memory.
func same(a, b []float64) bool { return len(a) > 0 && len(b) > 0 && &a[0] == &b[0] }

// sums makes one pass over the rows and returns the sums of w [z r 0][z r 0]' and of
// also [z r 0][z r 0]', stride x stride matrices (upper part), and that of v z. What is nil
// is left out. Weights may be negative. The results are overwritten by the next call.
func (g *design) sums(ctx context.Context, w, also, v []float64) (first, second, vector []float64, err error) {
	const block = 512 // rows that stay in the cache from one sum to the next
	count, _ := pieces(g.n, g.stride)
	size := g.stride * g.stride
	each := 2*size + g.stride
	if len(g.parts) < count*each {
		g.parts = make([]float64, count*each)
	}
	err = g.each(ctx, func(k, first, last int) {
		part := g.parts[k*each : (k+1)*each]
		clear(part)
		for ; first < last; first += block {
			n := min(block, last-first)
			rows := g.rows[first*g.stride:]
			if w != nil {
				fastblas.WeightedGram(1, n, g.stride, rows, g.stride, w[first:first+n], nil, part, g.stride)
			}
			if also != nil {
				fastblas.WeightedGram(1, n, g.stride, rows, g.stride, also[first:first+n], nil, part[size:], g.stride)
			}
			if v != nil {
				kernels.Dgemv(blas.Trans, n, g.p, 1, rows, g.stride, v[first:first+n], 1, 1, part[2*size:2*size+g.p], 1)
			}
		}
	})
	if err != nil {
		return nil, nil, nil, err
	}
	sum := g.parts[:each]
	for k := 1; k < count; k++ {
		axpy(1, g.parts[k*each:(k+1)*each], sum)
	}
	return sum[:size], sum[size : 2*size], sum[2*size : 2*size+g.p], nil
}

// worstCondition is the condition number of the weighted normal equations up to which
// they are trusted. A step starts from the residuals at hand, so their error is relative
// to the step and dies out as the steps do.
const worstCondition = 1e11

// advance returns the minimum of sum w (y - z b)^2 + lambda |b|^2 from the normal
// equations c at the residuals of beta; false when they are too ill-conditioned.
func (g *design) advance(beta, c []float64) ([]float64, bool) {
	side := make([]float64, g.p)
	for j := range side {
		side[j] = c[j*g.stride+g.p]
	}
	return g.step(beta, c, side)
}

// step returns beta + (c + lambda I)^-1 (side - lambda beta); false when c is not safely
// positive definite. The upper part of c, p x p with the stride of the design, is read.
func (g *design) step(beta, c, side []float64) ([]float64, bool) {
	p := g.p
	if len(g.factor) < p*p+p {
		g.factor = make([]float64, p*p+p)
	}
	a, scale := g.factor[:p*p], g.factor[p*p:p*p+p] // columns of length one, because weights change lengths
	next := make([]float64, p)
	for j := range p {
		v := c[j*g.stride+j]
		next[j] = side[j]
		if j >= g.ones {
			v += g.lambda
			next[j] -= g.lambda * beta[j]
		}
		if !(v > 0) || math.IsInf(v, 1) {
			return nil, false
		}
		scale[j] = 1 / math.Sqrt(v)
	}
	for i := range p {
		from, to, s := c[i*g.stride:i*g.stride+p], a[i*p:(i+1)*p], scale[i]
		to[i] = 1
		for j := i + 1; j < p; j++ {
			to[j] = from[j] * s * scale[j]
		}
		next[i] *= s
	}
	least, ok := factorise(a, p)
	if !ok || least < doubtful && !(condition(a, p) < worstCondition) {
		return nil, false
	}
	solveFactorised(a, p, next)
	for j := range next {
		next[j] = beta[j] + next[j]*scale[j]
	}
	return next, true
}

// solve returns the weighted least-squares coefficients. The residuals of beta must have
// been measured.
func (g *design) solve(ctx context.Context, beta, w []float64) ([]float64, error) {
	c, _, _, err := g.sums(ctx, w, nil, nil)
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
