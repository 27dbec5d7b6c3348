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
}

const (
	// decidingRows is how many rows such relations are looked for in.
	decidingRows = 20_000
	// decidingExceptions is the share of rows that may break one.
	decidingExceptions = 0.01
	// mostValues of a numeric column whose values count as names.
	mostValues = 500
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
			if ok && t.Columns[b].Kind != tolerant.Number && decides(days, codes[j], len(columns)) {
				out = append(out, deciding{from: c, to: b, weekday: true, text: "weekday of " + t.Columns[c].Name + " decides " + t.Columns[b].Name})
			}
		}
	}
	for i, a := range columns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for j, b := range columns {
			if i != j && !said(a, b) && decides(codes[i], codes[j], len(columns)) {
				out = append(out, deciding{from: a, to: b, text: t.Columns[a].Name + " decides " + t.Columns[b].Name})
			}
		}
	}
	return out, nil
}

// weekdays numbers the days of the week of a column of dates, where all of them come.
func weekdays(c *tolerant.Column, rows []int) (coding, bool) {
	if c.Kind != tolerant.Date || len(rows) == 0 || len(c.Values) <= rows[len(rows)-1] {
		return coding{}, false
	}
	room := spill.Of(c.Values)
	out, seen := coding{codes: spill.Make[int](room, len(rows)), values: 7, rhythm: true}, [7]bool{}
	for i, r := range rows {
		out.codes[i] = -1
		room.Touched(1)
		if v := c.Values[r]; math.Abs(v) < 1e12 {
			out.codes[i] = (int(math.Floor(v/86400))%7 + 11) % 7 // 1970 began on a Thursday
			seen[out.codes[i]] = true
		}
	}
	return out, !slices.Contains(seen[:], false)
}

// coding numbers the values of a column: places from 0, -1 where missing.
type coding struct {
	codes  []int
	values int
	rhythm bool // they come again in the same order
}

// code numbers a column's values where they repeat.
func code(c *tolerant.Column, rows []int) (coding, bool) {
	switch c.Kind {
	case tolerant.Number, tolerant.Category, tolerant.Boolean:
	default:
		return coding{}, false
	}
	known := map[float64]int{}
	room := spill.Of(c.Values)
	out := coding{codes: spill.Make[int](room, len(rows))}
	for i, r := range rows {
		room.Touched(1)
		v := math.NaN()
		if r < len(c.Values) {
			v = c.Values[r]
		}
		if v != v {
			out.codes[i] = -1
			continue
		}
		k, ok := known[v]
		if !ok {
			k = len(known)
			known[v] = k
			if k >= mostValues && c.Kind == tolerant.Number || 2*k > len(rows) {
				return coding{}, false
			}
		}
		out.codes[i] = k
	}
	out.values = len(known)
	return out, out.values >= 2
}

// groupings counts pairs of values. usual and usualCount are, by value of the first column, the
// second's most frequent one and how often it comes; size is how many rows the value has.
type groupings struct {
	pairs                   map[[2]int]int
	usual, usualCount, size []int
}

func group(a, b coding, shift int) groupings {
	g := groupings{pairs: map[[2]int]int{}, usual: make([]int, a.values), usualCount: make([]int, a.values), size: make([]int, a.values)}
	n := len(a.codes)
	for i, x := range a.codes {
		y := b.codes[(i+shift)%n]
		if x < 0 || y < 0 {
			continue
		}
		g.size[x]++
		k := g.pairs[[2]int{x, y}] + 1
		g.pairs[[2]int{x, y}] = k
		if k > g.usualCount[x] {
			g.usual[x], g.usualCount[x] = y, k
		}
	}
	return g
}

// exceptions counts the rows that differ from the usual of their group, in groups of three or
// more.
func (g groupings) exceptions() (rows, exceptions, groups int) {
	for x, n := range g.size {
		if n >= 3 {
			groups++
			rows += n
			exceptions += n - g.usualCount[x]
		}
	}
	return rows, exceptions, groups
}

// decides says that a decides b beyond chance: next to no exceptions, where mixed rows have many.
func decides(a, b coding, columns int) bool {
	const first = 500 // rows that tell that most pairs do not
	if len(a.codes) > 2*first {
		rows, exceptions, _ := group(coding{codes: a.codes[:first], values: a.values}, coding{codes: b.codes[:first], values: b.values}, 0).exceptions()
		if rows > first/2 && float64(exceptions) > 0.05*float64(rows) {
			return false
		}
	}
	rows, exceptions, groups := group(a, b, 0).exceptions()
	if groups < 3 || 2*rows < len(a.codes) || float64(exceptions) > decidingExceptions*float64(rows) {
		return false
	}
	mixedRows, mixed, _ := group(a, b, len(a.codes)/2+1).exceptions()
	if a.rhythm { // days of other weeks decide as well as their own
		mixedRows, mixed, _ = group(coding{codes: make([]int, len(b.codes)), values: 1}, b, 0).exceptions()
	}
	share := float64(mixed) / float64(max(mixedRows, 1))
	if share < 0.2 {
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

// judge lists the rows that differ from the usual value of their group. A pair of values that
// comes more than twice is there by right.
func (d deciding) judge(t *tolerant.Table) (Relation, []Suspicion) {
	r := Relation{Text: d.text, Columns: []int{d.from, d.to}}
	rows := allRows(t.Room(), t.Rows)
	defer spill.Free(rows)
	from, to := &t.Columns[d.from], &t.Columns[d.to]
	a, ok := code(from, rows)
	if d.weekday {
		a, ok = weekdays(from, rows)
	}
	b, also := code(to, rows)
	if !ok || !also {
		return r, nil
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
	if float64(exceptions) > decidingExceptions*float64(asked) {
		return r, nil
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
	return r, cells
}

// oneOfTwo leaves one guilty cell where columns that decide each other accuse each other: mending both
// would only turn the mistake around. It is the one that more columns speak against, or the likelier.
func (l *laws) oneOfTwo(cells []Suspicion) {
	against := map[place]int{}
	p := map[place]float64{}
	for _, s := range cells {
		at := place{s.Row, s.Column}
		if against[at]++; against[at] == 1 || s.P < p[at] {
			p[at] = s.P
		}
	}
	acquitted := map[place]bool{}
	for _, d := range l.deciding {
		if d.from > d.to || !slices.ContainsFunc(l.deciding, func(o deciding) bool { return o.from == d.to && o.to == d.from }) {
			continue
		}
		for _, s := range cells {
			a, b := place{s.Row, d.from}, place{s.Row, d.to}
			if s.Column != d.to || against[a] == 0 || acquitted[a] || acquitted[b] {
				continue
			}
			if against[a] > against[b] || against[a] == against[b] && p[a] < p[b] {
				a, b = b, a
			}
			acquitted[a] = true
		}
	}
	for k := range cells {
		if acquitted[place{cells[k].Row, cells[k].Column}] {
			cells[k].P = max(cells[k].P, 0.01)
		}
	}
}
