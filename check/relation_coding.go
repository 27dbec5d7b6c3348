package check

import (
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/internal/spill"
)

// coding numbers the values of a column: places from 0, -1 where missing.
type coding struct {
	codes  []int
	values int
	rhythm bool // they come again in the same order
}

// names says that values may name things: they are few beside the rows.
func (c coding) names() bool { return namedTimes*c.values <= len(c.codes) }

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

// takeTurns says that most rows have another value than the row before.
func (c coding) takeTurns() bool {
	changes, n := 0, len(c.codes)
	for i := 1; i < n; i++ {
		if c.codes[i] != c.codes[i-1] {
			changes++
		}
	}
	return 2*changes > n
}

// shuffled are the values in an order of chance.
func (c coding) shuffled() coding {
	r := random.New(1, "decides")
	c.codes = slices.Clone(c.codes)
	for i := len(c.codes) - 1; i > 0; i-- {
		k := r.IntN(i + 1)
		c.codes[i], c.codes[k] = c.codes[k], c.codes[i]
	}
	return c
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
