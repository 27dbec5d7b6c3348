package check

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/internal/words"
)

const (
	// stampP is the chance given to a stamp that is out of order where all others follow.
	stampP = 1e-6
	// gapP is that of a row after a gap: rows are missing, and the row itself is not wrong.
	gapP = 0.01
)

// stamps looks at the column that orders the rows: stamps out of order, stamps that are there
// twice where that is not usual, and gaps where steps are even, in each section of its own. Of rows that are there twice
// one stands anywhere, and none is out of order for them.
func stamps(t *tolerant.Table, c int, parts []stretch, twice map[int]bool) (cells []Suspicion) {
	for _, s := range parts {
		cells = append(cells, stampsOf(t, c, s, twice)...)
	}
	return cells
}

func stampsOf(t *tolerant.Table, c int, part stretch, copied map[int]bool) (cells []Suspicion) {
	column := &t.Columns[c]
	room := t.Room()
	rows := part.stamped(column.Values)
	defer spill.Free(rows)
	rows = slices.DeleteFunc(rows, func(row int) bool { return copied[row] })
	cell := func(row int, p float64, why string) Suspicion {
		return Suspicion{Row: row, Column: c, P: p, Expected: math.NaN(), Low: math.NaN(), High: math.NaN(), Why: why}
	}
	clock, turned := turnedOn(column, rows)
	if turned {
		defer spill.Free(clock)
	}
	kept := longestAscending(clock, rows)
	defer spill.Free(kept)
	p := stampP
	if share := float64(len(rows)-len(kept)) / float64(len(rows)); share > 0.02 {
		p = max(share, 0.03) // order is a habit here, not a law
	}
	in := 0
	for _, row := range rows {
		if in < len(kept) && kept[in] == row {
			in++
			continue
		}
		s := cell(row, p, fmt.Sprintf("%s %s is out of order", words.Clip(column.Name), amount(column, column.Values[row])))
		if in > 0 && in < len(kept) {
			off := clock[row] - column.Values[row]
			low, high := clock[kept[in-1]]-off, clock[kept[in]]-off
			s.Low, s.High, s.Expected = low, high, low+(high-low)/2
			s.Slip = slip(column, column.Values[row], s.Expected, low, high)
			s.Why += fmt.Sprintf(" between %s and %s", amount(column, low), amount(column, high))
		}
		cells = append(cells, s)
	}
	if len(kept) < 20 {
		return cells
	}
	steps := spill.Make[float64](room, len(kept)-1)
	defer spill.Free(steps)
	twice := 0
	for i := range steps {
		if steps[i] = clock[kept[i+1]] - clock[kept[i]]; steps[i] == 0 {
			twice++
		}
	}
	usual := univariate.MedianOf(steps)
	even := 0
	for _, s := range steps {
		if math.Abs(s-usual) <= 0.1*usual {
			even++
		}
	}
	regular := usual > 0 && float64(even) >= 0.95*float64(len(steps))
	for i, s := range steps {
		row := kept[i+1]
		switch {
		case s == 0 && regular && float64(twice) <= 0.02*float64(len(steps)):
			by := 0.0 // to the stamp that lacks
			switch gap := func(k int) bool { return k >= 0 && k < len(steps) && math.Abs(steps[k]-2*usual) <= 0.1*usual }; {
			case gap(i + 1):
				by = usual
			case gap(i - 1):
				row, by = kept[i], -usual
			}
			s := cell(row, 1e-5, fmt.Sprintf("%s %s is there twice", words.Clip(column.Name), amount(column, column.Values[row])))
			if s.Doubt = by == 0; !s.Doubt { // else it is the row that is one too many
				s.Expected = column.Values[row] + by
				s.Low, s.High = s.Expected, s.Expected
				s.Why += fmt.Sprintf(", and %s is not there", amount(column, s.Expected))
			}
			cells = append(cells, s)
		case regular && s > 1.9*usual && kept[i]+1 == row:
			cells = append(cells, cell(row, gapP, fmt.Sprintf("%s comes %s after the row before, where %s is usual: about %s missing",
				words.Clip(column.Name), span(column, s), span(column, usual), words.Plural(int(min(math.Round(s/usual)-1, 1e9)), "row"))))
		}
	}
	return cells
}

// turnedOn are the stamps of a column as a clock would tell them that is not set back in autumn: an hour that comes twice in the night of a Sunday, as local
// time has it, is out of order for nobody. It is the column's own where there is none.
func turnedOn(c *tolerant.Column, rows []int) (clock []float64, turned bool) {
	const hour, early, seldom = 3600.0, 4, 0.02
	clock = c.Values
	if c.Kind != tolerant.Date || strings.HasPrefix(c.Layout, "15") {
		return clock, false
	}
	step := func(k int) float64 { return c.Values[rows[k]] - c.Values[rows[k-1]] }
	usual, twice, off := -1.0, 0.0, 0.0
	for k := 1; k < len(rows); k++ {
		at := time.Unix(int64(min(max(c.Values[rows[k]], -farthestStamp), farthestStamp)), 0).UTC()
		if back := step(k); back <= 0 && back >= -hour && k+1 < len(rows) && at.Weekday() == time.Sunday && at.Hour() < early {
			if usual < 0 {
				usual, twice = usualStep(step, len(rows))
			}
			if next := step(k + 1); back+hour <= 2*usual && next >= 0 && next <= 2*usual && (back < 0 || twice <= seldom) {
				if !turned {
					clock, turned = spill.Clone(clock), true
				}
				off += hour
			}
		}
		if turned {
			clock[rows[k]] += off
		}
	}
	return clock, turned
}

// farthestStamp is up to where stamps are dates, in seconds.
const farthestStamp = 1e12

// usualStep is the middle of those by which stamps go on, and twice the share of stamps that come again.
func usualStep(step func(k int) float64, n int) (usual, twice float64) {
	var steps []float64
	rows := spacedRows(n-1, relationRows)
	for _, k := range rows {
		if d := step(k + 1); d > 0 {
			steps = append(steps, d)
		} else if d == 0 {
			twice += 1 / float64(len(rows))
		}
	}
	return univariate.Median(steps), twice
}

// span writes a length of time, or a difference of numbers.
func span(c *tolerant.Column, d float64) string {
	if c.Kind != tolerant.Date {
		return words.Short(d)
	}
	switch {
	case d < 120:
		return words.Short(d) + " s"
	case d < 2*3600:
		return words.Short(d/60) + " min"
	case d < 48*3600:
		return words.Short(d/3600) + " h"
	}
	return words.Short(d/86400) + " days"
}

// longestAscending is the longest choice of rows whose values nowhere fall: as few rows as possible
// are out of order.
func longestAscending(values []float64, rows []int) []int {
	room := spill.Of(rows)
	ends := spill.Make[int](room, len(rows))[:0] // place in rows that ends the best choice of each length
	before := spill.Make[int](room, len(rows))   // the place before it
	defer spill.Free(ends)
	defer spill.Free(before)
	for k, row := range rows {
		v := values[row]
		at := sort.Search(len(ends), func(i int) bool { return values[rows[ends[i]]] > v })
		before[k] = -1
		if at > 0 {
			before[k] = ends[at-1]
		}
		if at == len(ends) {
			ends = append(ends, k)
		} else {
			ends[at] = k
		}
	}
	out := spill.Make[int](room, len(ends))[:0]
	if len(ends) > 0 {
		for k := ends[len(ends)-1]; k >= 0; k = before[k] {
			out = append(out, rows[k])
		}
	}
	slices.Reverse(out)
	return out
}
