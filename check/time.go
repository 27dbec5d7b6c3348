package check

import (
	"context"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/univariate"
)

const (
	// timeFamily is the number of findings by chance in a whole clean table from which on a
	// finding proves nothing.
	timeFamily = 1e-3
	// fewestInTime rows tell how a series behaves.
	fewestInTime = 40
	// smooth is the spread of the differences of neighbours beside that of independent values up
	// to which a column is a series: rows of it know their neighbours.
	smooth = 0.6
)

// inTime is the part for tables whose rows follow each other: stamps that are out of order, there
// twice or missing, channels that are stuck, and stretches that leave the series and return.
// Tables without an order are passed over.
func inTime(ctx context.Context, v *view) (Evidence, error) {
	out := Evidence{Part: PartTime}
	t := v.table
	column := orderColumn(t)
	out.Cells = besideBlocks(t, column)
	if column < 0 {
		return out, nil
	}
	parts := sections(t.Columns[column].Values)
	twice, copied := v.copied(t.Columns[column].Values)
	out.Cells = append(out.Cells, stamps(t, column, parts, twice)...)
	if t.Rows < fewestInTime {
		return out, nil
	}
	names := devices(t, column)
	if names < 0 {
		cells, err := v.alongTime(ctx, column, parts, nil)
		out.Cells = append(out.Cells, without(cells, copied)...)
		return out, err
	}
	if t.Room() != nil { // there is no room for another order
		return out, nil
	}
	apart, parts, order := v.apart(names)
	cells, err := apart.alongTime(ctx, column, parts, order)
	for _, s := range cells {
		if s.Row = order[s.Row]; !copied[s.Row] {
			out.Cells = append(out.Cells, s)
		}
	}
	if vouched := apart.inLine; vouched != nil {
		place := make([]int, t.Rows)
		for k, row := range order {
			place[row] = k
		}
		v.inLine = func(row, column int) bool { return vouched(place[row], column) }
	}
	return out, err
}

// alongTime looks at the series of a table whose rows follow each other within its parts. order are the rows of the file at these places; nil: the same.
func (v *view) alongTime(ctx context.Context, column int, parts []stretch, order []int) (found []Suspicion, err error) {
	t := v.table
	var series []int
	for c := range t.Columns {
		if t.Columns[c].Kind == tolerant.Number && c != column && len(t.Columns[c].Values) == t.Rows {
			series = append(series, c)
		}
	}
	var flowing []int
	var stands []Suspicion
	for _, c := range series {
		if err := ctx.Err(); err != nil {
			return found, err
		}
		stands = append(stands, stuck(t, c, len(series), order)...)
		values := t.Columns[c].Values
		if order != nil {
			values = levelled(values, parts)
		}
		if flows(values) {
			flowing = append(flowing, c)
		}
	}
	rest := standing(t, series, stands)
	found = append(found, moving(t, rest, stands)...)
	if len(flowing) == 0 {
		return found, nil
	}
	others, err := v.asOthersSay(ctx, series, parts)
	if err != nil {
		return found, err
	}
	modes := newModes(t)
	for _, c := range flowing {
		values, turn := unturned(t.Columns[c].Values)
		for _, s := range leavesWithin(parts, values, 1, len(series)) {
			if turn.period == 0 && acrossBeginning(values, s.level, s.inside(values)) || s.byTwoJumps(values, math.Abs(s.inside(values)-s.level)) ||
				turn.period == 0 && others.vouched(c, s.stretch) {
				continue
			}
			if turn.period > 0 || !modes.shared(s, c) {
				s.order = order
				found = append(found, moving(t, rest, modes.untold(v.unexplained(s.cells(t, c, values, turn))))...)
			}
		}
	}
	found = append(found, moving(t, rest, modes.untold(v.unexplained(others.wanders(order))))...)
	v.inLine = others.inLine(flowing)
	return found, nil
}

// unexplained are the cells of which no law knows why they are there.
func (v *view) unexplained(cells []Suspicion) []Suspicion {
	if v.obeyed == nil {
		return cells
	}
	return slices.DeleteFunc(cells, func(s Suspicion) bool { return v.obeyed(s.Row, s.Column) })
}

// orderColumn is the column by which rows follow each other: dates that hardly ever fall, or
// numbers that count in even steps; -1 where there is none.
func orderColumn(t *tolerant.Table) int {
	for c := range t.Columns {
		if t.Columns[c].Kind == tolerant.Date && ascending(t.Columns[c].Values, false) {
			return c
		}
	}
	for c := range t.Columns {
		if t.Columns[c].Kind == tolerant.Number && ascending(t.Columns[c].Values, true) {
			return c
		}
	}
	return -1
}

// besideBlocks are dates that a slip explains within blocks of the same one that follow each other, as months of a report do; others may have come late.
func besideBlocks(t *tolerant.Table, but int) (cells []Suspicion) {
	for c := range t.Columns {
		if c == but || t.Columns[c].Kind != tolerant.Date || len(t.Columns[c].Values) != t.Rows {
			continue
		}
		rising, falling, last := 0, 0, math.NaN()
		for _, v := range spill.Each(t.Columns[c].Values) {
			if v > last {
				rising++
			} else if v < last {
				falling++
			}
			if v == v {
				last = v
			}
		}
		if falling > 0 && 100*falling <= t.Rows && rising-falling >= max(3, falling) {
			cells = append(cells, slices.DeleteFunc(stampsOf(t, c, stretch{0, t.Rows}, nil), func(s Suspicion) bool { return s.Slip == "" || s.Slip == monthOff })...)
		}
	}
	return cells
}

// ascending says that values follow each other; strictly also in even steps.
func ascending(values []float64, strictly bool) bool {
	steps := spill.Make[float64](spill.Of(values), len(values))[:0]
	defer spill.Free(steps)
	rising, falling := 0, 0
	last := math.NaN()
	for _, v := range spill.Each(values) {
		if v != v {
			continue
		}
		if d := v - last; d == d {
			steps = append(steps, d)
			if d > 0 {
				rising++
			} else if d < 0 {
				if falling++; float64(falling) > 0.05*float64(len(values)) {
					return false
				}
			}
		}
		last = v
	}
	n := len(steps)
	if n < 8 || float64(falling) > 0.05*float64(n) || rising < n/10+2 || 2*n < len(values) {
		return false
	}
	if !strictly {
		return true
	}
	usual := univariate.Median(steps)
	even := 0
	for _, d := range steps {
		if math.Abs(d-usual) <= 1e-6*math.Abs(usual) {
			even++
		}
	}
	return usual > 0 && n >= 20 && float64(even) >= 0.9*float64(n)
}

// flows says that neighbours in time are much more alike than any two rows.
func flows(values []float64) bool {
	rows := spacedRows(len(values)-1, 4000)
	all, steps := make([]float64, 0, len(rows)), make([]float64, 0, len(rows))
	room := spill.Of(values)
	for _, i := range rows {
		room.Touched(1)
		if d := values[i+1] - values[i]; d == d && !math.IsInf(d, 0) {
			all = append(all, values[i])
			steps = append(steps, d)
		}
	}
	if len(all) < fewestInTime/2 {
		return false
	}
	whole := describe(all)
	_, step := univariate.Deviation(steps)
	// A series that rests on one value most of the time comes and goes by right.
	return whole.distinct > 10 && whole.mode != whole.mode && step > 0 && step < smooth*math.Sqrt2*whole.spread
}
