package elm

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
)

const (
	// worstCondition is the condition number of the normal equations up to which they are
	// used. They are solved for the change from where the fit stands, with the residuals
	// there, so their rounding error is relative to the change and fades with it.
	worstCondition = 1e10
	// exactCondition is where a single solve from zero is as good as a factorisation.
	exactCondition = 1e5
	// mostUnlike bounds the condition number with columns as long as they are: nodes that are
	// hardly ever on are no columns at all, which a factorisation finds.
	mostUnlike = 1e24
	// gramBytes bounds the Gram matrices that exist at once.
	gramBytes = 256 << 20
)

// kernels are called directly; gonum's own are left as they are.
var kernels fastblas.Implementation

// weighting gives the weight of entry (i, c) of the targets.
type weighting struct {
	w      []float64 // nil: ones
	k      int
	perRow bool
}

func (w weighting) at(i, c int) float64 {
	switch {
	case w.w == nil:
		return 1
	case w.perRow:
		return w.w[i]
	}
	return w.w[i*w.k+c]
}

// shared tells whether all outputs have the same weights.
func (w weighting) shared() bool { return w.w == nil || w.perRow || w.k == 1 }

// column returns the weights of output c for rows first to last-1; nil for ones.
func (w weighting) column(c, first, last int) []float64 {
	switch {
	case w.w == nil:
		return nil
	case w.perRow || w.k == 1:
		return w.w[first:last]
	}
	out := make([]float64, last-first)
	for i := range out {
		out[i] = w.w[(first+i)*w.k+c]
	}
	return out
}

// regression is weighted ridge regression of targets on the hidden layer.
type regression struct {
	h      *hidden
	t      *mat.Dense // n x k
	k      int
	lambda float64
	copies float64 // how often a row counts on average of those that do; 0: once
}

// errors writes t - H beta into e (rows of t from first on). beta nil: 0.
func (r *regression) errors(threads int, e *mat.Dense, first int, block, beta *mat.Dense) {
	rows, _ := block.Dims()
	e.Copy(r.t.Slice(first, first+rows, 0, r.k))
	if beta != nil {
		addProduct(threads, -1, block, beta, e)
	}
}

// normalSums are the right-hand sides H'W(T - H beta), L x k, of some rows, and for some outputs the Gram matrices H'WH
// (upper triangles).
type normalSums struct {
	rhs   *mat.Dense
	grams [][]float64
	e     *mat.Dense // room for the errors of a block
}

// smallGrams is how many numbers the Gram matrices have at most of which every core has its own. Larger ones are filled by all together.
const smallGrams = 1 << 18

// normal accumulates sums in one pass, Gram matrices for the outputs from c0 to c1-1.
func (r *regression) normal(ctx context.Context, beta *mat.Dense, w weighting, c0, c1 int) (rhs *mat.Dense, grams [][]float64, err error) {
	l := r.h.l
	fresh := func() *normalSums {
		s := &normalSums{rhs: mat.NewDense(l, r.k, nil)}
		for c := c0; c < c1; c++ {
			s.grams = append(s.grams, make([]float64, l*l))
		}
		return s
	}
	var sums *normalSums
	if r.h.kept != nil && (c1-c0)*l*l <= smallGrams {
		sums, err = linalg.Pass(ctx, linalg.FromDense(r.h.kept), fresh, func(s *normalSums, first int, block *mat.Dense) {
			r.add(1, s, first, block, beta, w, c0)
		}, (*normalSums).merge)
		if err != nil {
			return nil, nil, err
		}
		return sums.rhs, sums.grams, nil
	}
	sums = fresh()
	err = r.h.scan(ctx, func(first int, block *mat.Dense) error {
		r.add(linalg.Threads(), sums, first, block, beta, w, c0)
		return nil
	})
	return sums.rhs, sums.grams, err
}

// add adds the rows of a block, the first of which has number first.
func (r *regression) add(threads int, s *normalSums, first int, block, beta *mat.Dense, w weighting, c0 int) {
	rows, l := block.Dims()
	if s.e == nil { // no block is larger than the first
		s.e = mat.NewDense(rows, r.k, nil)
	}
	part := s.e.Slice(0, rows, 0, r.k).(*mat.Dense)
	r.errors(threads, part, first, block, beta)
	if w.w != nil {
		for i := range rows {
			row := part.RawRowView(i)
			for c := range row {
				row[c] *= w.at(first+i, c)
			}
		}
	}
	h, p, out := block.RawMatrix(), part.RawMatrix(), s.rhs.RawMatrix()
	if r.k == 1 {
		kernels.Dgemv(blas.Trans, rows, l, 1, h.Data, h.Stride, p.Data, p.Stride, 1, out.Data, out.Stride)
	} else {
		fastblas.Gemm(threads, true, false, l, r.k, rows, 1, h.Data, h.Stride, p.Data, p.Stride, 1, out.Data, out.Stride)
	}
	for c, gram := range s.grams {
		fastblas.WeightedGram(threads, rows, l, h.Data, h.Stride, w.column(c0+c, first, first+rows), nil, gram, l)
	}
}

func (s *normalSums) merge(from *normalSums) {
	s.rhs.Add(s.rhs, from.rhs)
	for c, gram := range s.grams {
		linalg.Axpy(1, from.grams[c], gram)
	}
}

// factor is the Cholesky factor of G + lambda I with columns brought to length one.
type factor struct {
	ridge     float64 // lambda
	scale     []float64
	chol      *linalg.Cholesky
	condition float64
}

