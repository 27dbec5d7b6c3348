package inlier

import (
	"context"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/compare"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/judge"
	"github.com/inlier-ml/inlier/report"
)

// rowMap is a robust fit to the columns of numbers, which tells how far rows are from what the columns have in common.
type rowMap struct {
	model   catalog.Detector
	columns []int
	names   []string
	drawn   []int // rows that it has learned from
	set     *dataset.Set

	scoreCutoff, orthogonalCutoff float64 // once distances are known
}

// noDistance is the distance below which rows lie in line with the others, in spreads of a column: where numbers keep exact laws what is left
// is the rounding of the arithmetic, and no reason to draw rows apart.
const noDistance = 1e-3

// mapping fits the map, once; nil where that says nothing.
func (r *CheckResult) mapping(ctx context.Context) *rowMap {
	r.mapOnce.Do(func() { r.rowMap = r.newMap(ctx) })
	return r.rowMap
}

func (r *CheckResult) newMap(ctx context.Context) *rowMap {
	const mostColumns = 60
	m := &rowMap{}
	for j := range r.Table.Columns {
		if c := &r.Table.Columns[j]; c.Kind == tolerant.Number && !c.Constant() && j < len(r.Found.Columns) && r.Found.Columns[j].Judged {
			m.columns, m.names = append(m.columns, j), append(m.names, c.Name)
		}
	}
	if len(m.columns) < 3 || len(m.columns) > mostColumns || r.Rows < 20 {
		return nil
	}
	m.drawn = r.pictured()
	m.set = m.take(r, len(m.drawn), func(i int) int { return m.drawn[i] })
	f, err := compare.Enter(ctx, catalog.Entrant{Label: "map", Method: catalog.Default()}, m.set, nil, catalog.Run{Seed: r.Model.Settings().Seed})
	if err != nil {
		return nil // the page does without
	}
	d, ok := f.Model.(catalog.Detector)
	if !ok {
		return nil
	}
	m.model = d
	return m
}

// take gathers rows as the map sees them.
func (m *rowMap) take(r *CheckResult, n int, row func(i int) int) *dataset.Set {
	x := mat.NewDense(n, len(m.columns), nil)
	for k, j := range m.columns {
		c := &r.Table.Columns[j]
		change := r.Found.Columns[j].Change
		for i := range n {
			r.Table.Room().Touched(1)
			if v := change.Forward(c.Values[row(i)]); v == v {
				x.Set(i, k, v)
			} // a missing value stands in the middle, at 0
		}
	}
	return &dataset.Set{Name: "rows", X: x, Columns: m.names}
}

// distances are those of some rows, block by block, at their places; nil: of all. Others are 0.
func (m *rowMap) distances(ctx context.Context, r *CheckResult, some []int) (within, from []float64, ok bool) {
	const block = 1 << 14
	n, row := r.Rows, func(i int) int { return i }
	if some != nil {
		n, row = len(some), func(i int) int { return some[i] }
	}
	within, from = make([]float64, r.Rows), make([]float64, r.Rows)
	for first := 0; first < n; first += block {
		v, err := m.model.Outliers(ctx, m.take(r, min(block, n-first), func(i int) int { return row(first + i) }))
		if err != nil || v.ScoreDistance == nil || v.OrthogonalDistance == nil {
			return nil, nil, false
		}
		for i := range v.ScoreDistance {
			within[row(first+i)], from[row(first+i)] = v.ScoreDistance[i], max(v.OrthogonalDistance[i], noDistance)
		}
		m.scoreCutoff, m.orthogonalCutoff = v.ScoreCutoff, max(v.OrthogonalCutoff, noDistance)
	}
	return within, from, true
}

// outlierMap draws the rows by their distances; nil where that says nothing.
func (r *CheckResult) outlierMap(ctx context.Context) *report.Chart {
	m := r.mapping(ctx)
	if m == nil {
		return nil
	}
	v, err := judge.All(ctx, m.model, m.set, false)
	if err != nil {
		return nil
	}
	distances, err := v.Distances()
	if err != nil {
		return nil
	}
	distances.OrthogonalCut = max(distances.OrthogonalCut, noDistance)
	for i, d := range distances.Orthogonal {
		distances.Orthogonal[i] = max(d, noDistance)
	}
	distances.Log, distances.Names, distances.Verdict = true, make([]string, len(m.drawn)), make([]int, len(m.drawn))
	for i, row := range m.drawn {
		distances.Names[i] = strconv.Itoa(row + 1)
		switch {
		case r.Found.Wrong[row]:
			distances.Verdict[i] = 2
		case r.Found.Part[row] == check.PartExtreme:
			distances.Verdict[i] = 1
		}
	}
	return report.OutlierMap("Rows by distance", distances)
}
