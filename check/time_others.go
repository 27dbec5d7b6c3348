package check

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"

	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

const (
	// inLineSteps is how many usual steps a cell is from the rows around it at most where its series vouches for it,
	// and by how many times as much the prediction has to miss it.
	inLineSteps, inLineTimes = 3, 3
	// inLineEvent is how far a cell is from those around it at most where series go somewhere together, as a share of how far they go.
	inLineEvent = 0.1
)

// othersSay is what the numeric core expects of the series of a log, by their columns.
type othersSay struct {
	v         *view
	place     map[int]int // of columns among the features
	residuals map[int][]float64
	series    []int     // the columns
	parts     []stretch // of the rows that follow each other
	events    map[int][]event
}

// asOthersSay predicts the series of a log from the other columns.
func (v *view) asOthersSay(ctx context.Context, series []int, parts []stretch) (*othersSay, error) {
	o := &othersSay{v: v, place: map[int]int{}, residuals: map[int][]float64{}, series: series, parts: parts, events: map[int][]event{}}
	if v.predict == nil {
		return o, nil
	}
	t, n, d := v.table, v.table.Rows, len(v.features)
	for j, f := range v.features {
		if !f.few && f.level < 0 && slices.Contains(series, f.column) {
			o.place[f.column] = j
			o.residuals[f.column] = spill.Make[float64](t.Room(), n)
		}
	}
	const block = 256
	linalg.Parallel((n+block-1)/block, func(b int) {
		first := b * block
		count := min(block, n-first)
		if ctx.Err() != nil {
			return
		}
		z, y, r := mat.NewDense(count, d, nil), mat.NewDense(count, d, nil), mat.NewDense(count, d, nil)
		for i := range count {
			fill(z.RawRowView(i), t, v.features, first+i)
		}
		v.predict.rows(z, y, r, nil)
		for c, j := range o.place {
			for i := range count {
				o.residuals[c][first+i] = r.At(i, j)
			}
		}
	})
	return o, ctx.Err()
}

// wanders looks for stretches in which a channel no longer follows the others: drift and shifts of
// level that its own series would allow.
func (o *othersSay) wanders(order []int) (cells []Suspicion) {
	for _, c := range o.series {
		residuals, ok := o.residuals[c]
		if !ok || flows(residuals) || rests(o.v.table.Columns[c].Values) { // the others do not tell what this one does
			continue
		}
		for _, e := range leavesWithin(o.parts, residuals, 3, len(o.series)) {
			if e.order = order; o.bent(c, e, residuals) || scattered(e.stretch, residuals, len(o.series)) || o.vouched(c, e.grown(residuals).stretch) {
				continue
			}
			cells = append(cells, e.wandering(o.v, c, o.place[c], residuals)...)
		}
	}
	return cells
}

// scattered says that as many rows as within a stretch miss their predictions in the same way by chance somewhere in a row, since so many do all
// over the table: few old people among the slow runners are no channel that left the others.
func scattered(s stretch, residuals []float64, columns int) bool {
	middle := univariate.MedianOf(slices.DeleteFunc(slices.Clone(residuals[s.first:s.end]), math.IsNaN))
	off := func(r float64) bool { return r*middle > 0 && 2*math.Abs(r) >= math.Abs(middle) }
	for s.first > 0 && off(residuals[s.first-1]) { // blocks may begin and end within it
		s.first--
	}
	for s.end < len(residuals) && off(residuals[s.end]) {
		s.end++
	}
	count := func(from, to int) (away, all float64) {
		for _, r := range residuals[from:to] {
			if r == r {
				all++
			}
			if off(r) {
				away++
			}
		}
		return away, all
	}
	within, all := count(s.first, s.end)
	before, rest := count(0, s.first)
	behind, more := count(s.end, len(residuals))
	share := (before + behind + 1) / (rest + more + 2)
	chance := 1.0
	if within > 0 { // of so many and more
		chance = mathext.RegIncBeta(within, all-within+1, share)
	}
	return chance*float64(len(residuals)*columns) > timeFamily
}

// bentOutside is the share of rows at each end of a column where laws are bent: in its middle predictions were fitted.
const bentOutside = 0.05

// bentBy is how many rows elsewhere that are expected to be as high tell whether those miss their predictions in the same way.
const bentBy = 15

