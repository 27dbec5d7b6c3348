package check

import (
	"fmt"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/words"
)

// judgeOrders holds all rows against the orders. A row that breaks one is not accused for it where an equation has already said what one of the
// two should be and the order holds with that; and where a row breaks several that all hold with the values of two columns exchanged, these
// two are the guilty ones, and not all that they passed.
func (g *guilt) judgeOrders(said []Suspicion) (relations []Relation, cells []Suspicion) {
	expected := map[place]float64{}
	for _, s := range said {
		if s.Expected == s.Expected {
			expected[place{s.Row, s.Column}] = s.Expected
		}
	}
	accused := map[int][]order{} // by row, the orders that it breaks
	for _, o := range g.laws.orders {
		r, of := o.judge(g.table)
		relations = append(relations, r)
		if o.mostly {
			cells = append(cells, of...)
			continue
		}
		for _, s := range of {
			low, is := expected[place{s.Row, o.low}]
			if !is {
				low = g.table.Columns[o.low].Values[s.Row]
			}
			high, too := expected[place{s.Row, o.high}]
			if !too {
				high = g.table.Columns[o.high].Values[s.Row]
			}
			if (is || too) && low <= high {
				continue
			}
			cells = append(cells, s)
			if k := accused[s.Row]; len(k) == 0 || k[len(k)-1].text != o.text {
				accused[s.Row] = append(k, o)
			}
		}
	}
	for row, broken := range accused {
		if len(broken) < 2 {
			delete(accused, row)
		}
	}
	rows := make([]int, 0, len(accused))
	for row := range accused {
		rows = append(rows, row)
	}
	slices.Sort(rows)
	for _, row := range rows {
		if pair := g.turnedRound(row, accused[row]); pair != nil {
			cells = append(slices.DeleteFunc(cells, func(s Suspicion) bool { return s.Row == row }), pair...)
		}
	}
	return relations, cells
}

// turnedRound finds the one date whose day and month were exchanged, or else the one pair of columns whose values were, with which put right a row
// keeps all orders and equations; nil where there is none, or more.
func (g *guilt) turnedRound(row int, broken []order) (pair []Suspicion) {
	var columns []int
	for _, o := range broken {
		for _, c := range []int{o.low, o.high} {
			if !slices.Contains(columns, c) {
				columns = append(columns, c)
			}
		}
	}
	for _, c := range columns {
		if s, is := g.slippedDate(row, c, broken); is {
			if pair != nil {
				return nil
			}
			pair = []Suspicion{s}
		}
	}
	if pair != nil {
		return pair
	}
	for i, a := range columns {
		for _, b := range columns[i+1:] {
			if !g.fitting(row, a, b) || !g.mended(row, a, b, nil) || !g.inOrder(row, a, b) {
				continue
			}
			if pair != nil {
				return nil
			}
			pair = []Suspicion{g.passed(row, a, b, broken), g.passed(row, b, a, broken)}
		}
	}
	return pair
}

// slippedDate says that a row keeps all orders and equations with day and month of a date exchanged: one slip, and not two values that changed places.
func (g *guilt) slippedDate(row, c int, broken []order) (s Suspicion, is bool) {
	column := &g.table.Columns[c]
	if column.Kind != tolerant.Date {
		return s, false
	}
	slipped := Cell{Slip: dayAndMonth}
	meant, _ := slipped.Meant(column.Values[row])
	if slip(column, column.Values[row], meant, meant, meant) != dayAndMonth {
		return s, false
	}
	at := func(k int) float64 {
		if k == c {
			return meant
		}
		return g.table.Columns[k].Values[row]
	}
	for _, o := range g.laws.orders {
		if at(o.high) < at(o.low) && !o.mostly && !o.except.has(g.table, row) {
			return s, false
		}
	}
	for _, k := range g.kept {
		if difference, limit := g.laws.misses(&g.laws.equations[k], at); math.Abs(difference) > limit {
			return s, false
		}
	}
	s = Suspicion{Row: row, Column: c, P: orderP, Expected: meant, Low: meant, High: meant, Slip: dayAndMonth}
	s.Why = fmt.Sprintf("%s is %s, %s: %s holds with %s", words.Clip(column.Name), amount(column, column.Values[row]), s.Slip, broken[0].text, amount(column, meant))
	return s, true
}

// inOrder says that a row keeps all orders when the values of two columns are exchanged.
func (g *guilt) inOrder(row, a, b int) bool {
	at := g.turned(row, a, b)
	for _, o := range g.laws.orders {
		if d := at(o.high) - at(o.low); d < 0 && !o.mostly && !o.except.has(g.table, row) {
			return false
		}
	}
	return true
}

// passed expects of a cell what the other has, since the orders hold with that.
func (g *guilt) passed(row, c, other int, broken []order) Suspicion {
	column := &g.table.Columns[c]
	meant := g.table.Columns[other].Values[row]
	s := Suspicion{Row: row, Column: c, P: orderP, Expected: meant, Low: meant, High: meant, Slip: "exchanged with " + words.Clip(g.table.Columns[other].Name)}
	own := broken[0]
	for _, o := range broken {
		if o.low == c || o.high == c {
			own = o
			break
		}
	}
	s.Why = fmt.Sprintf("%s is %s, %s: %s holds with %s", words.Clip(column.Name), amount(column, column.Values[row]), s.Slip, own.text, amount(column, meant))
	return s
}
