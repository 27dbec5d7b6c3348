package pca

import (
	"context"
	"math"
	"sort"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/outlying"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

// The start of a cellwise fit must survive bad cells in most rows. Cells far out in their column
// are set aside; each cell is predicted from the columns that go with its own, by robust
// slopes; cells far from their prediction, and missing ones, are replaced by it
// (DetectDeviatingCells, Rousseeuw and Van den Bossche 2018). What is left are bad rows, which
// the start of the row-wise methods survives.

const (
	// predictors is how many columns at most a cell is predicted from.
	predictors = 25
	// leastCorrelation of a column with another that predicts it.
	leastCorrelation = 0.5
	// deviating is how far from its prediction, in spreads, a cell is replaced: the 99 % limit.
	deviating = 2.5758
)

// start finds the subspace of a table in units of the columns' spreads, and makes the spreads of
// cells about it the units.
func (t *cellTable) start(ctx context.Context, o Options) (cellState, error) {
	filled, replaced, err := t.predict(ctx)
	if err != nil {
		return cellState{}, err
	}
	o.Weights = t.weight
	rows := &table{inside: linalg.FromDense(filled), rows: t.rows, directions: startDirections}
	at, _, err := rows.begin(ctx, o, func(m int) int { return m })
	if err != nil {
		return cellState{}, err
	}
	n, _ := filled.Dims()
	var scores, e mat.Dense
	for i := range n {
		row := filled.RawRowView(i)
		for j := range row {
			row[j] -= at.mean[j]
		}
	}
	linalg.Mul(&scores, filled, at.basis)
	linalg.Mul(&e, &scores, at.basis.T())
	e.Sub(filled, &e)
	return t.measureIn(t.spreads(&e, replaced), cellState{mu: at.mean, a: at.basis}), ctx.Err()
}

// predict returns the table with deviating and missing cells replaced by their predictions, and
// which ones were.
func (t *cellTable) predict(ctx context.Context) (*mat.Dense, []bool, error) {
	n, d := t.z.Dims()
	near := mat.NewDense(n, d, nil) // NaN where missing or far out in its column
	for i := range n {
		row := near.RawRowView(i)
		for j, v := range t.z.RawRowView(i) {
			if row[j] = v; !(math.Abs(v) <= marginalReach) {
				row[j] = math.NaN()
			}
		}
	}
	correlations, err := t.correlations(ctx, near)
	if err != nil {
		return nil, nil, err
	}
	filled, replaced := mat.DenseCopyOf(t.z), make([]bool, n*d)
	err = linalg.ParallelUntil(ctx, d, func(j int) {
		guess := t.guess(near, correlations, j)
		e, w := make([]float64, 0, n), []float64(nil)
		for i, g := range guess {
			if v := t.z.At(i, j); v == v && weightAt(t.weight, i) > 0 {
				e = append(e, v-g)
				if t.weight != nil {
					w = append(w, t.weight[i])
				}
			}
		}
		_, spread := univariate.WeightedReweighted(e, w, outlying.HalfSize(total(w, len(e)), 0), cutoffLevel)
		if spread == 0 {
			spread = 1
		}
		for i, g := range guess {
			if !(math.Abs(t.z.At(i, j)-g) <= deviating*spread) {
				filled.Set(i, j, g)
				replaced[i*d+j] = true
			}
		}
	})
	return filled, replaced, err
}

// correlations of the columns by the cells that are near in both; nil where there are too many
// columns.
func (t *cellTable) correlations(ctx context.Context, near *mat.Dense) (*mat.Dense, error) {
	n, d := near.Dims()
	if d > gramLimit {
		return nil, nil
	}
	values, squares, there := mat.NewDense(n, d, nil), mat.NewDense(n, d, nil), mat.NewDense(n, d, nil)
	for i := range n {
		root := math.Sqrt(weightAt(t.weight, i))
		for j, v := range near.RawRowView(i) {
			if v == v {
				values.Set(i, j, root*v)
				squares.Set(i, j, root*v*v)
				there.Set(i, j, root)
			}
		}
	}
	out := mat.NewDense(d, d, nil)
	var variance mat.Dense // of column j where column h is there
	linalg.Mul(out, values.T(), values)
	linalg.Mul(&variance, squares.T(), there)
	for j := range d {
		for h := range d {
			if s := math.Sqrt(variance.At(j, h) * variance.At(h, j)); s > 0 {
				out.Set(j, h, out.At(j, h)/s)
			} else {
				out.Set(j, h, 0)
			}
		}
	}
	return out, ctx.Err()
}

// guess predicts the cells of column j from the columns that go with it: the mean of what each
// says, by how closely it goes with j, brought to the right size. Without such columns it is 0,
// the median.
func (t *cellTable) guess(near, correlations *mat.Dense, j int) []float64 {
	n, d := near.Dims()
	out := make([]float64, n)
	if correlations == nil {
		return out
	}
	var with []int
	for h := range d {
		if h != j && math.Abs(correlations.At(j, h)) >= leastCorrelation {
			with = append(with, h)
		}
	}
	sort.SliceStable(with, func(a, b int) bool {
		return math.Abs(correlations.At(j, with[a])) > math.Abs(correlations.At(j, with[b]))
	})
	with = with[:min(len(with), predictors)]
	if len(with) == 0 {
		return out
	}
	own, room, sums := mat.Col(nil, j, near), make([]float64, n), make([]float64, n)
	for _, h := range with {
		mat.Col(room, h, near)
		slope, c := t.slope(own, room), math.Abs(correlations.At(j, h))
		for i, v := range room {
			if v == v {
				out[i] += c * slope * v
				sums[i] += c
			}
		}
	}
	for i, s := range sums {
		if s > 0 {
			out[i] /= s
		} else {
			out[i] = math.NaN()
		}
	}
	size := t.slope(own, out)
	for i := range out {
		if out[i] *= size; out[i] != out[i] {
			out[i] = 0
		}
	}
	return out
}

// slope of y on x through the origin, by the pairs that are there and within reach of it.
func (t *cellTable) slope(y, x []float64) float64 {
	fit := func(slope, reach float64) float64 {
		top, bottom := 0.0, 0.0
		for i, v := range x {
			if e := y[i] - slope*v; math.Abs(e) <= reach {
				a := weightAt(t.weight, i)
				top += a * v * y[i]
				bottom += a * v * v
			}
		}
		if bottom == 0 {
			return 0
		}
		return top / bottom
	}
	slope := fit(0, math.Inf(1))
	var e, w []float64
	for range 2 {
		e, w = e[:0], w[:0]
		for i, v := range x {
			if r := y[i] - slope*v; r == r {
				e, w = append(e, math.Abs(r)), append(w, weightAt(t.weight, i))
			}
		}
		if len(e) == 0 {
			return 0
		}
		slope = fit(slope, deviating*univariate.Normal*univariate.WeightedMedian(e, w))
	}
	return slope
}
