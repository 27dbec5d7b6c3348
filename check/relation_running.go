package check

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/words"
)

// running is a law over the row before: balance = balance of the row before - debit + credit, where an empty cell
// counts as 0 if the column is one whose empty cells do, as of debit and credit one is empty in each row. It holds downwards, or upwards where the newest row stands first. Where several accounts or items are mixed, the
// row before is that of the same one.
type running struct {
	sum        int // column of the table
	by         int // column that tells the sums apart; -1: there is one
	terms      []term
	unknown    []int // columns of terms whose empty cells say nothing
	upwards    bool
	steps      float64 // of the rounding of all columns together; 0: they are exact
	text       string
	exceptions float64
}

const (
	// runningRows rows, one after the other, tell of running sums.
	runningRows = 2000
	// runningColumns is how many columns of numbers a table has at most in which running sums are looked for.
	runningColumns = 40
	// mixedColumns is how many of them where several sums may be mixed, and mixedSums of how many rows each is at least.
	mixedColumns, mixedSums = 12, 4
	// runningChance is the share of rows that may keep the law with the terms of their neighbour.
	runningChance = 0.25
)

// findRunning looks for running sums of one column or two among columns of numbers.
func findRunning(ctx context.Context, s *relationSample) (found []running, err error) {
	if len(s.columns) < 2 || len(s.columns) > runningColumns {
		return nil, nil
	}
	rows := min(s.table.Rows, runningRows)
	walks := []*walk{newWalk(s.table, -1, rows)}
	if len(s.columns) <= mixedColumns {
		for c := range s.table.Columns {
			if mixes(&s.table.Columns[c], rows) {
				walks = append(walks, newWalk(s.table, c, rows))
			}
		}
	}
	for j, sum := range s.columns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, w := range walks {
			if s.few[j] || w.by == sum {
				continue
			}
			if r, ok := s.runningTo(sum, w); ok {
				found = append(found, r)
				break
			}
		}
	}
	return found, nil
}

// runningTo looks for the terms of one running sum: those that leave the fewest exceptions, of equals the fewest terms. Rows with an unknown cell are
// exceptions to a law until it is chosen.
func (s *relationSample) runningTo(sum int, w *walk) (best running, ok bool) {
	try := func(upwards bool, terms ...term) {
		r := running{sum: sum, by: w.by, upwards: upwards, terms: terms}
		if r.holds(s, w) && (!ok || r.exceptions < best.exceptions) {
			best, ok = r, true
		}
	}
	signs := []float64{1, -1}
	for _, upwards := range []bool{false, true} {
		for i, a := range s.columns {
			if a == sum || a == w.by {
				continue
			}
			for _, sa := range signs {
				first := term{column: a, slope: sa}
				try(upwards, first)
				for _, b := range s.columns[i+1:] {
					if b != sum && b != w.by {
						try(upwards, first, term{column: b, slope: 1})
						try(upwards, first, term{column: b, slope: -1})
					}
				}
			}
		}
	}
	if ok && best.unknown != nil {
		if known := best; known.holds(s, w) {
			known.unknown = best.unknown
			return known, true
		}
		best.unknown = nil
	}
	return best, ok
}

// holds says that the rows of a table keep the law, and would not with the terms of other rows.
func (r *running) holds(s *relationSample, w *walk) bool {
	r.steps = 2 * s.all.steps[r.sum]
	for _, t := range r.terms {
		r.steps += s.all.steps[t.column]
	}
	asked, kept, chance := 0, 0, 0
	exactly, byChance := 0, 0
	noughts := make([]int, len(r.terms)) // rows that an empty cell of a term keeps, less those it breaks
	last := 0.0                          // what the row before missed
	for k := 1; k < w.rows-1; k++ {
		step, added, size := r.step(w, k)
		if step != step || step == 0 && added == 0 {
			continue
		}
		if miss := step - added; math.Abs(miss) > r.limit(size) && math.Abs(miss+last) <= 2*r.limit(size) {
			last = 0 // a sum that is wrong breaks two rows
			continue
		} else {
			last = miss
		}
		asked++
		within := math.Abs(step-added) <= r.limit(size)
		for i, t := range r.terms {
			switch v := w.table.Columns[t.column].Values[w.row(r, k)]; {
			case v == v:
			case within:
				noughts[i]++
			default:
				noughts[i]--
			}
		}
		if within {
			kept, last = kept+1, 0
		} else if asked-kept > kept+3 {
			return false
		}
		if math.Abs(step-added) <= float*size {
			exactly++
		}
		_, other, _ := r.step(w, k+1)
		if math.Abs(step-other) <= r.limit(size) {
			chance++
		}
		if math.Abs(step-other) <= float*size {
			byChance++
		}
	}
	if exactly >= kept-kept/50 { // counts, and amounts that are as they are written
		r.steps, kept, chance = 0, exactly, byChance
	}
	r.exceptions = brokenShare(asked-kept, asked)
	r.unknown = nil
	if slices.ContainsFunc(noughts, func(n int) bool { return n < 0 }) {
		for i, n := range noughts {
			if n <= 0 {
				r.unknown = append(r.unknown, r.terms[i].column)
			}
		}
	}
	return asked >= 2*fewestRelated && float64(asked-kept) <= brokenAtMost*float64(asked) && float64(chance) <= runningChance*float64(asked)
}

