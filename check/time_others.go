package check

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

const (
	// inLineSteps is how many usual steps a cell is from the rows around it at most where its series vouches for it,
	// and by how many times as much the prediction has to miss it.
	inLineSteps, inLineTimes = 3, 3
)

// othersSay is what the numeric core expects of the series of a log, by their columns.
type othersSay struct {
	v         *view
	place     map[int]int // of columns among the features
	residuals map[int][]float64
}

// asOthersSay predicts the series of a log from the other columns.
func (v *view) asOthersSay(ctx context.Context, series []int) (*othersSay, error) {
	o := &othersSay{v: v, place: map[int]int{}, residuals: map[int][]float64{}}
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
func (o *othersSay) wanders(series []int, parts []stretch, order []int) (cells []Suspicion) {
	for _, c := range series {
		residuals, ok := o.residuals[c]
		if !ok || flows(residuals) || rests(o.v.table.Columns[c].Values) { // the others do not tell what this one does
			continue
		}
		for _, e := range leavesWithin(parts, residuals, 3, len(series)) {
			e.order = order
			cells = append(cells, e.wandering(o.v, c, o.place[c], residuals)...)
		}
	}
	return cells
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
		if usual == 0 || row < 2 || row+2 >= len(values) {
			return false
		}
		around := univariate.Median([]float64{values[row-2], values[row-1], values[row+1], values[row+2]})
		away := math.Abs(values[row] - around)
		j := o.place[column]
		f, spread := o.v.features[j], o.v.predict.scale[j]/o.v.predict.root[j]
		expected := f.change.Back(f.change.Forward(values[row]) - o.residuals[column][row]*spread)
		return away <= inLineSteps*usual && inLineTimes*inLineSteps*usual <= math.Abs(values[row]-expected)
	}
}
