package classify

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// Square is regularised least squares on targets +1 and -1 (a ridge classifier): the
// minimum of
//
//	mean_i sum_l (y_il - f_l(x_i))^2 + lambda sum_l ||w_l||^2.
type Square struct{ Options }

func (m Square) name() string     { return "square" }
func (m Square) options() Options { return m.Options }

// Fit trains the machine on rows with labels from 0 to classes-1.
func (m Square) Fit(ctx context.Context, src linalg.Source, labels []int, classes int) (*Model, error) {
	return fitSource(ctx, m, src, labels, classes)
}

func (m Square) train(ctx context.Context, t *task) (*outcome, error) {
	s := &system{a: t.a, ridge: t.o.Lambda * t.total, twins: t.twins(), gram: t.gram}
	return leastSquares(ctx, t, s)
}

// kernelRidge solves with one weight per row by the kernel matrix of the rows that count: with c the
// coefficients of the kernels, (K + ridge W^-1) c = t - b and sum c = 0. One Cholesky factor, of
// as many rows as count, does; the normal equations of the features would take four times the work.
// It returns nil where there is no factor.
func (s *system) kernelRidge(ctx context.Context, start, residual *mat.Dense, weights []float64) *mat.Dense {
	n, p := s.a.Dims()
	_, k := residual.Dims()
	var rows []int
	for i, w := range weights {
		if w > 0 {
			rows = append(rows, i)
		}
	}
	m := mat.NewSymDense(len(rows), nil)
	raw, from := m.RawSymmetric(), s.gram.RawSymmetric()
	for a, i := range rows {
		to, row := raw.Data[a*raw.Stride:], from.Data[i*from.Stride:]
		for b := a; b < len(rows); b++ {
			to[b] = row[rows[b]]
		}
		to[a] += s.ridge / weights[i]
	}
	factor, ok := linalg.NewCholesky(m)
	if !ok || ctx.Err() != nil {
		return nil
	}
	before := s.scores(start)
	right := mat.NewDense(len(rows), k+1, nil)
	for a, i := range rows {
		to := right.RawRowView(a)
		for l := range k {
			to[l] = residual.At(i, l) + before.At(i, l)
		}
		to[k] = 1
	}
	factor.Solve(right)
	sums := make([]float64, k+1)
	for a := range rows {
		for l, v := range right.RawRowView(a) {
			sums[l] += v
		}
	}
	c := mat.NewDense(n, k, nil)
	for a, i := range rows {
		v := right.RawRowView(a)
		for l := range k {
			c.Set(i, l, v[l]-sums[l]/sums[k]*v[k])
		}
	}
	theta := mat.NewDense(p, k, nil)
	linalg.Mul(theta.Slice(0, p-1, 0, k).(*mat.Dense), s.a.Slice(0, n, 0, p-1).T(), c)
	for l := range k {
		theta.Set(p-1, l, sums[l]/sums[k])
	}
	return theta
}

// leastSquares solves the task with the square loss; s stays ready for reweighting.
func leastSquares(ctx context.Context, t *task, s *system) (*outcome, error) {
	_, p := t.a.Dims()
	y := t.targets()
	zero := mat.NewDense(p, t.classes, nil)
	record := &trace{see: t.o.OnStep}
	effective := loss.EffectiveSampleSize(t.prior)
	record.add(irls.Step{Objective: t.squareObjective(nil, zero), Effective: effective, Damping: 1})
	theta, err := s.solve(ctx, zero, y, importance{rows: t.prior})
	if err != nil {
		return nil, err
	}
	scores := s.scores(theta)
	record.add(irls.Step{Objective: t.squareObjective(scores, theta), Effective: effective, Change: 1, Damping: 1})
	return &outcome{theta: theta, scores: scores, weights: append([]float64(nil), t.prior...), steps: record.steps, status: irls.Converged}, nil
}

// squareObjective is the mean square plus the penalty; scores nil stands for zeros.
func (t *task) squareObjective(scores, theta *mat.Dense) float64 {
	sum := 0.0
	for i, a := range t.prior {
		for l := range t.classes {
			e := t.y(i, l)
			if scores != nil {
				e -= scores.At(i, l)
			}
			sum += a * e * e
		}
	}
	return sum/t.total + t.o.Lambda*squaredNorm(theta)
}
