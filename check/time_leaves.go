package check

import (
	"fmt"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/internal/words"
)

// excursion is a stretch in which a series is away from its neighbours in time.
type excursion struct {
	stretch
	p     float64
	level float64 // of the series around it
	step  float64 // from one block to the next, usually
	near  float64 // how far values are from the blocks before and behind, in 95 of 100 cases
	order []int   // the rows of the file at these places; nil: the same
}

// mostAway is the share of rows that may be away: beyond it the series has several levels by
// right.
const mostAway = 0.15

// offShare of the values lie within what offTwice makes two standard deviations of normal ones; a share of them may be bad.
const offShare, offTwice = 0.8, 1.53

// seldomTurns is of how many blocks of a series one turns back at most where it goes one way, as a track or a meter.
const seldomTurns = 4

// leaves finds stretches in which a series leaves and to which it returns: single values, and
// medians of ever longer blocks, each held against the blocks before and behind. A block is away by
// the smaller of its two steps, so that a lasting change of level is none. What is usual is
// learned from the blocks of the same length. least is the shortest length looked at.
func leaves(values []float64, least, columns int) []excursion {
	var out []excursion
	left := slices.Clone(values) // what is found in short blocks is not found again in long ones
	width := least
	for len(values)/width >= fewestInTime {
		var found []excursion
		for _, offset := range []int{0, width / 2} {
			found = append(found, leavesAt(left, width, offset, columns)...)
			if width == 1 {
				break
			}
		}
		for _, e := range found {
			for row := e.first; row < e.end; row++ {
				left[row] = math.NaN()
			}
		}
		out = append(out, found...)
		if width == 1 {
			width = 3 // the median of three passes over a single value
		} else {
			width *= 2
		}
	}
	return joined(out, len(values))
}

// leavesAt looks at blocks of one length.
func leavesAt(values []float64, width, offset, columns int) (out []excursion) {
	blocks := (len(values) - offset) / width
	level := make([]float64, blocks)
	room := make([]float64, 0, width)
	for b := range level {
		room = room[:0]
		for _, v := range values[offset+b*width : offset+(b+1)*width] {
			if v == v {
				room = append(room, v)
			}
		}
		level[b] = univariate.Median(room)
	}
	away := make([]float64, blocks)
	around := make([]float64, blocks)
	between := make([]float64, blocks) // how far blocks are from the middle of those before and behind
	turning, looked := 0, 0
	steps := make([]float64, 0, blocks)
	offs := make([]float64, 0, blocks) // of single values from the blocks around them
	for b := range level {
		away[b], between[b] = math.NaN(), math.NaN()
		if b == 0 || b == blocks-1 {
			continue
		}
		before, behind := level[b]-level[b-1], level[b]-level[b+1]
		if before != before || behind != behind {
			continue
		}
		steps = append(steps, math.Abs(before))
		away[b], around[b] = 0, level[b-1]/2+level[b+1]/2
		if v := values[offset+b*width+width/2]; v == v {
			offs = append(offs, math.Abs(v-around[b]))
		}
		looked, between[b] = looked+1, min(math.Abs(level[b]-around[b]), math.MaxFloat64)
		if before*behind > 0 {
			turning, away[b] = turning+1, min(math.Abs(before), math.Abs(behind), math.MaxFloat64)
		}
	}
	usual := fitTail(slices.Clone(away))
	if seldomTurns*turning < looked { // those that turn back may all be wrong
		usual = fitTail(between)
	}
	limit := timeFamily / float64(blocks*columns*8)
	step, near := univariate.Median(steps), math.NaN()
	if len(offs) > 0 {
		slices.Sort(offs)
		near = offTwice * quantile(offs, offShare)
	}
	for b, a := range away {
		// Where few blocks turn back, as in a trend, their tail tells little: steps do.
		if p := usual.p(a); p < limit && a > 5*step && !(width == 1 && betweenOdd(values, b, around[b])) {
			out = append(out, excursion{stretch{offset + b*width, offset + (b+1)*width}, p, around[b], step, near, nil})
		}
	}
	return out
}

// betweenOdd says that it is the rows beside a value that are elsewhere: most of the three before and behind it are with the value.
func betweenOdd(values []float64, row int, around float64) bool {
	with := 0
	for _, k := range []int{-3, -2, -1, 1, 2, 3} {
		if i := row + k; i >= 0 && i < len(values) && math.Abs(values[i]-values[row]) < math.Abs(values[i]-around) {
			with++
		}
	}
	return with >= 4
}