func newFactor(gram []float64, l int, lambda float64) *factor {
	f := &factor{ridge: lambda, scale: make([]float64, l), condition: math.Inf(1)}
	for j := range f.scale {
		v := gram[j*l+j] + lambda
		if !(v > 0) || math.IsInf(v, 1) {
			return f
		}
		f.scale[j] = 1 / math.Sqrt(v)
	}
	for i := range l {
		row := gram[i*l : (i+1)*l]
		row[i] += lambda
		for j := i; j < l; j++ {
			row[j] *= f.scale[i] * f.scale[j]
		}
	}
	var ok bool
	if f.chol, ok = linalg.NewCholesky(mat.NewSymDense(l, gram)); ok {
		f.condition = f.chol.Cond()
	}
	if unlike := slices.Max(f.scale) / slices.Min(f.scale); lambda == 0 && !(f.condition*unlike*unlike < mostUnlike) {
		f.condition = math.Inf(1)
	}
	return f
}

// solve returns (G + lambda I)^-1 b.
func (f *factor) solve(b *mat.Dense) *mat.Dense {
	l, k := b.Dims()
	x := mat.NewDense(l, k, nil)
	for i := range l {
		for c := range k {
			x.Set(i, c, b.At(i, c)*f.scale[i])
		}
	}
	f.chol.Solve(x)
	for i := range l {
		for c := range k {
			x.Set(i, c, x.At(i, c)*f.scale[i])
		}
	}
	return x
}

// solve minimises sum w e^2 + lambda |beta|^2 from a state with good residuals (nil: 0).
// once asks for full accuracy in this single call; otherwise later calls will correct it.
func (r *regression) solve(ctx context.Context, from *mat.Dense, w weighting, once bool) (*mat.Dense, error) {
	w = w.alike()
	if r.h.n < r.h.l {
		return r.factorise(ctx, w)
	}
	if beta, err := r.together(ctx, from, w); beta != nil || err != nil {
		return beta, err
	}
	outputs := r.k
	if w.shared() {
		outputs = 1
	}
	beta := mat.NewDense(r.h.l, r.k, nil)
	group := max(1, gramBytes/(8*r.h.l*r.h.l))
	for c0 := 0; c0 < outputs; c0 += group {
		c1 := min(c0+group, outputs)
		rhs, grams, err := r.normal(ctx, from, w, c0, c1)
		if err != nil {
			return nil, err
		}
		for c := c0; c < c1; c++ {
			f := newFactor(grams[c-c0], r.h.l, r.lambda)
			grams[c-c0] = nil
			if !(f.condition < worstCondition) {
				return r.factorise(ctx, w)
			}
			first, last := c, c+1
			if w.shared() {
				last = r.k
			}
			if err := r.advance(ctx, beta, from, rhs, f, w, first, last, once); err != nil {
				return nil, err
			}
		}
	}
	return beta, nil
}

// advance writes outputs first to last-1 of from + (G + lambda I)^-1 (rhs - lambda from)
// into beta, and corrects them with their own residuals where a single solve is not exact.
func (r *regression) advance(ctx context.Context, beta, from, rhs *mat.Dense, f *factor, w weighting, first, last int, once bool) error {
	columns := func(m *mat.Dense) *mat.Dense { return m.Slice(0, r.h.l, first, last).(*mat.Dense) }
	to := columns(beta)
	for round := 0; ; round++ {
		right := mat.DenseCopyOf(columns(rhs))
		if from != nil && r.lambda != 0 {
			var pull mat.Dense
			pull.Scale(r.lambda, columns(from))
			right.Sub(right, &pull)
		}
		step := f.solve(right)
		size := mat.Norm(step, 2)
		if from != nil {
			step.Add(step, columns(from))
		}
		to.Copy(step)
		// what a further correction would bring is the condition times this one's rounding
		left := size * f.condition * 0x1p-52
		if !once || f.condition < exactCondition || round == 2 || left <= 1e-14*mat.Norm(step, 2) {
			return nil
		}
		from = beta
		var err error
		if rhs, _, err = r.normal(ctx, from, w, 0, 0); err != nil {
			return err
		}
	}
}

// factorise solves by orthogonal factorisation of [sqrt(W)H; sqrt(lambda)I].
func (r *regression) factorise(ctx context.Context, w weighting) (*mat.Dense, error) {
	outputs, width := r.k, 1
	if w.shared() {
		outputs, width = 1, r.k
	}
	beta := mat.NewDense(r.h.l, r.k, nil)
	for c := range outputs {
		t := r.t.Slice(0, r.h.n, c, c+width).(*mat.Dense)
		var x *mat.Dense
		var err error
		if r.h.kept != nil {
			x, err = r.h.ridge(ctx, t, w.column(c, 0, r.h.n), r.lambda)
		} else {
			sum := linalg.NewTSQR(r.h.l, width).Alike()
			err = r.h.scan(ctx, func(first int, block *mat.Dense) error {
				rows, _ := block.Dims()
				return sum.Add(block, t.Slice(first, first+rows, 0, width).(*mat.Dense), w.column(c, first, first+rows))
			})
			if err == nil {
				x, err = sum.Solve(r.lambda)
			}
		}
		if err != nil {
			return nil, err
		}
		beta.Slice(0, r.h.l, c, c+width).(*mat.Dense).Copy(x)
	}
	return beta, nil
}
