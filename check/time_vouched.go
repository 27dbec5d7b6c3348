package check

import (
	"math"
	"slices"

	"github.com/inlier-ml/inlier/internal/univariate"
)

// A flood raises the gauge and the flow. What two series that go together do together is an event, and not the mistake of one of them.

const (
	// vouchedFewest rows are an event, and vouchedTogether is how much more often than not two series are on the same side of their middles at least (as of
	// two with a correlation of 0.65).
	vouchedFewest, vouchedTogether = 3, 0.45
	// vouchedShare is how many spreads the one goes at least for each that the other does, and vouchedTimes how many times as far as it seldom goes.
	vouchedShare, vouchedTimes, vouchedSeldom = 0.5, 1.5, 0.9
	// vouchedAround is how many rows before and behind tell of series, and vouchedEdge the share of its values at each end where one may be in an event.
	vouchedAround, vouchedEdge = 5000, 0.05
	// mostEvents is how many such stretches of a series are asked about.
	mostEvents = 4
)

// event is a stretch in which series went somewhere together, and how far that of a column did.
type event struct {
	stretch
	away float64
}

// vouched says that another series, which goes with that of a column, leaves with it in a stretch.
func (o *othersSay) vouched(c int, s stretch) bool {
	width := s.end - s.first
	if width < vouchedFewest {
		return false
	}
	from := max(0, s.first-vouchedAround)
	here := stretch{s.first - from, s.end - from}
	around := stretch{from, min(o.v.table.Rows, s.end+vouchedAround)}
	own := o.levelled(c, around)
	middle, spread := outside(own, here)
	away := departs(own, here)
	for _, d := range o.series {
		if d == c || away == 0 || !(spread > 0) {
			continue
		}
		values := o.levelled(d, around)
		other, wide := outside(values, here)
		goes := departs(values, here)
		if !(math.Abs(goes)/wide >= vouchedShare*math.Abs(away)/spread) {
			continue
		}
		same, asked := 0.0, 0
		for i, y := range values {
			if x := own[i]; (i < here.first || i >= here.end) && x == x && y == y {
				asked++
				same += math.Copysign(1, (x-middle)*(y-other))
			}
		}
		if same*away*goes < vouchedTogether*float64(asked)*math.Abs(away*goes) {
			continue
		}
		var usual []float64
		for first := here.first % width; first+width <= len(values); first += width {
			if first != here.first {
				usual = append(usual, math.Abs(departs(values, stretch{first, first + width})))
			}
		}
		if slices.Sort(usual); len(usual) > 0 && math.Abs(goes) >= vouchedTimes*quantile(usual, vouchedSeldom) {
			o.events[c], o.events[d] = append(o.events[c], event{s, math.Abs(away)}), append(o.events[d], event{s, math.Abs(goes)})
			return true
		}
	}
	return false
}

// inEvent says of a cell that is so far from those around it that its series went there with another.
func (o *othersSay) inEvent(c, row int, away float64) bool {
	return slices.ContainsFunc(o.events[c], func(e event) bool { return row >= e.first && row < e.end && away <= inLineEvent*e.away })
}

// seek asks about the longest stretches in which a series stays among its outermost values.
func (o *othersSay) seek(c int) {
	if len(o.parts) > 1 {
		return
	}
	values := o.v.table.Columns[c].Values
	sorted := sortedValues(pick(values, spacedRows(len(values), 2*vouchedAround)))
	if len(sorted) == 0 {
		return
	}
	low, high := quantile(sorted, vouchedEdge), quantile(sorted, 1-vouchedEdge)
	var found []stretch
	for _, out := range []func(v float64) bool{func(v float64) bool { return v > high }, func(v float64) bool { return v < low }} {
		last := stretch{-9, -9}
		for i, v := range values {
			if !out(v) {
				continue
			}
			if i > last.end+1 {
				found, last = append(found, last), stretch{i, i}
			}
			last.end = i + 1
		}
		found = append(found, last)
	}
	slices.SortStableFunc(found, func(a, b stretch) int { return b.end - b.first - a.end + a.first })
	for _, s := range found[:min(len(found), mostEvents)] {
		o.vouched(c, s)
	}
}

// levelled are the values of a series in a stretch, less the middle of their part where there are several: devices differ by right.
func (o *othersSay) levelled(c int, s stretch) []float64 {
	values := slices.Clone(o.v.table.Columns[c].Values[s.first:s.end])
	for _, part := range o.parts {
		if first, end := max(part.first, s.first)-s.first, min(part.end, s.end)-s.first; first < end && len(o.parts) > 1 {
			middle := median(values[first:end])
			for i := first; i < end; i++ {
				values[i] -= middle
			}
		}
	}
	return values
}

// outside is the middle of the values outside a stretch and their spread.
func outside(values []float64, s stretch) (middle, spread float64) {
	d := describe(slices.Concat(values[:s.first], values[s.end:]))
	return d.centre, d.spread
}

// departs is how far a stretch is from the rows before and behind it, of as many; 0 where it lies between them.
func departs(values []float64, s stretch) float64 {
	width := s.end - s.first
	level := median(values[s.first:s.end])
	before, behind := level-median(values[max(0, s.first-width):s.first]), level-median(values[s.end:min(len(values), s.end+width)])
	if before*behind > 0 {
		return math.Copysign(min(math.Abs(before), math.Abs(behind)), before)
	}
	return 0
}

// median is that of the values that are there; NaN where none is.
func median(values []float64) float64 {
	return univariate.MedianOf(slices.DeleteFunc(slices.Clone(values), math.IsNaN))
}