// joined merges excursions that overlap, the surest saying the level; too many are none.
func joined(found []excursion, rows int) (out []excursion) {
	slices.SortStableFunc(found, func(a, b excursion) int { return a.first - b.first })
	total := 0
	for _, e := range found {
		if k := len(out) - 1; k >= 0 && e.first < out[k].end {
			last := &out[k]
			if e.p < last.p {
				last.p, last.level, last.step, last.near = e.p, e.level, e.step, e.near
			}
			last.end = max(last.end, e.end)
			continue
		}
		out = append(out, e)
	}
	for _, e := range out {
		total += e.end - e.first
	}
	if float64(total) > mostAway*float64(rows) {
		return nil
	}
	return out
}

// cells are the cells of a stretch that are themselves away from the level around it; values of directions go on beyond the full circle.
func (e excursion) cells(t *tolerant.Table, c int, values []float64, turn turn) (cells []Suspicion) {
	column := &t.Columns[c]
	middle := univariate.MedianOf(slices.DeleteFunc(slices.Clone(values[e.first:e.end]), math.IsNaN))
	for row := e.first; row < e.end; row++ {
		v := values[row]
		if v != v || math.Abs(v-e.level) < max(0.4*math.Abs(middle-e.level), e.step) || (v-e.level)*(middle-e.level) < 0 {
			continue
		}
		level := turn.within(e.level)
		v = column.Values[row]
		s := Suspicion{Row: row, Column: c, P: max(e.p, 1e-12), Expected: level, Low: math.NaN(), High: math.NaN()}
		if turn.period == 0 && e.near > 0 {
			s.Low, s.High = level-e.near, level+e.near
		}
		s.Slip = slip(column, v, level, s.Low, s.High)
		s.Why = fmt.Sprintf("%s is %s, where the rows before and after are about %s", words.Clip(column.Name), amount(column, v), amount(column, level))
		if e.end-e.first > 2 {
			s.Why = fmt.Sprintf("%s leaves its series from row %d to %d: %s, where about %s was to be expected", words.Clip(column.Name), number(e.order, e.first), number(e.order, e.end-1),
				amount(column, v), amount(column, level))
		}
		if s.Slip != "" {
			s.Why += ": " + s.Slip
		}
		cells = append(cells, s)
	}
	return cells
}

// offBy says of rows that they miss their predictions as a stretch does.
func (e excursion) offBy(residual []float64) func(row int) bool {
	middle := univariate.MedianOf(slices.DeleteFunc(slices.Clone(residual[e.first:e.end]), math.IsNaN))
	return func(row int) bool {
		return row >= 0 && row < len(residual) && residual[row]*middle > 0 && math.Abs(residual[row]) > 3
	}
}

// grown is a stretch from where a channel left the others to where it returned.
func (e excursion) grown(residual []float64) excursion {
	away := e.offBy(residual)
	for away(e.first - 1) {
		e.first--
	}
	for away(e.end) {
		e.end++
	}
	return e
}

// wandering are the cells of a stretch in which a channel leaves the others, grown.
func (e excursion) wandering(v *view, c, j int, residual []float64) (cells []Suspicion) {
	column, away := &v.table.Columns[c], e.offBy(residual)
	e = e.grown(residual)
	f := v.features[j]
	spread := v.predict.scale[j] / v.predict.root[j]
	for row := e.first; row < e.end; row++ {
		if !away(row) {
			continue
		}
		value := column.Values[row]
		expected := f.change.Forward(value) - residual[row]*spread
		s := Suspicion{Row: row, Column: c, P: max(e.p, 1e-12)}
		s.Expected, s.Low, s.High = f.change.Back(expected), f.change.Back(expected-2*spread), f.change.Back(expected+2*spread)
		s.Slip = slip(column, value, s.Expected, s.Low, s.High)
		s.Why = fmt.Sprintf("%s no longer follows the other columns from row %d to %d: %s, where %s was to be expected", words.Clip(column.Name), number(e.order, e.first), number(e.order, e.end-1),
			amount(column, value), amount(column, s.Expected))
		cells = append(cells, s)
	}
	return cells
}

// byTwoJumps says that a series jumps for good so often, at least half as far, that it returns by chance: the course of a bicycle in a town.
func (e excursion) byTwoJumps(values []float64, away float64) bool {
	const fewest, byChance = 3, 0.05
	var level []float64 // of blocks as long
	for b := 0; b+e.end-e.first <= len(values); b += e.end - e.first {
		if v := univariate.MedianOf(slices.DeleteFunc(slices.Clone(values[b:b+e.end-e.first]), math.IsNaN)); v == v {
			level = append(level, v)
		}
	}
	jumps := 0
	for b := 2; b < len(level)-1; b++ {
		if min(level[b], level[b+1])-max(level[b-2], level[b-1]) >= away/2 || min(level[b-2], level[b-1])-max(level[b], level[b+1]) >= away/2 {
			jumps++
		}
	}
	return jumps >= fewest && float64(jumps*jumps) > byChance*float64(2*len(level))
}
