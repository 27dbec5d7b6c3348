package check

import (
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/univariate"
)

// A machine that is switched on and off takes its channels along: a stretch in which a series is elsewhere is no mistake where it is
// often there and another column always tells when.

const (
	// modeRows is how many rows are looked at, modeFewest how many of them and modeShare which share of them are in a mode.
	modeRows, modeFewest, modeShare = 4000, 20, 0.02
	// modeNear is how far from the level of a mode its rows are at most, beside its distance from the level around the stretch.
	modeNear = 0.15
	// modeTold is the share of the rows of either level that the other column tells right.
	modeTold = 0.9
)

// modes tells stretches of a log in which it was in another of its modes.
type modes struct {
	table *tolerant.Table
	rows  []int // that are looked at
	told  map[int][]spoken
}

func newModes(t *tolerant.Table) *modes {
	return &modes{t, spacedRows(t.Rows, modeRows), map[int][]spoken{}}
}

// shared says that a series is in another mode within an excursion, and another column tells so.
func (m *modes) shared(e excursion, c int) bool {
	values := m.table.Columns[c].Values
	s, inside := e.stretch, e.inside(values)
	stays := func(row int) bool { // blocks may begin and end within a mode
		return row >= 0 && row < len(values) && math.Abs(values[row]-inside) < math.Abs(values[row]-e.level)
	}
	for stays(s.first - 1) {
		s.first--
	}
	for stays(s.end) {
		s.end++
	}
	around := s.around(values)
	near := modeNear * math.Abs(inside-around)
	if !(near > 0) {
		return false
	}
	var there, here []int // rows elsewhere that are at the level of the stretch, and at that around it
	for _, i := range m.rows {
		switch v := values[i]; {
		case i >= s.first && i < s.end:
		case math.Abs(v-inside) <= near:
			there = append(there, i)
		case math.Abs(v-around) <= near:
			here = append(here, i)
		}
	}
	if len(there) < max(modeFewest, int(modeShare*float64(len(m.rows)))) || len(here) < modeFewest {
		return false
	}
	for k := range m.table.Columns {
		if k != c && len(m.table.Columns[k].Values) == m.table.Rows && m.tells(s, k, there, here) {
			return true
		}
	}
	return false
}

// tells says that a column is elsewhere within the stretch too, and where it is there the rows of the one level, and elsewhere those
// of the other.
func (m *modes) tells(s stretch, k int, there, here []int) bool {
	column := &m.table.Columns[k]
	var in func(v float64) bool
	switch column.Kind {
	case tolerant.Category, tolerant.Boolean:
		word := column.Values[(s.first+s.end)/2]
		in = func(v float64) bool { return v == word }
	case tolerant.Number:
		inside, around := s.inside(column.Values), s.around(column.Values)
		if !(inside != around) {
			return false
		}
		in = func(v float64) bool { return math.Abs(v-inside) < math.Abs(v-around) }
	default:
		return false
	}
	share := func(rows []int) float64 {
		count := 0
		for _, i := range rows {
			if in(column.Values[i]) {
				count++
			}
		}
		return float64(count) / float64(len(rows))
	}
	own := make([]int, 0, s.end-s.first)
	for i := s.first; i < s.end; i++ {
		own = append(own, i)
	}
	// At its ends a block of a stretch may reach beyond it.
	return share(there) >= modeTold && share(here) <= 1-modeTold && share(own) > 0.5
}

// inside is the middle of the values of a stretch.
func (s stretch) inside(values []float64) float64 {
	return univariate.MedianOf(slices.DeleteFunc(slices.Clone(values[s.first:s.end]), math.IsNaN))
}

// around is the middle of as many values before or behind it as it has, three at least: that which is farther from its own.
func (s stretch) around(values []float64) float64 {
	width, own := max(3, s.end-s.first), s.inside(values)
	middle := func(v []float64) float64 { return univariate.MedianOf(slices.DeleteFunc(slices.Clone(v), math.IsNaN)) }
	before, behind := middle(values[max(0, s.first-width):s.first]), middle(values[s.end:min(len(values), s.end+width)])
	if !(math.Abs(behind-own) <= math.Abs(before-own)) {
		return behind
	}
	return before
}
