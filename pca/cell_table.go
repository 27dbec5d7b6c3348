package pca

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/bounded"
	"github.com/inlier-ml/inlier/internal/outlying"
	"github.com/inlier-ml/inlier/internal/scaling"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
)

// cellTable is the table of a cellwise fit: z = (x - centre) / unit, a copy that the fit may
// change. Units are at first the robust spreads of the columns, then those of regular cells about
// what is expected of them, so that cells of all columns compare.
type cellTable struct {
	given  linalg.Source
	z      *mat.Dense // NaN where missing; absurd values are moved in
	centre []float64  // medians of the columns
	spread []float64  // robust spreads of the columns
	unit   []float64  // what z is measured in
	rows   int        // counting weights
	weight []float64  // of the rows as given; nil: ones
	prior  []float64  // the same without rows of which too little is known; nil: ones
	known  []float64  // cells of each row that are known
	far    []bool     // rows with a value that was moved in; nil: none
	loss   cellLoss
	seed   uint64
}

// cellReach is the distance from the median, in spreads of the column, that values are moved in to.
const cellReach = 1e7

// cellScaleRows is how many rows of a large table spreads come from.
const cellScaleRows = 20000

// newCellTable copies the rows and brings the columns to a common unit.
func newCellTable(ctx context.Context, src linalg.Source, o Options, whole bool) (*cellTable, error) {
	var loaded *mat.Dense
	if m, ok := src.(linalg.InMemory); ok {
		loaded = m.Dense()
	} else {
		var err error
		if loaded, err = linalg.Load(ctx, src); err != nil {
			return nil, err
		}
	}
	n, d := loaded.Dims()
	t := &cellTable{given: linalg.FromDense(loaded), z: mat.NewDense(n, d, nil), weight: o.Weights, prior: o.Weights, known: make([]float64, n), rows: countRows(n, o.Weights), seed: o.Seed}
	s := scaling.Fit(loaded, scaling.Rules{Kind: scaling.Robust, Weights: o.Weights, Context: ctx})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t.centre, t.spread = s.Offset, s.Scale
	if err := t.check(ctx, s, whole); err != nil {
		return nil, err
	}
	t.unit = append([]float64(nil), t.spread...)
	far := make([]bool, n)
	linalg.Parallel(n, func(i int) {
		row, from := t.z.RawRowView(i), loaded.RawRowView(i)
		for j, v := range from {
			row[j] = standard(v, t.centre[j], t.spread[j])
			if math.Abs(row[j]) > cellReach {
				row[j], far[i] = math.Copysign(cellReach, row[j]), true
			}
			if row[j] == row[j] {
				t.known[i]++
			}
		}
	})
	for _, is := range far {
		if is {
			t.far = far
		}
	}
	return t, ctx.Err()
}

// standard is (v - centre)/unit, also where the difference overflows.
func standard(v, centre, unit float64) float64 {
	if e := v - centre; !math.IsInf(e, 0) {
		return e / unit
	}
	return math.Copysign(math.MaxFloat64, v)
}

