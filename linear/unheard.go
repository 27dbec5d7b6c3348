package linear

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
)

// A row with one absurd cell in a column that explains nothing makes its own residual: the coefficient of that column goes to
// where the row is, 1e-9 of anything, and the row seems right whatever its target is. Such a row is no witness for itself.
// Rows that lie far beyond all others in one column are heard only if the others confirm them.

// beyond is how many times as far from the middle as the next row, and as an ordinary one, a value is that stands alone.
// The largest of values with the tail of a Cauchy distribution is that in one of twenty tables, of lognormal ones never.
const beyond = 20

// ordinary is as far out, in spreads, as values are of themselves.
const ordinary = 3

// alone is a cell that lies beyond those of all other rows: its row and its column of the table.
type alone struct{ row, column int }

// standing finds the cells of rows with a vote that stand alone in their column.
func (f *fitting) standing(ctx context.Context) ([]alone, error) {
	g := f.g
	type cell struct {
		alone
		far float64
	}
	count, _ := pieces(g.n, g.stride)
	found := make([][]cell, count)
	nearer := make([][]float64, count) // the farthest of the others, per column
	err := g.each(ctx, func(k, first, last int) {
		most := make([]float64, g.p)
		for i := first; i < last; i++ {
			if g.weight(i) == 0 {
				continue
			}
			for j, z := range g.row(i)[:g.p] {
				switch z = math.Abs(z); {
				case z > beyond*ordinary && j >= g.ones:
					found[k] = append(found[k], cell{alone{i, j}, z})
				case z > most[j]:
					most[j] = z
				}
			}
		}
		nearer[k] = most
	})
	if err != nil {
		return nil, err
	}
	all := slices.Concat(found...)
	slices.SortStableFunc(all, func(a, b cell) int {
		return cmp.Or(cmp.Compare(a.column, b.column), cmp.Compare(a.far, b.far))
	})
	var out []alone
	last, column, open := 0.0, -1, false
	for _, c := range all {
		if c.column != column {
			column, last, open = c.column, ordinary, false
			for _, most := range nearer {
				last = max(last, most[column])
			}
		}
		if open = open || c.far > beyond*last; open && f.weight[c.row] > rejected {
			out = append(out, alone{c.row, g.kept[c.column-g.ones]})
		}
		last = c.far
	}
	return out, nil
}

// heard settles the fit of the rows that may vote.
func (o Robust) heard(ctx context.Context, x *mat.Dense, y []float64, spec loss.Spec) (*fitting, error) {
	all, err := o.settle(ctx, x, y, spec)
	if err != nil || all.status == irls.PerfectFit || all.status == irls.Cancelled {
		return all, err
	}
	cells, err := all.standing(context.WithoutCancel(ctx))
	if err != nil || len(cells) == 0 {
		return all, err
	}
	others, err := o.without(ctx, x, y, spec, cells)
	if err != nil || others.status == irls.Cancelled {
		return all.unfinished(ctx), nil
	}
	doubtful := others.unconfirmed(context.WithoutCancel(ctx), cells)
	switch len(doubtful) {
	case 0:
		return all, nil
	case len(cells):
		others.unheard = true
		return others, nil
	}
	rest, err := o.without(ctx, x, y, spec, doubtful)
	if err != nil || rest.status == irls.Cancelled {
		return all.unfinished(ctx), nil
	}
	rest.unheard = true
	return rest, nil
}

// unfinished is the fit of all rows where that of some could not be had: they are too few, or the time was over.
func (f *fitting) unfinished(ctx context.Context) *fitting {
	if ctx.Err() != nil {
		f.status = irls.Cancelled
	}
	return f
}

// without settles the fit of all rows but those.
func (o Robust) without(ctx context.Context, x *mat.Dense, y []float64, spec loss.Spec, cells []alone) (*fitting, error) {
	weights := slices.Clone(o.Weights)
	if weights == nil {
		weights = slices.Repeat([]float64{1}, len(y))
	}
	for _, c := range cells {
		weights[c.row] = 0
	}
	o.Weights = weights
	return o.settle(ctx, x, y, spec)
}

// unconfirmed are the cells of which a fit without their rows does not say that they matter, or whose rows are not where it
// says: the far cells of a row must move its prediction by more than three of its standard errors, and the residual must be
// as large as that error and the noise allow.
func (f *fitting) unconfirmed(ctx context.Context, cells []alone) []alone {
	g := f.g
	if f.status == irls.PerfectFit || g.measure(ctx, f.beta, nil) != nil {
		return cells
	}
	e := f.gather(ctx, g, f.start)
	if e == nil {
		return cells
	}
	spread := f.covariance(e)
	if spread == nil {
		return cells
	}
	place := map[int]int{} // of a column of the table in the design
	for k, j := range g.kept {
		place[j] = g.ones + k
	}
	far := map[int][]int{} // the columns of the design in which a row stands alone
	for _, c := range cells {
		if k, kept := place[c.column]; kept {
			far[c.row] = append(far[c.row], k)
		}
	}
	return slices.DeleteFunc(slices.Clone(cells), func(c alone) bool {
		z, effect, variance := g.row(c.row), 0.0, 0.0
		for _, j := range far[c.row] {
			effect += z[j] * f.beta[j]
			for _, k := range far[c.row] {
				variance += z[j] * z[k] * spread.At(j, k)
			}
		}
		return effect*effect > 9*variance && math.Abs(g.r[c.row]) <= f.cutoff()*math.Sqrt(f.scale*f.scale+variance)
	})
}
