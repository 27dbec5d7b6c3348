package linear

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
)

// A row with one absurd cell in a column that explains nothing makes its own residual: the coefficient of that column goes to
// where the row is, 1e-9 of anything, and the row seems right whatever its target is. Such a row is no witness for itself.
// Rows that lie far beyond all others in one column are heard only if the others confirm them.

// beyond is how many times as far from the middle as the next row, and as an ordinary one, a value is that stands alone.
// The largest of values with the tail of a Cauchy distribution is that in one of twenty tables, and so is that of lognormal
// ones whose logarithms have a standard deviation of 3.
const beyond = 20

// ordinary is as far out, in spreads, as values are of themselves.
const ordinary = 3

// together is the largest share of a column's values that stand alone, of those that are not its one value where most
// are equal: more are what the column is like.
const together = 0.2

// fellows is how many different values it takes that far rows confirm each other.
const fellows = 3

// alone is a cell that lies beyond those of all other rows: its row and its column of the table.
type alone struct{ row, column int }

// cell is one of a column of the design, at a distance from its middle.
type cell struct {
	row, column int
	far         float64
}

// column is what tells which of its cells stand alone: the distance of ordinary values from the middle, how many there
// are (as weights say) that could be far, and the farthest that is within reach of them.
type column struct{ usual, count, nearer float64 }

// standing finds the cells of rows with a vote that stand alone in their column.
func (f *fitting) standing(ctx context.Context) ([]alone, error) {
	g := f.g
	if err := g.measure(ctx, f.beta, nil); err != nil {
		return nil, err
	}
	columns := g.usual()
	type part struct {
		cells []cell
		most  []float64 // the farthest of the others, per column
	}
	count, _ := pieces(g.n, g.stride)
	parts := make([]part, count)
	err := g.each(ctx, func(k, first, last int) {
		to := part{most: make([]float64, g.p)}
		for i := first; i < last; i++ {
			if g.weight(i) == 0 {
				continue
			}
			for j, z := range g.row(i) {
				switch z = math.Abs(z); {
				case z > beyond*ordinary*columns[j].usual && j >= g.ones:
					to.cells = append(to.cells, cell{i, j, z})
				case z > to.most[j]:
					to.most[j] = z
				}
			}
		}
		parts[k] = to
	})
	if err != nil {
		return nil, err
	}
	var all []cell
	for _, p := range parts {
		all = append(all, p.cells...)
		for j, v := range p.most {
			columns[j].nearer = max(columns[j].nearer, v)
		}
	}
	slices.SortStableFunc(all, func(a, b cell) int {
		return cmp.Or(cmp.Compare(a.column, b.column), cmp.Compare(a.far, b.far))
	})
	var out []alone
	for len(all) > 0 {
		j := all[0].column
		end := slices.IndexFunc(all, func(c cell) bool { return c.column != j })
		if end < 0 {
			end = len(all)
		}
		for _, c := range f.apart(all[:end], columns[j]) {
			out = append(out, alone{c.row, g.kept[j-g.ones]})
		}
		all = all[end:]
	}
	return out, nil
}

// usual describes the columns of the design. Where most values are equal the others are measured by the median of
// themselves: a rare category is as far out as it is rare, and no mistake. Without an intercept the middle is 0, which ordinary
// values may be far from.
func (g *design) usual() []column {
	out := make([]column, g.p)
	for k, j := range g.kept {
		at, base := g.ones+k, g.base(j)
		c := column{usual: max(1, math.Abs(base)), count: g.total}
		if g.columns[j].MostlyOne {
			var away, weights []float64
			c.count = 0
			for i := range g.n {
				if z, w := g.row(i)[at], g.weight(i); z != base && w > 0 {
					away, weights = append(away, math.Abs(z)), append(weights, w)
					c.count += w
				}
			}
			c.usual = max(c.usual, univariate.WeightedMedian(away, weights))
		}
		out[at] = c
	}
	return out
}

// apart are those of the far cells of a column, the nearest first, that stand alone and have been heard.
func (f *fitting) apart(cells []cell, c column) []cell {
	g := f.g
	last := max(ordinary*c.usual, c.nearer)
	for len(cells) > 0 && cells[0].far <= beyond*last {
		last, cells = cells[0].far, cells[1:]
	}
	weight, heard := 0.0, cells[:0:0]
	for _, e := range cells {
		if weight += g.weight(e.row); f.pulls(e) {
			heard = append(heard, e)
		}
	}
	if weight > max(together*c.count, 1) || f.agree(heard) {
		return nil
	}
	return heard
}

// pulls tells whether a cell's row is heard: by its weight or, since losses that reject nothing weigh a far row little and hear it nevertheless, by its
// pull at the coefficient.
func (f *fitting) pulls(c cell) bool {
	return f.weight[c.row]*max(1, math.Abs(f.g.r[c.row])/f.scale*c.far) > rejected
}

// agree tells whether the far cells of a column confirm each other: they have several values, none of them makes the
// coefficient alone, and together they say that it is not 0 by more than five standard errors of known noise.
func (f *fitting) agree(cells []cell) bool {
	values, sum := map[float64]float64{}, 0.0 // squares by value, as repeated rows share one
	for _, c := range cells {
		z := f.g.row(c.row)[c.column]
		values[z] += f.g.weight(c.row) * z * z
		sum += f.g.weight(c.row) * z * z
	}
	if len(values) < fellows || slices.Max(slices.Collect(maps.Values(values))) > selfMade*sum {
		return false
	}
	b := f.beta[cells[0].column]
	return b*b*sum > 25*f.scale*f.scale
}

// heard settles the fit of the rows that may vote.
func (o Robust) heard(ctx context.Context, x *mat.Dense, y []float64, spec loss.Spec) (*fitting, error) {
	all, err := o.settle(ctx, x, y, spec)
	if err != nil || all.status == irls.PerfectFit || all.status == irls.Cancelled {
		return all, err
	}
	cells, err := all.standing(given.Rest(ctx))
	if err != nil || len(cells) == 0 {
		return all, err
	}
	others, err := o.without(ctx, x, y, spec, cells)
	if err != nil || others.status == irls.Cancelled {
		return all.unfinished(ctx), nil
	}
	doubtful := others.unconfirmed(given.Rest(ctx), cells)
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
	if err := o.check(ctx, x, y); err != nil { // too few are left
		return nil, err
	}
	return o.settle(ctx, x, y, spec)
}

// unconfirmed are the cells of which a fit without their rows does not say that they matter, or whose rows are not where it
// says: the far cells of a row must move its prediction by more than three of its standard errors, and the residual must be
// as large as that error and the noise allow. Where rows are few three errors become more, as a residual's cut-off does.
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
	sure := 3 * f.cutoff() / f.ResidualCutoff
	return slices.DeleteFunc(slices.Clone(cells), func(c alone) bool {
		z, effect, variance := g.row(c.row), 0.0, 0.0
		for _, j := range far[c.row] {
			effect += z[j] * f.beta[j]
			for _, k := range far[c.row] {
				variance += z[j] * z[k] * spread.At(j, k)
			}
		}
		return effect*effect > sure*sure*variance && math.Abs(g.r[c.row]) <= f.cutoff()*math.Sqrt(f.scale*f.scale+variance)
	})
}
