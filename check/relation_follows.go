package check

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// A word may follow from another cell of its row: result is pass from score 50 on, shift is night from 22:00 on, status is open where closed_on is
// empty, overdue is yes where paid_on is later than due. Such a law is bands of a number that is made of the other cells.

// source is what a word follows from.
type source struct {
	sort sourceSort
	a, b int // columns; b is a where there is one only
}

type sourceSort int

const (
	fromValue   sourceSort = iota
	fromHour               // of a date, in seconds
	fromWeekday            // of a date: Monday is 0
	fromBeing              // 1 where the cell is there, 0 where it is empty
	fromOrder              // the difference of two, whose sign decides
)

// of makes the number that decides of two cells, which are one where there is one column.
func (s *source) of(x, y float64) float64 {
	switch s.sort {
	case fromBeing:
		if x != x {
			return 0
		}
		return 1
	case fromHour:
		return x - day*math.Floor(x/day)
	case fromWeekday:
		x = math.Floor(x/day) + 3 // 1970 began on a Thursday
		return x - 7*math.Floor(x/7)
	case fromOrder:
		return x - y
	}
	return x
}

// follows is the law that a word follows from a source.
type follows struct {
	source
	word   int
	class  []int // by word: those of a band; -1: such words may be anywhere
	rule   bands
	except where
	text   string
	odds   float64
}

const (
	// followRows is how many rows such laws are looked for in, and followWords how many words a column has at most.
	followRows, followWords = 4000, 12
	// followFew is how many rows have a word, or an empty cell, at least.
	followFew = 4
	// followFirst is the number of rows that tell of most sources that nothing follows from them.
	followFirst = 500
	// followMixed is the part of the changes of words between rows in any order that are left at most where they are ordered by the number: the others are
	// not looked at.
	followMixed = 0.75
	// followSoft is the chance of so many wrong words beside borders below which they are right ones.
	followSoft = 0.01
	// followFar is how many spreads from the middle a number is not learned from.
	followFar = 6
	// mostFollowed is how many columns are held against each other.
	mostFollowed = 100
)

// findFollows looks for the one source that decides each column of words best. A law must be likelier than chance by so much that it pays for all sources and
// words that were tried (the logarithm of their number is taken from its odds) and for its borders, each of which may lie between any two values.
func findFollows(ctx context.Context, t *tolerant.Table) (out []follows, err error) {
	rows := spacedRows(t.Rows, followRows)
	sample, sources := make([][]float64, len(t.Columns)), []source(nil)
	var named []int
	for c := range t.Columns {
		column := &t.Columns[c]
		if len(column.Values) != t.Rows || len(sources) >= mostFollowed {
			continue
		}
		sample[c] = pick(column.Values, rows)
		missing, ordered := 0, ascending(sample[c], false)
		for _, v := range sample[c] {
			if v != v {
				missing++
			}
		}
		if len(column.Levels) > 1 {
			named = append(named, c)
		}
		if missing >= followFew && len(rows)-missing >= followFew {
			sources = append(sources, source{fromBeing, c, c})
		}
		switch {
		case column.Kind == tolerant.Date && !column.Lap():
			sources = append(sources, source{fromHour, c, c})
			if _, all := weekdays(column, rows); all {
				sources = append(sources, source{fromWeekday, c, c})
			}
		case !ordered && (column.Kind == tolerant.Number || column.Lap()): // a stretch of rows is no law
			sources = append(sources, source{fromValue, c, c})
		}
	}
	if len(named) == 0 {
		return nil, nil
	}
	for a := range sample {
		for b := range a {
			x, y := &t.Columns[a], &t.Columns[b]
			if sample[a] != nil && sample[b] != nil && x.Kind == y.Kind && x.Unit == y.Unit && (x.Kind == tolerant.Number || x.Kind == tolerant.Date) {
				sources = append(sources, source{fromOrder, a, b})
			}
		}
	}
	best, values := make([]*follows, len(t.Columns)), make([]float64, len(rows))
	tried := math.Log(float64(len(sources)*len(named) + 1))
	for _, s := range sources {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i := range values {
			values[i] = s.of(sample[s.a][i], sample[s.b][i])
		}
		ordered := func(every int) (order []int) {
			d := describe(values)
			for i := 0; i < len(values); i += every {
				if math.Abs(values[i]-d.centre) <= followFar*d.spread {
					order = append(order, i)
				}
			}
			slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
			return order
		}
		order := ordered(1 + len(rows)/followFirst)
		some := slices.DeleteFunc(slices.Clone(named), func(word int) bool {
			return word == s.a || word == s.b || s.sort != fromBeing && !tells(order, sample[word])
		})
		if len(some) == 0 || values[order[0]] == values[order[len(order)-1]] {
			continue
		}
		order = ordered(1)
		for _, word := range some {
			if f := learnFollows(s, word, values, sample[word], order, len(t.Columns[word].Levels)); f != nil {
				if f.odds -= tried; f.odds > markSurely && (best[word] == nil || f.odds > best[word].odds) {
					best[word] = f
				}
			}
		}
	}
	for _, f := range best {
		if f != nil {
			f.except = whereLearned(t, f.columns(), f.asks(t))
			f.write(t)
			out = append(out, *f)
		}
	}
	return out, nil
}

