package check

import (
	"math"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/univariate"
)

// A repair is made where the row is right with it: it keeps its laws and its cells fit each other. Where it does not, something else is
// wrong as well or instead, and the cells are named and left.

// settle puts the cells in doubt whose replacement does not make their rows right. The cells of a row stand together.
func (l *lister) settle(cells []Cell) {
	for from := 0; from < len(cells); {
		end := from
		for end < len(cells) && cells[end].Row == cells[from].Row {
			end++
		}
		if l.result.Wrong[cells[from].Row] {
			l.settleRow(cells[from:end])
		}
		from = end
	}
}

// replaced says that a repair would replace a cell.
func (c *Cell) replaced() bool { return c.Wrong && !c.Doubt && c.Part != PartDuplicate }

// guessed says that a replacement is what the other cells of the row say.
func (c *Cell) guessed() bool {
	return c.replaced() && (c.Part == PartCell || c.Part == PartRelation) && c.Slip != slipStuck
}

// doubted leaves a cell that a repair would replace.
func (c *Cell) doubted(why string) {
	c.Doubt = true
	c.Why += why
}

func (l *lister) settleRow(cells []Cell) {
	row := cells[0].Row
	l.inOrder(row, cells)
	l.oneForAll(row, cells)
	l.oneOfLaw(row, cells)
	l.lawful(row, cells)
	if l.model.predict != nil && slices.ContainsFunc(cells, func(c Cell) bool { return c.guessed() }) {
		l.fitting(row, cells)
	}
	for i := range cells {
		l.vague(&cells[i])
	}
}

// wideGuess is the part of the width of a column from which on a range tells nothing of where in it a cell would be.
const wideGuess = 0.8

// vague marks a number that would be replaced by the middle of its column.
func (l *lister) vague(c *Cell) {
	column := &l.table.Columns[c.Column]
	if !c.replaced() || c.Part == PartRelation || c.Slip != "" && !strings.HasPrefix(c.Slip, "stands for") || c.Level != "" || column.Kind != tolerant.Number || len(column.Values) != l.table.Rows {
		return
	}
	if _, ok := c.moved(column.Values[c.Row]); ok && c.Slip == "" {
		return
	}
	values := l.ranked(c.Column)
	c.Vague = c.High-c.Low >= wideGuess*(quantile(values, 0.975)-quantile(values, 0.025))
}

// stampGap is how many usual steps the rows before and after a stamp are apart at most that vouch for it.
const stampGap = 10

// inOrder leaves a stamp that lies between those of the rows before and after, which no prediction knows better, and no law that wants one elsewhere.
func (l *lister) inOrder(row int, cells []Cell) {
	for i := range cells {
		c := &cells[i]
		if column := &l.table.Columns[c.Column]; column.Kind != tolerant.Date || !c.guessed() || c.Part != PartCell && c.Part != PartRelation || len(column.Values) != l.table.Rows {
			continue
		}
		stamps, step := l.table.Columns[c.Column].Values, l.usualStep(c.Column)
		if c.Part == PartCell && betweenStamps(stamps, row, step) ||
			c.Part == PartRelation && step >= 0 && between(stamps, row, stamps[row]) && !between(stamps, row, c.Expected) {
			c.doubted("; but it stands in order between the rows before and after")
		}
	}
}

// betweenStamps says that the stamps before and after a row vouch for its own.
func betweenStamps(stamps []float64, row int, step float64) bool {
	return between(stamps, row, stamps[row]) && stamps[row+1]-stamps[row-1] <= stampGap*step
}

// between says that a value stands between those of the rows before and after one.
func between(values []float64, row int, v float64) bool {
	return row >= 1 && row+1 < len(values) && values[row-1] <= v && v <= values[row+1]
}