// check refuses columns without a value, infinite numbers (missing ones too, where a whole table is
// asked for) and tables that never change.
func (t *cellTable) check(ctx context.Context, s scaling.Scaling, whole bool) error {
	m := t.given.(linalg.InMemory).Dense()
	n, d := m.Dims()
	counts, varies := make([]bool, d), false
	for i := range n {
		for j, v := range m.RawRowView(i) {
			if math.IsInf(v, 0) || whole && v != v {
				return &refusal.CellError{Row: i + 1, Column: j + 1, Value: v}
			}
			if v == v && weightAt(t.weight, i) > 0 {
				counts[j] = true
			}
		}
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	for j, some := range counts {
		switch {
		case !some:
			return &refusal.EmptyError{Column: j + 1}
		case s.Low == nil || s.Low[j] < s.High[j]:
			varies = true
		default: // never changes, up to rounding
			t.spread[j] = math.Max(1e-8*math.Abs(t.centre[j]), math.SmallestNonzeroFloat64*1e16)
		}
	}
	if !varies {
		return errConstant
	}
	typical := 0.0
	for j, v := range t.spread {
		if s.Low == nil || s.Low[j] < s.High[j] {
			typical = math.Hypot(typical, v)
		}
	}
	return bounded.Unit(typical)
}

func (t *cellTable) n() int { n, _ := t.z.Dims(); return n }

// exclude takes the vote of rows of which no more cells are known than a row has scores: they fit
// whatever they are.
func (t *cellTable) exclude(at cellState) {
	free, own := float64(at.rank()), false
	for i, k := range t.known {
		if k > free || k == float64(len(t.unit)) {
			continue
		}
		if !own {
			t.prior, own = slices.Clone(orOnes(t.weight, t.n())), true
		}
		t.prior[i] = 0
	}
}

// sample is the rows that the search for a start looks at: t itself where it is small.
func (t *cellTable) sample(ctx context.Context, o Options) (*cellTable, error) {
	x, w, err := sampleRows(ctx, linalg.FromDense(t.z), o, startRows)
	if err != nil || x == t.z {
		return t, err
	}
	n, _ := x.Dims()
	out := *t
	out.z, out.weight, out.prior, out.rows, out.known = mat.DenseCopyOf(x), w, w, countRows(n, w), make([]float64, n)
	for i := range n {
		for _, v := range x.RawRowView(i) {
			if v == v {
				out.known[i]++
			}
		}
	}
	out.unit = append([]float64(nil), t.unit...)
	return &out, nil
}

// adopt measures cells in the units of another table of the same columns.
func (t *cellTable) adopt(from *cellTable) {
	times := make([]float64, len(t.unit))
	for j := range times {
		times[j] = from.unit[j] / t.unit[j]
	}
	t.shrink(times)
}

// shrink measures cells in units so many times as large.
func (t *cellTable) shrink(times []float64) {
	linalg.Parallel(t.n(), func(i int) {
		row := t.z.RawRowView(i)
		for j := range row {
			row[j] /= times[j]
		}
	})
	for j := range t.unit {
		t.unit[j] *= times[j]
	}
}

// spreads are the robust spreads of the columns of deviations e about 0, of regular cells. Cells to skip say
// nothing of them.
func (t *cellTable) spreads(e *mat.Dense, skip []bool) []float64 {
	n, d := e.Dims()
	rows, w := []int(nil), t.prior
	if t.rows > cellScaleRows {
		rows, w = univariate.NewRows(n, t.prior).Spaced(cellScaleRows, univariate.Staggered()), nil
	}
	out := make([]float64, d)
	linalg.Parallel(d, func(j int) {
		var values, weights []float64
		take := func(i int) {
			a := weightAt(w, i)
			if v := e.At(i, j); v == v && a > 0 && !skip[i*d+j] {
				values = append(values, v)
				if w != nil {
					weights = append(weights, a)
				}
			}
		}
		if rows == nil {
			for i := range n {
				take(i)
			}
		} else {
			for _, i := range rows {
				take(i)
			}
		}
		if len(values) > 0 {
			_, out[j] = univariate.WeightedReweighted(values, weights, outlying.HalfSize(total(weights, len(values)), 0), cutoffLevel)
		}
	})
	return out
}

// leastPart of the median spread of cells, in spreads of their columns, is what the spread of
// a column counts at least in the fit. A component that turns into a column leaves no spread
// there; measured by it alone the column would count more and more and never let go.
const leastPart = 0.25

// mostTaken bounds how much of a cell's variance the scores of its row are taken to hide.
const mostTaken = 0.75

// rescale measures the spreads of cells at a state and makes them the units.
func (t *cellTable) rescale(at cellState) cellState {
	e := mat.NewDense(t.n(), len(t.unit), nil)
	vague := t.deviations(at, e)
	return t.measureIn(t.spreads(e, vague), at)
}

// measureIn makes spreads, in present units, the new units, within reason; the state follows.
func (t *cellTable) measureIn(spreads []float64, at cellState) cellState {
	part := make([]float64, len(spreads))
	for j, s := range spreads {
		taken := 0.0 // of the variance of a cell, by the scores of its own row
		for _, v := range at.a.RawRowView(j) {
			taken += v * v
		}
		part[j] = s * t.unit[j] / t.spread[j] / math.Sqrt(1-math.Min(taken, mostTaken))
	}
	least := math.Max(leastPart*univariate.MedianOf(append([]float64(nil), part...)), 1e-8)
	for j := range part {
		part[j] = math.Max(part[j], least) * t.spread[j] / t.unit[j]
	}
	t.shrink(part)
	mu, a := make([]float64, len(at.mu)), mat.DenseCopyOf(at.a)
	for j := range mu {
		mu[j] = at.mu[j] / part[j]
		for k := range at.rank() {
			a.Set(j, k, a.At(j, k)/part[j])
		}
	}
	return cellState{mu: mu, a: a, scores: at.scores}.orthonormal()
}
