package check

import (
	"fmt"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/words"
)

// changedPlaces finds two columns whose values were exchanged in a row that breaks several laws of columns which decide others: put back, it keeps all of
// them. From and to of a flight are decided by its number; where they changed places the number is right.
func (g *guilt) changedPlaces(row int, laws []decided, broken []int, said []Suspicion) []Suspicion {
	if len(broken) < 2 {
		return nil
	}
	at := func(column int) float64 { return g.table.Columns[column].Values[row] }
	columns := decidedColumns(laws, broken)
	for i, a := range columns {
		for _, b := range columns[i+1:] {
			x, y := g.worth(at(b), b, a), g.worth(at(a), a, b)
			if x != x || y != y || x == at(a) {
				continue
			}
			turned := func(column int) float64 {
				switch column {
				case a:
					return x
				case b:
					return y
				}
				return at(column)
			}
			if g.brokenWith(laws, turned)+g.spoiled(a, at, turned)+g.spoiled(b, at, turned) == 0 {
				return []Suspicion{g.changed(row, a, b, x, said), g.changed(row, b, a, y, said)}
			}
		}
	}
	return nil
}

// worth is what the value of a column is in another one of its kind; NaN where that does not know it.
func (g *guilt) worth(v float64, from, to int) float64 {
	x, y := &g.table.Columns[from], &g.table.Columns[to]
	switch {
	case v != v || x.Kind != y.Kind:
		return math.NaN()
	case x.Kind == tolerant.Number:
		return v
	case x.Kind != tolerant.Category:
		return math.NaN()
	}
	if k := slices.Index(y.Levels, x.Levels[int(v)]); k >= 0 {
		return float64(k)
	}
	return math.NaN()
}

// brokenWith counts the laws about words that values of a row break.
func (g *guilt) brokenWith(laws []decided, at func(column int) float64) (count int) {
	for k := range laws {
		if u, known := laws[k].usual[at(laws[k].from)]; known && u != at(laws[k].to) && at(laws[k].to) == at(laws[k].to) {
			count++
		}
	}
	for k := range g.laws.follows {
		if _, is := g.laws.follows[k].broken(at); is {
			count++
		}
	}
	return count
}

// changed expects of a cell what the other has.
func (g *guilt) changed(row, c, other int, meant float64, said []Suspicion) Suspicion {
	column := &g.table.Columns[c]
	s := Suspicion{Row: row, Column: c, P: 1}
	for _, o := range said {
		s.P, s.Certain = min(s.P, o.P), s.Certain || o.Certain
	}
	s.Slip = exchangedWith + words.Clip(g.table.Columns[other].Name)
	s.Expected, s.Low, s.High = math.NaN(), math.NaN(), math.NaN()
	if column.Kind == tolerant.Number {
		s.Expected, s.Low, s.High = meant, meant, meant
	} else {
		s.Level = column.Levels[int(meant)]
	}
	s.Why = fmt.Sprintf("%s is %s, %s: the rest of the row goes with %s", words.Clip(column.Name), amount(column, column.Values[row]), s.Slip, amount(column, meant))
	return s
}
