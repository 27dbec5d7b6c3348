package classify

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
)

// directRows is the most rows with weight whose equations are always solved by a Cholesky factor.
const directRows = 256

// With the exact kernel K the solution is f = K c + b, and c and b solve
//
//	(ridge I + S K S) z = S (t - b),   c = S z,   sum c = 0,   S = sqrt(W),
//
// equations of as many rows as have weight, whose matrix is at least ridge however small
// the weights are. The matrix of features that K is made of is never needed.
//
// solveKernel solves them by one Cholesky factor for all right-hand sides where these share their weights and
// a full solution is wanted, by one for each where few rows have weight, and otherwise by conjugate
// gradients (kernel_gradients.go), until these take too many steps.
func (s *system) solveKernel(ctx context.Context, start, residual *mat.Dense, w importance) (*mat.Dense, error) {
	n, _ := s.a.Dims()
	_, k := residual.Dims()
	if !s.hard && s.forcing > 0 && countAny(w) > directRows || s.forced == "cg" {
		return s.kernelGradients(ctx, start, residual, w)
	}
	target := s.scores(start)
	target.Add(target, residual)
	theta := mat.NewDense(n+1, k, nil)
	if w.rows != nil {
		columns := make([]int, k)
		for l := range columns {
			columns[l] = l
		}
		if err := s.kernelDirect(theta, target, w.rows, columns); err != nil {
			return nil, err
		}
		return theta, ctx.Err()
	}
	weights := make([]float64, n)
	for l := range k {
		for i := range weights {
			weights[i] = w.elements.At(i, l)
		}
		if err := s.kernelDirect(theta, target, weights, []int{l}); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return theta, nil
}

// countAny is the number of rows that have weight for any right-hand side.
func countAny(w importance) int {
	count := 0
	for _, v := range w.mean() {
		if v > 0 {
			count++
		}
	}
	return count
}

// kernelDirect writes the solution for some columns, which share their weights.
func (s *system) kernelDirect(theta, target *mat.Dense, weights []float64, columns []int) error {
	var rows []int
	var root []float64
	for i, w := range weights {
		if w > 0 {
			rows, root = append(rows, i), append(root, math.Sqrt(w))
		}
	}
	if len(rows) == 0 {
		return nil
	}
	factor := s.kernelFactor(rows, root)
	if factor == nil {
		return refusal.Data("the kernel's equations of %d rows have no Cholesky factor", len(rows))
	}
	k := len(columns)
	right := mat.NewDense(len(rows), k+1, nil)
	for a, i := range rows {
		to := right.RawRowView(a)
		for at, l := range columns {
			to[at] = root[a] * target.At(i, l)
		}
		to[k] = root[a]
	}
	factor.Solve(right)
	sums := make([]float64, k+1)
	for a := range rows {
		for at, v := range right.RawRowView(a) {
			sums[at] += root[a] * v
		}
	}
	intercept, _ := theta.Dims()
	for at, l := range columns {
		b := sums[at] / sums[k]
		for a, i := range rows {
			v := right.RawRowView(a)
			theta.Set(i, l, root[a]*(v[at]-b*v[k]))
		}
		theta.Set(intercept-1, l, b)
	}
	return nil
}

// kernelFactor is the Cholesky factor of ridge I + S K S of some rows; nil where it has none even with
// a little more on its diagonal.
func (s *system) kernelFactor(rows []int, root []float64) *linalg.Cholesky {
	m := mat.NewSymDense(len(rows), nil)
	raw := m.RawSymmetric()
	for a, i := range rows {
		to, from := raw.Data[a*raw.Stride:(a+1)*raw.Stride], s.a.RawRowView(i)
		for b := a; b < len(rows); b++ {
			to[b] = root[a] * root[b] * from[rows[b]]
		}
		to[a] += s.ridge
	}
	for extra := 1e-15 * mat.Trace(m); ; extra *= 10 {
		if factor, ok := linalg.NewCholesky(m); ok {
			return factor
		}
		if !(extra < 1e-3*mat.Trace(m)) {
			return nil
		}
		for a := range rows {
			raw.Data[a*raw.Stride+a] += extra
		}
	}
}
