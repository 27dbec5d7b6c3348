// Package renewal moves coefficients that were learned from rows that are gone by rows that are new. What a fit keeps of its
// rows is the curvature of its loss at the coefficients b it ended with: near them the old rows cost
//
//	b's loss + d'Cd - 2 d'Pb,   C = sum of psi'(r) z z',  psi(r) = r weight(r^2),
//
// in units of the loss's slope, d being the way from b, z a row of the design and P the penalties of squared coefficients
// (whose pull holds that of the rows in balance at b). With the square loss that is no approximation. New rows count by
// the loss itself, so that one of them that does not belong has no more say than in a fit of all.
package renewal

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
)

// Past is what is left of the rows that coefficients were learned from.
type Past struct {
	Root      *mat.Dense // p x p; Root'Root is the curvature
	Coef      []float64  // the coefficients; nil where nothing is penalised
	Penalties []float64  // of each squared coefficient; nil: none
	Forget    float64    // the old rows count as if so large a part of them were not there
}

// Move returns how far the coefficients move by rows z (n x p) of the design with residuals r at the old coefficients.
func (p Past) Move(ctx context.Context, z *mat.Dense, r []float64, set irls.Settings) (irls.Result[[]float64], error) {
	size, _ := p.Root.Dims()
	prob := &problem{Past: p, z: z, r: r, base: linalg.NewTSQR(size, 1)}
	kept := mat.DenseCopyOf(p.Root)
	kept.Scale(math.Sqrt(1-p.Forget), kept)
	if err := prob.base.Add(kept, mat.NewDense(size, 1, nil), nil); err != nil {
		return irls.Result[[]float64]{}, err
	}
	if p.Penalties != nil {
		pull, side := mat.NewDense(size, size, nil), mat.NewDense(size, 1, nil)
		for j, v := range p.Penalties {
			pull.Set(j, j, math.Sqrt(v))
			side.Set(j, 0, -p.Forget*math.Sqrt(v)*p.Coef[j])
		}
		if err := prob.base.Add(pull, side, nil); err != nil {
			return irls.Result[[]float64]{}, err
		}
	}
	set.Absolute, set.Whole = true, true
	return irls.Run(ctx, prob, make([]float64, size), set)
}

// problem is the move as an irls.Problem: its state is the way from the old coefficients.
type problem struct {
	Past
	z    *mat.Dense
	r    []float64
	base *linalg.TSQR // the old rows and the penalties
}

func (p *problem) Len() int { return len(p.r) }

func (p *problem) Residuals(_ context.Context, at []float64, s []float64) error {
	var moved mat.VecDense
	linalg.MulVec(&moved, p.z, mat.NewVecDense(len(at), at))
	for i := range s {
		e := p.r[i] - moved.AtVec(i)
		s[i] = e * e
	}
	return nil
}

func (p *problem) Solve(ctx context.Context, _ []float64, w []float64) ([]float64, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	size, _ := p.Root.Dims()
	all := linalg.NewTSQR(size, 1)
	all.Merge(p.base)
	if err := all.Add(p.z, mat.NewDense(len(p.r), 1, p.r), w); err != nil {
		return nil, err
	}
	out, err := all.Solve(0)
	if err != nil {
		return nil, err
	}
	return mat.Col(nil, 0, out), nil
}

func (p *problem) Penalty(at []float64) float64 {
	var moved mat.VecDense
	linalg.MulVec(&moved, p.Root, mat.NewVecDense(len(at), at))
	sum := (1 - p.Forget) * mat.Dot(&moved, &moved)
	for j, v := range p.Penalties {
		e := at[j] + p.Forget*p.Coef[j]
		sum += v * e * e
	}
	return sum / float64(len(p.r))
}

func (p *problem) Between(a, b []float64, t float64) ([]float64, error) {
	out := make([]float64, len(a))
	for j := range out {
		out[j] = a[j] + t*(b[j]-a[j])
	}
	return out, nil
}

// Distance is how far apart two moves are, over the length of the second.
func (p *problem) Distance(a, b []float64) float64 {
	moved, size := 0.0, 0.0
	for j := range a {
		moved, size = math.Hypot(moved, b[j]-a[j]), math.Hypot(size, b[j])
	}
	if moved == 0 {
		return 0
	}
	return moved / math.Max(size, math.SmallestNonzeroFloat64)
}

// Fixed is a loss at the bandwidth that a fit has found.
func Fixed(l loss.Scaled) (loss.Spec, error) {
	spec, err := loss.Specify(l, loss.Spec{})
	if err == nil && l.Scale() > 0 {
		spec = spec.WithRule(loss.FixedAt(l.Scale()))
	}
	return spec, err
}

// Taken lists the rows, from 0, that are no outliers.
func Taken(outlier []bool) []int {
	var rows []int
	for i, out := range outlier {
		if !out {
			rows = append(rows, i)
		}
	}
	return rows
}

// Rows are the given rows of x.
func Rows(x *mat.Dense, rows []int) *mat.Dense {
	_, d := x.Dims()
	out := mat.NewDense(len(rows), d, nil)
	for k, i := range rows {
		out.SetRow(k, x.RawRowView(i))
	}
	return out
}

// Check refuses a share to forget that is none.
func Check(forget float64) error {
	if !(forget >= 0 && forget < 1) {
		return refusal.Parameter("forget", forget, "must be a share from 0 up to, but not including, 1: of 0.1 the old rows count nine tenths")
	}
	return nil
}

// Forgotten is the refusal of a model that does not hold what an update needs.
func Forgotten(why string) error {
	return refusal.Data("the model does not hold what an update needs: %s; fit it again to old and new rows", why)
}

// Effective is the effective number of rows, (sum w)^2 / sum w^2, of two lots of them, of which each has so much weight and is worth
// so many; the weight of the first is less what is forgotten of it.
func Effective(weight, worth, more, moreWorth float64) float64 {
	sum, squares := 0.0, 0.0
	for _, lot := range [][2]float64{{weight, worth}, {more, moreWorth}} {
		if lot[1] > 0 {
			sum, squares = sum+lot[0], squares+lot[0]*(lot[0]/lot[1])
		}
	}
	if squares == 0 {
		return 0
	}
	return sum * (sum / squares)
}