// usualStep is that of a column by which rows follow each other; negative where they do not.
func (l *lister) usualStep(column int) float64 {
	l.lock.Lock()
	defer l.lock.Unlock()
	step, known := l.steps[column]
	if !known {
		step = stepOf(l.table.Columns[column].Values)
		l.steps[column] = step
	}
	return step
}

// stepOf is the usual step of values that follow each other; negative where they do not.
func stepOf(values []float64) float64 {
	if !ascending(values, false) {
		return -1
	}
	steps := make([]float64, 0, relationRows)
	for _, i := range spacedRows(len(values)-1, relationRows) {
		if d := values[i+1] - values[i]; d == d {
			steps = append(steps, math.Abs(d))
		}
	}
	return univariate.Median(steps)
}

// brokenBy are the laws that a row breaks.
func (l *lister) brokenBy(row int) []int {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.broken == nil {
		l.broken = map[int][]int{}
		for k := range l.result.Relations {
			for _, row := range l.result.Relations[k].Broken {
				l.broken[row] = append(l.broken[row], k)
			}
		}
	}
	return l.broken[row]
}

// oneForAll acquits cells that break a law where another one mends it, and with it all others that the row breaks, of which the acquitted has no part in
// some: a date is right where the days beside it are those of another price.
func (l *lister) oneForAll(row int, cells []Cell) {
	laws := l.brokenBy(row)
	for i := range cells {
		if len(laws) < 2 || !cells[i].replaced() || slices.ContainsFunc(laws, func(k int) bool {
			law, at := &l.result.Relations[k], l.repaired(row, cells[i:i+1])
			return law.keeps != nil && !law.keeps(at)
		}) {
			continue
		}
		for k := range cells {
			if c := &cells[k]; k != i && c.guessed() && c.Part == PartRelation && slices.ContainsFunc(laws, func(law int) bool {
				columns := l.result.Relations[law].Columns
				return slices.Contains(columns, cells[i].Column) && !slices.Contains(columns, c.Column)
			}) && !slices.ContainsFunc(laws, func(law int) bool {
				columns := l.result.Relations[law].Columns
				return slices.Contains(columns, c.Column) && !slices.Contains(columns, cells[i].Column)
			}) {
				c.Wrong = false
			}
		}
		slices.SortStableFunc(cells, func(a, b Cell) int { // the wrong ones first
			if a.Wrong == b.Wrong {
				return 0
			}
			return -int(sign(a.Wrong))
		})
		return
	}
}

// oneOfLaw leaves the cell that breaks a law where another one of that law is wrong by itself: the day of the week is right where the date is of another century.
func (l *lister) oneOfLaw(row int, cells []Cell) {
	for _, k := range l.brokenBy(row) {
		columns := l.result.Relations[k].Columns
		of := func(c *Cell) bool { return c.replaced() && slices.Contains(columns, c.Column) }
		if !slices.ContainsFunc(cells, func(c Cell) bool { return of(&c) && c.Part != PartRelation }) {
			continue
		}
		for i := range cells {
			if c := &cells[i]; of(c) && c.Part == PartRelation && c.P > 0 {
				c.doubted("; but another cell of that law is wrong by itself")
			}
		}
	}
}

// repaired are the values of a row once its cells are replaced; NaN where nobody knows.
func (l *lister) repaired(row int, cells []Cell) func(column int) float64 {
	return func(column int) float64 {
		v := l.table.Columns[column].Values[row]
		k := slices.IndexFunc(cells, func(c Cell) bool { return c.Column == column && c.Wrong })
		switch {
		case k < 0:
			return v
		case !cells[k].replaced():
			return math.NaN()
		case cells[k].Level != "":
			return float64(slices.Index(l.table.Columns[column].Levels, cells[k].Level))
		}
		return cells[k].Repaired(&l.table.Columns[column], v)
	}
}

