package check

import (
	"math"
	"slices"

	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/univariate"
)

// spacedRows are at most so many rows of a table, spread evenly over it but not at even
// distances, ascending; all rows of a small table.
func spacedRows(rows, most int) []int {
	if rows <= most {
		return allRows(nil, rows)
	}
	return univariate.NewRows(rows, nil).Spaced(most, univariate.Staggered())
}

// allRows are the numbers of all rows, in a room.
func allRows(room *spill.Room, rows int) []int {
	all := spill.Make[int](room, rows)
	for i := range all {
		all[i] = i
	}
	return all
}

// description is what a sample of numbers looks like.
type description struct {
	count, distinct int
	below           int     // how many are negative
	least, most     float64 // of them all
	centre, spread  float64 // median; robust spread, never 0
	step            float64 // what the values were rounded to; 0: nothing seen
	mode            float64 // the value that a fifth of them or more have; NaN: none
	modeShare       float64
	values          []float64 // all of them, ascending, where they are few
}

// fewValues is how many values a column has at most that has "few".
const fewValues = 30

// describe looks at numbers; missing and infinite ones are left out.
func describe(values []float64) description {
	d := description{mode: math.NaN(), spread: 1}
	x := make([]float64, 0, len(values))
	for _, v := range values {
		if v == v && !math.IsInf(v, 0) {
			x = append(x, v)
		}
	}
	slices.Sort(x)
	d.count = len(x)
	d.below, _ = slices.BinarySearch(x, 0)
	if len(x) == 0 {
		return d
	}
	d.least, d.most = x[0], x[len(x)-1]
	longest := 0
	for i := 0; i < len(x); {
		j := i
		for j < len(x) && x[j] == x[i] {
			j++
		}
		if d.distinct++; d.distinct <= fewValues {
			d.values = append(d.values, x[i])
		}
		if j-i > longest {
			longest = j - i
			if 5*longest >= len(x) {
				d.mode, d.modeShare = x[i], float64(longest)/float64(len(x))
			}
		}
		i = j
	}
	if d.distinct > fewValues {
		d.values = nil
	}
	d.step = univariate.Resolution(x)
	d.centre = quantile(x, 0.5)
	for _, tail := range []float64{0.25, 0.1, 0.05, 0.02, 0} { // wider where most values agree
		s := quantile(x, 1-tail)/2 - quantile(x, tail)/2
		if s > 0 {
			d.spread = min(s*2/1.349, math.MaxFloat64)
			break
		}
	}
	return d
}

// reach is how far values lie from each other: the spread, or where most agree the median distance of the others from these.
func (d *description) reach(values []float64) float64 {
	if d.mode != d.mode {
		return d.spread
	}
	var others []float64
	for _, v := range values {
		if v == v && v != d.mode && !math.IsInf(v, 0) {
			others = append(others, math.Abs(v-d.mode))
		}
	}
	return max(d.spread, univariate.Median(others))
}
