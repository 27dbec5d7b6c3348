package check

import (
	"fmt"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/words"
)

// blame names the guilty cell of every row that breaks equations: the one whose replacement mends most of
// them, breaks none that hold, and is a value that its column has; or two that were exchanged.
func (l *laws) blame(t *tolerant.Table, kept []int, broken [][]int) []Suspicion {
	byRow := map[int][]int{}
	for _, k := range kept {
		for _, row := range broken[k] {
			byRow[row] = append(byRow[row], k)
		}
	}
	rows := make([]int, 0, len(byRow))
	for row := range byRow {
		rows = append(rows, row)
	}
	slices.Sort(rows)
	g := &guilt{laws: l, table: t, kept: kept, about: map[int]*suspected{}}
	var out []Suspicion
	for _, row := range rows {
		if word, ok := l.wordInstead(t, row, byRow[row]); ok {
			out = append(out, word)
			continue
		}
		cells, alone := g.cell(row, byRow[row])
		if !alone {
			if pair := g.exchanged(row, byRow[row]); pair != nil {
				cells = pair
			}
		}
		out = append(out, cells...)
	}
	return out
}

type guilt struct {
	laws  *laws
	table *tolerant.Table
	kept  []int
	about map[int]*suspected
	again *copies // nil: not asked yet
	order []int   // the rows device by device; empty: there is one, nil: not asked yet

	easily map[int]bool // equations that two exchanged cells mend by accident, as far as was asked
}

// copy says that a row is there twice, and keeps it in mind.
func (g *guilt) copy(row int) bool {
	if g.again == nil {
		again := newTwins(g.table).equal()
		g.again = &again
	}
	first, is := g.again.of(row)
	if is {
		if g.laws.copies == nil {
			g.laws.copies = map[int]int{}
		}
		g.laws.copies[row] = first
	}
	return is
}

// suspected is what is known of a column.
type suspected struct {
	description
	counts map[float64]int // of the values of a sample, where they are few
	stuck  map[int]bool    // rows in which the column hangs
	orders bool            // rows follow each other by it
}

// column describes a column by a sample of its rows.
func (g *guilt) column(c int) *suspected {
	d, ok := g.about[c]
	if !ok {
		values := g.table.Columns[c].Values
		sample := pick(values, spacedRows(len(values), relationRows))
		d = &suspected{description: describe(sample), counts: map[float64]int{}, stuck: map[int]bool{}, orders: ascending(values, false)}
		if d.values != nil {
			for _, v := range sample {
				d.counts[v]++
			}
		} else {
			for _, row := range g.hanging(c) {
				d.stuck[row] = true
			}
		}
		g.about[c] = d
	}
	return d
}

// levelWeights is by how much the weights of two columns differ at most when nobody knows which of them is guilty.
const levelWeights = 0.75

// cell weighs the columns of the broken equations against each other. Those that weigh about as much as the heaviest are all named, in
// doubt. alone says that a slip of a single cell explains the row.
func (g *guilt) cell(row int, broken []int) (cells []Suspicion, alone bool) {
	at := func(c int) float64 { return g.table.Columns[c].Values[row] }
	var all []Suspicion
	var weights []float64
	most := math.Inf(-1)
	seen := map[int]bool{}
	for _, k := range broken {
		for _, c := range g.laws.equations[k].columns() {
			if seen[c] {
				continue
			}
			seen[c] = true
			s, weight := g.suspect(row, c, broken, at)
			if fit := g.laws.fit; fit != nil && s.Expected == s.Expected && fit(row, c, s.Expected) > cut {
				weight -= 3 // the rest of the row speaks against it
			}
			all, weights, most = append(all, s), append(weights, weight), max(most, weight)
		}
	}
	var named []explanation
	for _, first := range []bool{true, false} {
		for k, s := range all {
			if is := weights[k] == most && len(cells) == 0; first == is && weights[k] >= most-levelWeights && (first || s.Column != cells[0].Column) {
				cells, named = append(cells, s), append(named, explanation{column: s.Column})
			}
		}
	}
	for k := range cells {
		if len(cells) > 1 {
			cells[k].inDoubt(g.table, named, cells[k].Column)
		}
	}
	return cells, len(cells) == 1 && ofDigits(cells[0].Slip) && g.mendedBy(row, cells[0], broken)
}

// mendedBy says that a row keeps the equations that it breaks with what is expected of one cell.
func (g *guilt) mendedBy(row int, s Suspicion, broken []int) bool {
	at := func(c int) float64 {
		if c == s.Column {
			return s.Expected
		}
		return g.table.Columns[c].Values[row]
	}
	return !slices.ContainsFunc(broken, func(k int) bool {
		difference, limit := g.laws.misses(&g.laws.equations[k], at)
		return !(math.Abs(difference) <= limit)
	})
}

