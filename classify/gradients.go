package classify

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
	"github.com/inlier-ml/inlier/refusal"
)

const (
	// gradientTol is the residual, relative to the right-hand side, at which conjugate
	// gradients stop.
	gradientTol = 1e-10
	// gradientSteps bounds the steps of one solve.
	gradientSteps = 200
)

// iterate solves for the change of theta by preconditioned conjugate gradients.
func (s *system) iterate(ctx context.Context, start, residual *mat.Dense, w importance) (*mat.Dense, error) {
	_, p := s.a.Dims()
	_, k := residual.Dims()
	fresh := s.factor == nil || s.tired
	if fresh {
		if err := s.precondition(w.mean()); err != nil {
			return nil, err
		}
	}
	r, err := s.pull(ctx, residual, w)
	if err != nil {
		return nil, err
	}
	s.addPenalty(r, start, -1)
	theta := mat.DenseCopyOf(start)
	direction := s.soften(r)
	rho := columnDots(r, direction)
	if fresh {
		if err := s.measure(ctx, start, r, w); err != nil {
			return nil, err
		}
	}
	enough := make([]float64, k)
	for l := range enough {
		enough[l] = max(gradientTol*gradientTol*s.size[l], s.forcing*s.forcing*rho[l])
	}
	steps, err := conjugate(theta, r, direction, rho, enough, s.soften, func(direction *mat.Dense) (*mat.Dense, error) {
		return s.normal(ctx, direction, w)
	})
	if err != nil {
		return nil, err
	}
	if fresh {
		s.young = max(steps, 3)
	}
	// A new factor costs about n p^2, a step about 4 n p k.
	s.tired = steps > 2*s.young && 4*steps*k > p/2
	return theta, nil
}

// conjugate makes steps of conjugate gradients for all right-hand sides at once, each until rho, what is left of it in the norm of
// the preconditioner, is at most enough. theta moves towards the solution along the direction, r to what is left. image
// is the product of the equations with a direction, soften the preconditioner. It returns the number of steps.
func conjugate(theta, r, direction *mat.Dense, rho, enough []float64, soften func(r *mat.Dense) *mat.Dense,
	image func(direction *mat.Dense) (*mat.Dense, error)) (int, error) {
	done := make([]bool, len(rho))
	for steps := range gradientSteps {
		left := false
		for l := range done {
			done[l] = done[l] || !(rho[l] > enough[l])
			left = left || !done[l]
		}
		if !left {
			return steps, nil
		}
		moved, err := image(direction)
		if err != nil {
			return steps, err
		}
		curvature := columnDots(direction, moved)
		for l := range done {
			if done[l] || !(curvature[l] > 0) {
				done[l] = true
				continue
			}
			t := rho[l] / curvature[l]
			addColumn(theta, l, t, direction)
			addColumn(r, l, -t, moved)
		}
		next := soften(r)
		now := columnDots(r, next)
		for l := range done {
			if !done[l] {
				addColumn(next, l, now[l]/rho[l], direction)
				rho[l] = now[l]
			}
		}
		direction = next
	}
	return gradientSteps, nil
}

// measure finds how large the right-hand sides a'W t are, in the norm of the
// preconditioner: what a residual is small against. r is the gradient at start.
func (s *system) measure(ctx context.Context, start, r *mat.Dense, w importance) error {
	b, err := s.normal(ctx, start, w)
	if err != nil {
		return err
	}
	b.Add(b, r)
	s.size = columnDots(b, s.soften(b))
	return nil
}

// addPenalty adds sign * ridge * theta to r, except for the intercepts.
func (s *system) addPenalty(r, theta *mat.Dense, sign float64) {
	p, _ := r.Dims()
	for j := range p - 1 {
		row, from := r.RawRowView(j), theta.RawRowView(j)
		for l := range row {
			row[l] += sign * s.ridge * from[l]
		}
	}
}

