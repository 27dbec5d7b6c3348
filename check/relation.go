package check

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/words"
)

// Relation is a law that most rows of a table obey.
type Relation struct {
	Text    string // as a person writes it: "total = net + vat"
	Columns []int  // of the table
	Rows    int    // in which it can be asked
	Broken  []int  // the rows that break it, ascending
	// Implied says that others of the list say the same together.
	Implied bool
	// keeps asks whether values by column obey it; nil: it cannot be asked of a row alone.
	keeps func(at func(column int) float64) bool
}

// laws are the relations that were learned from a table; they can be asked of another.
type laws struct {
	equations []equation
	orders    []order
	deciding  []deciding
	follows   []follows
	running   []running
	// Steps of the columns' rounding and their spreads, by column of the table.
	steps, spreads []float64
	// alike are rows that obey a second law.
	alike []Group
	// copies are rows that break a running sum since they are there twice, and the rows that they are copies of.
	copies map[int]int
	// fit is how badly the cells of a row agree with a value of a column, in transformed units; nil: nobody knows.
	fit func(row, column int, value float64) float64
	// odd is by how many standard deviations a value of a column would be odd in a row, whatever another column says, and any cell of the row beside it.
	odd func(column, without int) func(row int, value float64) (own, all float64)
	// elsewhere says that the laws were learned from another table than the one that is judged.
	elsewhere bool
}

const (
	// brokenAtMost is the share of rows that may break an equation that is still one.
	brokenAtMost = 0.15
	// brokenSurely is the share up to which a row that breaks an exact equation is wrong; beyond,
	// the equation has exceptions by right.
	brokenSurely = 0.05
)

// relations is the part that looks for laws and for the rows that break them.
func relations(ctx context.Context, v *view) (Evidence, error) {
	from, learned := v.table, v.laws
	if v.learned != nil {
		from = v.learned
	}
	if learned == nil {
		var err error
		if learned, err = learnLaws(ctx, from, v.settings.Seed); err != nil {
			return Evidence{}, err
		}
	}
	l := *learned // counts of its own
	l.equations = slices.Clone(l.equations)
	l.follows = slices.DeleteFunc(slices.Clone(l.follows), func(f follows) bool {
		return from.Columns[f.word].Name == v.settings.Target || lacking(v.table, f.columns()) // of which its own part tells
	})
	l.elsewhere, l.fit, l.odd = from != v.table, v.fit(), v.oddness
	found, all, err := l.judge(ctx, v.table)
	v.relations, v.obeyed, v.alike = all, l.obeyed(v.table), l.alike
	for k := range l.equations {
		v.kinds = append(v.kinds, l.equations[k].except)
	}
	for k := range l.orders {
		v.kinds = append(v.kinds, l.orders[k].except)
	}
	v.exceptions, v.copies = l.exceptions(v.table), l.copies
	return found, err
}

// learnLaws finds the relations of a table by a sample of its rows.
func learnLaws(ctx context.Context, t *tolerant.Table, seed uint64) (*laws, error) {
	s := newRelationSample(t)
	l := &laws{steps: s.all.steps, spreads: s.all.spreads}
	found, err := findSums(ctx, s)
	if err != nil {
		return nil, err
	}
	found, err = findLinear(ctx, s, found, seed)
	if err != nil {
		return nil, err
	}
	if found, err = findProducts(ctx, s, found); err != nil {
		return nil, err
	}
	if found, err = findSumsOfProducts(ctx, s, found); err != nil {
		return nil, err
	}
	found, err = findDates(ctx, s, s.takeMostly(found))
	if err != nil {
		return nil, err
	}
	for _, e := range found {
		e.write(t)
		l.equations = append(l.equations, e)
	}
	l.markImplied()
	for k := range l.equations {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l.equations[k].learnExceptions(t, l)
	}
	if l.running, err = findRunning(ctx, s); err != nil {
		return nil, err
	}
	for k := range l.running {
		l.running[k].write(t)
	}
	if l.orders, err = findOrders(ctx, t, l.together); err != nil {
		return nil, err
	}
	if l.deciding, err = findDeciding(ctx, t, l.together); err != nil {
		return nil, err
	}
	l.follows, err = findFollows(ctx, t)
	l.saidOnce()
	return l, err
}

