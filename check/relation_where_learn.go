package check

import (
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/univariate"
)

const (
	// whereRows is how many rows are looked at for marks, and mostMarks how many marks are found at most.
	whereRows, mostMarks = 20_000, 4
	// markBroken is the share of the rows with a mark that break a law.
	markBroken = 0.8
	// markedShare is the share of the violators that lie beyond a limit which tells them apart.
	markedShare = 0.8
	// markSurely is the logarithm of the odds against chance.
	markSurely = 8
	// markValues is how many values a number has at most whose values are names.
	markValues = 12
	// fewestMarked rows are a population.
	fewestMarked = 3
)

// markSearch looks for what the rows that break a law, or are odd otherwise, have and the others hardly ever.
type markSearch struct {
	table  *tolerant.Table
	law    []int      // its columns
	least  float64    // share of the rows with a mark that break the law
	fewest int        // rows with a mark
	limits bool       // values beyond all others' are marks as well
	order  func() int // the column by which rows follow each other; nil: it is looked for

	rows   []int
	broken []bool
	all    tally
	// best is the mark found so far, and odds the logarithm of the odds against it by chance.
	best mark
	odds float64
}

// tally counts rows and how many of them break the law.
type tally struct{ rows, broken int }

func (a *tally) count(broken bool) {
	if a.rows++; broken {
		a.broken++
	}
}

// whereLearned looks for marks of the rows that break a law. breaks tells of a row whether it does, and whether it can be asked.
func whereLearned(t *tolerant.Table, law []int, breaks func(row int) (broken, asked bool)) where {
	return lawSearch(t, law).marks(breaks)
}

func lawSearch(t *tolerant.Table, law []int) *markSearch {
	return &markSearch{table: t, law: law, least: markBroken, fewest: fewestMarked, limits: true}
}

func (s *markSearch) marks(breaks func(row int) (broken, asked bool)) (found where) {
	last, room := 0, s.table.Room()
	for _, row := range spacedRows(s.table.Rows, whereRows) {
		room.Reached(&last, row, len(s.law)+4)
		if broken, asked := breaks(row); asked {
			s.rows, s.broken = append(s.rows, row), append(s.broken, broken)
			s.all.count(broken)
		}
	}
	if s.all.broken < s.fewest {
		return nil
	}
	if s.order == nil {
		s.order = func() int { return orderColumn(s.table) }
	}
	order := s.order()
	s.limits = s.limits && order < 0 // a stretch of time is no population
	for len(found) < mostMarks && s.all.broken >= s.fewest && s.look(order) {
		found = append(found, s.best)
		kept := 0
		s.all = tally{}
		last = 0
		for k, row := range s.rows {
			room.Reached(&last, row, 1)
			if !s.best.has(s.table, row) {
				s.rows[kept], s.broken[kept] = row, s.broken[k]
				kept++
				s.all.count(s.broken[k])
			}
		}
		s.rows, s.broken = s.rows[:kept], s.broken[:kept]
	}
	slices.SortStableFunc(found, func(a, b mark) int { return a.column - b.column })
	return found
}

// look finds the best mark; false: there is none.
func (s *markSearch) look(order int) bool {
	s.best, s.odds = mark{column: -1}, markSurely
	var own []mark // columns of the law that tell of most violators
	for c := range s.table.Columns {
		if len(s.table.Columns[c].Values) != s.table.Rows || c == order {
			continue
		}
		inside := slices.Contains(s.law, c)
		if !inside {
			s.values(c)
		}
		if !s.limits || s.table.Columns[c].Kind != tolerant.Number {
			continue
		}
		m, of := s.limit(c)
		if m.column < 0 {
			continue
		}
		if !inside {
			s.take(m, of, len(s.rows))
		} else if own = append(own, m); len(own) == 2 {
			own[0].also = &own[1]
			s.take(own[0], of, len(s.rows))
		}
	}
	return s.best.column >= 0
}