// suspect says what a column would have to be and how likely it is the guilty one.
func (g *guilt) suspect(row, c int, broken []int, at func(int) float64) (Suspicion, float64) {
	weight := 0.0
	var values []wanted
	exceptions := 1.0
	for _, k := range broken {
		e := &g.laws.equations[k]
		exceptions = min(exceptions, e.exceptions)
		if !slices.Contains(e.columns(), c) {
			weight -= 3 // stays broken whatever the cell is
			continue
		}
		if v := e.solve(c, at); !math.IsNaN(v) && !math.IsInf(v, 0) {
			values = append(values, wanted{v, e.slack(c, v, at, g.laws.steps), e})
		}
	}
	for _, k := range g.kept {
		e := &g.laws.equations[k]
		if !slices.Contains(broken, k) && slices.Contains(e.columns(), c) && beyondZeros(e, at) {
			weight -= 3 // would break
		}
	}
	s := Suspicion{Row: row, Column: c, Certain: exceptions <= brokenSurely, P: 1e-9, Expected: math.NaN(), Low: math.NaN(), High: math.NaN()}
	if !s.Certain {
		s.P = exceptions
	}
	if len(values) == 0 {
		return s, weight - 10
	}
	d, given := g.column(c), at(c)
	said := agreed(values, c)
	middle, slack, e := said.value, said.slack, said.law
	meant, chance := middle, 1.0        // that a quotient is one of the values that a coarse column has
	if step := d.step; step > 4*slack { // coarse columns have their own values only
		middle = math.Round(middle/step) * step
		if math.Abs(meant-middle) > 2*slack+0.01*step {
			weight -= 2 // the law would not hold with any of these
		} else {
			meant = middle
			if slope := math.Abs(e.slope(c, at)); e.product && e.left != c && slope > 0 {
				chance = min(1, max(4*slack, roundness(at(e.left), g.column(e.left).step)/slope)/step)
			}
		}
	}
	if d.values != nil && !slices.ContainsFunc(d.values, func(v float64) bool { return math.Abs(v-middle) <= 2*slack+1e-9*math.Abs(v) }) {
		weight -= 2 // nobody else has this value
	} else if d.values != nil {
		if d.counts[given] <= 1 {
			weight++ // nobody else has the one that is there
		}
		if unit := math.Pow10(-g.table.Columns[c].Decimals); !e.product { // of the values that might have come out few are ones that the column has
			chance = min(chance, float64(len(d.values))*max(unit, 2*slack)/(slices.Max(d.values)-slices.Min(d.values)+unit))
		}
	}
	if values := g.table.Columns[c].Values; d.stuck[row] || d.orders && !between(values, row, given) && between(values, row, middle) {
		weight += 3
	}
	for _, v := range values {
		if math.Abs(v.value-middle) > 4*max(slack, v.slack)+1e-9*math.Abs(middle)+d.step/2 {
			weight-- // the equations want different values
		}
	}
	if d.below <= max(1, d.count/200) && g.table.Columns[c].Kind == tolerant.Number && (given < 0) != (middle < 0) { // next to no others are negative
		weight += 3 * sign(given < 0)
	}
	if math.Abs(given-middle) <= slack {
		weight -= 10 // it is what it should be
	}
	weight += distance(given, d.description) - distance(middle, d.description)
	if (middle < d.least || middle > d.most) && given >= d.least && given <= d.most {
		weight-- // beyond all that others have
	}
	s.Expected, s.Low, s.High = meant, meant-slack, meant+slack
	s.Slip = slip(&g.table.Columns[c], given, meant, s.Low, s.High)
	if s.Slip != "" && meant == middle {
		if weight++; ofDigits(s.Slip) { // hardly ever by chance, whatever other values are likelier
			weight++
		}
	} else if chance < 1 { // a count that comes out whole; ten times as much of one always does
		weight += min(2, -math.Log(max(chance, 1e-9))/2)
	}
	if e.left == c {
		weight += 0.1
	}
	column := &g.table.Columns[c]
	s.Why = fmt.Sprintf("%s is %s, but %s gives %s", words.Clip(column.Name), asWritten(g.table, row, c), e.text, amount(column, inDecimals(column, meant)))
	return s, weight
}

// roundness is the largest of a hundred steps, a thousand and so on of which a value is made, or else the step: quotients of round values
// come out whole by themselves. One zero at the end is no sign of a round value.
func roundness(v, step float64) float64 {
	for by := 100.0; step > 0 && v != 0 && !math.IsInf(v, 0); by = 10 {
		times := math.Round(v / (by * step))
		if math.Abs(v/(by*step)-times) > 1e-6 || times == 0 {
			break
		}
		step *= by
	}
	return step
}

func sign(plus bool) float64 {
	if plus {
		return 1
	}
	return -1
}

// distance is how far a value is from what a column has, growing slowly: spreads of a column
// say little about how far is too far.
func distance(v float64, d description) float64 {
	return min(math.Log1p(math.Abs(v-d.centre)/d.spread), 20)
}
