package check

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// describe names the suspicious cells, what would have been expected of them, and says why rows
// are wrong or extreme. The cells of a table that is not in memory are described when they are asked for.
func (m *Model) describe(t *tolerant.Table, r *Result, found []candidate, groups []farGroup) {
	r.list = &lister{model: m, table: t, result: r, found: found, above: map[int]bool{}, steps: map[int]float64{}, sorted: map[int][]float64{}, look: map[int][]Cell{}, excused: r.excused()}
	for k := range r.Found {
		cells := r.Found[k].Cells
		order := make([]int, len(cells))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(cells[a].Row, cells[b].Row) })
		r.list.said = append(r.list.said, order)
	}
	r.list.moved = r.list.shiftedRows()
	r.list.clear()
	r.list.swaps = r.list.exchanges()
	r.list.weigh()
	if t.Room() == nil {
		r.Cells = slices.Clip(r.list.together(0, r.Rows))
	}
	m.reasons(t, r, groups)
	r.Columns = m.learned(t)
}

// lister describes the suspicious cells of rows.
type lister struct {
	model   *Model
	table   *tolerant.Table
	result  *Result
	found   []candidate // by rows
	said    [][]int     // cells of each part by rows
	above   map[int]bool
	excused map[place]excuse
	swaps   []swap            // by rows
	instead map[int][]Cell    // of rows, what is said in place of the candidates
	moved   map[int][]Cell    // of rows whose cells stand in other columns, all that is said
	broken  map[int][]int     // of rows, the laws that they break
	steps   map[int]float64   // of dates, how far rows that follow each other are apart
	sorted  map[int][]float64 // values of columns
	rooms   sync.Pool         // of *oneRow
	last    atomic.Int64      // stretch of rows that was visited
	look    map[int][]Cell    // of parts that are visited, see EachPart
	lock    sync.Mutex        // of what is looked up once: rows are described by several at a time
}

// oneRow is room for a row: its transformed cells, the cleaned ones and the standardised residuals.
type oneRow struct{ z, y, residual *mat.Dense }

func newOneRow(features int) *oneRow {
	d := max(1, features)
	return &oneRow{mat.NewDense(1, d, nil), mat.NewDense(1, d, nil), mat.NewDense(1, d, nil)}
}

// room is that for a row; it is given back to rooms.
func (l *lister) room() *oneRow {
	if r, ok := l.rooms.Get().(*oneRow); ok {
		return r
	}
	return newOneRow(len(l.model.features))
}

// nonNegative is [view.nonNegative] of a column, which is asked of many cells and looked at once.
func (l *lister) nonNegative(column int) bool {
	l.lock.Lock()
	defer l.lock.Unlock()
	is, known := l.above[column]
	if !known {
		is = l.model.view.nonNegative(column)
		l.above[column] = is
	}
	return is
}

// candidates are those of rows from one up to another.
func (l *lister) candidates(from, to int) []candidate {
	at := func(row int) int {
		k, _ := slices.BinarySearchFunc(l.found, row, func(c candidate, row int) int { return cmp.Compare(c.row, row) })
		return k
	}
	return l.found[at(from):at(to)]
}

// visits tells, where the table is not in memory, that rows from one up to another are looked at: far from the last ones they bring in pages of
// every column.
func (l *lister) visits(from, to int) {
	const stretch = 1 << 14
	room, columns := l.table.Room(), len(l.table.Columns)
	if room == nil {
		return
	}
	if at := int64(from/stretch) + 1; l.last.Swap(at) != at {
		room.Touched(columns + 8)
	}
	room.Passed(int64(to-from) * 8 * int64(columns+8))
}

// lists says that a candidate is suspicious after all, or of a row that is wrong for other cells.
func (l *lister) lists(c *candidate) bool {
	tests, r := float64(max(l.model.judged, 1)), l.result
	return min(1, tests*c.verified) < suspicious || r.Wrong[c.row] && !r.wholly(c.row)
}

