package check

import (
	"fmt"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/words"
)

// stretch is rows that follow each other, from first to before end.
type stretch struct{ first, end int }

// stuck finds stretches in which a column repeats a value for longer than its habit makes likely.
// The habit is how often one value follows itself, every run counted once, and no less than the value's own share of the rows: what
// is there nearly always stays for long. Values that come in long runs more than once (nights without sun, a full tank) stay out. order are the rows of
// the file at the places of the table; nil: the same.
func stuck(t *tolerant.Table, c, columns int, order []int) (cells []Suspicion) {
	column := &t.Columns[c]
	runs := runsOf(column.Values)
	defer spill.Free(runs)
	if len(runs) < fewestInTime/2 {
		return nil
	}
	stay := habit(runs)
	// At the habit's rate, that of a run of L being stay^(L-1), no run of a clean table is as long.
	longest := 1 + int(math.Ceil(math.Log(timeFamily/float64(len(runs)*columns))/math.Log(stay)))
	longest = max(longest, 4)
	var long []stretch
	of := map[float64]*repeated{}
	for _, r := range runs {
		if length := r.end - r.first; length >= max(longest/2, 3) {
			long = append(long, r)
			value := column.Values[r.first]
			if of[value] == nil {
				of[value] = &repeated{}
			}
			of[value].long(length)
		}
	}
	if len(long) > max(10, len(runs)/100) { // runs are what this column does
		return nil
	}
	all := 0
	for _, r := range runs {
		all += r.end - r.first
		if v := of[column.Values[r.first]]; v != nil {
			v.rows += r.end - r.first
		}
	}
	for _, r := range long {
		length := r.end - r.first
		value := column.Values[r.first]
		if of[value].rows-length >= limitRows && atEnd(column.Values, value) { // it stops there, as a speed that is limited
			continue
		}
		if length < longest || comparably*of[value].beside(length) >= length {
			continue
		}
		p := math.Pow(max(stay, float64(of[value].rows)/float64(all)), float64(length-1))
		if p > timeFamily/float64(len(runs)*columns) {
			continue
		}
		p = max(p, 1e-12)
		rows := "rows"
		if order != nil {
			rows = "rows of one series"
		}
		why := fmt.Sprintf("%s is %s in %d %s one after the other (rows %d to %d)", words.Clip(column.Name), amount(column, value), length, rows, number(order, r.first), number(order, r.end-1))
		for row := r.first; row < r.end; row++ {
			cells = append(cells, Suspicion{Row: row, Column: c, P: p, Slip: slipStuck, Doubt: row == r.first && goesOn(column.Values, runs, row), Expected: math.NaN(), Low: math.NaN(), High: math.NaN(), Why: why})
		}
	}
	return cells
}

// goesOn says that a run begins as near to the row before as two runs are in most cases: its first value may be the last that was read.
func goesOn(values []float64, runs []stretch, first int) bool {
	var steps []float64
	for _, k := range spacedRows(len(runs)-1, relationRows) {
		steps = append(steps, math.Abs(values[runs[k+1].first]-values[runs[k].first]))
	}
	return first > 0 && math.Abs(values[first]-values[first-1]) <= quantile(sortedValues(steps), goesOnShare)
}

// limitRows are the rows elsewhere that are at an end of a column which is a limit, and limitBeyond is the share of the rows beyond it.
const limitRows, limitBeyond = 3, 0.01

// atEnd says that hardly any value is above, or below, another.
func atEnd(values []float64, value float64) bool {
	above, below := 0, 0
	for _, v := range spill.Each(values) {
		if v > value {
			above++
		} else if v < value {
			below++
		}
	}
	return float64(min(above, below)) <= limitBeyond*float64(len(values))
}

// goesOnShare of the steps of a series are usual.
const goesOnShare = 0.95

// comparably is how many times as long as another a run of the same value is at most that this one excuses: three rows say nothing of thirty.
const comparably = 5

// repeated is what is known of a value that comes in long runs: the two longest of them, and how many rows have it in all.
type repeated struct{ longest, next, rows int }

func (v *repeated) long(length int) {
	if length > v.longest {
		v.longest, v.next = length, v.longest
	} else {
		v.next = max(v.next, length)
	}
}

// beside is the longest run beside one of a length; 0: there is none.
func (v *repeated) beside(length int) int {
	if length == v.longest {
		return v.next
	}
	return v.longest
}

// slipStuck is the slip of a series that repeats a value.
const slipStuck = "stuck"

// manyRepeats of values tell how often a third one follows.
const manyRepeats = 20

// habit is how likely a value follows itself: by the share of runs that are longer than one; where these are many, also by how many of
// them go on, since a series may be slow at times; and where most are, by how long they are but for the longest.
func habit(runs []stretch) float64 {
	lengths := spill.Make[int](spill.Of(runs), len(runs))
	defer spill.Free(lengths)
	repeated, again := 0, 0
	for k, r := range runs {
		if lengths[k] = r.end - r.first; lengths[k] > 1 {
			repeated++
		}
		if lengths[k] > 2 {
			again++
		}
	}
	stay := (float64(repeated) + 1) / (float64(len(runs)) + 2)
	if repeated >= manyRepeats {
		stay = max(stay, float64(again)/float64(repeated))
	}
	if 2*repeated < len(runs) {
		return stay
	}
	slices.Sort(lengths)
	sum := 0
	most := len(lengths) - len(lengths)/20
	for _, l := range lengths[:most] {
		sum += l
	}
	return max(stay, 1-0.8*float64(most)/float64(sum))
}

// runsOf are the stretches of equal values; missing ones belong to none and end one.
func runsOf(values []float64) (runs []stretch) {
	room := spill.Of(values)
	for i := 0; i < len(values); {
		k := i + 1
		for k < len(values) && values[k] == values[i] {
			k++
		}
		if values[i] == values[i] {
			runs = spill.Append(room, runs, stretch{i, k})
		}
		i = k
	}
	return runs
}
