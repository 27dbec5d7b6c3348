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
	// directWork is the number of multiplications up to which least squares is solved by QR.
	directWork = 3e5
	// gradientTol is the residual, relative to the right-hand side, at which conjugate
	// gradients stop.
	gradientTol = 1e-10
	// gradientSteps bounds the steps of one solve.
	gradientSteps = 200
)

// inexact is the forcing of solves inside a reweighting or Newton's method, whose next
// step corrects what this one left: three hundredths, with which as many steps are taken as
// with full solves, less where more is asked of the end.
func inexact(tol float64) float64 { return min(3e-2, 3e4*tol) }

// importance is how much each residual of an n x k table counts: one weight per row, or
// one per element when rows is nil.
type importance struct {
	rows     []float64
	elements *mat.Dense
}

// mean is one weight per row.
func (w importance) mean() []float64 {
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
	gram    *mat.SymDense // inner products of the features of all rows, where they are at hand; nil: not
	stacked *mat.Dense    // a over sqrt(ridge) I, for QR
	factor  *linalg.Cholesky
	size    []float64 // squared sizes of the right-hand sides when the factor was made
	forcing float64   // conjugate gradients may stop when their residual fell to this part; 0: solve fully
	young   int       // steps that the first solve with the factor took
	tired   bool      // the last solve took so many steps that a new factor pays
	twins   bool      // two right-hand sides of opposite sign, with equal weights: the second solution is the first one's negative
	forced  string    // "qr" or "cg" whatever the size, for tests
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
	work := float64(n) * float64(p) * float64(p)
	if w.rows == nil {
		work *= float64(k)
	}
	if s.forced == "qr" || (s.forced == "" && work <= directWork) {
		return s.direct(ctx, start, residual, w)
	}
	if s.gram != nil && w.rows != nil && s.forced == "" {
		if theta := s.kernelRidge(ctx, start, residual, w.rows); theta != nil {
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
	done := make([]bool, k)
	steps := 0
	for ; steps < gradientSteps; steps++ {
		left := false
		for l := range k {
			done[l] = done[l] || !(rho[l] > enough[l])
			left = left || !done[l]
		}
		if !left {
			break
		}
		image, err := s.normal(ctx, direction, w)
		if err != nil {
			return nil, err
		}
		curvature := columnDots(direction, image)
		for l := range k {
			if done[l] || !(curvature[l] > 0) {
				done[l] = true
				continue
			}
			t := rho[l] / curvature[l]
			for j := range p {
				theta.Set(j, l, theta.At(j, l)+t*direction.At(j, l))
				r.Set(j, l, r.At(j, l)-t*image.At(j, l))
			}
		}
		q := s.soften(r)
		next := columnDots(r, q)
		for l := range k {
			if done[l] {
				continue
			}
			for j := range p {
				direction.Set(j, l, q.At(j, l)+next[l]/rho[l]*direction.At(j, l))
			}
		}
		for l := range k {
			if !done[l] {
				rho[l] = next[l]
			}
		}
	}
	if fresh {
		s.young = max(steps, 3)
	}
	// A new factor costs about n p^2, a step about 4 n p k.
	s.tired = steps > 2*s.young && 4*steps*k > p/2
	return theta, nil
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
	n, p := s.a.Dims()
	raw := s.a.RawMatrix()
	gram := mat.NewSymDense(p, nil)
	to := gram.RawSymmetric()
	fastblas.WeightedGram(linalg.Threads(), n, p, raw.Data, raw.Stride, w, nil, to.Data, to.Stride)
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

// scores returns a theta.
func (s *system) scores(theta *mat.Dense) *mat.Dense {
	n, p := s.a.Dims()
	_, k := theta.Dims()
	out := mat.NewDense(n, k, nil)
	x, y := s.a.RawMatrix(), theta.RawMatrix()
	fastblas.Gemm(linalg.Threads(), false, false, n, k, p, 1, x.Data, x.Stride, y.Data, y.Stride, 0, out.RawMatrix().Data, k)
	return out
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