// between are the suspicious cells of rows from one up to another, as [Result.Cells] has them.
func (l *lister) between(from, to int) (cells []Cell) {
	l.visits(from, to)
	m, r, t := l.model, l.result, l.table
	tests := float64(max(m.judged, 1))
	some := l.candidates(from, to)
	cells = slices.Grow(cells, len(some))
	for _, c := range some {
		if !l.lists(&c) {
			continue
		}
		if other, is := l.instead[c.row]; is {
			if len(cells) == 0 || cells[len(cells)-1].Row != c.row {
				cells = append(cells, other...)
			}
			continue
		}
		cells = append(cells, m.cell(t, c, min(1, tests*c.verified), tests, l.nonNegative(m.features[c.feature].column)))
	}
	cells = l.exchanged(cells)
	for k, order := range l.said {
		of := r.Found[k].Cells
		first, _ := slices.BinarySearchFunc(order, from, func(at, row int) int { return cmp.Compare(of[at].Row, row) })
		for _, at := range order[first:] {
			if of[at].Row >= to {
				break
			}
			cells = append(cells, said(t, r.Found[k].Part, of[at]))
		}
	}
	cells = r.order(cells, l.excused)
	l.settle(cells)
	return l.withMoved(cells, from, to)
}

// withMoved puts the cells of rows that stand in other columns in the place of what is said of these rows otherwise.
func (l *lister) withMoved(cells []Cell, from, to int) []Cell {
	if len(l.moved) == 0 {
		return cells
	}
	cells = slices.DeleteFunc(cells, func(c Cell) bool { return l.moved[c.Row] != nil })
	for row := from; row < to; row++ {
		cells = append(cells, l.moved[row]...)
	}
	slices.SortStableFunc(cells, func(a, b Cell) int { return cmp.Compare(a.Row, b.Row) })
	return cells
}

// cell describes a cell that does not fit the rest of its row; above tells that its column has no negative values.
func (m *Model) cell(t *tolerant.Table, c candidate, p, tests float64, above bool) Cell {
	f := m.features[c.feature]
	column := &t.Columns[f.column]
	cell := Cell{Row: c.row, Column: f.column, Part: PartCell, P: p}
	cell.Expected = f.change.Back(c.expected)
	cell.Low, cell.High = f.change.Back(c.expected-1.96*c.away), f.change.Back(c.expected+1.96*c.away)
	if math.Abs(cell.Expected) < 1e-9*(cell.High-cell.Low) {
		cell.Expected = 0 // but for the rounding of arithmetic
	}
	if above { // what no other row is is not to be expected
		cell.Expected, cell.Low, cell.High = max(cell.Expected, 0), max(cell.Low, 0), max(cell.High, 0)
	}
	cell.Score = -math.Log10(max(tests*min(c.p, c.margin), 1e-300))
	value := column.Values[c.row]
	cell.Slip = slip(column, value, cell.Expected, cell.Low, cell.High)
	if above && value < 0 && cell.Slip == "" && !sentinel(value) && math.Abs(f.change.Forward(-value)-c.expected) <= possible*c.away {
		cell.Slip = wrongSign
	}
	cell.Why = whyCell(column, asWritten(t, c.row, f.column), &cell)
	return cell
}

// said makes a cell of what a part said of it.
func said(t *tolerant.Table, part Part, s Suspicion) Cell {
	c := Cell{Row: s.Row, Column: s.Column, Part: part, P: s.P, Expected: s.Expected, Low: s.Low, High: s.High, Level: s.Level, Slip: s.Slip, Why: s.Why, Doubt: s.Doubt}
	if s.Certain {
		c.P = 0
	}
	c.Score = -math.Log10(max(c.P, 1e-300))
	return c
}

// whyCell says in one sentence what a cell is and what would have been expected.
func whyCell(column *tolerant.Column, value string, c *Cell) string {
	room := make([]byte, 0, 128)
	room = append(append(append(room, column.Name...), " is "...), value...)
	if c.Expected == c.Expected && !math.IsInf(c.Expected, 0) {
		room = append(append(room, ", the rest of the row suggests about "...), amount(column, rounded(column, c.Expected, c.Low, c.High))...)
		if !math.IsInf(c.Low, 0) && !math.IsInf(c.High, 0) && c.Low == c.Low && c.High == c.High {
			room = append(append(room, " ("...), amount(column, rounded(column, c.Low, c.Low, c.High))...)
			room = append(append(append(room, " to "...), amount(column, rounded(column, c.High, c.Low, c.High))...), ')')
		}
	}
	if c.Slip != "" {
		room = append(append(room, ": "...), c.Slip...)
	}
	return string(room)
}

