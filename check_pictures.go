package inlier

import (
	"math"
	"slices"
	"strconv"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/report"
)

// mapColumns bounds the cell map and mostDrawn the values of a histogram and points of a map.
const (
	mapColumns = 30
	mostDrawn  = 3000
	mapLimit   = 8 // deviations beyond have the same colour
	innocent   = 4 // and those of cells that are not called wrong beyond this
)

// cellMap draws the worst rows cell by cell: how far each is from what was expected.
func (r *CheckResult) cellMap() *report.Chart {
	rows, columns := r.mapped(pageRows)
	if len(rows) == 0 || len(columns) == 0 {
		return nil
	}
	g := report.Grid{Colors: report.Diverging, Min: -mapLimit, Max: mapLimit, Key: "deviation", Hatched: true}
	for _, j := range columns {
		g.Columns = append(g.Columns, r.Columns[j].Name)
	}
	for _, i := range rows {
		g.Rows = append(g.Rows, strconv.Itoa(i+1))
	}
	g.Values = r.deviations(rows, columns)
	return report.HeatMap("Worst rows, cell by cell", g)
}

// mapped are the rows and columns of the cell map, from 0.
func (r *CheckResult) mapped(most int) (rows, columns []int) {
	rows = r.worst(most)
	columns = slices.DeleteFunc(r.guiltyFirst(rows, mapColumns), func(j int) bool { return r.Table.Columns[j].Values == nil })
	slices.Sort(columns)
	return rows, columns
}

// deviations are how far cells are from what was expected, NaN where they are missing. What is not called wrong is paler than what is.
func (r *CheckResult) deviations(rows, columns []int) [][]float64 {
	off := r.Model.Deviations(r.Table, rows)
	lines := make([][]float64, len(rows))
	for at, i := range rows {
		lines[at] = make([]float64, len(columns))
		guilty := r.guilty(i)
		r.Table.Room().Touched(len(columns))
		for k, j := range columns {
			lines[at][k] = max(-innocent, min(innocent, off[at][j]))
			if guilty[j] != nil {
				lines[at][k] = deviation(guilty[j], r.Table.Columns[j].Values[i])
			}
		}
	}
	return lines
}

// deviation is how far a value is from what was expected, in standard deviations, within the limits of the picture.
func deviation(c *check.Cell, v float64) float64 {
	if v != v || math.IsNaN(c.Expected) { // unreadable, or nothing to measure by
		return mapLimit
	}
	off := v/2 - c.Expected/2 // halves of far values do not overflow
	spread := c.High/8 - c.Low/8
	if !(spread > 0) { // laws leave no room
		return math.Copysign(mapLimit, off)
	}
	return max(-mapLimit, min(mapLimit, off/spread))
}

// histograms draw the columns of numbers and dates, those with wrong values first.
func (r *CheckResult) histograms() report.Beside {
	order := make([]int, 0, len(r.Columns))
	for j := range r.Table.Columns {
		if c := &r.Table.Columns[j]; c.Kind == tolerant.Number && !c.Constant() {
			order = append(order, j)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return r.Columns[b].Wrong - r.Columns[a].Wrong })
	var charts report.Beside
	for _, j := range order[:min(len(order), pagePictures)] {
		c := &r.Table.Columns[j]
		every := max(1, r.Rows/mostDrawn)
		right, bad := report.Sample{Name: "others", Color: 1}, report.Sample{Name: "wrong", Color: 2}
		for i, v := range spill.Each(c.Values) {
			v = asWritten(c, v)
			switch {
			case v != v:
			case len(bad.Values) < len(r.drawn[j]) && r.drawn[j][len(bad.Values)] == i:
				bad.Values = append(bad.Values, v)
			case i%every == 0:
				right.Values = append(right.Values, v)
			}
		}
		low, high := bulk(right.Values)
		for _, values := range [][]float64{right.Values, bad.Values} {
			for k, v := range values {
				values[k] = max(low, min(high, v))
			}
		}
		samples := []report.Sample{right}
		if len(bad.Values) > 0 {
			samples = append(samples, bad)
		}
		charts = append(charts, report.Histogram(c.Name, report.Axis{Label: c.Unit}, samples...))
	}
	return charts
}

// bulk is the range that a histogram shows: that of all but the farthest hundredth on either side,
// widened by its half, so that one value of a million leaves the others their bins.
func bulk(values []float64) (low, high float64) {
	if len(values) == 0 {
		return math.Inf(-1), math.Inf(1)
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	n := len(sorted)
	low, high = sorted[n/100], sorted[n-1-n/100]
	if !(low < high) { // most are one value
		low, high = sorted[0], sorted[n-1]
	}
	room := high/2 - low/2
	if room == 0 {
		return math.Inf(-1), math.Inf(1)
	}
	return low - room, high + room
}

// pictured are the rows of a picture: wrong ones and evenly spaced others.
func (r *CheckResult) pictured() []int {
	every := max(1, (r.Rows+mostDrawn-1)/mostDrawn)
	var rows []int
	for i := range r.Rows {
		if i%every == 0 || r.Found.Wrong[i] && len(rows) < 2*mostDrawn {
			rows = append(rows, i)
		}
	}
	return rows
}
