package classify

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
)

// printedStep is the maximisation step of the regmaxcem paper to the letter, eqs. (15)
// to (18): with u = sqrt(weight), the centres are sum u x / sum u and sum u y / sum u
// where the paper's own objective needs u^2. The objective may rise; offered to replicate,
// not to use.
func (p *problem) printedStep(ctx context.Context, w []float64) (*mat.Dense, error) {
	n, columns := p.t.a.Dims()
	m, k := columns-1, p.t.classes
	theta := mat.NewDense(columns, k, nil)
	u := make([]float64, n)
	for l := range k {
		sum, target := 0.0, 0.0
		centre := make([]float64, m)
		for i := range n {
			u[i] = math.Sqrt(w[i*k+l])
			often := u[i] * math.Sqrt(p.t.prior[i]) // that many rows of the weight's root each
			sum += often
			target += often * p.t.y(i, l)
			for j, v := range p.t.a.RawRowView(i)[:m] {
				centre[j] += often * v
			}
		}
		if sum == 0 {
			continue
		}
		target /= sum
		x, y := mat.NewDense(n, m, nil), mat.NewDense(n, 1, nil)
		for i := range n {
			row := x.RawRowView(i)
			for j, v := range p.t.a.RawRowView(i)[:m] {
				row[j] = u[i] * (v - centre[j]/sum)
			}
			y.Set(i, 0, u[i]*(p.t.y(i, l)-target))
		}
		coef, err := linalg.Ridge(ctx, x, y, nil, p.s.ridge)
		if err != nil {
			return nil, err
		}
		intercept := target
		for j := range m {
			theta.Set(j, l, coef.At(j, 0))
			intercept -= coef.At(j, 0) * centre[j] / sum
		}
		theta.Set(m, l, intercept)
	}
	return theta, nil
}

// spelled is a task with the exact kernel as one with features whose inner products it is, the rows of its Cholesky
// factor. Rows that repeat make the matrix singular, so a little is added to its diagonal, about rounding at
// first.
func (t *task) spelled() (*task, *linalg.Cholesky, error) {
	n := len(t.labels)
	gram := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			gram.SetSym(i, j, t.a.At(i, j))
		}
	}
	for extra := 1e-14 * float64(n); extra < 1e-3; extra *= 10 {
		for i := range n {
			gram.SetSym(i, i, t.a.At(i, i)+extra)
		}
		if factor, ok := linalg.NewCholesky(gram); ok {
			out := *t
			out.a, out.kernel = ones(n, n), false
			out.a.Slice(0, n, 0, n).(*mat.Dense).Copy(factor.Lower())
			return &out, factor, nil
		}
	}
	return nil, nil, refusal.Data("the kernel matrix of %d rows has no Cholesky factor", n)
}

// trainSpelled trains on the kernel spelled out, since the paper's centres are those of features.
func (m RegMaxCEM) trainSpelled(ctx context.Context, t *task) (*outcome, error) {
	features, factor, err := t.spelled()
	if err != nil {
		return nil, err
	}
	out, err := m.train(ctx, features)
	if err != nil {
		return nil, err
	}
	n := len(t.labels)
	factor.Divide(out.theta.Slice(0, n, 0, t.classes).(*mat.Dense)) // row i of L and k(x_i, .) span the same space: L'c = w
	return out, nil
}
