package check

import (
	"fmt"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/linalg"
)

const (
	// circleParts are the equal parts of a circle that directions are counted in; circleOpen of them beside each other, a quarter of it, are where
	// columns are cut that have at most circleSpare of their values there.
	circleParts, circleOpen, circleSpare = 24, 6, 0.03
	// circleFull is the share of the values in the first and in the last part at least where no series tells that these meet, and
	// circleRows how many different ones there are.
	circleFull, circleRows = 0.05, 8
)

// AroundCircles is a table in which directions that come on both sides of the beginning of their circle, such as 359 and 1 degree or longitudes on both
// sides of 180, go on across it: they are cut where hardly any is, and those below stand a full turn higher. Directions from all around are
// neither predicted nor do they predict. It is the same table where there are none. A table that was learned from tells which they are; nil: t itself.
func AroundCircles(t, learned *tolerant.Table) *tolerant.Table {
	out := t
	circles := make([]*tolerant.Circle, len(t.Columns))
	linalg.Parallel(len(circles), func(j int) {
		switch c := &t.Columns[j]; {
		case c.Kind != tolerant.Number || len(c.Values) != t.Rows:
		case learned == nil:
			circles[j] = circleOf(c.Values)
		case j < len(learned.Columns):
			circles[j] = learned.Columns[j].Circle
		}
	})
	for j, circle := range circles {
		if circle == nil {
			continue
		}
		c := &t.Columns[j]
		if out == t {
			copied := *t
			out, copied.Columns = &copied, slices.Clone(t.Columns)
		}
		c = &out.Columns[j]
		c.Circle = circle
		says := "they come from all around, and are not held against other columns"
		if circle.Cut > circle.Least {
			c.Values = spill.Clone(c.Values)
			for i, v := range spill.Each(c.Values) {
				if v >= circle.Least && v < circle.Cut {
					c.Values[i] = v + circle.Turn
				}
			}
			says = fmt.Sprintf("%s and %s lie beside each other", words.Short(circle.Least), words.Short(circle.Least+circle.Turn))
		}
		c.Remarks = append(slices.Clone(c.Remarks), "These are directions: "+says+".")
	}
	return out
}

// circleOf is the circle of a column of directions in degrees or radians; nil where it is none.
func circleOf(values []float64) *tolerant.Circle {
	for _, period := range []float64{360, 2 * math.Pi} {
		for _, low := range []float64{0, -period / 2} {
			t := turn{low, period}
			series := t.fits(values) && t.steady(values)
			cut, ok := t.open(values, series)
			switch {
			case ok && (series || period == 360):
				return &tolerant.Circle{Least: low, Turn: period, Cut: cut}
			case series:
				return &tolerant.Circle{Least: low, Turn: period, Cut: low}
			}
		}
	}
	return nil
}

// steady says that directions go on from row to row, by small steps as a rule.
func (t turn) steady(values []float64) bool {
	steps := make([]float64, 0, relationRows)
	for _, i := range spacedRows(len(values)-1, relationRows) {
		if d := math.Abs(values[i+1] - values[i]); d <= t.period {
			steps = append(steps, min(d, t.period-d))
		}
	}
	return univariate.Median(steps) <= turnsNear*t.period
}

// open is where a circle of directions is cut that lie around its beginning: amid the part where hardly any is. Where no series tells so, many
// different ones lie beside either end, as close as others.
func (t turn) open(values []float64, series bool) (cut float64, ok bool) {
	known, least, most := 0, math.Inf(1), math.Inf(-1)
	var counts [circleParts]int
	room := spill.Of(values)
	for _, i := range spacedRows(len(values), relationRows) {
		room.Touched(1)
		v := values[i]
		if v != v {
			continue
		}
		if known++; t.has(v) {
			counts[min(int((v-t.low)/t.period*circleParts), circleParts-1)]++
			least, most = min(least, v), max(most, v)
		}
	}
	within, best := 0, known
	for k, n := range counts {
		if within += n; k < circleOpen {
			continue
		}
		inside := 0
		for _, n := range counts[k-circleOpen+1 : k+1] {
			inside += n
		}
		if inside < best && k < circleParts-1 {
			best, cut = inside, t.low+t.period*(float64(k+1)-circleOpen/2)/circleParts
		}
	}
	if known == 0 || float64(within) < turnsIn*float64(known) || float64(best) > circleSpare*float64(known) ||
		least > t.low+turnsEnds*t.period || most < t.low+(1-turnsEnds)*t.period {
		return 0, false
	}
	return cut, series || t.meets(values, float64(known), counts[0], counts[circleParts-1])
}

// meets says that directions without an order lie on both sides of the beginning of their circle: in its first and last part are many and different
// ones, as close to the beginning as elsewhere in these parts.
func (t turn) meets(values []float64, known float64, first, last int) bool {
	if float64(min(first, last)) < circleFull*known {
		return false
	}
	part := t.period / circleParts
	from, to := map[float64]bool{}, map[float64]bool{}
	var begin, end []float64
	for _, i := range spacedRows(len(values), relationRows) {
		switch v := values[i]; {
		case v >= t.low && v < t.low+part:
			from[v] = true
			begin = append(begin, v-t.low)
		case v >= t.low+t.period-part && v <= t.low+t.period:
			to[v] = true
			end = append(end, t.low+t.period-v)
		}
	}
	if min(len(from), len(to)) < circleRows {
		return false
	}
	// A pile at the end or a tail towards it is none of directions, which go on evenly.
	usual := func(away []float64) bool {
		m := univariate.Median(away) / part
		return m > 0.2 && m < 0.8
	}
	return usual(begin) && usual(end)
}

// offTheCircle names what is no direction in a column of such.
func offTheCircle(t *tolerant.Table, column int) (found []Suspicion) {
	c := &t.Columns[column]
	if c.Circle == nil {
		return nil
	}
	low, high := c.Circle.Least, c.Circle.Least+c.Circle.Turn
	for i, v := range spill.Each(c.Values) {
		if v < low || v > high && v == c.Within(v) {
			s := Suspicion{Row: i, Column: column, P: offScale, Expected: math.NaN(), Low: low, High: high}
			if sentinel(v) {
				s.Slip = scaleSlip(v, low, high) // a sign that is wrong would be none of directions: -45 is 315
			}
			s.Why = fmt.Sprintf("%s is %s, and directions lie between %s and %s", c.Name, asWritten(t, i, column), words.Short(low), words.Short(high))
			found = append(found, s)
		}
	}
	return found
}
