package check

import (
	"cmp"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/univariate"
)

// A log of several devices has a row of each at every stamp. What comes before a row is the last one of its own device, and the rows of each
// are looked at one below the other.

const (
	// turnsAlike is the share of rows that have the stamp of the row before at least, and turnsTwice that of those whose device
	// has had a row of that stamp at most.
	turnsAlike, turnsTwice = 0.4, 0.02
	// turnsThere is the share of all devices at all stamps that have a row at least.
	turnsThere = 0.7
	// turnsOdd is the share of rows whose name has few at most: a measurement that has few values often names no devices.
	turnsOdd = 0.05
	// mostDevices are those of one log.
	mostDevices = 1000
)

// devices is the column that names the devices of a log in which several take turns; -1: it is that of one.
func devices(t *tolerant.Table, stamp int) int {
	stamps, alike := t.Columns[stamp].Values, 0
	for i := 1; i < len(stamps); i++ {
		if stamps[i] == stamps[i-1] {
			alike++
		}
	}
	if float64(alike) < turnsAlike*float64(t.Rows) {
		return -1
	}
	for c := range t.Columns {
		if k := &t.Columns[c]; c != stamp && (k.Kind == tolerant.Category || k.Kind == tolerant.Number) && len(k.Values) == t.Rows && takeTurns(stamps, k.Values) {
			return c
		}
	}
	return -1
}

// takeTurns says that nearly every name has one row of nearly every stamp. Names and stamps of a few rows are slips.
func takeTurns(stamps, names []float64) bool {
	at, of, last := map[float64]int{}, map[float64]int{}, map[float64]float64{}
	rows, twice := 0, 0
	for i, name := range names {
		if name != name || stamps[i] != stamps[i] {
			continue
		}
		if before, is := last[name]; is && before == stamps[i] {
			twice++
		}
		last[name] = stamps[i]
		at[stamps[i]]++
		if of[name]++; len(of) > mostDevices {
			return false
		}
		rows++
	}
	whole, many := 0, 0
	for _, count := range at {
		if count > 1 {
			whole++
		}
	}
	named := 0 // rows of these
	for _, count := range of {
		if 10*count >= whole {
			many++
			named += count
		}
	}
	return many >= 2 && whole > 0 && float64(twice) <= turnsTwice*float64(rows) &&
		float64(named) >= max(turnsThere*float64(whole)*float64(many), (1-turnsOdd)*float64(rows))
}

// byName are the rows of each name one below the other.
func byName(t *tolerant.Table, names int) []int {
	of, order := t.Columns[names].Values, allRows(nil, t.Rows)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(of[a], of[b]) })
	return order
}

// hanging are the rows in which a column is stuck, that of each device for itself.
func (g *guilt) hanging(c int) (rows []int) {
	if g.order == nil {
		g.order = []int{}
		if stamp := orderColumn(g.table); stamp >= 0 && g.table.Room() == nil {
			if names := devices(g.table, stamp); names >= 0 {
				g.order = byName(g.table, names)
			}
		}
	}
	t, order := *g.table, g.order
	if len(order) > 0 {
		t.Columns = slices.Clone(t.Columns)
		t.Columns[c].Values = pick(t.Columns[c].Values, order)
	}
	for _, s := range stuck(&t, c, len(t.Columns), nil) {
		if row := s.Row; len(order) > 0 {
			rows = append(rows, order[row])
		} else {
			rows = append(rows, row)
		}
	}
	return rows
}

// apart is the view with the rows of each name one below the other, which stretches they are, and the row that stands at each place.
func (v *view) apart(names int) (w *view, parts []stretch, order []int) {
	order = byName(v.table, names)
	t, seen := *v.table, *v
	t.Columns = slices.Clone(t.Columns)
	for c := range t.Columns {
		if k := &t.Columns[c]; len(k.Values) == t.Rows {
			k.Values = pick(k.Values, order)
		}
	}
	if seen.table = &t; v.obeyed != nil {
		seen.obeyed = func(row, column int) bool { return v.obeyed(order[row], column) }
	}
	first := 0
	for i, name := range t.Columns[names].Values {
		if bits(name) != bits(t.Columns[names].Values[first]) {
			parts, first = append(parts, stretch{first, i}), i
		}
	}
	return &seen, append(parts, stretch{first, t.Rows}), order
}

// levelled are values less the middle of their part: devices differ by right.
func levelled(values []float64, parts []stretch) []float64 {
	out := slices.Clone(values)
	for _, s := range parts {
		middle := univariate.Median(slices.DeleteFunc(slices.Clone(values[s.first:s.end]), func(v float64) bool { return v != v }))
		for i := s.first; i < s.end; i++ {
			out[i] -= middle
		}
	}
	return out
}

// number is that of the row, from 1, which stands at a place.
func number(order []int, place int) int {
	if order != nil {
		place = order[place]
	}
	return place + 1
}