// together says that two columns are bound by equations, which say all there is to say of them.
func (l *laws) together(a, b int) bool {
	reached := []int{a}
	for i := 0; i < len(reached); i++ {
		for k := range l.equations {
			c := l.equations[k].columns()
			if l.equations[k].mostly || !slices.Contains(c, reached[i]) {
				continue
			}
			for _, next := range c {
				if !slices.Contains(reached, next) {
					reached = append(reached, next)
				}
			}
		}
	}
	return slices.Contains(reached, b)
}

// judge holds all rows of a table against the laws. Relations that turn out to be broken by many
// rows are dropped, unless they were learned elsewhere: then it is the rows that are wrong.
func (l *laws) judge(ctx context.Context, t *tolerant.Table) (Evidence, []Relation, error) {
	out := Evidence{Part: PartRelation}
	var relations []Relation
	broken, askedOf := make([][]int, len(l.equations)), make([]int, len(l.equations))
	for k := range l.equations {
		if err := ctx.Err(); err != nil {
			return out, nil, err
		}
		broken[k], askedOf[k] = l.equations[k].broken(t, l)
	}
	l.sparedImplied(t, broken)
	excused := l.excuse(t, broken)
	var kept []int
	for k := range l.equations {
		e, rows, asked := &l.equations[k], broken[k], askedOf[k]
		if !l.elsewhere {
			most := brokenAtMost
			if e.mostly {
				most = mostlyBroken
			}
			if asked < fewestRelated || float64(len(rows)) > most*float64(asked) {
				continue
			}
			if e.exceptions = brokenShare(len(rows), asked); e.mostly && len(e.except) == 0 { // however few are left when those of a second law are excused
				e.exceptions = max(e.exceptions, 2*brokenSurely)
			}
		}
		kept = append(kept, k)
		text, all := e.text+e.except.text(t), slices.Sorted(slices.Values(slices.Concat(rows, excused[k])))
		if share := float64(len(all)) / float64(asked); share > brokenAtMost {
			text += fmt.Sprintf(" in %.0f %% of the rows", 100*(1-share))
		}
		relations = append(relations, Relation{Text: text, Columns: e.columns(), Rows: asked, Broken: all, Implied: e.implied, keeps: l.keeps(e)})
	}
	out.Cells = append(l.blame(t, kept, broken), l.lessSure(t, kept, excused)...)
	out.Cells = append(out.Cells, l.wordsAgainst(t, kept)...)
	for k := range out.Cells {
		l.throughout(&out.Cells[k], kept, broken, askedOf)
	}
	g := &guilt{laws: l, table: t, about: map[int]*suspected{}}
	for k := range l.running {
		r, cells := l.running[k].judge(g)
		if l.elsewhere || float64(len(r.Broken)) <= brokenAtMost*float64(r.Rows) {
			relations = append(relations, r)
			out.Cells = append(out.Cells, cells...)
		} else {
			l.copies = nil
		}
	}
	g.kept = kept
	orders, of := g.judgeOrders(out.Cells)
	relations, out.Cells = append(relations, orders...), append(out.Cells, of...)
	if g.again != nil {
		g.again.free()
	}
	ruled, cells := g.judgeFollows(out.Cells)
	relations, out.Cells = append(relations, ruled...), append(out.Cells, cells...)
	var settled []decided
	for _, d := range l.deciding {
		if err := ctx.Err(); err != nil {
			return out, nil, err
		}
		r, of := d.judge(t)
		relations = append(relations, r)
		settled = append(settled, of)
	}
	out.Cells = append(out.Cells, g.decide(settled)...)
	slices.SortStableFunc(out.Cells, func(a, b Suspicion) int { return cmp.Compare(a.Row, b.Row) })
	if l.elsewhere { // a batch that lacks a column of a law says nothing about it
		relations = slices.DeleteFunc(relations, func(r Relation) bool { return lacking(t, r.Columns) })
	}
	return out, relations, nil
}