// bent says that a stretch misses its predictions as rows elsewhere do of which as much is expected, or that rows which were learned never came so far:
// the law is bent there, and no channel has left the others.
func (o *othersSay) bent(c int, e excursion, residuals []float64) bool {
	j := o.place[c]
	f, spread := o.v.features[j], o.v.predict.scale[j]/o.v.predict.root[j]
	values := o.v.table.Columns[c].Values
	expected := func(row int) float64 { return f.change.Forward(values[row]) - residuals[row]*spread }
	var within, missed []float64
	for row := e.first; row < e.end; row++ {
		if v := expected(row); v == v {
			within, missed = append(within, v), append(missed, residuals[row])
		}
	}
	if len(within) == 0 {
		return false
	}
	middle, miss := univariate.MedianOf(within), univariate.MedianOf(missed)
	if o.v.learned != nil && o.beyondLearned(c, e, f.change.Back(middle)) {
		return true
	}
	usual := sortedValues(o.v.sampled(c))
	if v := f.change.Back(middle); len(usual) == 0 || v > quantile(usual, bentOutside) && v < quantile(usual, 1-bentOutside) {
		return false
	}
	near := newClosest(bentBy)
	for row := range values {
		if row >= e.first-(e.end-e.first) && row < e.end+(e.end-e.first) {
			continue
		}
		if off := math.Abs(expected(row) - middle); off < near.farthest() {
			near.show(off, row)
		}
	}
	if len(near.row) < bentBy {
		return false
	}
	elsewhere := univariate.Median(pick(residuals, near.row))
	return elsewhere*miss > 0 && 2*math.Abs(elsewhere) >= math.Abs(miss)
}

// beyondLearned says that what is expected of a stretch, or another column there, lies where next to no learned rows were.
func (o *othersSay) beyondLearned(c int, e excursion, expected float64) bool {
	for _, f := range o.v.features {
		if !f.judged() || f.level >= 0 {
			continue
		}
		middle := expected
		if f.column != c {
			middle = univariate.MedianOf(slices.DeleteFunc(slices.Clone(o.v.table.Columns[f.column].Values[e.first:e.end]), math.IsNaN))
		}
		if learned := sortedValues(o.v.sampled(f.column)); len(learned) > 0 && (middle < quantile(learned, goneEnd) || middle > quantile(learned, 1-goneEnd)) {
			return true
		}
	}
	return false
}

// rests says that a series stays at one value most of the time, and comes and goes by right, as rain does.
func rests(values []float64) bool {
	mode := describe(pick(values, spacedRows(len(values), relationRows))).mode
	return mode == mode
}

// inLine says of cells that the prediction does not know their series, which goes on long after what it depends on has
// changed (a motor that cools down), and that the rows before and after vouch for them.
func (o *othersSay) inLine(flowing []int) func(row, column int) bool {
	step := map[int]float64{}
	for _, c := range flowing {
		o.seek(c)
		if residuals, ok := o.residuals[c]; ok && flows(residuals) {
			values := o.v.table.Columns[c].Values
			steps := make([]float64, 0, len(values))
			for _, i := range spacedRows(len(values)-1, 4000) {
				if d := math.Abs(values[i+1] - values[i]); d == d && !math.IsInf(d, 0) {
					steps = append(steps, d)
				}
			}
			step[c] = univariate.Median(steps)
		}
	}
	return func(row, column int) bool {
		usual := step[column]
		values := o.v.table.Columns[column].Values
		first, end := max(row-2, 0), min(row+3, len(values))
		if end-first < 3 {
			return false
		}
		around := univariate.Median(slices.Concat(values[first:row], values[row+1:end]))
		away := math.Abs(values[row] - around)
		if slices.Contains(flowing, column) && o.inEvent(column, row, away) {
			return true
		}
		if usual == 0 {
			return false
		}
		j := o.place[column]
		f, spread := o.v.features[j], o.v.predict.scale[j]/o.v.predict.root[j]
		expected := f.change.Back(f.change.Forward(values[row]) - o.residuals[column][row]*spread)
		return away <= inLineSteps*usual && inLineTimes*inLineSteps*usual <= math.Abs(values[row]-expected)
	}
}
