package check

import (
	"fmt"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/internal/words"
)

// A law may have one factor for rows with one word and another for those with another: cost = 0.34 * energy unless the tariff is night, and 0.26 times
// it there. A row that keeps the law of another word than its own to the last digit has the wrong word: a slip of a number hardly ever leads there.

const (
	// wordKept is the share of the rows with a word that keep its own law, and wordRows how many rows it has at least.
	wordKept, wordRows = 0.9, 20
	// wordSharp is how sharply a row tells the factor at least, as a share of it.
	wordSharp = 0.02
)

// ofWord is the factor by which rows with a word keep an equation that does not hold for them.
type ofWord struct {
	column int
	value  float64
	factor float64
}

// learnWords finds the factors of the words for which the equation does not hold.
func (e *equation) learnWords(t *tolerant.Table, l *laws) {
	e.ofWords = nil
	if !e.product && e.constant != 0 || e.calendar != plainSum {
		return
	}
	for _, m := range e.except {
		if c := &t.Columns[m.column]; m.sort != markIs || m.also != nil || m.value != m.value || c.Kind != tolerant.Category && c.Kind != tolerant.Boolean {
			continue
		}
		var factors, slacks []float64
		for _, row := range spacedRows(t.Rows, whereRows) {
			if t.Columns[m.column].Values[row] != m.value {
				continue
			}
			if factor, slack := e.factor(t, l, row); slack <= wordSharp*math.Abs(factor) {
				factors, slacks = append(factors, factor), append(slacks, slack)
			}
		}
		if len(factors) < wordRows {
			continue
		}
		middle, kept := univariate.MedianOf(slices.Clone(factors)), 0
		for i, f := range factors {
			if math.Abs(f-middle) <= slacks[i] {
				kept++
			}
		}
		if float64(kept) >= wordKept*float64(len(factors)) && !slipFactor(middle) && math.Abs(middle-1) > 2*wordSharp {
			e.ofWords = append(e.ofWords, ofWord{m.column, m.value, middle})
		}
	}
}

// factor is how many times what the equation gives a row has, and how sharply that is known; infinitely little where it is not.
func (e *equation) factor(t *tolerant.Table, l *laws, row int) (factor, slack float64) {
	difference, limit := l.misses(e, func(column int) float64 { return t.Columns[column].Values[row] })
	left := t.Columns[e.left].Values[row]
	right := left - difference
	if right == 0 || left == 0 || difference != difference || math.IsInf(difference, 0) {
		return 0, math.Inf(1)
	}
	return left / right, limit / math.Abs(right)
}

// wordInstead names the word of a row that breaks equations as rows with another word keep them; not ok where there is none that explains all of them.
func (l *laws) wordInstead(t *tolerant.Table, row int, broken []int) (s Suspicion, ok bool) {
	e := &l.equations[broken[0]]
	factor, slack := e.factor(t, l, row)
	for _, w := range e.ofWords {
		if t.Columns[w.column].Values[row] == w.value || math.Abs(factor-w.factor) > slack || slack > wordSharp*w.factor {
			continue
		}
		explains := func(k int) bool {
			other := &l.equations[k]
			return slices.ContainsFunc(other.except, func(m mark) bool { return m.sort == markIs && m.column == w.column && m.value == w.value })
		}
		if !slices.ContainsFunc(broken, func(k int) bool { return !explains(k) }) {
			return l.wrongWord(t, e, row, w, w.value), true
		}
	}
	return s, false
}

// wordsAgainst are rows with a word for which an equation does not hold, and that keep it where the others with that word keep its own law.
func (l *laws) wordsAgainst(t *tolerant.Table, kept []int) (cells []Suspicion) {
	for _, k := range kept {
		e := &l.equations[k]
		for _, w := range e.ofWords {
			var found []Suspicion
			asked := 0
			for row, v := range t.Columns[w.column].Values {
				if v != w.value {
					continue
				}
				factor, slack := e.factor(t, l, row)
				if slack > wordSharp {
					continue
				}
				if asked++; math.Abs(factor-1) <= slack {
					found = append(found, l.wrongWord(t, e, row, w, math.NaN()))
				}
			}
			if float64(len(found)) <= brokenSurely*float64(asked) {
				cells = append(cells, found...)
			}
		}
	}
	return cells
}

// wrongWord says that a row has the word of another law than the one that it keeps; without a meant one it is any other, which is known where there are two.
func (l *laws) wrongWord(t *tolerant.Table, e *equation, row int, w ofWord, meant float64) Suspicion {
	c := &t.Columns[w.column]
	s := Suspicion{Row: row, Column: w.column, Certain: true, Expected: math.NaN(), Low: math.NaN(), High: math.NaN()}
	law := *e
	where := "not that"
	if meant == meant {
		s.Level, where = c.Levels[int(meant)], amount(c, meant)
		if law.terms = slices.Clone(e.terms); e.product {
			law.constant, _ = shortest(w.factor*e.constant, 1e-3*math.Abs(w.factor*e.constant))
		} else {
			for k := range law.terms {
				law.terms[k].slope, _ = shortest(w.factor*law.terms[k].slope, 1e-3*math.Abs(w.factor*law.terms[k].slope))
			}
		}
		law.write(t)
	} else if len(c.Levels) == 2 {
		s.Level = c.Levels[1-int(w.value)]
		where = amount(c, 1-w.value)
	} else {
		s.Doubt = true
	}
	s.Why = fmt.Sprintf("%s is %s, but %s here, as where it is %s", words.Clip(c.Name), amount(c, c.Values[row]), law.text, where)
	return s
}