// throughout leaves a cell to a person that breaks a law learned elsewhere with most rows here: they are in another unit, or of another kind.
func (l *laws) throughout(s *Suspicion, kept []int, broken [][]int, asked []int) {
	for _, k := range kept {
		if n := len(broken[k]); l.elsewhere && float64(n) > mostlyBroken*float64(asked[k]) && n >= fewestMarked && slices.Contains(l.equations[k].columns(), s.Column) {
			if _, is := slices.BinarySearch(broken[k], s.Row); is {
				s.Doubt = true
				s.Why += fmt.Sprintf("; but %d of %s here break that law", n, words.Plural(asked[k], "row"))
				return
			}
		}
	}
}

// keeps asks an equation of values that may be missing.
func (l *laws) keeps(e *equation) func(at func(column int) float64) bool {
	return func(at func(column int) float64) bool {
		difference, limit := l.misses(e, at)
		return !(math.Abs(difference) > limit)
	}
}

// surelyRows is the number of rows from which on the share of those that break a law is taken as it is.
const surelyRows = 20

// brokenShare is the share of rows that break a law, of few rows a little more.
func brokenShare(broken, asked int) float64 {
	if asked >= surelyRows {
		return float64(broken) / float64(asked)
	}
	return float64(broken+1) / float64(asked+2)
}

// relationSample is the numeric columns of some rows, each in its own unit and in robustly
// standardised form.
type relationSample struct {
	table   *tolerant.Table
	columns []int // of the table
	place   []int // of the table's columns among these; -1: none
	rows    []int
	values  [][]float64 // by column, one per sampled row
	z       [][]float64 // the same, standardised; NaN where missing or absurd
	centres []float64
	spreads []float64
	reach   []float64 // how far values lie from each other: where most agree, the others from these
	steps   []float64 // of the columns' rounding; 0: none seen, or values that are exact
	modes   []float64 // the value of a fifth of the rows or more; NaN: none
	few     []bool    // at most two values: takes part only beside others
	// all is the same by column of the table.
	all     struct{ spreads, steps, modes []float64 }
	scratch []int
	mostly  []equation // that too many rows break for a law of all
	spent   int        // candidates looked at closely by the present search
	// extended is how many of them, in all searches, were held against every other column.
	extended int
}

const (
	// relationRows is how many rows relations are looked for in.
	relationRows = 1000
	// fewestRelated rows can tell of a relation.
	fewestRelated = 10
	// mostCandidates are looked at closely by each of the searches.
	mostCandidates = 2000
	mostExtended   = 200
	// absurd is how many spreads from the middle a value takes no part in the search.
	absurd = 1e5
)

func newRelationSample(t *tolerant.Table) *relationSample {
	s := &relationSample{table: t, rows: spacedRows(t.Rows, relationRows)}
	d := len(t.Columns)
	s.all.spreads, s.all.steps, s.all.modes = make([]float64, d), make([]float64, d), make([]float64, d)
	s.place = slices.Repeat([]int{-1}, len(t.Columns))
	for c := range t.Columns {
		column := &t.Columns[c]
		if column.Kind != tolerant.Number && !column.Lap() || len(column.Values) == 0 {
			continue
		}
		values := pick(column.Values, s.rows)
		d := describe(values)
		if d.distinct < 2 || d.count < fewestRelated {
			continue
		}
		z := make([]float64, len(values))
		for i, v := range values {
			if z[i] = (v - d.centre) / d.spread; !(math.Abs(z[i]) <= absurd) {
				z[i] = math.NaN()
			}
		}
		s.place[c] = len(s.columns)
		s.columns = append(s.columns, c)
		s.values = append(s.values, values)
		s.z = append(s.z, z)
		s.centres = append(s.centres, d.centre)
		s.spreads = append(s.spreads, d.spread)
		s.reach = append(s.reach, d.reach(values))
		// Coarse steps are those of counts and lists, which are exact.
		if d.step > 0.05*d.spread {
			d.step = 0
		}
		s.steps = append(s.steps, d.step)
		s.modes = append(s.modes, d.mode)
		s.few = append(s.few, d.distinct <= 2)
		s.all.spreads[c], s.all.steps[c], s.all.modes[c] = d.spread, d.step, d.mode
	}
	return s
}
