package pca

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
)

var errMissingL1 = refusal.Data("pca-l1 cannot fill missing values; use pca-robust or pca-kmpe, or remove the rows")

// gaps remembers which values are missing and holds the copy in which they are filled.
type gaps struct {
	rows   []int      // rows with missing values
	holes  [][]int    // their missing columns
	filled *mat.Dense // all rows; holes are overwritten by the fit
}

// fillGaps copies the data and puts column medians into the holes. It returns nil gaps
// and src itself when nothing is missing.
func fillGaps(ctx context.Context, src linalg.Source, w []float64) (linalg.Source, *gaps, error) {
	n, d := src.Dims()
	g := &gaps{filled: mat.NewDense(n, d, nil)}
	err := src.Scan(ctx, func(first int, block *mat.Dense) error {
		r, _ := block.Dims()
		for i := 0; i < r; i++ {
			row := block.RawRowView(i)
			copy(g.filled.RawRowView(first+i), row)
			var holes []int
			for j, v := range row {
				if math.IsNaN(v) {
					holes = append(holes, j)
				}
			}
			if len(holes) == d {
				return &refusal.EmptyError{Row: first + i + 1}
			}
			if holes != nil {
				g.rows = append(g.rows, first+i)
				g.holes = append(g.holes, holes)
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	if len(g.rows) == 0 {
		return src, nil, nil
	}
	medians := make([]float64, d)
	for j := range medians {
		column, weights := make([]float64, 0, n), make([]float64, 0, n)
		for i := 0; i < n; i++ {
			if v := g.filled.At(i, j); !math.IsNaN(v) && weightAt(w, i) > 0 {
				column, weights = append(column, v), append(weights, weightAt(w, i))
			}
		}
		if len(column) == 0 {
			return nil, nil, &refusal.EmptyError{Column: j + 1}
		}
		if w == nil {
			weights = nil
		}
		medians[j] = univariate.WeightedMedian(column, weights)
	}
	for k, i := range g.rows {
		for _, j := range g.holes[k] {
			g.filled.Set(i, j, medians[j])
		}
	}
	return linalg.FromDense(g.filled), g, nil
}

// gapProblem is weighted PCA in which only observed values count. Filling a hole with the
// present model's value and then fitting all values majorises the loss of the observed
// ones, so the objective falls as it does without holes.
type gapProblem struct {
	*problem
	gaps *gaps
}

// Residuals are those of the observed values at the scores that fit them best.
func (p *gapProblem) Residuals(ctx context.Context, at subspace, s []float64) error {
	if err := p.problem.Residuals(ctx, at, s); err != nil {
		return err
	}
	p.gaps.judge(at, s, nil)
	return nil
}

// Solve fills the holes at the present state, then solves.
func (p *gapProblem) Solve(ctx context.Context, from subspace, w []float64) (subspace, error) {
	p.gaps.fill(from)
	return p.problem.Solve(ctx, from, w)
}

// judge overwrites squared residuals (and scores, when given) of rows with holes.
func (g *gaps) judge(at subspace, s []float64, scores *mat.Dense) {
	_, m := at.basis.Dims()
	linalg.Parallel(len(g.rows), func(k int) {
		i := g.rows[k]
		row := g.withHoles(k)
		z := make([]float64, m)
		s[i] = bridge(row, at, z)
		if scores != nil {
			copy(scores.RawRowView(i), z)
		}
	})
}

// fill puts the model's values into the holes.
func (g *gaps) fill(at subspace) {
	_, m := at.basis.Dims()
	linalg.Parallel(len(g.rows), func(k int) {
		row := g.withHoles(k)
		z := make([]float64, m)
		bridge(row, at, z)
		target := g.filled.RawRowView(g.rows[k])
		for _, j := range g.holes[k] {
			v := at.mean[j]
			for c, e := range z {
				v += at.basis.At(j, c) * e
			}
			target[j] = v
		}
	})
}

func (g *gaps) withHoles(k int) []float64 {
	row := append([]float64(nil), g.filled.RawRowView(g.rows[k])...)
	for _, j := range g.holes[k] {
		row[j] = math.NaN()
	}
	return row
}

// bridge fits the scores of a row by least squares on its observed columns, writes them to
// z and returns the squared residual of those columns. When fewer columns are observed
// than there are components the shortest scores are taken. A row so far off that squares
// overflow has an infinite residual but finite scores.
func bridge(row []float64, at subspace, z []float64) float64 {
	_, m := at.basis.Dims()
	var seen []int
	for j, v := range row {
		if !math.IsNaN(v) {
			seen = append(seen, j)
		}
	}
	clear(z)
	if len(seen) == 0 {
		return 0
	}
	a, b := mat.NewDense(len(seen), m, nil), mat.NewVecDense(len(seen), nil)
	far := 0.0
	for k, j := range seen {
		a.SetRow(k, at.basis.RawRowView(j))
		b.SetVec(k, row[j]/2-at.mean[j]/2) // halves: the difference could overflow
		far = math.Max(far, math.Abs(b.AtVec(k)))
	}
	unit := 1.0
	if far > 1e140 {
		unit = math.Ldexp(1, math.Ilogb(far))
	}
	b.ScaleVec(2/unit, b)
	var svd mat.SVD
	if svd.Factorize(a, mat.SVDThin) {
		rank := svd.Rank(1e-10)
		if rank > 0 {
			var x mat.VecDense
			svd.SolveVecTo(&x, b, rank)
			copy(z, x.RawVector().Data)
		}
	}
	sum := 0.0
	for k, j := range seen {
		e := b.AtVec(k)
		for c, v := range z {
			e -= at.basis.At(j, c) * v
		}
		sum += e * e
	}
	if unit == 1 {
		return sum
	}
	for c, v := range z {
		z[c] = finite(v * unit)
	}
	return sum * unit * unit
}