// take holds a mark against the best so far: by the logarithm of the odds against so many violators among its rows by chance
// (Chernoff), beside those that were tried.
func (s *markSearch) take(m mark, of tally, tried int) {
	share, usual := float64(of.broken)/float64(of.rows), float64(s.all.broken)/float64(s.all.rows)
	if of.broken < s.fewest || share < s.least || share <= usual || of.rows == s.all.rows {
		return
	}
	odds := share * math.Log(share/usual)
	if share < 1 {
		odds += (1 - share) * math.Log((1-share)/(1-usual))
	}
	if odds = odds*float64(of.rows) - math.Log(float64(tried*len(s.table.Columns))); odds > s.odds {
		s.best, s.odds = m, odds
	}
}

// values looks at the words of a column, at the values of a number that has few, and at empty cells.
func (s *markSearch) values(c int) {
	column := &s.table.Columns[c]
	names := 0
	switch column.Kind {
	case tolerant.Category, tolerant.Boolean:
		names = len(s.rows)
	case tolerant.Number:
		names = markValues
	}
	counts, first, last := map[uint64]*tally{}, map[uint64]float64{}, 0
	for k, row := range s.rows {
		v := column.Values[row]
		s.table.Room().Reached(&last, row, 1)
		if v == v && len(counts) > names {
			continue
		}
		of := counts[bits(v)]
		if of == nil {
			of = &tally{}
			counts[bits(v)], first[bits(v)] = of, v
		}
		of.count(s.broken[k])
	}
	keys := make([]uint64, 0, len(counts))
	for key := range counts {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		if v := first[key]; v != v || len(keys) <= names {
			s.take(mark{column: c, value: v}, *counts[key], len(keys))
		}
	}
}

// limit is a limit beyond which most violators and hardly any obeying rows lie; its column is -1 where there is none.
func (s *markSearch) limit(c int) (mark, tally) {
	values := s.table.Columns[c].Values
	if !s.apart(values) {
		return mark{column: -1}, tally{}
	}
	obeying, last := make([]float64, 0, len(s.rows)), 0
	for k, row := range s.rows {
		s.table.Room().Reached(&last, row, 1)
		if v := values[row]; v == v && !s.broken[k] {
			obeying = append(obeying, v)
		}
	}
	if len(obeying) == 0 {
		return mark{column: -1}, tally{}
	}
	few := len(obeying) / 1000 // obeying by chance
	for _, m := range []mark{{column: c, sort: markAbove, value: univariate.Select(obeying, len(obeying)-1-few)}, {column: c, sort: markBelow, value: univariate.Select(obeying, few)}} {
		of, last := tally{}, 0
		for k, row := range s.rows {
			s.table.Room().Reached(&last, row, 1)
			if m.has(s.table, row) {
				of.count(s.broken[k])
			}
		}
		if float64(of.broken) >= markedShare*float64(s.all.broken) {
			return m, of
		}
	}
	return mark{column: -1}, tally{}
}

// apart says that most violators may lie beyond a limit: of nearly all columns a few rows tell that too many obeying ones do as well.
func (s *markSearch) apart(values []float64) bool {
	var broken []float64
	last := 0
	for k, row := range s.rows {
		if s.broken[k] {
			s.table.Room().Reached(&last, row, 1)
			if v := values[row]; v == v {
				broken = append(broken, v)
			}
		}
	}
	beyond := int(math.Ceil(markedShare * float64(s.all.broken)))
	if beyond == 0 || beyond > len(broken) {
		return false
	}
	univariate.Sort(broken)
	low, high := broken[beyond-1], broken[len(broken)-beyond]
	below, above, most := 0, 0, len(s.rows)/1000
	last = 0
	for k, row := range s.rows {
		s.table.Room().Reached(&last, row, 1)
		if v := values[row]; !s.broken[k] {
			if v <= low {
				below++
			}
			if v >= high {
				above++
			}
			if below > most && above > most {
				return false
			}
		}
	}
	return true
}