// rounded is a value of a column with the digits that its range gives meaning to. Dates stay: thousands
// of seconds are no digits of theirs.
func rounded(column *tolerant.Column, v, low, high float64) float64 {
	if column.Kind == tolerant.Date {
		return v
	}
	return round(v, low, high)
}

// round leaves a value the digits that a range from low to high gives meaning to.
func round(v, low, high float64) float64 {
	width := (high - low) / 50
	if !(width > 0) || math.IsInf(width, 0) {
		return v
	}
	unit := math.Pow(10, math.Floor(math.Log10(width)))
	if whole := math.Round(v / unit); math.Abs(whole) < 1e15 {
		if unit < 1 { // by division: tenths are no binary numbers
			return whole / math.Round(1/unit)
		}
		return whole * unit
	}
	return v
}

// surely is the p-value below which a cell of a wrong row is suspicious by itself.
const surely = 1e-3

// order sorts cells by rows, the most suspicious of a row first, one for each cell, and marks
// the wrong ones: in a wrong row those that are suspicious by themselves, and at least one where it is not wrong as a whole.
func (r *Result) order(cells []Cell, excused map[place]excuse) []Cell {
	slices.SortStableFunc(cells, func(a, b Cell) int {
		if c := cmp.Compare(a.Row, b.Row); c != 0 {
			return c
		}
		free := func(c Cell) int { // of the accusation: it says the least
			if excused[place{c.Row, c.Column}].of(c.Part) {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(free(a), free(b)), cmp.Compare(a.P, b.P), cmp.Compare(b.Score, a.Score))
	})
	kept := cells[:0]
	from := 0 // first cell of the row among the kept
	for _, c := range cells {
		if len(kept) > 0 && kept[len(kept)-1].Row != c.Row {
			from = len(kept)
		}
		if k := slices.IndexFunc(kept[from:], func(k Cell) bool { return k.Row == c.Row && k.Column == c.Column }); k >= 0 {
			kept[from+k].learn(&c)
			continue
		}
		first := len(kept) == 0 || kept[len(kept)-1].Row != c.Row
		c.Wrong = r.Wrong[c.Row] && (first && !r.wholly(c.Row) || c.P < surely) && !excused[place{c.Row, c.Column}].of(c.Part)
		kept = append(kept, c)
	}
	return kept
}

// wholly says that a row is judged as a whole: for being unlike all others, or there twice.
func (r *Result) wholly(row int) bool {
	part := r.Part[row]
	return part == PartRow || slices.ContainsFunc(r.Found, func(e Evidence) bool { return e.Part == part && e.Rows != nil && e.Rows[row] < 1 })
}

// learn gives a cell what another look knows of it.
func (c *Cell) learn(other *Cell) {
	if c.Part == PartCell && other.Slip == slipStuck { // nobody knows what a series that stood still would have been: its rows are all alike
		c.Expected, c.Low, c.High, c.Slip, c.Why = other.Expected, other.Low, other.High, other.Slip, other.Why
		return
	}
	if c.Slip == slipStuck && other.Part == PartCell {
		return
	}
	if c.Part == PartCell && other.Part == PartRelation && other.Expected == other.Expected { // what a law gives is sharper than a guess
		c.Expected, c.Low, c.High, c.Slip, c.Why = other.Expected, other.Low, other.High, other.Slip, other.Why
	}
	if c.Part == PartCell && other.Part == PartTime && other.High-other.Low < c.High-c.Low && !strings.HasPrefix(c.Slip, exchangedWith) { // as are the stamps before and behind
		c.Expected, c.Low, c.High, c.Slip, c.Why = other.Expected, other.Low, other.High, other.Slip, other.Why
	}
	if c.Expected != c.Expected && c.Level == "" && !(other.Expected < c.Low || other.Expected > c.High) { // no other is beyond the edges of its column
		c.Expected, c.Low, c.High, c.Level = other.Expected, other.Low, other.High, other.Level
	}
	if c.Slip == "" {
		c.Slip = other.Slip
	}
	agree := c.P == 0 && c.Part == PartRelation && other.Part == c.Part && other.Expected == c.Expected // two laws want the same
	if c.Slip == slipStuck && other.Part == PartRelation && other.Expected == other.Expected {          // the law knows of the first reading too
		c.Doubt = other.Doubt
		return
	}
	c.Doubt = c.Doubt || other.Doubt && !agree && !(other.Slip == slipStuck && c.Expected == c.Expected)
	if c.Why == "" {
		c.Why = other.Why
	}
}

// reasons lets rows be asked why.
func (m *Model) reasons(t *tolerant.Table, r *Result, groups []farGroup) {
	r.why = func(row int) string {
		r.list.visits(row, row+1)
		switch part := r.Part[row]; part {
		case 0:
			return ""
		case PartExtreme:
			if text := r.member(row); text != "" {
				return text
			}
			if g, apart := far(groups, t, row); apart {
				return g.why(t, row)
			}
			some := r.list.candidates(row, row+1)
			if len(some) == 0 {
				return m.whyFar(t, row)
			}
			c := slices.MinFunc(some, func(a, b candidate) int { return cmp.Compare(a.margin, b.margin) })
			column := &t.Columns[m.features[c.feature].column]
			text := fmt.Sprintf("%s %s is far out, ", column.Name, amount(column, column.Values[row]))
			if math.Abs(c.residual) > agreesWithin {
				return text + "though not beyond doubt for a row like this one"
			}
			return text + "but the rest of the row agrees"
		default:
			for k := range r.Found {
				if r.Found[k].Part == part && r.Found[k].Why != nil && r.Found[k].Rows != nil && r.Found[k].Rows[row] < 1 {
					if text := r.Found[k].Why(row); text != "" {
						return text
					}
				}
			}
			cells := r.CellsOf(row)
			for _, wrong := range []bool{true, false} { // an excused one is no reason where there is another
				for k, c := range cells {
					if (c.Part == part || k == 0 && part != PartRow) && c.Why != "" && (c.Wrong || !wrong) {
						return c.Why
					}
				}
			}
			if part == PartRow {
				return m.whyRow(t, row)
			}
			return ""
		}
	}
}

// learned says what was learned of every column.
func (m *Model) learned(t *tolerant.Table) []Learned {
	out := make([]Learned, len(t.Columns))
	for j := range out {
		out[j].Column = j
	}
	for k, f := range m.features {
		c := &out[f.column]
		c.Few, c.Judged = f.few, !f.few && m.predict != nil
		if f.level < 0 {
			c.Change = f.change
			if f.derived {
				c.Explained = 1
			} else if c.Judged {
				away := m.predict.scale[k] / m.predict.root[k]
				c.Explained = max(0, 1-away*away)
			}
		}
	}
	return out
}

// place is a cell of the table.
type place struct{ row, column int }

// excused are the cells that stand in a broken relation beside the one that it names as guilty: with
// that one mended the relation holds, and what was expected of them came from the guilty one.
func (r *Result) excused() map[place]excuse {
	guilty := map[int][]int{}
	for k := range r.Found {
		if r.Found[k].Part != PartRelation {
			continue
		}
		for _, s := range r.Found[k].Cells {
			if s.Certain {
				guilty[s.Row] = append(guilty[s.Row], s.Column)
			}
		}
	}
	out := map[place]excuse{}
	for _, law := range r.Relations {
		for _, row := range law.Broken {
			for _, g := range guilty[row] {
				if !slices.Contains(law.Columns, g) {
					continue
				}
				for _, c := range law.Columns {
					if c != g {
						out[place{row, c}] = fromPrediction
					}
				}
			}
		}
	}
	return out
}
