package classify

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
)

const (
	// directRows is the most rows with weight whose equations are always solved by a Cholesky factor.
	directRows = 256
	// rowsWork is the number of multiplications, in units of one for every element of the table and right-hand side, up to
	// which the equations of rows are better than conjugate gradients for features: these take 10 to 200 steps of
	// four, in narrow products that are slower by half.
	rowsWork = 320
	// rowsRange is how large the rows' products may be in units of the ridge: beyond, their equations lose digits that
	// those of the features keep.
	rowsRange = 1e8
)

// With K the inner products of the rows, the solution is f = K c + b, and c and b solve
//
//	(ridge I + S K S) z = S (t - b),   c = S z,   sum c = 0,   S = sqrt(W),
//
// equations of as many rows as have weight, whose matrix is at least ridge however small
// the weights are. An exact kernel is K itself, and the features that it is made of are never needed. With features
// like others they are the shorter way where few rows have weight: those within the margin of a class, say.
//
// solveKernel solves them for the exact kernel by one Cholesky factor for all right-hand sides where these share their weights and
// a full solution is wanted, by one for each where few rows have weight, and otherwise by conjugate
// gradients (rows_gradients.go), until these take too many steps.
func (s *system) solveKernel(ctx context.Context, start, residual *mat.Dense, w importance) (*mat.Dense, error) {
	if !s.hard && s.forcing > 0 && countAny(w) > directRows || s.forced == "cg" {
		return s.kernelGradients(ctx, start, residual, w)
	}
	theta, ok := s.solveRows(ctx, start, residual, w)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !ok {
		return nil, refusal.Data("the kernel's equations have no Cholesky factor")
	}
	return theta, nil
}

// solveRows solves by Cholesky factors of the rows with weight; false where there are none or the context has ended.
func (s *system) solveRows(ctx context.Context, start, residual *mat.Dense, w importance) (*mat.Dense, bool) {
	n, p := s.a.Dims()
	_, k := residual.Dims()
	target := s.scores(start)
	target.Add(target, residual)
	theta := mat.NewDense(p, k, nil)
	if w.rows != nil {
		columns := make([]int, k)
		for l := range columns {
			columns[l] = l
		}
		return theta, s.rowsDirect(theta, start, target, w.rows, columns)
	}
	solved := make([]bool, k)
	one := func(l int) {
		weights := make([]float64, n)
		for i := range weights {
			weights[i] = w.elements.At(i, l)
		}
		solved[l] = ctx.Err() == nil && s.rowsDirect(theta, start, target, weights, []int{l})
	}
	if s.kernel && countAny(w) > directRows { // large factors are made one at a time, for the sake of memory
		for l := range k {
			one(l)
		}
	} else {
		linalg.Parallel(k, one)
	}
	for _, ok := range solved {
		if !ok {
			return nil, false
		}
	}
	return theta, true
}

// fewRows tells whether so few rows have weight that their equations are less work than the features'.
func (s *system) fewRows(w importance) bool {
	n, p := s.a.Dims()
	_, k := w.elements.Dims()
	work := 0.0
	for l := range k {
		count := 0
		for i := range n {
			if w.elements.At(i, l) > 0 {
				count++
			}
		}
		if count > p {
			return false
		}
		work += float64(count) * float64(count) * (float64(p) + float64(count)/3)
	}
	return work <= rowsWork*float64(n)*float64(p)*float64(k)
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

// rowsDirect writes the solution for some columns, which share their weights; false where their equations have no factor. Where no row has
// weight, as none is short of the margin of a class that does not occur, the intercept is free, and stays where it is.
func (s *system) rowsDirect(theta, start, target *mat.Dense, weights []float64, columns []int) bool {
	var rows []int
	var root []float64
	for i, w := range weights {
		if w > 0 {
			rows, root = append(rows, i), append(root, math.Sqrt(w))
		}
	}
	if len(rows) == 0 {
		last := theta.RawMatrix().Rows - 1
		for _, l := range columns {
			theta.Set(last, l, start.At(last, l))
		}
		return true
	}
	products, features := s.products(rows)
	factor := s.rowsFactor(products, root)
	if factor == nil {
		return false
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
	c := mat.NewDense(len(rows), k, nil)
	p, _ := theta.Dims()
	for at, l := range columns {
		b := sums[at] / sums[k]
		for a := range rows {
			v := right.RawRowView(a)
			c.Set(a, at, root[a]*(v[at]-b*v[k]))
		}
		theta.Set(p-1, l, b)
	}
	if features != nil {
		var folded mat.Dense
		linalg.Mul(&folded, features.T(), c)
		c = &folded
	}
	for at, l := range columns {
		for a := range c.RawMatrix().Rows {
			j := a
			if features == nil {
				j = rows[a]
			}
			theta.Set(j, l, c.At(a, at))
		}
	}
	return true
}

// products are the inner products of some rows, and their features unless these are the kernel.
func (s *system) products(rows []int) (*mat.SymDense, *mat.Dense) {
	if !s.kernel {
		_, p := s.a.Dims()
		features := mat.NewDense(len(rows), p-1, nil)
		for a, i := range rows {
			copy(features.RawRowView(a), s.a.RawRowView(i))
		}
		return linalg.RowProducts(features), features
	}
	m := mat.NewSymDense(len(rows), nil)
	raw := m.RawSymmetric()
	for a, i := range rows {
		to, from := raw.Data[a*raw.Stride:(a+1)*raw.Stride], s.a.RawRowView(i)
		for b := a; b < len(rows); b++ {
			to[b] = from[rows[b]]
		}
	}
	return m, nil
}

// rowsFactor is the Cholesky factor of ridge I + S K S, which overwrites K; nil where it has none even with
// a little more on its diagonal, or features would serve better.
func (s *system) rowsFactor(k *mat.SymDense, root []float64) *linalg.Cholesky {
	raw := k.RawSymmetric()
	for a, f := range root {
		to := raw.Data[a*raw.Stride : (a+1)*raw.Stride]
		for b := a; b < len(root); b++ {
			to[b] *= f * root[b]
		}
		to[a] += s.ridge
	}
	trace := mat.Trace(k)
	if !s.kernel && !(trace < rowsRange*s.ridge) {
		return nil
	}
	for extra := 1e-15 * trace; ; extra *= 10 {
		if factor, ok := linalg.NewCholesky(k); ok {
			return factor
		}
		if !(extra < 1e-3*trace) || !s.kernel {
			return nil
		}
		for a := range root {
			raw.Data[a*raw.Stride+a] += extra
		}
	}
}
