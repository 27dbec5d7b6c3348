package elm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// Nodes are much alike, and their products have lost what tells them apart. The triangular factor R of the sample's
// weighted nodes with the penalty, R'R = H'WH + lambda I, makes axes H R^-1 in which the products of all rows are nearly I, whatever
// the singular values: there sums keep their digits, and steps are solved.
type axes struct {
	nodes   int
	inverse *mat.Dense // R^-1
	apart   *mat.Dense // R^-T R^-1: what the penalty is along the axes
	from    float64    // the penalty in R
	direct  bool       // products of the nodes themselves are good enough, and three times cheaper
}

// directPenalty is the penalty, in parts of the largest product, from which on products of the nodes themselves are.
const directPenalty = 1e-8

// newAxes makes the axes from the sample, whose rows, as often as they count (nil: once), stand for so many each.
func newAxes(m *Model, x *mat.Dense, counts []float64, each float64) (*axes, error) {
	n, _ := x.Dims()
	l, _ := m.layer.dims()
	a := &axes{nodes: l, inverse: mat.NewDense(l, l, nil), apart: mat.NewDense(l, l, nil), from: m.lambda}
	w := m.Weights()
	for i := range w {
		w[i] *= each * weighting{w: counts, k: 1}.at(i, 0)
		if m.robust && m.largest > 0 {
			w[i] *= m.largest
		}
	}
	sum := linalg.NewTSQR(l, 1)
	scaled, h := m.inputs.apply(x), mat.NewDense(lookRows, l, nil)
	largest := 0.0
	for first := 0; first < n; first += lookRows {
		last := min(first+lookRows, n)
		part := h.Slice(0, last-first, 0, l).(*mat.Dense)
		_, d := scaled.Dims()
		m.layer.outputs(part, scaled.Slice(first, last, 0, d).(*mat.Dense))
		if err := sum.Add(part, mat.NewDense(last-first, 1, nil), w[first:last]); err != nil {
			return nil, err
		}
		for i := first; i < last; i++ {
			largest += w[i] * squaredRow(part, i-first) // trace: as large as the largest value, and at most so many times larger
		}
	}
	penalty := mat.NewDense(l, l, nil)
	for j := range l {
		penalty.Set(j, j, math.Sqrt(a.from))
		a.inverse.Set(j, j, 1)
	}
	if err := sum.Add(penalty, mat.NewDense(l, 1, nil), nil); err != nil {
		return nil, err
	}
	r := sum.R()
	longest := 0.0
	for j := range l {
		longest = math.Max(longest, math.Abs(r.At(j, j)))
	}
	for j := range l {
		if least := 0x1p-50 * longest; math.Abs(r.At(j, j)) < least { // the penalty is lost to rounding
			r.Set(j, j, least)
		}
	}
	raw, to := r.RawMatrix(), a.inverse.RawMatrix()
	kernels.Dtrsm(blas.Left, blas.Upper, blas.NoTrans, blas.NonUnit, l, l, 1, raw.Data, raw.Stride, to.Data, to.Stride)
	linalg.Mul(a.apart, a.inverse.T(), a.inverse)
	a.direct = a.from > directPenalty*largest
	return a, nil
}

// products are those of the nodes along the axes, matrix g of a reading.
func (b *many) products(now *look, g int) *mat.Dense {
	l := b.nodes
	c := mat.NewDense(l, l, now.Grams[g*l*l:(g+1)*l*l])
	for i := range l {
		for j := range i {
			c.Set(i, j, c.At(j, i))
		}
	}
	if !b.direct {
		return c
	}
	half, out := mat.NewDense(l, l, nil), mat.NewDense(l, l, nil)
	linalg.Mul(half, c, b.inverse)
	linalg.Mul(out, b.inverse.T(), half)
	return out
}

// equations are those of a step with products c, at a penalty, and their factor; nil where that is no good.
func (b *many) equations(c *mat.Dense, lambda float64) (*mat.SymDense, *linalg.Cholesky) {
	l := b.nodes
	sym := mat.NewSymDense(l, nil)
	for i := range l {
		for j := i; j < l; j++ {
			sym.SetSym(i, j, (c.At(i, j)+c.At(j, i))/2+lambda*b.axes.apart.At(i, j))
		}
	}
	f, ok := linalg.NewCholesky(sym)
	if !ok || !(f.Cond() < worstCondition) {
		return sym, nil
	}
	return sym, f
}

// leastBend is the least curvature along the axes, where that of the sample is 1, by which a step is divided.
const leastBend = 0.05

// upwards is the factor of equations in which what bends downwards bends upwards as much: losses that level off do, at rows
// that the sample does not know, and a step by such equations leads up.
func upwards(ctx context.Context, sym *mat.SymDense) *linalg.Cholesky {
	values, vectors, err := linalg.SymEigen(ctx, sym)
	if err != nil {
		return nil
	}
	l := len(values)
	scaled, product := mat.NewDense(l, l, nil), mat.NewDense(l, l, nil)
	for i := range l {
		for j, v := range values {
			scaled.Set(i, j, vectors.At(i, j)*math.Max(math.Abs(v), leastBend))
		}
	}
	linalg.Mul(product, scaled, vectors.T())
	for i := range l {
		for j := i; j < l; j++ {
			sym.SetSym(i, j, (product.At(i, j)+product.At(j, i))/2)
		}
	}
	f, ok := linalg.NewCholesky(sym)
	if !ok {
		return nil
	}
	return f
}