// Repaired is the number or date that stands for a cell: what was written where a slip tells of it, since those digits are nearer the truth than a
// guess, though not than what a law gives; otherwise what is expected.
func (c *Cell) Repaired(column *tolerant.Column, value float64) float64 {
	if meant, ok := c.Meant(value); ok && (c.Slip == wrongSign && c.Part != PartRelation || meant >= c.Low && meant <= c.High) {
		return meant
	}
	if column.Kind == tolerant.Number && c.Slip == "" && c.Part == PartCell {
		if meant, ok := c.moved(value); ok {
			return meant
		}
	}
	return c.Expected
}

// moved is the one number within the range of a cell that has its digits and another decimal mark.
func (c *Cell) moved(value float64) (meant float64, ok bool) {
	for _, s := range powers {
		if v := value / s.factor; v >= c.Low && v <= c.High {
			if ok {
				return 0, false
			}
			meant, ok = v, true
		}
	}
	return meant, ok
}

// lawful leaves cells with whose replacement a law stays broken or breaks.
func (l *lister) lawful(row int, cells []Cell) {
	at := l.repaired(row, cells)
	was := func(c int) float64 { return l.table.Columns[c].Values[row] }
	for k := range l.result.Relations {
		law := &l.result.Relations[k]
		of := func(c *Cell) bool { return c.guessed() && slices.Contains(law.Columns, c.Column) }
		if law.keeps == nil || !slices.ContainsFunc(cells, func(c Cell) bool { return of(&c) }) ||
			!law.keeps(was) && !slices.Contains(l.brokenBy(row), k) || law.keeps(at) ||
			slices.ContainsFunc(cells, func(c Cell) bool { return of(&c) && strings.HasPrefix(c.Slip, exchangedWith) }) {
			continue
		}
		for i := range cells {
			switch c := &cells[i]; {
			case of(c):
				c.doubted("; but then " + law.Text + " does not hold")
			case c.guessed(): // by cells of which one is wrong in a way that nobody knows
				c.Doubt = true
			}
		}
	}
}

// fitting leaves cells that do not fit once they are replaced, or with which neighbours in the row no longer do.
func (l *lister) fitting(row int, cells []Cell) {
	m := l.model
	at := l.repaired(row, cells)
	own := l.room()
	defer l.rooms.Put(own)
	z, y, residual := own.z, own.y, own.residual
	fill(z.RawRowView(0), l.table, m.features, row)
	was := slices.Clone(z.RawRowView(0))
	for j := range m.features {
		f := &m.features[j]
		for i := range cells {
			if cells[i].Column == f.column && cells[i].Wrong {
				z.Set(0, j, f.forward(at(f.column)))
				break
			}
		}
	}
	m.predict.rows(z, y, residual, nil)
	after := slices.Clone(residual.RawRowView(0))
	var before []float64 // asked for where a cell does not fit afterwards
	fitted := func(j int) bool {
		if before == nil {
			copy(z.RawRowView(0), was)
			m.predict.rows(z, y, residual, nil)
			before = residual.RawRowView(0)
		}
		return math.Abs(before[j]) <= cut
	}
	for i := range cells {
		c := &cells[i]
		if !c.guessed() || c.Part == PartRelation && ofDigits(c.Slip) { // a law and the digits that are there speak for the same value
			continue
		}
		for j := range m.features {
			if m.features[j].judged() && math.Abs(after[j]) > cut && l.says(j, c.Column) && (m.features[j].column == c.Column || fitted(j)) {
				c.doubted("; but then " + l.table.Columns[m.features[j].column].Name + " does not fit")
				break
			}
		}
	}
}

// says tells whether a feature is one of a column or depends on it.
func (l *lister) says(j, column int) bool {
	p := l.model.predict
	if p.local != nil { // in every neighbourhood in another way
		return true
	}
	for k := range l.model.features {
		if l.model.features[k].column != column {
			continue
		}
		if o := p.omega[j*p.d+k]; j == k || o*o > linked*p.diag[j]*p.diag[k] {
			return true
		}
	}
	return false
}