// float is the part of numbers that their sums may miss in the computer.
const float = 1e-9

// limit is by how much rounding lets a step differ from what was added.
func (r *running) limit(size float64) float64 { return 0.6*r.steps + float*size }

// step is by how much the sum changes to the k-th row of a walk (NaN: another sum begins, or a cell is not known), what that row adds, and how large
// the numbers are.
func (r *running) step(w *walk, k int) (step, added, size float64) { return r.stepBut(w, k, -1) }

// stepBut is that without the cell of one column.
func (r *running) stepBut(w *walk, k, but int) (step, added, size float64) {
	row, before := w.row(r, k), w.row(r, k-1)
	if !w.joined(row, before) {
		return math.NaN(), 0, 0
	}
	values := w.table.Columns[r.sum].Values
	for _, f := range r.terms {
		switch v := w.table.Columns[f.column].Values[row]; {
		case f.column == but:
		case v == v:
			added += f.slope * v
		case slices.Contains(r.unknown, f.column):
			return math.NaN(), math.NaN(), math.NaN()
		}
	}
	return values[row] - values[before], added, math.Abs(values[row]) + math.Abs(values[before]) + math.Abs(added)
}

// misses is by how much the k-th row misses the law beyond rounding; 0 where it holds, NaN where it cannot be asked.
func (r *running) misses(w *walk, k int) float64 {
	if k < 1 || k >= w.rows {
		return math.NaN()
	}
	step, added, size := r.step(w, k)
	if e := step - added; !(math.Abs(e) <= r.limit(size)) {
		return e
	}
	return 0
}

// judge holds the rows of a table against the law. A wrong sum breaks two rows one after the other, by as much with the
// other sign; a wrong term breaks its own.
func (r *running) judge(g *guilt) (Relation, []Suspicion) {
	t := g.table
	out := Relation{Text: r.text, Columns: []int{r.sum}}
	for _, f := range r.terms {
		out.Columns = append(out.Columns, f.column)
	}
	if g.laws.elsewhere && lacking(t, out.Columns) {
		return out, nil
	}
	var cells []Suspicion
	w := newWalk(t, r.by, t.Rows)
	if r.by >= 0 && w.order == nil {
		return out, nil // the column holds something else here
	}
	if g.laws.elsewhere && r.scattered(w) {
		out.Text += " (not asked: the rows do not follow each other here, some are left out or they are sorted otherwise)"
		return out, nil
	}
	anew := r.anew(w)
	var plain []int // cells that no slip explains, and the next row does not bear out
	for k := 1; k < t.Rows; k++ {
		miss := r.misses(w, k)
		if miss != miss {
			continue
		}
		if out.Rows++; miss == 0 {
			continue
		}
		row := w.row(r, k)
		if copied, bridged := r.copied(g, w, k); copied >= 0 {
			out.Broken = append(out.Broken, copied)
			if bridged {
				k++ // that row follows the one before the copy
			}
			continue
		}
		next := r.misses(w, k+1)
		if math.Abs(next+miss) <= 2*r.limit(math.Abs(miss)+math.Abs(t.Columns[r.sum].Values[row])) {
			cells = append(cells, r.accuse(t, row, r.sum, t.Columns[r.sum].Values[row]-miss))
			out.Broken = append(out.Broken, row)
			k++ // that row is broken by the same cell
			continue
		}
		if anew(k, miss) {
			out.Rows--
			continue
		}
		if two := r.both(g, w, k); two != nil {
			if two[0].Slip == "" && two[1].Slip == "" {
				plain = append(plain, len(cells), len(cells)+1)
			}
			out.Broken, cells = append(out.Broken, row), append(cells, two...)
			k++ // as above
			continue
		}
		s := r.name(g, w, k, miss)
		out.Broken = append(out.Broken, s.Row)
		if s.Slip == "" {
			plain = append(plain, len(cells))
		}
		cells = append(cells, s)
	}
	slices.Sort(out.Broken)
	if g.laws.elsewhere && len(plain) >= fewestLeftOut && float64(len(plain)) > brokenSurely*float64(out.Rows) {
		for _, k := range plain {
			s := &cells[k]
			s.Certain, s.Doubt, s.P = false, true, max(s.P, float64(len(plain))/float64(out.Rows))
			s.Why += "; or rows are left out, as before many others here"
		}
	}
	return out, cells
}

// scatteredFrom is the share of steps that miss the law from which on the rows of a batch do not follow each other.
const scatteredFrom = 0.5

