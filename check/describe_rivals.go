package check

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/linalg"
)

// A cell that does not fit its row may be right and another one wrong: a distance that is too long for its fuel, or too little fuel. What the
// rest of the row says without the one and without the other is compared, as a likelihood.

const (
	// oneMore is what a further wrong cell of a row costs, in twice the logarithm of a likelihood: one cell in a hundred is wrong.
	oneMore = 9
	// level is the difference up to which nobody knows which of two explanations is right.
	level = 8
	// linked is the squared partial correlation from which on two columns say something of each other.
	linked = 0.1
	// mostAccused are the wrong cells of a row for which one other may answer.
	mostAccused = 6
)

// weighing is the room for looking at rows in several ways.
type weighing struct {
	*lister
	*oneRow
	features map[int][]int  // by column
	named    map[int][]Cell // of rows, what is said instead
	filled   []float64      // the transformed cells of the row of that number
	at       int
}

// fill puts the row as it stands into the room.
func (w *weighing) fill(row int) {
	if w.filled == nil || w.at != row {
		w.filled, w.at = slices.Grow(w.filled[:0], len(w.model.features))[:len(w.model.features)], row
		fill(w.filled, w.table, w.model.features, row)
	}
	copy(w.z.RawRowView(0), w.filled)
}

// weigh looks for rows whose wrong cells would fit if another one were wrong instead. That one is named instead of them where it explains the
// row far better, and beside them, in doubt, where it explains it about as well.
func (l *lister) weigh() {
	m := l.model
	l.instead = map[int][]Cell{}
	if m.predict == nil || m.predict.local != nil {
		return
	}
	features := map[int][]int{}
	for j, f := range m.features {
		features[f.column] = append(features[f.column], j)
	}
	const stretch = 1 << 12
	parts := make([]map[int][]Cell, (l.result.Rows+stretch-1)/stretch)
	linalg.Parallel(len(parts), func(k int) {
		from, to := k*stretch, min((k+1)*stretch, l.result.Rows)
		l.visits(from, to)
		w := &weighing{lister: l, oneRow: l.room(), features: features, named: map[int][]Cell{}}
		defer l.rooms.Put(w.oneRow)
		w.rows(l.candidates(from, to))
		parts[k] = w.named
	})
	for _, named := range parts {
		maps.Copy(l.instead, named)
	}
}

// rows weighs those of some candidates.
func (w *weighing) rows(found []candidate) {
	l := w.lister
	for from := 0; from < len(found); {
		row, end := found[from].row, from
		for end < len(found) && found[end].row == row {
			end++
		}
		some := found[from:end]
		from = end
		if _, swapped := slices.BinarySearchFunc(l.swaps, row, func(s swap, row int) int { return cmp.Compare(s.row, row) }); !swapped && l.result.Wrong[row] && !l.spoken(row) {
			w.row(row, some)
		}
	}
}

// spoken says that a part other than prediction has named a cell of the row.
func (l *lister) spoken(row int) bool {
	for k, order := range l.said {
		of := l.result.Found[k].Cells
		first, _ := slices.BinarySearchFunc(order, row, func(at, row int) int { return cmp.Compare(of[at].Row, row) })
		for ; first < len(order) && of[order[first]].Row == row; first++ {
			if s := &of[order[first]]; s.P < surely && !s.Doubt {
				return true
			}
		}
	}
	return false
}

// row weighs one row.
func (w *weighing) row(row int, some []candidate) {
	tests := float64(max(w.model.judged, 1))
	var accused []int
	var by []candidate
	for k, c := range some {
		column := w.model.features[c.feature].column
		p := min(1, tests*c.verified)
		if w.excused[place{row, column}].of(PartCell) || p >= surely && (k > 0 || w.result.wholly(row)) || slices.Contains(accused, column) {
			continue
		}
		if accused = append(accused, column); len(accused) > mostAccused {
			return
		}
		by = append(by, c)
	}
	if len(accused) == 0 {
		return
	}
	described := func() []Cell { // those of hardly any row are asked for
		cells := make([]Cell, len(by))
		for k, c := range by {
			cells[k] = w.model.cell(w.table, c, min(1, tests*c.verified), tests, w.nonNegative(accused[k]))
		}
		return cells
	}
	own, _ := w.cost(row, accused)
	var cells []Cell
	if len(accused) == 1 {
		if cells = described(); cells[0].Slip == "" {
			if other, ok := w.exchangedWith(row, accused[0], own); ok {
				rival := w.rival(row, other, &cells[0])
				cells[0].givenBack(w.table, &rival)
				rival.givenBack(w.table, &cells[0])
				w.named[row] = []Cell{cells[0], rival}
				return
			}
		}
	}
	stays := 0.0 // what it costs that the accused are right
	for _, column := range accused {
		stays = max(stays, w.beyond(row, column))
	}
	best, least := -1, math.Inf(1)
	for _, column := range w.rivals(row, accused) {
		if cost, fits := w.cost(row, []int{column}); fits && cost+stays-w.beyond(row, column) < least {
			best, least = column, cost+stays-w.beyond(row, column)
		}
	}
	if best < 0 || least > own+level {
		return
	}
	if cells == nil {
		cells = described()
	}
	rival := w.rival(row, best, &cells[0])
	slipped := func(c *Cell) bool { return ofDigits(c.Slip) }
	switch mine := slices.ContainsFunc(cells, func(c Cell) bool { return slipped(&c) }); {
	case least < own-level, len(cells) == 1 && slipped(&rival) && !mine:
		w.named[row] = []Cell{rival}
	case mine && !slipped(&rival):
	default:
		for k := range cells {
			cells[k].either(w.table, best)
		}
		rival.either(w.table, accused[0])
		w.named[row] = append(cells, rival)
	}
}

