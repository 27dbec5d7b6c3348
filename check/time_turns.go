package check

import (
	"math"

	"github.com/inlier-ml/inlier/internal/univariate"
)

// turn is the full circle of a column of directions, which begins at low: 359 degrees are beside 1. The zero value is none.
type turn struct{ low, period float64 }

const (
	// turnsFewest are the jumps across the beginning of the circle that tell a direction, turnsShare the share of the long jumps that are such.
	turnsFewest, turnsShare = 3, 0.8
	// turnsNear is the part of a circle that a jump across its beginning goes on by at most, unless the series is as quick elsewhere, and
	// turnsEnds the part of it in which directions come near either end.
	turnsNear, turnsEnds = 0.05, 0.01
	// turnsIn is the share of the values within the circle at least.
	turnsIn = 0.98
)

// within is a direction as the column has it.
func (t turn) within(v float64) float64 {
	if t.period == 0 {
		return v
	}
	return v - t.period*math.Floor((v-t.low)/t.period)
}

// has says that a value is on the circle.
func (t turn) has(v float64) bool { return v >= t.low && v <= t.low+t.period }

// unturned is a series of directions in degrees or radians that goes on across the beginning of the circle; any other series is itself.
func unturned(values []float64) ([]float64, turn) {
	for _, period := range []float64{360, 2 * math.Pi} {
		for _, low := range []float64{0, -period / 2} {
			if t := (turn{low, period}); t.fits(values) {
				out := make([]float64, len(values))
				last := low + period/2
				for i, v := range values {
					if out[i] = v; t.has(v) {
						out[i] = v + period*math.Round((last-v)/period)
						last = out[i]
					}
				}
				return out, t
			}
		}
	}
	return values, turn{}
}

// acrossBeginning says that a step of a column within a circle of degrees is nearly the whole circle: from 3 to 356 it is the short way across its beginning,
// although too few others tell that these are directions.
func acrossBeginning(values []float64, from, to float64) bool {
	const circle = 360
	if math.Abs(to-from) < circle*(1-2*turnsNear) {
		return false
	}
	for _, low := range []float64{0, -circle / 2} {
		t, known, within := turn{low, circle}, 0, 0
		for _, v := range values {
			if v == v {
				known++
			}
			if t.has(v) {
				within++
			}
		}
		if t.has(from) && t.has(to) && float64(within) >= turnsIn*float64(known) {
			return true
		}
	}
	return false
}

// fits says that a series jumps from one end of the circle to the other as directions do.
func (t turn) fits(values []float64) bool {
	known, within, last := 0, 0, math.NaN()
	least, most := math.Inf(1), math.Inf(-1)
	var long []float64
	spare := (1-turnsIn)*float64(len(values)) + 1 // with more than these outside too few are within, whatever follows
	for _, v := range values {
		if v != v {
			continue
		}
		if known++; !t.has(v) {
			if float64(known-within) > spare {
				return false
			}
			continue
		}
		within++
		least, most = min(least, v), max(most, v)
		if d := math.Abs(v - last); d > t.period/2 {
			long = append(long, t.period-d)
		}
		last = v
	}
	if len(long) < turnsFewest || float64(within) < turnsIn*float64(known) || least > t.low+turnsEnds*t.period || most < t.low+(1-turnsEnds)*t.period {
		return false
	}
	var steps []float64
	for _, i := range spacedRows(len(values)-1, relationRows) {
		if d := math.Abs(values[i+1] - values[i]); d <= t.period/2 {
			steps = append(steps, d)
		}
	}
	near, across := max(turnsNear*t.period, 5*univariate.Median(steps)), 0
	for _, d := range long {
		if d <= near {
			across++
		}
	}
	return float64(across) >= turnsShare*float64(len(long))
}
