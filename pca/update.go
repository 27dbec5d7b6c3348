package pca

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/renewal"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/verdict"
)

// Update returns the model with further rows taken into it, and the verdict on them by which it was decided: rows that are
// outliers to m are left out. forget, from 0 up to below 1, is the share of the old rows' say that is given up.
//
// The old rows count by their weighted mean and scatter, so that ordinary PCA becomes that of all rows; with more than 256
// columns the scatter outside the subspace is taken to be alike in all directions. New rows are reweighted by the
// loss at the bandwidth of the first fit; the number of components, bandwidth and cut-offs stay. Variances are made up for the tail that the test for
// outliers cuts off. Missing values are filled in by m first, where it was fitted so. Where every row is an outlier the model is m itself. m does not change.
func (m *Model) Update(ctx context.Context, x *mat.Dense, forget float64) (*Model, *verdict.Rows, error) {
	ctx = given.Context(ctx)
	if err := renewal.Check(forget); err != nil {
		return nil, nil, err
	}
	if m.past == nil || m.cells != nil {
		return nil, nil, errForgotten
	}
	judged, err := m.Judge(ctx, x)
	if err != nil {
		return nil, nil, err
	}
	rows := renewal.Taken(judged.Outlier)
	if len(rows) == 0 {
		return m, judged, nil
	}
	taken := renewal.Rows(x, rows)
	if err := m.fill(ctx, taken); err != nil {
		return nil, nil, err
	}
	u := m.updating(taken, forget)
	spec, err := renewal.Fixed(m.loss)
	if err != nil {
		return nil, nil, err
	}
	res, err := irls.Run(ctx, u, u.start, irls.Settings{Loss: spec, Absolute: true, Whole: true, MaxSteps: 200, Tol: 1e-12, Zero: 1e-24 * u.spread * u.spread})
	if err != nil {
		return nil, nil, err
	}
	if res.Status == irls.Cancelled {
		return nil, nil, context.Cause(ctx)
	}
	out, err := u.finish(ctx, m, res, tail(m, judged))
	if err != nil {
		return nil, nil, err
	}
	out.rows = m.rows + len(rows)
	out.seen = &look{Flagged: judged.Count(), Sum: out.past.effective, Squares: out.past.effective}
	for i, off := range judged.Outlier {
		if off {
			out.seen.Rows = append(out.seen.Rows, i)
		}
	}
	return out, judged, nil
}

// fill replaces what is missing by what the model lets expect.
func (m *Model) fill(ctx context.Context, x *mat.Dense) error {
	raw := x.RawMatrix().Data
	missing := false
	for _, v := range raw {
		missing = missing || math.IsNaN(v)
	}
	if !missing {
		return nil
	}
	kept, err := m.Reconstruct(ctx, x)
	if err != nil {
		return err
	}
	for i, v := range kept.RawMatrix().Data {
		if math.IsNaN(raw[i]) {
			raw[i] = v
		}
	}
	return nil
}

// updating is weighted PCA of new rows beside the moments of old ones as an irls.Problem, about the old mean. Where the old scatter outside
// the subspace is alike in all directions, and the new rows are few, it is in coordinates of the space that these and the old subspace span.
type updating struct {
	problem
	total   float64       // weight of the old rows, as the loss gives weights
	scatter *mat.SymDense // theirs
	axes    *mat.Dense    // of the coordinates, d x r; nil: the columns themselves
	start   subspace
	unit    float64 // the loss's weight that is a full vote
	forget  float64
}

func (m *Model) updating(x *mat.Dense, forget float64) *updating {
	d, k := m.dims()
	n, _ := x.Dims()
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] -= m.mean[j]
		}
	}
	u := &updating{forget: forget, unit: math.Exp(m.largest)}
	basis := m.basis
	if m.past.rest == nil && n+k < d {
		u.axes = mat.NewDense(d, n+k, nil)
		u.axes.Slice(0, d, 0, k).(*mat.Dense).Copy(m.basis)
		u.axes.Slice(0, d, k, n+k).(*mat.Dense).Copy(x.T())
		linalg.Orthonormalize(u.axes)
		var turned, inside mat.Dense
		linalg.Mul(&turned, x, u.axes)
		linalg.Mul(&inside, u.axes.T(), m.basis)
		x, basis, d = &turned, &inside, n+k
	}
	u.total = (1 - forget) * m.past.total * u.unit
	var along, scatter mat.Dense
	along.CloneFrom(basis)
	for j, v := range m.eigenvalues {
		if m.past.rest == nil { // which has the spread in all directions
			v -= m.past.spread * m.past.total / m.past.divisor()
		}
		for i := range d {
			along.Set(i, j, along.At(i, j)*v*m.past.divisor())
		}
	}
	linalg.Mul(&scatter, &along, basis.T())
	u.scatter = symmetric(&scatter)
	if m.past.rest != nil {
		u.scatter.AddSym(u.scatter, m.past.rest)
	} else {
		for j := range d {
			u.scatter.SetSym(j, j, u.scatter.At(j, j)+m.past.spread*m.past.total)
		}
	}
	u.scatter.ScaleSym((1-forget)*u.unit, u.scatter)
	u.problem = problem{src: linalg.FromDense(x), m: k}
	u.spread = math.Sqrt(mat.Trace(u.scatter) / u.total)
	u.start = subspace{mean: make([]float64, d), basis: mat.DenseCopyOf(basis)}
	return u
}

