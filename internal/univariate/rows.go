package univariate

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
)

// Rows finds rows by their place on the cumulative weight, so that draws treat an integer
// weight as that many copies of the row, one after the other: u*Total() with u uniform in
// [0, 1) draws a row in proportion to its weight, and the same u draws the same row from
// the table in which the row is repeated.
type Rows struct {
	n    int
	ends []float64 // cumulative weights; nil: ones
}

// NewRows takes the weights of n rows; nil means ones.
func NewRows(n int, w []float64) Rows {
	if w == nil {
		return Rows{n: n}
	}
	ends, sum := make([]float64, n), 0.0
	for i, v := range w {
		sum += v
		ends[i] = sum
	}
	return Rows{n: n, ends: ends}
}

// Total is the sum of the weights.
func (r Rows) Total() float64 {
	if r.ends == nil {
		return float64(r.n)
	}
	if r.n == 0 {
		return 0
	}
	return r.ends[r.n-1]
}

// At returns the row at a place from 0 up to Total; rows of weight 0 have no place.
func (r Rows) At(place float64) int {
	if r.ends == nil {
		return min(max(int(place), 0), r.n-1)
	}
	i := sort.Search(r.n, func(i int) bool { return r.ends[i] > place })
	if i == r.n { // rounding at the very end: the last row with weight
		i = sort.SearchFloat64s(r.ends, r.ends[r.n-1])
	}
	return i
}

// Spaced returns the rows at count places, one drawn by uniform from each of count equal
// stretches of the weight, in ascending order: a sample that holds each row at most
// weight/stretch + 2 times, and every row at most once where stretches are of at least
// two rows. uniform returns numbers in [0, 1).
func (r Rows) Spaced(count int, uniform func() float64) []int {
	out := make([]int, count)
	stretch := r.Total() / float64(count)
	for k := range out {
		out[k] = r.At((float64(k) + uniform()) * stretch)
	}
	return out
}

// Staggered returns places within stretches for [Rows.Spaced]: the same ones every time, spread
// evenly, and different from one stretch to the next. Rows that take turns (a sentinel in
// every tenth of them) would otherwise be all or none of a sample.
func Staggered() func() float64 {
	const golden = 0.6180339887498949 // its multiples are spread evenly
	k := 0.0
	return func() float64 {
		k++
		_, within := math.Modf(golden * k)
		return within
	}
}

// Units is the number of rows as often as their weights say; a part of one at the end counts.
func (r Rows) Units() int {
	if r.ends == nil {
		return r.n
	}
	return max(int(math.Min(math.Ceil(r.Total()*(1-1e-12)), 1<<53)), 1)
}

// Unit returns the row that a unit, from 0, belongs to: the one that holds its middle.
func (r Rows) Unit(unit int) int {
	return r.At(math.Min(float64(unit)+0.5, r.Total()*(1-1e-15)))
}

// All lists the row of every unit.
func (r Rows) All() []int {
	rows := make([]int, r.Units())
	for k := range rows {
		rows[k] = r.Unit(k)
	}
	return rows
}

// Draw returns the rows of so many units, without repetition of units, in ascending order.
func (r Rows) Draw(count int, source *rand.Rand) []int {
	units := r.Units()
	count = min(count, units)
	moved := make(map[int]int, 2*count) // units that are not at their own place
	at := func(k int) int {
		if j, ok := moved[k]; ok {
			return j
		}
		return k
	}
	rows := make([]int, count)
	for k := range rows {
		j := k + source.IntN(units-k)
		rows[k] = at(j)
		moved[j] = at(k)
	}
	slices.Sort(rows)
	for k, unit := range rows {
		rows[k] = r.Unit(unit)
	}
	return rows
}
