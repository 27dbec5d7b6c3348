package check

import (
	"fmt"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/words"
)

// Rows that break a law may obey a second one: nine tenths of it, all of them, since they have a discount that no column tells of.
// Such rows are many and alike. A slip is not: its factors are those of decimal marks, signs and units, or as many as slips. Nought times it, for what is free
// of a tax, is one where another law holds in the row that would break with the tax.

const (
	// secondFewest rows, and this share of the violators, obey a second law; where its factor is that of small counts, half as much
	// or twice, more.
	secondFewest, secondShare = 5, 0.2
	secondOften, secondMost   = 10, 0.5
	// secondChance is that of a row that obeys a second law to be right, at least.
	secondChance = 0.3
	// secondSharp is how sharply a row tells the factor at least.
	secondSharp = 2e-3
)

// learnSeconds finds the factors by which rows that break the equation obey it.
func (e *equation) learnSeconds(t *tolerant.Table, l *laws) {
	if !e.product && e.constant != 0 || e.calendar != plainSum {
		return
	}
	counts := map[float64]int{}
	violators, noughts := 0, 0
	row := 0
	at := func(column int) float64 { return t.Columns[column].Values[row] }
	for _, row = range spacedRows(t.Rows, whereRows) {
		difference, limit := l.misses(e, at)
		left := at(e.left)
		if left == 0 && difference == difference {
			noughts++
		}
		if !(math.Abs(difference) > limit) || e.except.has(t, row) {
			continue
		}
		violators++
		right := left - difference
		if left == 0 {
			if l.free(e, at) {
				counts[0]++
			}
			continue
		}
		if slack := limit / math.Abs(right); slack <= secondSharp {
			if factor, digits := shortest(left/right, slack); digits <= 3 {
				counts[factor]++
			}
		}
	}
	e.seconds = nil
	for factor, n := range counts {
		enough := n >= secondFewest && float64(n) >= secondShare*float64(violators)
		if !(factor > 0.5 && factor < 1.5) && factor != 0 {
			enough = n >= secondOften && float64(n) >= secondMost*float64(violators)
		}
		if factor == 0 && float64(n) < secondMost*float64(noughts) { // most rows with nought obey: a slip of another cell leaves as much
			enough = false
		}
		if enough && (factor == 0 || !slipFactor(factor)) {
			e.seconds = append(e.seconds, factor)
		}
	}
	slices.Sort(e.seconds)
}

// slipFactor says that a factor is one of a slip: of the decimal mark, the sign, or two units.
func slipFactor(factor float64) bool {
	size := math.Abs(factor)
	if power := math.Log10(size); factor <= 0 || math.Abs(power-math.Round(power)) < 1e-9 {
		return true
	}
	for _, u := range units {
		if math.Abs(size/u.factor-1) < 2e-3 || math.Abs(size*u.factor-1) < 2e-3 {
			return true
		}
	}
	return false
}

// free says that a row has nought where the equation gives something, and that another one of all rows holds there, which would not with what is given.
func (l *laws) free(e *equation, at func(int) float64) bool {
	meant := e.solve(e.left, at)
	for k := range l.equations {
		other := &l.equations[k]
		if other == e || other.mostly || !slices.Contains(other.columns(), e.left) {
			continue
		}
		difference, limit := l.misses(other, at)
		with, _ := l.misses(other, func(column int) float64 {
			if column == e.left {
				return meant
			}
			return at(column)
		})
		if math.Abs(difference) <= limit && math.Abs(with) > 2*limit {
			return true
		}
	}
	return false
}

// second is the factor by which a row that breaks the equation obeys it; NaN where there is none.
func (l *laws) second(e *equation, at func(int) float64) float64 {
	if len(e.seconds) == 0 {
		return math.NaN()
	}
	difference, limit := l.misses(e, at)
	left := at(e.left)
	for _, factor := range e.seconds {
		if math.Abs(difference) > limit && math.Abs(left-factor*(left-difference)) <= max(1, factor)*limit && (factor != 0 || left == 0 && l.free(e, at)) {
			return factor
		}
	}
	return math.NaN()
}

// excuse takes the rows that obey a second law off those that break the first, and off those that break others which hold with a cell of it as it would have
// been, or which follow from laws that are asked themselves. It returns them by law, and tells of them as groups.
func (l *laws) excuse(t *tolerant.Table, broken [][]int) (excused [][]int) {
	excused = make([][]int, len(broken))
	row := 0
	at := func(column int) float64 { return t.Columns[column].Values[row] }
	for k := range l.equations {
		e := &l.equations[k]
		var rows []int
		var factors []string
		for _, row = range broken[k] {
			if factor := l.second(e, at); factor == factor {
				rows = append(rows, row)
				if text := fmt.Sprintf("%.3g", factor); !slices.Contains(factors, text) {
					factors = append(factors, text)
				}
			}
		}
		if len(rows) == 0 {
			continue
		}
		for other := range l.equations {
			left := broken[other][:0]
			for _, row = range broken[other] {
				if _, is := slices.BinarySearch(rows, row); is && (other == k || l.equations[other].implied || l.holdsWith(e, &l.equations[other], at)) {
					excused[other] = append(excused[other], row)
				} else {
					left = append(left, row)
				}
			}
			broken[other] = left
		}
		slices.Sort(factors)
		l.alike = append(l.alike, Group{Text: fmt.Sprintf("%s have %s times the %s that %s gives: %s.",
			words.Plural(len(rows), "row"), words.List(factors, 4), words.Clip(t.Columns[e.left].Name), e.text, eitherWay), Rows: rows})
	}
	return excused
}

// lessSure are the cells of rows that obey a second law: told, and not called wrong for it.
func (l *laws) lessSure(t *tolerant.Table, kept []int, excused [][]int) []Suspicion {
	cells := l.blame(t, kept, excused)
	for k := range cells {
		cells[k].Certain, cells[k].P = false, max(cells[k].P, secondChance)
	}
	return cells
}

// holdsWith says that another equation holds in a row where one of the cells of e is what e gives.
func (l *laws) holdsWith(e, other *equation, at func(int) float64) bool {
	columns := other.columns()
	for _, c := range e.columns() {
		if !slices.Contains(columns, c) {
			continue
		}
		meant := e.solve(c, at)
		difference, limit := l.misses(other, func(column int) float64 {
			if column == c {
				return meant
			}
			return at(column)
		})
		if math.Abs(difference) <= 2*limit {
			return true
		}
	}
	return false
}