// factors of the equations of a reading; nil ones where they are no good.
func (b *many) factors(ctx context.Context, now *look) (out []*linalg.Cholesky) {
	for g := range b.grams() {
		sym, f := b.equations(b.products(now, g), b.m.lambda)
		if f == nil && b.robust {
			f = upwards(ctx, sym)
		}
		out = append(out, f)
	}
	now.Grams = nil
	return out
}

// right are the right-hand sides along the axes, at the output weights of a reading.
func (b *many) right(now *look) *mat.Dense {
	l, k := b.nodes, b.k
	pull, out := mat.NewDense(l, k, nil), mat.NewDense(l, k, nil)
	rhs := mat.NewDense(l, k, now.Rhs)
	pull.Scale(-b.m.lambda, now.beta)
	if b.direct {
		pull.Add(pull, rhs)
	}
	linalg.Mul(out, b.inverse.T(), pull)
	if !b.direct {
		out.Add(out, rhs)
	}
	return out
}

// safe is the part of a step of reweighting that is taken where equations are those of the sample alone.
const safe = 0.7

// step is where the output weights go, and how far the outputs are moved by that: the root of the mean of squares.
func (b *many) step(now *look, with []*linalg.Cholesky) (beta *mat.Dense, moved float64) {
	right := b.right(now)
	delta := mat.DenseCopyOf(right)
	sum := 0.0
	for c := range b.k {
		column := delta.Slice(0, b.nodes, c, c+1).(*mat.Dense)
		g := c
		if g >= len(with) {
			g = 0
		}
		if len(with) == 0 || with[g] == nil {
			column.Scale(safe, column)
		} else {
			one := mat.DenseCopyOf(column)
			with[g].Solve(one)
			column.Copy(one)
		}
		for j := range b.nodes {
			sum += delta.At(j, c) * right.At(j, c)
		}
	}
	out := mat.NewDense(b.nodes, b.k, nil)
	linalg.Mul(out, b.inverse, delta)
	out.Add(out, now.beta)
	entries := b.total
	if b.PerRow {
		entries *= float64(b.k)
	}
	return out, math.Sqrt(math.Abs(sum) / entries)
}

// tune chooses an open penalty by generalised cross-validation with all rows, and counts the degrees of freedom. With
// A = C + lambda0 B = LL' along the axes, the eigenvalues of L^-1 C L^-T are m = v/(v + lambda0), where v are those of H'WH: they tell
// small v as well as large ones.
func (b *many) tune(ctx context.Context, now *look) {
	l := b.nodes
	b.used, b.of = float64(l), math.Max(now.Counted, 1)
	mean := b.products(now, 0)
	for g := 1; g < b.grams(); g++ {
		mean.Add(mean, b.products(now, g))
	}
	mean.Scale(1/float64(b.grams()), mean)
	_, f := b.equations(mean, b.from)
	if f == nil {
		return
	}
	lower, half, whole := f.InverseLower(), mat.NewDense(l, l, nil), mat.NewDense(l, l, nil)
	linalg.Mul(half, lower, mean)
	linalg.Mul(whole, half, lower.T())
	sym := mat.NewSymDense(l, nil)
	for i := range l {
		for j := i; j < l; j++ {
			sym.SetSym(i, j, (whole.At(i, j)+whole.At(j, i))/2)
		}
	}
	parts, vectors, err := linalg.SymEigen(ctx, sym)
	if err != nil {
		return
	}
	full := 1.0
	if b.robust && b.m.largest > 0 {
		full = b.m.largest
	}
	// Targets along the axes: H'W t = H'W e + H'WH beta.
	lambda := b.m.lambda
	b.m.lambda = 0
	right := b.right(now)
	b.m.lambda = lambda
	along, image := b.along(now.beta), mat.NewDense(l, b.k, nil)
	linalg.Mul(image, mean, along)
	square := now.Rest
	for c := range b.k {
		for j := range l {
			square += (2*right.At(j, c) + image.At(j, c)) * along.At(j, c)
		}
	}
	right.Add(right, image)
	turned, z := mat.NewDense(l, b.k, nil), mat.NewDense(l, b.k, nil)
	linalg.Mul(turned, lower, right)
	linalg.Mul(z, vectors.T(), turned)
	s := &spectrum{rows: b.of, outside: square / full}
	for i, m := range parts {
		if m = math.Min(m, 1-0x1p-50); m <= 1e-12 {
			break
		}
		v := b.from * m / (1 - m)
		inside := squaredRow(z, i) / m / full // squared targets along the left singular vector
		s.values, s.inside = append(s.values, v/full), append(s.inside, inside)
		s.outside -= inside
	}
	if len(s.values) == 0 {
		return
	}
	s.outside = math.Max(s.outside, 1e-13*square/full)
	s.lowest = 1e-4 * b.from / full / s.values[0]
	if b.Lambda > 0 && b.used <= littleFreedom*b.of {
		return
	}
	if b.Lambda == 0 {
		b.m.lambda = s.choose(mostFreedom) * full
	}
	b.used = s.freedom(b.m.lambda / full)
}

// along is what output weights are along the axes: R beta.
func (b *many) along(beta *mat.Dense) *mat.Dense {
	out := mat.DenseCopyOf(beta)
	raw, to := b.inverse.RawMatrix(), out.RawMatrix()
	kernels.Dtrsm(blas.Left, blas.Upper, blas.NoTrans, blas.NonUnit, b.nodes, b.k, 1, raw.Data, raw.Stride, to.Data, to.Stride)
	return out
}