// precondition factors the normal equations with one weight per row.
func (s *system) precondition(w []float64) error {
	_, p := s.a.Dims()
	gram := mat.NewSymDense(p, nil)
	linalg.AddGram(gram, s.a, w)
	trace := 0.0
	for j := range p {
		if j < p-1 {
			gram.SetSym(j, j, gram.At(j, j)+s.ridge)
		}
		trace += gram.At(j, j)
	}
	if math.IsNaN(trace) || math.IsInf(trace, 0) {
		return refusal.Data("features or weights are not finite")
	}
	for extra := 1e-15 * trace; ; extra *= 10 {
		var ok bool
		if s.factor, ok = linalg.NewCholesky(gram); ok {
			break
		}
		if extra > trace {
			s.factor = nil
			return refusal.Data("the normal equations have no Cholesky factor")
		}
		for j := range p {
			gram.SetSym(j, j, gram.At(j, j)+extra)
		}
	}
	return nil
}

// soften applies the preconditioner.
func (s *system) soften(r *mat.Dense) *mat.Dense {
	out := mat.DenseCopyOf(r)
	s.factor.Solve(out)
	return out
}

// sum is an accumulator of a pass: a (m+1) x k sum and room for a block's products.
type sum struct {
	total []float64
	room  []float64
}

// normal returns a'W a v + ridge v, in one pass.
func (s *system) normal(ctx context.Context, v *mat.Dense, w importance) (*mat.Dense, error) {
	_, p := s.a.Dims()
	_, k := v.Dims()
	from := v.RawMatrix()
	out, err := s.pass(ctx, k, func(acc *sum, first int, block *mat.Dense) {
		raw := block.RawMatrix()
		fastblas.Gemm(1, false, false, raw.Rows, k, p, 1, raw.Data, raw.Stride, from.Data, from.Stride, 0, acc.room, k)
		for i := range raw.Rows {
			w.scale(first+i, acc.room[i*k:(i+1)*k])
		}
		fastblas.Gemm(1, true, false, p, k, raw.Rows, 1, raw.Data, raw.Stride, acc.room, k, 1, acc.total, k)
	})
	if err != nil {
		return nil, err
	}
	s.addPenalty(out, v, 1)
	return out, nil
}

// pull returns a'W r.
func (s *system) pull(ctx context.Context, r *mat.Dense, w importance) (*mat.Dense, error) {
	_, p := s.a.Dims()
	_, k := r.Dims()
	return s.pass(ctx, k, func(acc *sum, first int, block *mat.Dense) {
		raw := block.RawMatrix()
		for i := range raw.Rows {
			row := acc.room[i*k : (i+1)*k]
			copy(row, r.RawRowView(first+i))
			w.scale(first+i, row)
		}
		fastblas.Gemm(1, true, false, p, k, raw.Rows, 1, raw.Data, raw.Stride, acc.room, k, 1, acc.total, k)
	})
}

// pass sums (m+1) x k matrices over blocks of rows.
func (s *system) pass(ctx context.Context, k int, add func(acc *sum, first int, block *mat.Dense)) (*mat.Dense, error) {
	_, p := s.a.Dims()
	acc, err := linalg.Pass(ctx, linalg.FromDense(s.a),
		func() *sum { return &sum{total: make([]float64, p*k)} },
		func(acc *sum, first int, block *mat.Dense) {
			if rows, _ := block.Dims(); len(acc.room) < rows*k {
				acc.room = make([]float64, rows*k)
			}
			add(acc, first, block)
		},
		func(into, from *sum) {
			for i, v := range from.total {
				into.total[i] += v
			}
		})
	if err != nil {
		return nil, err
	}
	return mat.NewDense(p, k, acc.total), nil
}

// columnDots returns the inner products of the columns of two matrices.
func columnDots(a, b *mat.Dense) []float64 {
	p, k := a.Dims()
	out := make([]float64, k)
	for j := range p {
		x, y := a.RawRowView(j), b.RawRowView(j)
		for l, v := range x {
			out[l] += v * y[l]
		}
	}
	return out
}
