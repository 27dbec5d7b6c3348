package linalg

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
)

// Ridge returns the p x q matrix x that minimises the sum of w_i ||a_i x - b_i||^2 over
// the rows of a (n x p) and b (n x q) plus lambda ||x||^2. w nil means ones. With
// lambda = 0 and columns that depend on one another, x is the solution of least norm.
//
// The problem is solved by Householder QR of [sqrt(w) a; sqrt(lambda) I], and the
// solution corrected once or twice with its own residuals (Bjorck 1987, "corrected
// seminormal equations"), which keeps it accurate when the weights differ by many
// orders of magnitude.
func Ridge(ctx context.Context, a, b *mat.Dense, w []float64, lambda float64) (*mat.Dense, error) {
	return ridge(ctx, a, b, w, lambda, false)
}

// RidgeAlike is [Ridge] for columns of one unit; see [TSQR.Alike].
func RidgeAlike(ctx context.Context, a, b *mat.Dense, w []float64, lambda float64) (*mat.Dense, error) {
	return ridge(ctx, a, b, w, lambda, true)
}

func ridge(ctx context.Context, a, b *mat.Dense, w []float64, lambda float64, alike bool) (*mat.Dense, error) {
	ctx = given.Context(ctx)
	n, p := a.Dims()
	rows, q := b.Dims()
	if rows != n {
		return nil, fmt.Errorf("linalg: %d rows of coefficients and %d of right-hand sides", n, rows)
	}
	if err := checkWeights(w, n); err != nil {
		return nil, err
	}
	if n < p {
		wide, err := NewWide(a)
		if err != nil {
			return nil, err
		}
		return wide.ridge(ctx, b, w, lambda, alike)
	}
	sum, err := reduceRows(ctx, a, b, w)
	if err != nil {
		return nil, err
	}
	sum.alike = alike
	f, err := sum.factor(lambda)
	if err != nil {
		return nil, err
	}
	x := f.solve()
	if f.full && q > 0 {
		err = refine(ctx, f, a, b, w, lambda, x)
	}
	return x, err
}

// reduceRows brings the rows to triangular form: several runs of rows at once where
// there are many, each on one thread, merged in order.
func reduceRows(ctx context.Context, a, b *mat.Dense, w []float64) (*TSQR, error) {
	n, p := a.Dims()
	_, q := b.Dims()
	runs := min(16, max(1, n/(16*max(p, 16))))
	parts := make([]*TSQR, runs)
	left, right := a.RawMatrix(), b.RawMatrix()
	Parallel(runs, func(i int) {
		t := NewTSQR(p, q)
		if runs > 1 {
			t.threads = 1
		}
		for r := i * n / runs; r < (i+1)*n/runs; r++ {
			if t.pending == 0 && ctx.Err() != nil {
				return
			}
			if weight := weightAt(w, r); weight > 0 {
				t.add(left.Data[r*left.Stride:r*left.Stride+p], right.Data[r*right.Stride:r*right.Stride+q], math.Sqrt(weight))
			}
		}
		t.flush()
		parts[i] = t
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, part := range parts[1:] {
		parts[0].Merge(part)
	}
	parts[0].threads = 0
	return parts[0], nil
}

// refine corrects x with the gradient at x, up to three times and as long as the
// corrections become smaller.
func refine(ctx context.Context, f *factored, a, b *mat.Dense, w []float64, lambda float64, x *mat.Dense) error {
	p, q := x.Dims()
	before := make([]float64, q)
	for round := range 3 {
		step, err := descent(ctx, a, b, w, x)
		if err != nil {
			return err
		}
		for i := range step {
			step[i] -= lambda * x.RawMatrix().Data[i]
		}
		f.forward(step)
		f.backward(step)
		moved := false
		for c := range q {
			size, length := 0.0, 0.0
			for j := range p {
				size += step[j*q+c] * step[j*q+c]
				length += x.At(j, c) * x.At(j, c)
			}
			// a correction as large as the solution, or one that does not shrink,
			// is noise
			if !(size < length) || round > 0 && !(size < before[c]/16) {
				before[c] = 0
				continue
			}
			before[c] = size
			moved = true
			for j := range p {
				x.Set(j, c, x.At(j, c)+step[j*q+c])
			}
		}
		if !moved {
			return nil
		}
	}
	return nil
}

// descent returns the p x q matrix a' w (b - a x).
func descent(ctx context.Context, a, b *mat.Dense, w []float64, x *mat.Dense) ([]float64, error) {
	_, p := a.Dims()
	_, q := b.Dims()
	coefficients := x.RawMatrix()
	return Pass(ctx, FromDense(a),
		func() []float64 { return make([]float64, p*q) },
		func(acc []float64, first int, block *mat.Dense) {
			raw := block.RawMatrix()
			rest := mat.DenseCopyOf(rowsOf(b, first, first+raw.Rows)).RawMatrix()
			gemm(1, false, false, raw.Rows, q, p, -1, raw.Data, raw.Stride, coefficients.Data, coefficients.Stride, 1, rest.Data, rest.Stride)
			for i := range raw.Rows {
				scale(weightAt(w, first+i), rest.Data[i*q:(i+1)*q])
			}
			gemm(1, true, false, p, q, raw.Rows, 1, raw.Data, raw.Stride, rest.Data, q, 1, acc, q)
		},
		func(into, from []float64) { axpy(1, from, into) })
}
