package check

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/words"
)

// decided is what a column that decides another says of a table.
type decided struct {
	deciding
	usual map[float64]float64 // by value of the first column, that of the second
	cells []Suspicion
}

// mostMeant is how many values of a column are tried in a row at most.
const mostMeant = 500

// decide names the guilty cell of every row in which columns that decide others disagree: the one that a single other value of explains most, of
// the laws that the row breaks and those that it would break. A wrong flight number speaks against the airports, and these all
// against it. Where several explain as much, none is known to be wrong: all are named in doubt.
func (g *guilt) decide(laws []decided) (out []Suspicion) {
	broken := map[int][]Suspicion{}
	by := map[int][]int{} // the laws, one for each of these
	for k := range laws {
		for _, s := range laws[k].cells {
			broken[s.Row], by[s.Row] = append(broken[s.Row], s), append(by[s.Row], k)
		}
	}
	rows := make([]int, 0, len(broken))
	for row := range broken {
		rows = append(rows, row)
	}
	slices.Sort(rows)
	for _, row := range rows {
		said := broken[row]
		least, best := math.MaxInt, []explanation(nil)
		for _, c := range decidedColumns(laws, by[row]) {
			e := g.explain(row, c, laws, by[row])
			if e.left < least {
				least, best = e.left, nil
			}
			if e.left == least {
				best = append(best, e)
			}
		}
		slices.SortStableFunc(best, func(a, b explanation) int { // of which more is known first
			return cmp.Compare(b.meant-b.meant, a.meant-a.meant)
		})
		if least > 0 || !slices.ContainsFunc(best, func(e explanation) bool { return e.meant == e.meant }) { // nobody knows a single value that explains all
			if two := g.changedPlaces(row, laws, by[row], said); two != nil {
				out = append(out, two...)
				continue
			}
		}
		if least > 0 && g.byChance(row, laws, by[row]) {
			continue
		}
		out = append(out, g.named(row, best, said)...)
	}
	return out
}

// byChance says that only amounts decide what a row breaks, and that equations bear them out: how much a meter counts nearly always tells which
// meter it is, and a mild day of the one is as much as a cold day of another.
func (g *guilt) byChance(row int, laws []decided, broken []int) bool {
	at := func(column int) float64 { return g.table.Columns[column].Values[row] }
	return !slices.ContainsFunc(broken, func(k int) bool {
		c := laws[k].from
		return laws[k].weekday || g.table.Columns[c].Kind != tolerant.Number || !slices.ContainsFunc(g.kept, func(k int) bool {
			e := &g.laws.equations[k]
			off, limit := g.laws.misses(e, at)
			return slices.Contains(e.columns(), c) && beyondZeros(e, at) && math.Abs(off) <= limit
		})
	})
}

// decidedColumns are those of some laws, in the order of the table. The days of a date decide and are not decided.
func decidedColumns(laws []decided, some []int) (columns []int) {
	for _, k := range some {
		if columns = append(columns, laws[k].to); !laws[k].weekday {
			columns = append(columns, laws[k].from)
		}
	}
	slices.Sort(columns)
	return slices.Compact(columns)
}

// explanation is a column whose other value makes a row keep laws.
type explanation struct {
	column int
	meant  float64 // NaN: several values would do, or none is known
	left   int     // laws that stay broken, or break
}

// explain finds the value of a column with which a row keeps most laws.
func (g *guilt) explain(row, c int, laws []decided, broken []int) explanation {
	at := func(column int) float64 { return g.table.Columns[column].Values[row] }
	var tried []float64
	add := func(v float64) {
		if v != at(c) && len(tried) < mostMeant && !slices.Contains(tried, v) {
			tried = append(tried, v)
		}
	}
	for _, k := range broken {
		switch l := &laws[k]; c {
		case l.to:
			if u, known := l.usual[at(l.from)]; known {
				add(u)
			}
		case l.from:
			var some []float64
			for from, to := range l.usual {
				if to == at(l.to) {
					some = append(some, from)
				}
			}
			slices.Sort(some)
			for _, v := range some {
				add(v)
			}
		}
	}
	best := explanation{column: c, meant: math.NaN(), left: math.MaxInt}
	for _, v := range tried {
		turned := func(column int) float64 {
			if column == c {
				return v
			}
			return at(column)
		}
		left := g.brokenWith(laws, turned) + g.spoiled(c, at, turned)
		switch {
		case left < best.left:
			best.meant, best.left = v, left
		case left == best.left:
			best.meant = math.NaN()
		}
	}
	if len(tried) == 0 { // the weekday of a date says what it should be
		best.left = len(broken)
	}
	return best
}

// spoiled counts the equations that a row keeps and would break with another value of a column.
func (g *guilt) spoiled(c int, at, turned func(int) float64) (count int) {
	for _, k := range g.kept {
		e := &g.laws.equations[k]
		if !slices.Contains(e.columns(), c) || !beyondZeros(e, at) {
			continue
		}
		now, limit := g.laws.misses(e, at)
		then, other := g.laws.misses(e, turned)
		if math.Abs(now) <= limit && math.Abs(then) > other {
			count++
		}
	}
	return count
}

// named accuses the cells that explain a row, in doubt where they are several.
func (g *guilt) named(row int, best []explanation, said []Suspicion) (out []Suspicion) {
	chance := said[0].P
	for _, s := range said {
		chance = min(chance, s.P)
	}
	for _, e := range best {
		column := &g.table.Columns[e.column]
		s := Suspicion{Row: row, Column: e.column, Expected: math.NaN(), Low: math.NaN(), High: math.NaN()}
		if k := slices.IndexFunc(said, func(s Suspicion) bool { return s.Column == e.column }); k >= 0 {
			s = said[k]
		}
		s.P = chance
		if s.Why == "" {
			s.Why = said[0].Why
			if e.meant == e.meant {
				s.Why = fmt.Sprintf("%s is %s, but the rest of the row goes with %s", words.Clip(column.Name), amount(column, column.Values[row]), amount(column, e.meant))
			}
		}
		switch {
		case e.meant != e.meant && !slices.ContainsFunc(said, func(s Suspicion) bool { return s.Column == e.column }):
			s.Level, s.Expected = "", math.NaN()
		case e.meant != e.meant: // by the day of the week
		case column.Kind == tolerant.Number:
			s.Expected, s.Low, s.High, s.Level = e.meant, e.meant, e.meant, ""
			s.Slip = slip(column, column.Values[row], e.meant, e.meant, e.meant)
		default:
			s.Level = column.Levels[int(e.meant)]
		}
		if len(best) > 1 {
			s.inDoubt(g.table, best, e.column)
		}
		out = append(out, s)
	}
	return out
}

// inDoubt says which other cells may be the wrong ones instead.
func (s *Suspicion) inDoubt(t *tolerant.Table, all []explanation, own int) {
	var others []string
	for _, e := range all {
		if e.column != own {
			others = append(others, words.Clip(t.Columns[e.column].Name))
		}
	}
	s.Doubt = true
	s.Why += "; or " + strings.Join(others, " or ") + " is wrong instead"
}
