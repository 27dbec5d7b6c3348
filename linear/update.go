package linear

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

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
// The old rows count by the curvature of the loss at the old coefficients, which is exact for the square loss; new ones by the
// loss itself at the scale of the first fit. Scale, cut-offs, leverage and which columns take part stay. Standard errors are
// those of estimating equations of which the old rows have 1 - forget, with the scale taken as known. R2 is not known.
// Where every row is an outlier the model is m itself. m does not change.
func (m *Model) Update(ctx context.Context, x *mat.Dense, y []float64, forget float64) (*Model, *verdict.Rows, error) {
	ctx = given.Context(ctx)
	if err := renewal.Check(forget); err != nil {
		return nil, nil, err
	}
	if m.past == nil {
		return nil, nil, renewal.Forgotten("it comes from an older program, or its rows leave the coefficients open")
	}
	judged, err := m.Judge(ctx, x, y)
	if err != nil {
		return nil, nil, err
	}
	rows := renewal.Taken(judged.Outlier)
	if len(rows) == 0 {
		return m, judged, nil
	}
	u := m.updating(ctx, renewal.Rows(x, rows))
	r := make([]float64, len(rows))
	for k, i := range rows {
		r[k] = (y[i] - m.PredictRow(x.RawRowView(i))) / m.unit
	}
	out := *m
	out.kept, out.training, out.weights, out.startCoef = archive.Kept{}, nil, nil, slices.Clone(m.startCoef)
	out.rows = m.rows + len(rows)
	out.freedom = (1-forget)*(m.freedom+float64(u.g.p)) + float64(len(rows)) - float64(u.g.p)
	out.r2, out.adjusted = math.NaN(), math.NaN()
	if !m.exact {
		if err := u.move(ctx, m, &out, r, forget); err != nil {
			return nil, nil, err
		}
	}
	out.seen = m.seenBy(u.g.p, judged, rows, forget)
	out.warnings = nil
	if out.warn(); out.status == irls.Cancelled {
		return nil, nil, context.Cause(ctx)
	}
	return &out, judged, nil
}

// updating is an update under way.
type updating struct {
	g *design // of the rows that are taken
	z *mat.Dense
}

func (m *Model) updating(ctx context.Context, x *mat.Dense) *updating {
	n, d := x.Dims()
	g := &design{n: n, offset: make([]float64, d), scale: make([]float64, d), columns: m.past.columns}
	if m.hasIntercept {
		g.ones = 1
	}
	for j, c := range m.past.columns {
		if g.offset[j], g.scale[j] = c.Centre, c.Spread; !m.isDropped(j) {
			g.kept = append(g.kept, j)
		}
	}
	_ = g.build(context.WithoutCancel(ctx), x)
	return &updating{g: g, z: g.matrix()}
}

// move fills in coefficients, trace, curvature and covariance.
func (u *updating) move(ctx context.Context, m, out *Model, r []float64, forget float64) error {
	spec, err := renewal.Fixed(m.loss)
	if err != nil {
		return err
	}
	c, ok := linalg.NewCholesky(m.past.curvature)
	if !ok {
		return renewal.Forgotten("its rows leave the coefficients open")
	}
	p := renewal.Past{Root: mat.DenseCopyOf(c.Lower().T()), Forget: forget}
	if m.past.lambda > 0 {
		p.Penalties, p.Coef = make([]float64, u.g.p), make([]float64, u.g.p)
		for k, j := range u.g.kept {
			p.Penalties[u.g.ones+k], p.Coef[u.g.ones+k] = m.past.lambda, m.coef[j]*u.g.scale[j]/m.unit
		}
	}
	res, err := p.Move(ctx, u.z, r, irls.Settings{Loss: spec, MaxSteps: 200, Tol: 1e-12, Damped: true, Polish: true, Zero: m.zero / m.unit * (m.zero / m.unit)})
	if err != nil {
		return err
	}
	out.steps, out.status = res.Steps, res.Status
	if res.Status == irls.PerfectFit {
		out.status = irls.Converged // of the new rows alone
	}
	shift, moved := u.g.raw(res.State) // the design's own target has no offset
	out.intercept = m.intercept + shift*m.unit
	out.coef = slices.Clone(m.coef)
	for j, v := range moved {
		out.coef[j] += v * m.unit
	}
	u.evidence(m, out, r, res.State, forget)
	return nil
}