// tells says that words change less often in an order of the rows than in any other.
func tells(order []int, words []float64) bool {
	counts, changes, n, last := map[float64]float64{}, 0.0, 0.0, math.NaN()
	for _, i := range order {
		if w := words[i]; w == w {
			if counts[w]++; w != last {
				changes, last = changes+1, w
			}
			n++
		}
	}
	sum := 0.0 // whole, in any order
	for _, k := range counts {
		sum += k * k
	}
	return changes-1 <= followMixed*(n-sum/n)
}

// learnFollows is the law by which numbers, in whose order the rows are, decide words; nil where there is none.
func learnFollows(s source, word int, values, words []float64, order []int, levels int) *follows {
	f := &follows{source: s, word: word, class: make([]int, levels)}
	counts, there := make([]int, levels), make([]int, levels)
	for _, i := range order {
		if w := words[i]; w >= 0 && int(w) < levels {
			counts[int(w)]++
			if s.sort == fromBeing {
				there[int(w)] += int(values[i])
			}
		}
	}
	classes := 0
	for w, n := range counts {
		f.class[w] = -1
		switch full := float64(there[w]) / float64(n); {
		case n < followFew:
		case s.sort != fromBeing || levels == 2:
			f.class[w] = classes
			classes++
		case full <= bandWrong || full >= 1-bandWrong: // several words may go with the one and with the other
			f.class[w] = int(math.Round(full))
			classes = 2
		}
	}
	if classes < 2 || classes > followWords {
		return nil
	}
	rows := make([]numbered, 0, len(order))
	for _, i := range order {
		if c := f.classOf(words[i]); c >= 0 {
			rows = append(rows, numbered{values[i], c})
		}
	}
	totals := make([]int, classes)
	distinct := 1
	for k, r := range rows {
		totals[r.class]++
		if k > 0 && r.value != rows[k-1].value {
			distinct++
		}
	}
	n := float64(len(rows))
	mixed := n // changes in any order
	for _, k := range totals {
		mixed -= float64(k) * float64(k) / n
	}
	if n < fewestRelated || n-float64(slices.Max(totals)) < followFew {
		return nil
	}
	r, given := newBands(rows, classes, followSoft)
	if r == nil {
		return nil
	}
	for k := 1; k < len(r.list) && s.sort == fromOrder; k++ {
		low, high := &r.list[k-1], &r.list[k]
		if low.high > 0 || high.low < 0 { // the border is another one
			return nil
		}
		above, below := 0.0, 0.0 // to which of them 0 belongs
		if low.last < 0 {
			below = -math.SmallestNonzeroFloat64
		}
		if low.last >= 0 || high.first > 0 {
			above = math.SmallestNonzeroFloat64
		}
		low.last, low.high, high.first, high.low = below, below, above, above
	}
	r.list[0].low, r.list[len(r.list)-1].high = math.Inf(-1), math.Inf(1)
	f.rule = *r
	// How much the number tells of the word. Rows beside each other that have the same word are one piece of evidence.
	last, changes := -1, 0
	for i, w := range words {
		if c := f.classOf(w); c >= 0 && c != last && values[i] == values[i] {
			changes, last = changes+1, c
		}
	}
	together, band := make([]float64, classes*classes), make([]float64, classes)
	for k, r := range rows {
		together[given[k]*classes+r.class]++
		band[given[k]]++
	}
	for k, m := range together {
		if k/classes != k%classes && m > 2*bandWrong*band[k/classes] {
			return nil
		}
		if m > 0 {
			f.odds += m * math.Log(m*n/(band[k/classes]*float64(totals[k%classes])))
		}
	}
	f.odds = f.odds*min(1, float64(changes)/mixed) - float64(len(r.list)-1)*math.Log(float64(distinct*classes))
	return f
}

// classOf is -1 where there is none.
func (f *follows) classOf(w float64) int {
	if w >= 0 && int(w) < len(f.class) {
		return f.class[int(w)]
	}
	return -1
}

func (f *follows) columns() []int {
	if f.a == f.b {
		return []int{f.word, f.a}
	}
	return []int{f.word, f.a, f.b}
}

// broken is the band of a row, and whether its word is another one's; no band where that cannot be asked.
func (f *follows) broken(at func(column int) float64) (*band, bool) {
	c, v := f.classOf(at(f.word)), f.of(at(f.a), at(f.b))
	if c < 0 || !f.rule.has(c) {
		return nil, false
	}
	b := f.rule.at(v)
	if b == nil || v < b.low || v > b.high {
		return nil, false
	}
	return b, b.class != c
}

// asks asks it of the rows of a table.
func (f *follows) asks(t *tolerant.Table) func(row int) (broken, asked bool) {
	return func(row int) (bool, bool) {
		b, broken := f.broken(func(c int) float64 { return t.Columns[c].Values[row] })
		return broken, b != nil
	}
}

// saidOnce leaves out what two kinds of laws say: the day of the week decides words in any order of days.
func (l *laws) saidOnce() {
	l.follows = slices.DeleteFunc(l.follows, func(f follows) bool {
		return f.sort == fromWeekday && slices.ContainsFunc(l.deciding, func(d deciding) bool { return d.weekday && d.from == f.a && d.to == f.word })
	})
	l.deciding = slices.DeleteFunc(l.deciding, func(d deciding) bool {
		return !d.mutual && slices.ContainsFunc(l.follows, func(f follows) bool { return f.sort == fromValue && d.from == f.a && d.to == f.word })
	})
}
