package check

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/words"
)

const (
	day = 86400.0 // seconds
	// spanMost is up to where nine tenths of the spans between two times of day reach that belong together.
	spanMost = 14 * 3600.0
	// spanNear is how far nine tenths of them are apart where they lie before and behind each other.
	spanNear = 4 * 3600.0
	// spanRows are how many rows tell of it at least.
	spanRows = 20
)

// AcrossMidnight is a table in which times of day that follow others of their row go on after midnight: a shift from 22:00 to 06:00 ends
// at thirty o'clock. Spans that no others are like stay as they are, so that an end before its start is found. It is the same table where there
// are none. What is usual is told by a table that was learned from; nil: by the table itself.
func AcrossMidnight(t, learned *tolerant.Table) *tolerant.Table {
	from, out := t, t
	if learned != nil {
		from = learned
	}
	clocks := make([]int, 0, 4)
	for c := range t.Columns {
		if clock(&t.Columns[c], t.Rows) && c < len(from.Columns) && len(from.Columns[c].Values) == from.Rows {
			clocks = append(clocks, c)
		}
	}
	for _, b := range clocks {
		// A time may follow several: a shift ends after its break, before or behind midnight, and after its start. Each tells of some rows.
		var next []bool // rows that go on
		var remarks []string
		for _, a := range clocks {
			if a == b {
				continue
			}
			longest, around := longestSpan(from.Columns[a].Values, from.Columns[b].Values)
			start, end := out.Columns[a].Values, t.Columns[b].Values // a start may have gone on itself
			more := 0
			for row := range t.Rows {
				if d := end[row] - start[row]; d < 0 && d+day <= longest && (!around || d < -day/2) && (next == nil || !next[row]) {
					if next == nil {
						next = spill.Make[bool](t.Room(), t.Rows)
					}
					next[row] = true
					more++
				}
			}
			if more > 0 {
				remarks = append(remarks, fmt.Sprintf("%s after midnight, on the day after %s.", words.Plural(more, "time"), words.Clip(t.Columns[a].Name)))
			}
		}
		if next == nil {
			continue
		}
		if out == t {
			copied := *t
			out, copied.Columns = &copied, slices.Clone(t.Columns)
		}
		c := &out.Columns[b]
		c.Values, c.Wraps = spill.Clone(c.Values), true
		for row, is := range next {
			if is {
				c.Values[row] += day
			}
		}
		spill.Free(next)
		c.Remarks = append(slices.Clone(c.Remarks), remarks...)
	}
	return out
}

// clock says that a column holds times of day alone.
func clock(c *tolerant.Column, rows int) bool {
	if c.Kind != tolerant.Date || len(c.Values) != rows || strings.Contains(c.Layout, "06") || !strings.Contains(c.Layout, "15") && !strings.Contains(c.Layout, "3") {
		return false
	}
	for _, v := range spill.Each(c.Values) {
		if v < 0 || v >= day {
			return false
		}
	}
	return true
}

// longestSpan is the longest span from one time of day to another that is usual, if most rows agree about spans, counted around the
// clock; otherwise 0. A mistaken order, which is a span of the day less a usual one, lies beyond. around says that spans may be short ones
// back in time as well, as a train may leave early or late.
func longestSpan(start, end []float64) (longest float64, around bool) {
	rows := spacedRows(len(start), learnedRows)
	spans, later := make([]float64, 0, len(rows)), make([]float64, 0, len(rows))
	room := spill.Of(start)
	for _, r := range rows {
		room.Touched(2)
		d := math.Mod(end[r]-start[r]+2*day, day)
		if d != d {
			continue
		}
		if spans = append(spans, d); math.Mod(end[r], day) >= math.Mod(start[r], day) {
			later = append(later, d)
		}
	}
	if len(spans) < spanRows {
		return 0, false
	}
	slices.Sort(spans)
	slices.Sort(later)
	first, middle, last := quantile(spans, 0.05), quantile(spans, 0.5), quantile(spans, 0.95)
	if middle > day/2 || last > spanMost || last-first > day/2 {
		return lateSpan(spans), true
	}
	high := last + max(last-first, middle/2)
	if len(later) >= spanRows {
		high = max(high, 1.5*quantile(later, 0.995))
	}
	return min(high, day-1.25*last), false
}

// lateSpan is how much later than another a time of day may be that is near it, before or behind; 0 where most are not. The spans are counted around the clock.
func lateSpan(spans []float64) float64 {
	for i, d := range spans {
		if d > day/2 {
			spans[i] -= day
		}
	}
	slices.Sort(spans)
	first, last := quantile(spans, 0.05), quantile(spans, 0.95)
	if last-first > spanNear || -first > spanNear || last > spanNear {
		return 0
	}
	return min(max(last+2*(last-first), 1.5*quantile(spans, 0.995)), spanMost/2)
}
