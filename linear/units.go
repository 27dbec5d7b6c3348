package linear

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
)

// units are the rows as often as their weights say: an integer weight acts like repeated
// rows, which stand next to each other. Without weights they are the rows.
type units struct {
	count int
	upTo  []float64 // cumulative weight behind each row; nil: one unit per row
}

// unitsOf counts the units of n rows with weights w, nil for ones.
func unitsOf(n int, w []float64) units {
	if w == nil {
		return units{count: n}
	}
	u := units{upTo: make([]float64, n)}
	sum := 0.0
	for i, v := range w {
		sum += v
		u.upTo[i] = sum
	}
	// weights of other than whole numbers leave a part of a unit at the end
	u.count = max(int(math.Min(math.Ceil(sum*(1-1e-12)), 1<<53)), 1)
	return u
}

// row returns the row that a unit belongs to: the one that holds its middle.
func (u units) row(unit int) int {
	if u.upTo == nil {
		return unit
	}
	at := math.Min(float64(unit)+0.5, u.upTo[len(u.upTo)-1]*(1-1e-15))
	return sort.Search(len(u.upTo), func(i int) bool { return u.upTo[i] > at })
}

// draw returns the rows of so many units, without repetition of units, in ascending order.
func (u units) draw(count int, source *rand.Rand) []int {
	count = min(count, u.count)
	moved := make(map[int]int, 2*count) // units that are not at their own place
	at := func(k int) int {
		if j, ok := moved[k]; ok {
			return j
		}
		return k
	}
	rows := make([]int, count)
	for k := range rows {
		j := k + source.IntN(u.count-k)
		rows[k] = at(j)
		moved[j] = at(k)
	}
	slices.Sort(rows)
	for k, unit := range rows {
		rows[k] = u.row(unit)
	}
	return rows
}

// all lists the row of every unit.
func (u units) all() []int {
	rows := make([]int, u.count)
	for k := range rows {
		rows[k] = u.row(k)
	}
	return rows
}