// fewestLeftOut is the number of steps of a batch, beyond a share of all, from which on those that no slip explains are gaps between its rows and not
// wrong amounts: a choice of the rows of a file.
const fewestLeftOut = 5

// scattered says that most steps of a batch miss the law: its rows are a choice of those of their file, or stand in another order, of which a law over the
// row before says nothing.
func (r *running) scattered(w *walk) bool {
	asked, missed := 0, 0
	for k := 1; k < w.rows; k++ {
		if miss := r.misses(w, k); miss == miss {
			if asked++; miss != 0 {
				missed++
			}
		}
	}
	return asked > 1 && float64(missed) > scatteredFrom*float64(asked)
}

// copied is the row that is there twice where the k-th breaks the law, or the one before it, and the law holds without it; -1: none. bridged says that the
// next row breaks it for the same reason. A copied entry is no wrong amount.
func (r *running) copied(g *guilt, w *walk, k int) (row int, bridged bool) {
	across := func(from, to int) bool { // the law holds from one row to another
		if from < 0 || to >= w.rows || !w.joined(w.row(r, to), w.row(r, from)) {
			return true
		}
		_, added, size := r.step(w, to)
		values := g.table.Columns[r.sum].Values
		step := values[w.row(r, to)] - values[w.row(r, from)]
		return math.Abs(step-added) <= r.limit(size+math.Abs(step))
	}
	row, before := w.row(r, k), w.row(r, k-1)
	switch {
	case g.copy(row) && across(k-1, k+1):
		return row, r.misses(w, k+1) != 0
	case g.copy(before) && across(k-2, k):
		return before, false
	}
	return -1, false
}

// name accuses the cell that makes the k-th row of a walk whole by the likeliest change: one of its terms, or the sum of the row before where that is the
// first, which nothing else is held against.
func (r *running) name(g *guilt, w *walk, k int, miss float64) (s Suspicion) {
	row, most := w.row(r, k), math.Inf(-1)
	for k, f := range r.terms {
		given := g.table.Columns[f.column].Values[row]
		d := g.column(f.column).description
		meant := given + miss/f.slope
		weight := distance(given, d) - distance(meant, d)
		if given != given {
			meant = miss / f.slope
			weight = -3 - distance(meant, d) // rather a wrong cell than an empty one
		}
		if d.below <= max(1, d.count/200) && meant < 0 {
			weight -= 3
		}
		if k == 0 || weight > most {
			most = weight
			s = r.accuse(g.table, row, f.column, meant)
		}
	}
	if k == 1 || !w.joined(w.row(r, k-1), w.row(r, k-2)) {
		first, d := w.row(r, k-1), g.column(r.sum).description
		given := g.table.Columns[r.sum].Values[first]
		if distance(given, d)-distance(given+miss, d) > most+levelWeights {
			return r.accuse(g.table, first, r.sum, given+miss)
		}
	}
	return s
}

// accuse says what a cell would have to be.
func (r *running) accuse(t *tolerant.Table, row, column int, meant float64) Suspicion {
	c := &t.Columns[column]
	slack := max(r.steps/2, float*math.Abs(meant))
	s := Suspicion{Row: row, Column: column, Certain: r.exceptions <= brokenSurely, P: 1e-9, Expected: meant, Low: meant - slack, High: meant + slack}
	if !s.Certain {
		s.P = r.exceptions
	}
	s.Slip = slip(c, c.Values[row], meant, s.Low, s.High)
	s.Why = fmt.Sprintf("%s is %s, but %s gives %s", words.Clip(c.Name), asWritten(t, row, column), r.text, amount(c, inDecimals(c, meant)))
	return s
}

// obeyed tells of which cells of a table the law can be asked and holds. A sum that begins is borne out by the row behind it.
func (r *running) obeyed(t *tolerant.Table) func(row, column int) bool {
	w := newWalk(t, r.by, t.Rows)
	anew, places := r.anew(w), w.places(r)
	begins := func(k int) bool {
		miss := r.misses(w, k)
		return k == 0 || miss != 0 && anew(k, miss) || k < t.Rows && !w.joined(w.row(r, k), w.row(r, k-1))
	}
	return func(row, column int) bool {
		k := places(row)
		holds := func(k int) bool { return r.misses(w, k) == 0 }
		if column == r.sum {
			if k+1 >= t.Rows || begins(k+1) {
				return holds(k)
			}
			return holds(k+1) && (holds(k) || begins(k))
		}
		return r.adds(column) && holds(k)
	}
}

// write makes the text.
func (r *running) write(t *tolerant.Table) {
	name := t.Columns[r.sum].Name
	r.text = name + " = " + name + " of the row "
	if r.by >= 0 {
		r.text += "with the same " + t.Columns[r.by].Name + " "
	}
	if r.upwards {
		r.text += "behind"
	} else {
		r.text += "before"
	}
	for _, f := range r.terms {
		sign := " + "
		if f.slope < 0 {
			sign = " - "
		}
		r.text += sign + t.Columns[f.column].Name
	}
}