// moments are those of old and new rows together, the new ones with weights w.
func (u *updating) moments(ctx context.Context, w []float64) (total float64, mean []float64, scatter, fresh *mat.SymDense, err error) {
	own, at, fresh, err := linalg.WeightedMoments(ctx, linalg.Widened(u.src), w)
	if err != nil { // none has a weight
		if ctx.Err() != nil {
			return 0, nil, nil, nil, ctx.Err()
		}
		own, at, fresh = 0, make([]float64, len(u.start.mean)), mat.NewSymDense(len(u.start.mean), nil)
	}
	total = own + u.total
	scatter = mat.NewSymDense(len(at), nil)
	scatter.AddSym(u.scatter, fresh)
	scatter.SymRankOne(scatter, u.total*(own/total), mat.NewVecDense(len(at), at))
	mean = make([]float64, len(at))
	for j, v := range at {
		mean[j] = own / total * v
	}
	return total, mean, scatter, fresh, nil
}

func (u *updating) Solve(ctx context.Context, from subspace, w []float64) (subspace, error) {
	_, mean, scatter, _, err := u.moments(ctx, w)
	if err != nil {
		return subspace{}, err
	}
	values, vectors, err := linalg.TopEigenWithin(ctx, scatter, u.m, from.basis, 0)
	if err != nil {
		return subspace{}, err
	}
	return subspace{mean: mean, basis: vectors, values: values}, nil
}

// Penalty is the weighted squared distance of the old rows.
func (u *updating) Penalty(at subspace) float64 {
	return u.left(at) / float64(u.Len())
}

func (u *updating) left(at subspace) float64 {
	var along mat.Dense
	linalg.Mul(&along, u.scatter, at.basis)
	sum := mat.Trace(u.scatter)
	d, k := at.basis.Dims()
	for j := range k {
		score := 0.0
		for i := range d {
			sum -= along.At(i, j) * at.basis.At(i, j)
			score += at.mean[i] * at.basis.At(i, j)
		}
		sum -= u.total * score * score
	}
	for _, v := range at.mean {
		sum += u.total * v * v
	}
	return math.Max(sum, 0)
}

// finish makes the model; stretch is how much too small the variances of the new rows within the subspace are.
func (u *updating) finish(ctx context.Context, m *Model, res irls.Result[subspace], stretch float64) (*Model, error) {
	ctx = given.Rest(ctx)
	total, mean, scatter, fresh, err := u.moments(ctx, res.Weights)
	if err != nil {
		return nil, err
	}
	at := res.State
	left := u.left(at)
	for i, s := range res.Squared {
		if w := res.Weights[i]; w > 0 {
			left += w * s
		}
	}
	var half, inside mat.Dense
	whole := mat.NewSymDense(len(mean), nil)
	whole.ScaleSym(stretch-1, fresh)
	whole.AddSym(whole, scatter)
	linalg.Mul(&half, whole, at.basis)
	linalg.Mul(&inside, at.basis.T(), &half)
	values, rotation, err := linalg.SymEigen(ctx, symmetric(&inside))
	if err != nil {
		return nil, err
	}
	var basis mat.Dense
	linalg.Mul(&basis, at.basis, rotation)
	p := &past{total: total / u.unit}
	own := loss.EffectiveSampleSize(res.Weights)
	p.effective = renewal.Effective((1-u.forget)*m.past.total, m.past.effective, p.total-(1-u.forget)*m.past.total, own)
	if m.past.rest != nil {
		p.rest = outside(scatter, &basis, 1/u.unit)
	}
	shift := mat.NewVecDense(len(mean), mean)
	if u.axes != nil {
		var full mat.Dense
		linalg.Mul(&full, u.axes, &basis)
		var moved mat.VecDense
		linalg.MulVec(&moved, u.axes, shift)
		basis, shift = full, &moved
	}
	linalg.FixSigns(&basis)
	d, k := basis.Dims()
	if d > k {
		p.spread = left / total / float64(d-k)
	}
	out := *m
	out.kept, out.training, out.weights, out.warnings, out.past = archive.Kept{}, nil, nil, nil, p
	out.mean, out.basis, out.eigenvalues = make([]float64, d), &basis, make([]float64, k)
	for j, v := range m.mean {
		out.mean[j] = v + shift.AtVec(j)
	}
	kept := 0.0
	for j, v := range values {
		out.eigenvalues[j] = math.Max(v, 0) / u.unit / p.divisor()
		kept += math.Max(v, 0) / u.unit
	}
	out.steps, out.status = res.Steps, res.Status
	if res.Status == irls.PerfectFit {
		out.status = irls.Converged // of the new rows alone
	}
	out.explain(kept, left/u.unit, left/total)
	return &out, nil
}

// tail is by what factor the variances within the subspace of rows that the limit of scores has passed are too small: as normal ones
// are without so large a part at their ends as was cut off, but no larger than the limit cuts off of them.
func tail(m *Model, judged *verdict.Rows) float64 {
	cut := float64(judged.CountKind(verdict.GoodLeverage))
	if cut == 0 || !(m.scoreCutoff > 0) {
		return 1
	}
	k := float64(len(m.eigenvalues))
	part := math.Min(cut/(cut+float64(judged.CountKind(verdict.Regular))), 1-distuv.ChiSquared{K: k}.CDF(m.scoreCutoff*m.scoreCutoff))
	if !(part > 0) {
		return 1
	}
	limit := distuv.ChiSquared{K: k}.Quantile(1 - part)
	return (1 - part) / distuv.ChiSquared{K: k + 2}.CDF(limit)
}
