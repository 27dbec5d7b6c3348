package tensor

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// L1PCA2D is L1-2DPCA (Li, Pang, Yuan 2010): directions v of the second mode with the
// largest sum of |x'v| over all rows x of all images, found one after the other by flipping
// signs from the 2DPCA direction, each in the space that the earlier ones leave. It limits
// how much a sample can pull but never rejects one, and it is not rotation invariant.
type L1PCA2D struct{ Options }

// Fit finds the factor.
func (c L1PCA2D) Fit(ctx context.Context, x linalg.Source) (*Model, error) {
	ctx = given.Context(ctx)
	return c.Options.fit(ctx, x, plan{method: "l1-2dpca", unweighted: true, oneSided: true, bounded: true, own: signFlips})
}

// signFlips is the greedy algorithm. Its trace has one step per direction, with the mean
// squared residual so far as objective.
func signFlips(ctx context.Context, f *fit, all *spectrum) (irls.Result[bases], error) {
	at := all.at(f.p.ranks)
	if at.factors[1] == nil { // nothing to choose
		return f.result(ctx, at, nil, irls.Converged)
	}
	n, r := at.factors[1].Dims()
	found := mat.NewDense(n, r, nil)
	status := irls.Converged
	effective, total := float64(f.p.n), float64(f.p.n)
	if f.o.Weights != nil {
		effective = loss.EffectiveSampleSize(f.o.Weights)
		total = 0
		for _, w := range f.o.Weights {
			total += w
		}
	}
	var steps []irls.Step
	rest := all.total
	v := make([]float64, n)
	for c := range r {
		mat.Col(v, c, at.factors[1])
		if !project(v, found, c) { // any direction that is left
			for j := range v {
				v[j] = 0
				v[(c+j)%n] = 1
				if project(v, found, c) {
					break
				}
				clear(v)
			}
		}
		kept, change := 0.0, 1.0
		for step := 0; ; step++ {
			pull, err := f.p.pull(ctx, f.o.Weights, at.mean, v)
			if err != nil {
				return irls.Result[bases]{}, err
			}
			kept = pull.squares
			if step == f.o.MaxSteps {
				status = irls.StepLimit
				break
			}
			if !project(pull.sum, found, c) { // nothing is left along any direction
				break
			}
			change = 0
			for j, x := range pull.sum {
				change += (x - v[j]) * (x - v[j])
			}
			if change <= 1e-24 {
				break
			}
			copy(v, pull.sum)
		}
		found.SetCol(c, v)
		rest -= kept
		steps = append(steps, irls.Step{Number: c + 1, Objective: math.Max(rest, 0) / total, Effective: effective, Change: math.Sqrt(change), Damping: 1})
		if f.o.OnStep != nil {
			f.o.OnStep(steps[c])
		}
	}
	linalg.FixSigns(found)
	at.factors[1] = found
	return f.result(ctx, at, steps, status)
}

// project takes the first c columns of found out of v and makes its length one; false when
// nothing is left.
func project(v []float64, found *mat.Dense, c int) bool {
	n := len(v)
	before := kernel.Dnrm2(n, v, 1)
	for range 2 { // twice is enough for orthogonality to rounding
		for k := range c {
			along := 0.0
			for j := range v {
				along += found.At(j, k) * v[j]
			}
			for j := range v {
				v[j] -= along * found.At(j, k)
			}
		}
	}
	norm := kernel.Dnrm2(n, v, 1)
	if !(norm > 1e-12*before) {
		return false
	}
	kernel.Dscal(n, 1/norm, v, 1)
	return true
}

// pulled is what the fibres of the second mode say about a direction.
type pulled struct {
	sum     []float64 // of sign(x'v) x
	squares float64   // of x'v
	along   []float64
}

// pull sums the fibres x of the second mode (the rows of an image), each turned so that it
// points along v.
func (s *samples) pull(ctx context.Context, w, mean, v []float64) (*pulled, error) {
	n := s.shape[1]
	return pass(ctx, s, 2*n, func() *pulled { return &pulled{sum: make([]float64, n)} },
		func(a *pulled, k *desk, first int, block *mat.Dense) {
			in := 0
			see := func(_ []float64, weight float64) {
				k.norm[in] = math.Sqrt(weight)
				in++
			}
			k.each(first, block, mean, w, see, func(count int) {
				rows := k.fibres(count)
				size := len(rows) / n
				if cap(a.along) < size {
					a.along = make([]float64, size)
				}
				along := a.along[:size]
				kernel.Dgemv(blas.NoTrans, size, n, 1, rows, n, v, 1, 0, along, 1)
				for i, x := range along {
					a.squares += x * x
					along[i] = math.Copysign(k.norm[i*count/size], x)
					if x == 0 {
						along[i] = k.norm[i*count/size]
					}
				}
				kernel.Dgemv(blas.Trans, size, n, 1, rows, n, along, 1, 1, a.sum, 1)
				in = 0
			})
		},
		func(into, from *pulled) {
			into.squares += from.squares
			for j, x := range from.sum {
				into.sum[j] += x
			}
		})
}

// fibres returns the count samples on the desk as rows along their second mode.
func (k *desk) fibres(count int) []float64 {
	size := count * k.d
	outer, n := count*k.shape[0], k.shape[1]
	rest := size / (outer * n)
	if rest == 1 {
		return k.x[:size]
	}
	rotate(k.y, k.x, outer, n, rest)
	return k.y[:size]
}
