package tensor

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
)

// Norm is how the error of one image in NPP2D is measured.
type Norm string

// The norms of an error matrix E W.
const (
	Nuclear Norm = "nuclear" // sum of singular values: n-2dnpp
	Sparse  Norm = "l21"     // sum of the norms of its rows: s-2dnpp
)

// NPP2D is a two-dimensional neighbourhood preserving projection: images that their
// neighbours describe well should still be described by them after reduction of their
// columns. It is built from the definition, because the paper that corr-tensor cites for it
// (Zhang et al. 2017) was not at hand; that paper's further penalty terms on the projection
// itself are left out.
//
// With weights c_ij that describe X_i by its nearest neighbours (the least squares weights
// of locally linear embedding, adding up to one) and E_i = X_i - sum_j c_ij X_j, the
// projection W of the second mode minimises
//
//	sum_i ||E_i W||   subject to   W' (sum_i (X_i - mean)'(X_i - mean)) W = I
//
// in the nuclear norm or the L2,1 norm, each smoothed below a tenth of its mean term at the
// start. Both are solved by reweighting: for the nuclear norm with the matrix
// (E_i W W' E_i' + eps I)^(-1/2) beside E_i, for the L2,1 norm with one weight per row. The
// span of W is then given an orthonormal basis, so that images can be brought back. The
// iteration creeps near its end; Tol is 1e-4 unless given. Samples of more modes, such as
// colour images, keep the others whole, as with [PCA2D].
type NPP2D struct {
	Options
	Norm      Norm // Empty: Nuclear
	Neighbors int  // Zero: 5
}

// Fit finds the factor.
func (c NPP2D) Fit(ctx context.Context, x linalg.Source) (*Model, error) {
	if err := linalg.Given(x); err != nil {
		return nil, err
	}
	name := "n-2dnpp"
	if c.Norm != "" && c.Norm != Nuclear && c.Norm != Sparse {
		return nil, refusal.Parameter("norm", c.Norm, "must be %s or %s", Nuclear, Sparse)
	}
	if c.Norm == Sparse {
		name = "s-2dnpp"
	}
	if c.Neighbors == 0 {
		c.Neighbors = 5
	}
	if c.Tol == 0 {
		c.Tol = 1e-4
	}
	if n, _ := x.Dims(); c.Neighbors < 1 || c.Neighbors >= n && n > 1 {
		return nil, refusal.Setting("neighbors", "%d neighbours asked for; with %d samples there are from 1 to %d", c.Neighbors, n, n-1)
	}
	run := func(ctx context.Context, f *fit, all *spectrum) (irls.Result[bases], error) {
		return c.run(ctx, f, all)
	}
	return c.Options.fit(ctx, x, plan{method: name, unweighted: true, signalLeft: true, oneSided: true, own: run})
}

func (c NPP2D) run(ctx context.Context, f *fit, all *spectrum) (irls.Result[bases], error) {
	at := all.at(f.p.ranks)
	if at.factors[1] == nil {
		return f.result(ctx, at, nil, irls.Converged)
	}
	x, err := inMemory(ctx, f.p.src)
	if err != nil {
		return irls.Result[bases]{}, err
	}
	graph, err := describe(ctx, x, f.o.Weights, f.centre, c.Neighbors)
	if err != nil {
		return irls.Result[bases]{}, err
	}
	e := &errorGram{ctx: ctx, x: x, graph: graph, shape: f.o.Shape, prior: f.o.Weights}
	free := newConstraint(all, 1)
	r := f.p.ranks[1]
	w, err := free.smallest(ctx, e.plain(), r)
	if err != nil {
		return irls.Result[bases]{}, err
	}
	e.smooth(c.Norm, w)
	effective := float64(f.p.n)
	if f.o.Weights != nil {
		effective = loss.EffectiveSampleSize(f.o.Weights)
	}
	var steps []irls.Step
	status := irls.StepLimit
	for number := 0; ; number++ {
		objective, m := e.at(c.Norm, w)
		if ctx.Err() != nil { // of which it is a part
			status = irls.Cancelled
			break
		}
		steps = append(steps, irls.Step{Number: number, Objective: objective, Effective: effective, Damping: 1})
		if f.o.OnStep != nil {
			f.o.OnStep(steps[number])
		}
		if number > 0 {
			if fall := steps[number-1].Objective - objective; fall <= f.o.Tol*math.Abs(objective) {
				status = irls.Converged
				break
			}
		}
		if number == f.o.MaxSteps {
			break
		}
		next, err := free.smallest(ctx, m, r)
		if err != nil && ctx.Err() == nil {
			return irls.Result[bases]{}, err
		} else if err == nil {
			w = next
		}
	}
	linalg.Orthonormalize(w)
	linalg.FixSigns(w)
	at.factors[1] = w
	return f.result(given.Rest(ctx), at, steps, status)
}

// constraint is W' G W = I on the range of G.
type constraint struct{ root *mat.Dense } // T with T' G T = I

func newConstraint(all *spectrum, mode int) constraint {
	values, vectors := all.values[mode], all.vectors[mode]
	n := len(values)
	rank := 0
	for rank < n && values[rank] > 1e-10*values[0] {
		rank++
	}
	t := mat.NewDense(n, n, nil)
	for j := range n {
		scale := 1 / math.Sqrt(values[min(j, rank-1)])
		for i := range n {
			t.Set(i, j, vectors.At(i, j)*scale)
		}
	}
	return constraint{root: t.Slice(0, n, 0, rank).(*mat.Dense)}
}

// smallest returns the r directions that make tr(W'MW) smallest.
func (c constraint) smallest(ctx context.Context, m *mat.SymDense, r int) (*mat.Dense, error) {
	n, rank := c.root.Dims()
	var left, inner mat.Dense
	linalg.Mul(&left, m, c.root)
	linalg.Mul(&inner, c.root.T(), &left)
	s := mat.NewSymDense(rank, nil)
	for i := range rank {
		for j := i; j < rank; j++ {
			s.SetSym(i, j, (inner.At(i, j)+inner.At(j, i))/2)
		}
	}
	_, vectors, err := linalg.SymEigen(ctx, s)
	if err != nil {
		return nil, err
	}
	out := mat.NewDense(n, r, nil)
	take := min(r, rank)
	last := mat.NewDense(rank, take, nil)
	for j := range take {
		for i := range rank {
			last.Set(i, j, vectors.At(i, rank-1-j))
		}
	}
	linalg.Mul(out.Slice(0, n, 0, take).(*mat.Dense), c.root, last)
	if take < r { // fewer directions vary than are wanted: any others will do
		draw := random.New(uint64(n), "directions without variance")
		for j := take; j < r; j++ {
			for i := range n {
				out.Set(i, j, draw.NormFloat64()*1e-9)
			}
		}
	}
	return out, nil
}

func fill(x []float64, v float64) {
	for i := range x {
		x[i] = v
	}
}

func inMemory(ctx context.Context, src linalg.Source) (*mat.Dense, error) {
	if m, ok := src.(linalg.InMemory); ok {
		return m.Dense(), nil
	}
	n, d := src.Dims()
	out := mat.NewDense(n, d, nil)
	err := src.Scan(ctx, func(first int, block *mat.Dense) error {
		r, _ := block.Dims()
		for i := range r {
			copy(out.RawRowView(first+i), block.RawRowView(i))
		}
		return nil
	})
	return out, err
}
