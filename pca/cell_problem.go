package pca

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// cellState is the state of a cellwise fit: cell (i, j) is expected at mu_j + a_j'z_i, z_i the scores of
// row i, in units of the table.
type cellState struct {
	mu     []float64
	a      *mat.Dense // d x m, orthonormal columns
	scores *mat.Dense // n x m; nil: not known
}

func (s cellState) rank() int { _, m := s.a.Dims(); return m }

// orthonormal is the same state with orthonormal columns of a; the scores follow.
func (s cellState) orthonormal() cellState {
	d, m := s.a.Dims()
	var qr mat.QR
	qr.Factorize(s.a)
	var q, r mat.Dense
	qr.QTo(&q)
	qr.RTo(&r)
	turn := mat.DenseCopyOf(r.Slice(0, m, 0, m))
	basis := mat.DenseCopyOf(q.Slice(0, d, 0, m))
	for k := range m { // so that a turns as little as it can
		if turn.At(k, k) < 0 {
			for j := range d {
				basis.Set(j, k, -basis.At(j, k))
			}
			for l := range m {
				turn.Set(k, l, -turn.At(k, l))
			}
		}
	}
	out := cellState{mu: s.mu, a: basis}
	if s.scores != nil {
		out.scores = new(mat.Dense)
		linalg.Mul(out.scores, s.scores, turn.T())
	}
	return out
}

// cellProblem is the fit of cells as an irls.Problem: its observations are rows, whose squared
// residual is the mean loss of their cells.
type cellProblem struct{ *cellTable }

func (p *cellProblem) Len() int { return p.n() }

func (p *cellProblem) Penalty(cellState) float64 { return 0 }

// Residuals writes the mean loss of the cells of every row.
func (p *cellProblem) Residuals(ctx context.Context, at cellState, u []float64) error {
	return linalg.EachBlock(ctx, linalg.FromDense(p.z), func() *cellDesk { return newCellDesk(at) }, func(k *cellDesk, first int, block *mat.Dense) {
		k.load(block)
		k.deviate(k.scoresOf(at, first))
		k.meanLoss(p.loss, u[first:first+k.rows])
	})
}

// Solve makes one round of weighted least squares: with the weights of cells at the present state
// the scores of each row, then centre and loadings of each column. Both lower the sum of
// squares that majorises the objective. The small normal equations of all rows, and of all
// columns, are one product of matrices each.
func (p *cellProblem) Solve(ctx context.Context, from cellState, w []float64) (cellState, error) {
	n, d := p.z.Dims()
	m := from.rank()
	scores := mat.NewDense(n, m, nil)
	sum, err := linalg.Pass(ctx, linalg.FromDense(p.z), func() *cellDesk { return newCellDesk(from) }, func(k *cellDesk, first int, block *mat.Dense) {
		k.load(block)
		z := k.rowsOf(scores, first)
		z.Copy(k.scoresOf(from, first))
		k.deviate(z)
		k.weigh(p.loss)
		k.improve(z, nil)
		k.count(z, w[first:first+k.rows])
	}, func(into, part *cellDesk) { into.join(part) })
	if err != nil {
		return cellState{}, err
	}
	out := cellState{mu: append([]float64(nil), from.mu...), a: mat.DenseCopyOf(from.a)}
	sum.columns(d, out)
	if total := sum.sums[0]; total > 0 { // scores about 0
		shift := make([]float64, m)
		for l := range shift {
			shift[l] = sum.sums[l+1] / total
		}
		for j := range d {
			for l, v := range shift {
				out.mu[j] += out.a.At(j, l) * v
			}
		}
		linalg.Parallel(n, func(i int) {
			for l := range shift {
				scores.RawRowView(i)[l] -= shift[l]
			}
		})
	}
	out.scores = scores
	return out.orthonormal(), nil
}

// Between moves along the chord after the rotation that brings the two bases together.
func (p *cellProblem) Between(a, b cellState, t float64) (cellState, error) {
	var cross mat.Dense
	linalg.Mul(&cross, b.a.T(), a.a)
	var svd mat.SVD
	turned, scores := mat.DenseCopyOf(b.a), mat.DenseCopyOf(b.scores)
	if svd.Factorize(&cross, mat.SVDThin) {
		var u, v, rotation mat.Dense
		svd.UTo(&u)
		svd.VTo(&v)
		linalg.Mul(&rotation, &u, v.T())
		linalg.Mul(turned, b.a, &rotation)
		linalg.Mul(scores, b.scores, &rotation)
	}
	mix := func(to, from *mat.Dense) {
		to.Scale(t, to)
		to.Apply(func(i, j int, v float64) float64 { return v + (1-t)*from.At(i, j) }, to)
	}
	mix(turned, a.a)
	mix(scores, a.scores)
	mu := make([]float64, len(a.mu))
	for j := range mu {
		mu[j] = (1-t)*a.mu[j] + t*b.mu[j]
	}
	return cellState{mu: mu, a: turned, scores: scores}.orthonormal(), nil
}

// Distance is the sine-like distance of the two subspaces plus the shift of the centre across
// them, in units of a cell.
func (p *cellProblem) Distance(a, b cellState) float64 {
	d, m := a.a.Dims()
	var cross, rest mat.Dense
	linalg.Mul(&cross, a.a.T(), b.a)
	linalg.Mul(&rest, a.a, &cross)
	rest.Sub(b.a, &rest)
	shift, along := make([]float64, d), make([]float64, m)
	for j := range shift {
		shift[j] = b.mu[j] - a.mu[j]
		for l := range along {
			along[l] += a.a.At(j, l) * shift[j]
		}
	}
	squares := 0.0
	for j, v := range shift {
		for l, s := range along {
			v -= a.a.At(j, l) * s
		}
		squares += v * v
	}
	return mat.Norm(&rest, 2)/math.Sqrt(float64(m)) + math.Sqrt(squares/float64(d))
}

// tooVague is how many times the spread of a cell the rest of its row may be wrong about it: beyond, what the
// cell deviates by is 99 % the errors of others. Scores of rows that are bad as a whole go through few of their cells, which
// then seem to deviate by nothing; taken for regular ones they would make spreads too small by a third.
const tooVague = 10

// fewVague is vague, without columns where most cells are so: a component that turned into a column.
func (t *cellTable) fewVague(vague []bool) []bool {
	n, d := t.z.Dims()
	for j := range d {
		count := 0
		for i := range n {
			if vague[i*d+j] {
				count++
			}
		}
		if 2*count <= n {
			continue
		}
		for i := range n {
			vague[i*d+j] = false
		}
	}
	return vague
}

// deviations writes those of all cells at a state, NaN where missing, and tells which cells are vague.
func (t *cellTable) deviations(at cellState, e *mat.Dense) (vague []bool) {
	n, d := t.z.Dims()
	vague = make([]bool, n*d)
	_ = linalg.EachBlock(context.Background(), linalg.FromDense(t.z), func() *cellDesk { return newCellDesk(at) }, func(k *cellDesk, first int, block *mat.Dense) {
		k.load(block)
		k.deviate(k.scoresOf(at, first))
		k.writeDeviations(e.Slice(first, first+k.rows, 0, d).(*mat.Dense))
		grow := mat.NewDense(k.rows, d, nil)
		k.without(t.loss, mat.NewDense(k.rows, d, nil), grow)
		for c, times := range grow.RawMatrix().Data {
			vague[first*d+c] = times > tooVague
		}
	})
	return t.fewVague(vague)
}
