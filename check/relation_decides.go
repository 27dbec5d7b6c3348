package check

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/words"
)

// deciding says that one column decides another: zip -> city.
type deciding struct {
	from, to int
	text     string
	weekday  bool // it is the day of the week of the first that decides
	mutual   bool // each decides the other: two names of one thing
}

const (
	// decidingRows is how many rows such relations are looked for in.
	decidingRows = 20_000
	// decidingExceptions is the share of rows that may break one, and mutualExceptions where each of two columns decides the other.
	decidingExceptions, mutualExceptions = 0.01, 0.03
	// mostValues of a numeric column whose values count as names.
	mostValues = 500
	// namedTimes is how often the values of columns that name one thing come on average, at least.
	namedTimes = 10
	// mostDecided is how many columns are compared with each other.
	mostDecided = 60
)

// findDeciding compares all pairs of columns with values that repeat.
func findDeciding(ctx context.Context, t *tolerant.Table, said func(a, b int) bool) ([]deciding, error) {
	rows := spacedRows(t.Rows, decidingRows)
	var columns []int
	var codes []coding
	for c := range t.Columns {
		if len(columns) == mostDecided {
			break
		}
		if k, ok := code(&t.Columns[c], rows); ok {
			columns = append(columns, c)
			codes = append(codes, k)
		}
	}
	var out []deciding
	for c := range t.Columns {
		days, ok := weekdays(&t.Columns[c], rows)
		for j, b := range columns {
			if ok && t.Columns[b].Kind != tolerant.Number && decides(days, codes[j], len(columns), decidingExceptions) {
				out = append(out, deciding{from: c, to: b, weekday: true, text: "weekday of " + t.Columns[c].Name + " decides " + t.Columns[b].Name})
			}
		}
	}
	for i, a := range columns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for j, b := range columns {
			if i == j || said(a, b) {
				continue
			}
			d := deciding{from: a, to: b, text: t.Columns[a].Name + " decides " + t.Columns[b].Name}
			most := decidingExceptions
			if codes[i].names() && codes[j].names() && decides(codes[j], codes[i], len(columns), mutualExceptions) {
				d.mutual, most = true, mutualExceptions
			}
			if decides(codes[i], codes[j], len(columns), most) {
				out = append(out, d)
			}
		}
	}
	return out, nil
}

// exceptions is the share of rows that may break it.
func (d deciding) exceptions() float64 {
	if d.mutual {
		return mutualExceptions
	}
	return decidingExceptions
}

// decides says that a decides b beyond chance: hardly any exceptions, at most that share of the rows, where mixed rows have many.
func decides(a, b coding, columns int, most float64) bool {
	const first = 500 // rows that tell that most pairs do not
	if len(a.codes) > 2*first {
		rows, exceptions, _ := group(coding{codes: a.codes[:first], values: a.values}, coding{codes: b.codes[:first], values: b.values}, 0).exceptions()
		if rows > first/2 && float64(exceptions) > 0.05*float64(rows) {
			return false
		}
	}
	rows, exceptions, groups := group(a, b, 0).exceptions()
	if groups < 3 || 2*rows < len(a.codes) || float64(exceptions) > most*float64(rows) {
		return false
	}
	mixedRows, mixed, _ := group(a, b, len(a.codes)/2+1).exceptions()
	if a.rhythm { // days of other weeks decide as well as their own
		mixedRows, mixed, _ = group(coding{codes: make([]int, len(b.codes)), values: 1}, b, 0).exceptions()
	}
	share := float64(mixed) / float64(max(mixedRows, 1))
	if share < leastMixed && a.takeTurns() { // in turn, so that those of other rows decide as well: in any order they do not
		mixedRows, mixed, _ = group(a, b.shuffled(), 0).exceptions()
		share = float64(mixed) / float64(max(mixedRows, 1))
	}
	if share < leastMixed {
		return false
	}
	left := float64(exceptions) / float64(rows)
	unlikely := (1 - left) * math.Log((1-left)/(1-share))
	if left > 0 {
		unlikely += left * math.Log(left/share)
	}
	// Groups settle their own usual value, which costs a row each.
	return float64(rows-groups)*unlikely > 2*math.Log(float64(columns+1))+10
}

// leastMixed is the share of exceptions that values of other rows leave at least.
const leastMixed = 0.2

// judge lists the rows that differ from the usual value of their group. A pair of values that
// comes more than twice is there by right.
func (d deciding) judge(t *tolerant.Table) (Relation, decided) {
	r := Relation{Text: d.text, Columns: []int{d.from, d.to}}
	rows := allRows(t.Room(), t.Rows)
	defer spill.Free(rows)
	from, to := &t.Columns[d.from], &t.Columns[d.to]
	a, ok := code(from, rows)
	if d.weekday {
		a, ok = weekdays(from, rows)
	}
	b, also := code(to, rows)
	of := decided{deciding: d, usual: map[float64]float64{}}
	if !ok || !also {
		return r, of
	}
	g := group(a, b, 0)
	first := make([]int, b.values) // a row that has the value
	for row, y := range b.codes {
		if y >= 0 {
			first[y] = row
		}
	}
	asked, exceptions, _ := g.exceptions()
	r.Rows = asked
	var cells []Suspicion
	for row, x := range a.codes {
		y := b.codes[row]
		if x >= 0 && g.size[x] >= 3 && !d.weekday {
			of.usual[from.Values[row]] = to.Values[first[g.usual[x]]]
		}
		if x < 0 || y < 0 || y == g.usual[x] || g.size[x] < 4 || g.pairs[[2]int{x, y}] > 2 {
			continue
		}
		if others := g.size[x] - g.usualCount[x]; others > 1 && float64(others) > 0.1*float64(g.size[x]) {
			continue
		}
		r.Broken = append(r.Broken, row)
		s := Suspicion{Row: row, Column: d.to, P: 1e-5, Expected: math.NaN(), Low: math.NaN(), High: math.NaN()}
		switch { // few rows of a group do not make a law for it
		case g.size[x] < 10:
			s.P = 0.01
		case g.size[x] < 20:
			s.P = 1e-4
		}
		usual := to.Values[first[g.usual[x]]]
		if to.Kind == tolerant.Number {
			s.Expected, s.Low, s.High = usual, usual, usual
			s.Slip = slip(to, to.Values[row], usual, usual, usual)
		} else {
			s.Level = to.Levels[int(usual)]
		}
		with := words.Clip(from.Name) + " " + amount(from, from.Values[row])
		if d.weekday {
			with = words.Clip(from.Name) + " on a " + time.Weekday(x).String()
		}
		s.Why = fmt.Sprintf("%s is %s, but with %s it is %s in %d of %s", words.Clip(to.Name), amount(to, to.Values[row]),
			with, amount(to, usual), g.usualCount[x], words.Plural(g.size[x], "row"))
		cells = append(cells, s)
	}
	if float64(exceptions) > d.exceptions()*float64(asked) {
		return r, of
	}
	except := whereLearned(t, r.Columns, func(row int) (broken, asked bool) {
		_, broken = slices.BinarySearch(r.Broken, row)
		return broken, a.codes[row] >= 0 && b.codes[row] >= 0
	})
	if len(except) > 0 {
		r.Text += except.text(t)
		r.Broken = slices.DeleteFunc(r.Broken, func(row int) bool { return except.has(t, row) })
		cells = slices.DeleteFunc(cells, func(s Suspicion) bool { return except.has(t, s.Row) })
	}
	of.cells = cells
	return r, of
}