// either says that a cell of another column may be wrong instead.
func (c *Cell) either(t *tolerant.Table, other int) {
	c.Doubt = true
	c.Why += "; or " + words.Clip(t.Columns[other].Name) + " is wrong instead"
}

// rivals are the columns with a value in the row that say something of the accused.
func (w *weighing) rivals(row int, accused []int) (columns []int) {
	p := w.model.predict
	for column, own := range w.features {
		if v := w.table.Columns[column].Values[row]; v != v || slices.Contains(accused, column) || w.excused[place{row, column}] != 0 {
			continue
		}
		if slices.ContainsFunc(accused, func(a int) bool {
			return slices.ContainsFunc(w.features[a], func(j int) bool {
				return slices.ContainsFunc(own, func(k int) bool {
					o := p.omega[j*p.d+k]
					return o*o > linked*p.diag[j]*p.diag[k]
				})
			})
		}) {
			columns = append(columns, column)
		}
	}
	slices.Sort(columns)
	return columns
}

// cost is how unlikely the rest of a row is without some of its cells, and what it costs that they are wrong; fits says that the rest agrees.
func (w *weighing) cost(row int, columns []int) (cost float64, fits bool) {
	w.fill(row)
	missing := 0
	for _, column := range columns {
		for _, j := range w.features[column] {
			w.z.Set(0, j, math.NaN())
			missing++
		}
	}
	fits = w.model.worst(w.z, w.y, w.residual) <= cut
	return w.unlikely() + float64(missing-len(columns)) + oneMore*float64(len(columns)), fits
}

// unlikely is the squared Mahalanobis distance of the cleaned row.
func (w *weighing) unlikely() (sum float64) {
	p, y := w.model.predict, w.y.RawRowView(0)
	for j, x := range y {
		for k, v := range y {
			sum += (x - p.mean[j]) * p.omega[j*p.d+k] * (v - p.mean[k])
		}
	}
	return sum
}

// rival describes the cell that may be wrong instead of another.
func (w *weighing) rival(row, column int, of *Cell) Cell {
	c := &w.table.Columns[column]
	j := w.features[column][0]
	if f := w.model.features[j]; f.level < 0 {
		w.cost(row, []int{column})
		p := w.model.predict
		cell := w.model.cell(w.table, candidate{row: row, feature: j, p: 1, margin: 1, expected: w.y.At(0, j), away: p.scale[j] / p.root[j]}, of.P, 1, w.nonNegative(column))
		cell.Score = of.Score
		return cell
	}
	return Cell{Row: row, Column: column, Part: PartCell, P: of.P, Score: of.Score, Expected: math.NaN(), Low: math.NaN(), High: math.NaN(),
		Why: words.Clip(c.Name) + " is " + asWritten(w.table, row, column) + ", which does not go with the rest of the row"}
}

// exchangedWith finds the column whose value was exchanged with the accused one's: with both given back the row is as likely as without the accused.
func (w *weighing) exchangedWith(row, accused int, own float64) (best int, ok bool) {
	m, a := w.model, w.features[accused][0]
	least, spoils := own, w.spoils(row)
	for _, column := range w.rivals(row, []int{accused}) {
		k := w.features[column][0]
		x, y := &w.table.Columns[accused], &w.table.Columns[column]
		if x.Kind != y.Kind || m.features[k].level >= 0 || !m.features[k].judged() || spoils(accused, column) {
			continue
		}
		w.fill(row)
		w.z.Set(0, a, m.features[a].change.Forward(y.Values[row]))
		w.z.Set(0, k, m.features[k].change.Forward(x.Values[row]))
		if m.worst(w.z, w.y, w.residual) > usually {
			continue
		}
		if cost := w.unlikely() + oneMore; cost <= least {
			best, least, ok = column, cost, true
		}
	}
	return best, ok
}

// ranked are values of a column in their order.
func (l *lister) ranked(column int) []float64 {
	l.lock.Lock()
	defer l.lock.Unlock()
	values, known := l.sorted[column]
	if !known {
		t := l.model.view.table
		if t == nil || len(t.Columns[column].Values) == 0 {
			t = l.table
		}
		all := t.Columns[column].Values
		values = slices.DeleteFunc(pick(all, spacedRows(len(all), relationRows)), func(v float64) bool { return v != v })
		slices.Sort(values)
		l.sorted[column] = values
	}
	return values
}

// beyond is how much less likely a value is than its distance from the middle says, since hardly any others of its column are as far out.
func (w *weighing) beyond(row, column int) float64 {
	j := w.features[column][0]
	if w.model.features[j].level >= 0 {
		return 0
	}
	values := w.ranked(column)
	x := w.table.Columns[column].Values[row]
	below, _ := slices.BinarySearch(values, x)
	upTo, _ := slices.BinarySearch(values, math.Nextafter(x, math.Inf(1)))
	farther := float64(min(upTo, len(values)-below)) + 0.5
	score := math.Sqrt2 * math.Erfinv(max(0, 1-2*farther/float64(len(values)+1)))
	z := w.model.features[j].change.Forward(bounded(x))
	return max(0, score*score-z*z)
}
