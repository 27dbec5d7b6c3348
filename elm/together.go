package elm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
)

const (
	// togetherSteps is the number of steps of conjugate gradients within which outputs with weights of their own must be solved
	// together, or each gets normal equations of its own.
	togetherSteps = 30
	// togetherPart is the part of the right-hand side, in the norm of the preconditioner, at which they end: the change is what
	// is solved for, and the next reweighting corrects what is left of it.
	togetherPart = 1e-8
	// togetherNodes is the number of nodes from which on it pays: equations of an output cost as much as a quarter of the
	// nodes' number of steps.
	togetherNodes = 8 * togetherSteps
)

// alike is the weighting with one weight per row where all outputs of a row have the same, as those of two classes do.
func (w weighting) alike() weighting {
	if w.shared() {
		return w
	}
	rows := make([]float64, len(w.w)/w.k)
	for i := range rows {
		entries := w.w[i*w.k : (i+1)*w.k]
		rows[i] = entries[0]
		for _, v := range entries {
			if v != rows[i] {
				return w
			}
		}
	}
	return weighting{w: rows, k: w.k, perRow: true}
}

// mean has for every row the mean of its weights.
func (w weighting) mean() weighting {
	rows := make([]float64, len(w.w)/w.k)
	for i, v := range w.w {
		rows[i/w.k] += v / float64(w.k)
	}
	return weighting{w: rows, k: w.k, perRow: true}
}

// together solves for all outputs at once where their weights differ in few rows: by conjugate gradients whose preconditioner is the factor
// of the normal equations with the mean weights of the rows, one for all. It returns nil where these are no good for that.
func (r *regression) together(ctx context.Context, from *mat.Dense, w weighting) (*mat.Dense, error) {
	if w.shared() || r.k < 4 || r.h.l < togetherNodes {
		return nil, nil
	}
	_, grams, err := r.normal(ctx, from, w.mean(), 0, 1)
	if err != nil {
		return nil, err
	}
	f := newFactor(grams[0], r.h.l, r.lambda)
	if !(f.condition < worstCondition) {
		return nil, nil
	}
	left, _, err := r.normal(ctx, from, w, 0, 0)
	if err != nil {
		return nil, err
	}
	beta := mat.NewDense(r.h.l, r.k, nil)
	if from != nil {
		beta.Copy(from)
		addScaled(left, -r.lambda, from)
	}
	direction := f.solve(left)
	rho := dots(left, direction)
	enough := make([]float64, r.k)
	for c, v := range rho {
		enough[c] = togetherPart * togetherPart * v
	}
	for range togetherSteps {
		done := true
		for c, v := range rho {
			done = done && !(v > enough[c])
		}
		if done {
			return beta, nil
		}
		image, err := r.image(ctx, direction, w)
		if err != nil {
			return nil, err
		}
		forward := dots(direction, image)
		for c, v := range forward {
			if forward[c] = 0; rho[c] > enough[c] && v > 0 {
				forward[c] = rho[c] / v
			}
		}
		for j := range r.h.l {
			b, d, g, q := beta.RawRowView(j), direction.RawRowView(j), left.RawRowView(j), image.RawRowView(j)
			for c, t := range forward {
				b[c] += t * d[c]
				g[c] -= t * q[c]
			}
		}
		next := f.solve(left)
		now := dots(left, next)
		for j := range r.h.l {
			to, d := next.RawRowView(j), direction.RawRowView(j)
			for c := range to {
				if rho[c] > 0 {
					to[c] += now[c] / rho[c] * d[c]
				}
			}
		}
		direction, rho = next, now
	}
	return nil, nil
}

// image is (H'WH + lambda I) v, output by output.
func (r *regression) image(ctx context.Context, v *mat.Dense, w weighting) (*mat.Dense, error) {
	l := r.h.l
	out, room := mat.NewDense(l, r.k, nil), make([]float64, min(blockRows, r.h.n)*r.k)
	to, d := out.RawMatrix(), v.RawMatrix()
	err := r.h.scan(ctx, func(first int, block *mat.Dense) error {
		h := block.RawMatrix()
		fastblas.Gemm(linalg.Threads(), false, false, h.Rows, r.k, l, 1, h.Data, h.Stride, d.Data, d.Stride, 0, room, r.k)
		for i, x := range w.w[first*r.k : (first+h.Rows)*r.k] {
			room[i] *= x
		}
		fastblas.Gemm(linalg.Threads(), true, false, l, r.k, h.Rows, 1, h.Data, h.Stride, room, r.k, 1, to.Data, to.Stride)
		return nil
	})
	addScaled(out, r.lambda, v)
	return out, err
}

// addScaled adds f times x to y.
func addScaled(y *mat.Dense, f float64, x *mat.Dense) {
	rows, _ := y.Dims()
	for j := range rows {
		linalg.Axpy(f, x.RawRowView(j), y.RawRowView(j))
	}
}

// dots are the inner products of the columns of two matrices; none is negative but by rounding.
func dots(a, b *mat.Dense) []float64 {
	rows, k := a.Dims()
	out := make([]float64, k)
	for j := range rows {
		x, y := a.RawRowView(j), b.RawRowView(j)
		for c, v := range x {
			out[c] += v * y[c]
		}
	}
	for c, v := range out {
		out[c] = math.Max(v, 0)
	}
	return out
}
