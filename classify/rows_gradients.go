package classify

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
)

const (
	// nearFeatures is the most features that stand for the kernel in the preconditioner.
	nearFeatures = 128
	// hardSteps is the number of steps from which a Cholesky factor of all rows is the better way.
	hardSteps = 80
)

// kernelGradients solves the kernel's equations by conjugate gradients that keep sum c = 0, for all right-hand sides at once: a
// step is one product with the kernel. The preconditioner has Nystrom features F of
// some rows in place of the kernel, ridge I + S F F' S, so that what is left of the condition is the
// kernel's part beyond them over the ridge, whatever the weights.
func (s *system) kernelGradients(ctx context.Context, start, residual *mat.Dense, w importance) (*mat.Dense, error) {
	n, _ := s.a.Dims()
	_, k := residual.Dims()
	root := mat.NewDense(n, k, nil)
	for i := range n {
		row := root.RawRowView(i)
		for l := range row {
			row[l] = 1
		}
		w.scale(i, row)
		for l, v := range row {
			row[l] = math.Sqrt(v)
		}
	}
	soft := s.kernelPreconditioner(root, w.rows != nil)
	z, r := s.kernelStart(start, residual, root)
	offset := make([]float64, k)
	soften := func(r *mat.Dense) *mat.Dense { return soft.apply(r, offset) }
	direction := soften(r)
	rho := columnDots(r, direction)
	if len(s.size) != k {
		s.size = make([]float64, k)
	}
	enough := make([]float64, k)
	for l := range k {
		s.size[l] = max(s.size[l], rho[l])
		enough[l] = max(gradientTol*gradientTol*s.size[l], s.forcing*s.forcing*rho[l])
	}
	moved, image := mat.NewDense(n, k, nil), mat.NewDense(n, k, nil)
	steps, err := conjugate(z, r, direction, rho, enough, soften, func(direction *mat.Dense) (*mat.Dense, error) {
		moved.MulElem(root, direction)
		s.spread(image, moved)
		image.MulElem(root, image)
		addScaled(image, s.ridge, direction)
		return image, ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	s.hard = s.hard || steps > hardSteps
	theta := mat.NewDense(n+1, k, nil)
	theta.Slice(0, n, 0, k).(*mat.Dense).MulElem(root, z)
	for l, b := range offset {
		theta.Set(n, l, start.At(n, l)+b)
	}
	return theta, nil
}

// kernelStart is the start z and what it leaves of the right-hand side, S (t - b - K c) - ridge z for the intercept b
// of the start. Coefficients of rows that lost weight shrink with it, since c = w (t - f) / ridge in the end.
func (s *system) kernelStart(start, residual, root *mat.Dense) (z, r *mat.Dense) {
	n, k := root.Dims()
	z, r = mat.NewDense(n, k, nil), mat.DenseCopyOf(residual)
	change := mat.NewDense(n, k, nil) // from what stands in z to the start
	changed := false
	for l := range k {
		sum, total := 0.0, 0.0
		for i := range n {
			w := root.At(i, l) * root.At(i, l)
			most := 2 * w * max(1, math.Abs(residual.At(i, l))) / s.ridge
			v := min(max(start.At(i, l), -most), most)
			z.Set(i, l, v)
			sum += v
			total += w
		}
		for i := range n {
			v := z.At(i, l)
			if root.At(i, l) > 0 {
				v -= sum / total * root.At(i, l) * root.At(i, l)
				z.Set(i, l, v/root.At(i, l))
			}
			if d := start.At(i, l) - v; math.Abs(d) > 1e-14*math.Abs(v) {
				change.Set(i, l, d)
				changed = true
			}
		}
	}
	if changed {
		far := mat.NewDense(n, k, nil)
		s.spread(far, change)
		r.Add(r, far)
	}
	r.MulElem(root, r)
	addScaled(r, -s.ridge, z)
	return z, r
}

// spread is the product with the kernel.
func (s *system) spread(dst, c *mat.Dense) {
	n, k := c.Dims()
	x, y := s.a.RawMatrix(), c.RawMatrix()
	fastblas.Gemm(linalg.Threads(), false, false, n, k, n, 1, x.Data, x.Stride, y.Data, y.Stride, 0, dst.RawMatrix().Data, k)
}

// softened is the preconditioner of kernelGradients.
type softened struct {
	ridge  float64
	near   *mat.Dense         // n x m
	root   *mat.Dense         // n x k
	inner  []*linalg.Cholesky // of ridge I + F'WF, for each right-hand side
	steady *mat.Dense         // what it makes of S 1
	along  []float64          // its product with S 1
}

// kernelPreconditioner makes it for weights with these roots, which all right-hand sides may share.
func (s *system) kernelPreconditioner(root *mat.Dense, shared bool) *softened {
	n, k := root.Dims()
	if s.near == nil {
		s.near = nearKernel(s.a, min(nearFeatures, n/4+1))
	}
	_, m := s.near.Dims()
	out := &softened{ridge: s.ridge, near: s.near, root: root, inner: make([]*linalg.Cholesky, k)}
	apart := k
	if shared {
		apart = 1
	}
	linalg.Parallel(apart, func(l int) {
		weights := make([]float64, n)
		for i := range weights {
			weights[i] = root.At(i, l) * root.At(i, l)
		}
		gram := mat.NewSymDense(m, nil)
		raw, to := s.near.RawMatrix(), gram.RawSymmetric()
		fastblas.WeightedGram(1, n, m, raw.Data, raw.Stride, weights, nil, to.Data, to.Stride)
		for j := range m {
			to.Data[j*to.Stride+j] += s.ridge
		}
		if factor, ok := linalg.NewCholesky(gram); ok {
			out.inner[l] = factor
		}
	})
	for l := apart; l < k; l++ {
		out.inner[l] = out.inner[0]
	}
	steady := mat.DenseCopyOf(root)
	out.solve(steady)
	out.steady, out.along = steady, columnDots(root, steady)
	return out
}

// solve overwrites v with the solution of (ridge I + S F F' S) x = v; without a factor of its inner part with v over the ridge.
func (p *softened) solve(v *mat.Dense) {
	n, k := v.Dims()
	_, m := p.near.Dims()
	scaled := mat.NewDense(n, k, nil)
	scaled.MulElem(p.root, v)
	f, x := p.near.RawMatrix(), scaled.RawMatrix()
	inner := mat.NewDense(m, k, nil)
	to := inner.RawMatrix()
	fastblas.Gemm(linalg.Threads(), true, false, m, k, n, 1, f.Data, f.Stride, x.Data, x.Stride, 0, to.Data, to.Stride)
	column := mat.NewDense(m, 1, nil)
	for l, factor := range p.inner {
		if factor == nil {
			column.Zero()
		} else {
			column.Copy(inner.Slice(0, m, l, l+1))
			factor.Solve(column)
		}
		inner.Slice(0, m, l, l+1).(*mat.Dense).Copy(column)
	}
	fastblas.Gemm(linalg.Threads(), false, false, n, k, m, 1, f.Data, f.Stride, to.Data, to.Stride, 0, x.Data, x.Stride)
	scaled.MulElem(p.root, scaled)
	addScaled(v, -1, scaled)
	v.Scale(1/p.ridge, v)
}

// apply is the preconditioned residual within sum c = 0. The residual is left with the intercept, added to
// the offset, that leaves least of it: sums of large parts that cancel would lose its last digits.
func (p *softened) apply(r *mat.Dense, offset []float64) *mat.Dense {
	for l, b := range columnDots(p.steady, r) {
		if p.along[l] > 0 {
			b /= p.along[l]
			addColumn(r, l, -b, p.root)
			offset[l] += b
		}
	}
	out := mat.DenseCopyOf(r)
	p.solve(out)
	for l, b := range columnDots(p.root, out) {
		if p.along[l] > 0 {
			addColumn(out, l, -b/p.along[l], p.steady)
		}
	}
	return out
}

// nearKernel are Nystrom features of the kernel's rows by m of them.
func nearKernel(a *mat.Dense, m int) *mat.Dense {
	n, _ := a.Dims()
	picked := random.New(0, "kernel preconditioner").Perm(n)[:m]
	gram, columns := mat.NewSymDense(m, nil), mat.NewDense(n, m, nil)
	for i := range n {
		from, to := a.RawRowView(i), columns.RawRowView(i)
		for j, row := range picked {
			to[j] = from[row]
		}
	}
	for at, i := range picked {
		for b := at; b < m; b++ {
			gram.SetSym(at, b, columns.At(i, b))
		}
		gram.SetSym(at, at, gram.At(at, at)*(1+1e-8)+1e-8)
	}
	factor, ok := linalg.NewCholesky(gram)
	if !ok {
		return mat.NewDense(n, 1, nil) // no help, no harm
	}
	out := mat.NewDense(n, m, nil)
	linalg.Mul(out, columns, factor.InverseLower().T())
	return out
}

// addScaled adds f times x to y.
func addScaled(y *mat.Dense, f float64, x *mat.Dense) {
	a, b := y.RawMatrix().Data, x.RawMatrix().Data
	for i, v := range b {
		a[i] += f * v
	}
}

// addColumn adds f times column l of x to that of y.
func addColumn(y *mat.Dense, l int, f float64, x *mat.Dense) {
	to, from := y.RawMatrix(), x.RawMatrix()
	for i := range from.Rows {
		to.Data[i*to.Stride+l] += f * from.Data[i*from.Stride+l]
	}
}