// evidence fills in curvature and covariance.
func (u *updating) evidence(m, out *Model, r, moved []float64, forget float64) {
	total := out.freedom + float64(u.g.p)
	f := &fitting{loss: m.loss, scale: m.scale / m.unit, g: &design{total: total}}
	derive := f.derivative()
	n := len(r)
	slopes, squares, weights := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range r {
		e := r[i] - dot(u.g.row(i), moved)
		value, slope := derive(e)
		slopes[i], squares[i], weights[i] = slope, value*value, m.loss.Weight(e*e)
	}
	gram := func(w []float64) *mat.SymDense {
		c, _, _, _ := u.g.sums(context.Background(), w, nil, nil)
		return u.g.symmetric(c)
	}
	old := m.past.curvature
	next := &past{columns: m.past.columns, lambda: m.past.lambda}
	for _, w := range [][]float64{slopes, weights} {
		c := gram(w)
		c.AddSym(c, times(1-forget, old))
		if _, ok := linalg.NewCholesky(c); ok && finite(c) {
			next.curvature = c
			break
		}
	}
	out.covariance = nil
	if out.past = next; next.curvature == nil {
		out.past = nil // rows that cannot be told apart: fit again
		return
	}
	if m.covariance == nil {
		return
	}
	// The variance of what the old rows say, in the equations of the design: B C B.
	inside, before := u.inside(m), u.penalised(old, m.past.lambda)
	var half, whole mat.Dense
	linalg.Mul(&half, before, inside)
	linalg.Mul(&whole, &half, before)
	meat := symmetric(&whole)
	meat.ScaleSym((1-forget)*(1-forget), meat)
	meat.AddSym(meat, gram(squares))
	bread := inverse(u.penalised(next.curvature, m.past.lambda))
	if bread == nil {
		return
	}
	jacobian := u.g.jacobian()
	var left mat.Dense
	linalg.Mul(&left, jacobian, bread)
	half.Reset()
	whole.Reset()
	linalg.Mul(&half, &left, meat)
	linalg.Mul(&whole, &half, left.T())
	if out.covariance = symmetric(&whole); !finite(out.covariance) {
		out.covariance = nil
	}
}

// inside is the covariance of the coefficients in the design: those of the data are its jacobian times them.
func (u *updating) inside(m *Model) *mat.SymDense {
	back := mat.NewDense(u.g.p, 1+len(m.coef), nil)
	if u.g.ones == 1 {
		back.Set(0, 0, 1)
	}
	for k, j := range u.g.kept {
		back.Set(u.g.ones+k, 1+j, u.g.scale[j])
		if u.g.ones == 1 {
			back.Set(0, 1+j, u.g.offset[j])
		}
	}
	var half, whole mat.Dense
	linalg.Mul(&half, back, m.covariance)
	linalg.Mul(&whole, &half, back.T())
	return symmetric(&whole)
}

// penalised is a curvature with the penalty.
func (u *updating) penalised(c *mat.SymDense, lambda float64) *mat.SymDense {
	out := times(1, c)
	for j := u.g.ones; j < u.g.p; j++ {
		out.SetSym(j, j, out.At(j, j)+lambda)
	}
	return out
}

// times is a multiple of a symmetric matrix.
func times(factor float64, c *mat.SymDense) *mat.SymDense {
	var out mat.SymDense
	out.ScaleSym(factor, c)
	return &out
}

// seenBy is what is known of the rows of an updated model: of the new ones their verdicts, of all the effective number.
func (m *Model) seenBy(p int, judged *verdict.Rows, rows []int, forget float64) *look {
	w := make([]float64, len(rows))
	for k, i := range rows {
		w[k] = judged.Weight[i]
	}
	seen := &look{Kinds: make([]float64, len(verdict.LineKinds)), Flagged: judged.Count()}
	seen.Sum = renewal.Effective((1-forget)*(m.freedom+float64(p)), m.Describe(archive.Names{}).Effective, float64(len(w)), loss.EffectiveSampleSize(w))
	seen.Squares = seen.Sum
	for i, k := range judged.Kind {
		if at := slices.Index(verdict.LineKinds, k); at >= 0 {
			seen.Kinds[at]++
		}
		if judged.Outlier[i] {
			seen.Rows = append(seen.Rows, i)
		}
		if judged.Weight[i] < rejected && len(seen.Rejected) < mostRows {
			seen.Rejected = append(seen.Rejected, i)
		}
	}
	return seen
}
