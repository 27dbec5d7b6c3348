package check

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/inlier-ml/inlier/internal/words"
)

// followByRight is the chance of so many rows of one band that break a law, beside those of the others, below which they do so by right: mistakes come in all
// bands, and a bank that asks for a score of 600 may refuse others as well.
const followByRight = 0.001

// judgeFollows lists the rows whose word does not follow, with the guilty cell of each where one is known.
func (g *guilt) judgeFollows(said []Suspicion) (relations []Relation, cells []Suspicion) {
	accused := map[place]bool{} // whether in doubt
	for _, s := range said {
		if s.Certain || s.P < surely {
			accused[place{s.Row, s.Column}] = s.Doubt
		}
	}
	for k := range g.laws.follows {
		f := &g.laws.follows[k]
		asked, broken := make([]float64, len(f.rule.list)), make([]float64, len(f.rule.list))
		r := Relation{Text: f.text + f.except.text(g.table), Columns: f.columns()}
		if f.sort != fromBeing {
			r.keeps = func(at func(int) float64) bool { _, broken := f.broken(at); return !broken }
		}
		blame := g.followBlame(f, accused)
		var found []Suspicion
		var bands []int // of what was found; -1: the number is guilty
		row := 0
		at := func(c int) float64 { return g.table.Columns[c].Values[row] }
		for row = range g.table.Rows {
			b, is := f.broken(at)
			if b == nil || is && f.except.has(g.table, row) {
				continue
			}
			band := slices.IndexFunc(f.rule.list, func(o band) bool { return o.first == b.first })
			r.Rows++
			asked[band]++
			if !is {
				continue
			}
			r.Broken = append(r.Broken, row)
			of, number := blame(row, b)
			if broken[band]++; number {
				broken[band]--
				band = -1
			}
			for _, s := range of {
				found, bands = append(found, s), append(bands, band)
			}
		}
		share := float64(len(r.Broken)) / float64(max(r.Rows, 1))
		if !g.laws.elsewhere && share > bandWrong {
			continue
		}
		relations = append(relations, r)
		sum := func(of []float64) (all float64) {
			for _, v := range of {
				all += v
			}
			return all
		}
		for i, s := range found {
			s.Certain, s.P = true, 1e-9
			if k := bands[i]; k >= 0 && !g.laws.elsewhere {
				usual := (sum(broken) - broken[k] + 0.5) / (sum(asked) - asked[k] + 1)
				if chance := 1 - (distuv.Poisson{Lambda: usual * asked[k]}).CDF(broken[k]-1); broken[k] > 1 && chance < followByRight {
					s.Certain, s.P = false, max(orderMostlyP, broken[k]/asked[k])
				}
			}
			if g.laws.elsewhere && share > mostlyBroken && len(r.Broken) >= fewestMarked {
				s.Doubt = true
			}
			cells = append(cells, s)
		}
	}
	return relations, cells
}

// followBlame names the guilty cells of rows that break a law. A number is guilty that is odd beside the rest of its row, or by which two words do not
// follow; it is right where another law bears it out, and where no number with which the word would follow fits the rest of the row. Then the word is wrong;
// otherwise nobody knows, and both are named.
func (g *guilt) followBlame(f *follows, accused map[place]bool) func(row int, b *band) (cells []Suspicion, number bool) {
	t := g.table
	obeyed := g.laws.obeyed(t)
	var alike []*follows // from the same source
	for k := range g.laws.follows {
		if o := &g.laws.follows[k]; o.source == f.source {
			alike = append(alike, o)
		}
	}
	odd := map[int]func(int, float64) bool{}
	for _, c := range f.columns()[1:] {
		odd[c] = g.laws.odd(c, f.word)
	}
	step := math.NaN()
	return func(row int, b *band) (cells []Suspicion, number bool) {
		at := func(c int) float64 { return t.Columns[c].Values[row] }
		breaks := func(c int, v float64) (count int) { // laws that break with another value
			for _, o := range alike {
				if _, is := o.broken(func(other int) float64 {
					if other == c {
						return v
					}
					return at(other)
				}); is {
					count++
				}
			}
			return count
		}
		said := func(c int, why string) Suspicion {
			return Suspicion{Row: row, Column: c, Expected: math.NaN(), Low: math.NaN(), High: math.NaN(),
				Why: fmt.Sprintf("%s is %s, %s: %s", words.Clip(t.Columns[c].Name), asWritten(t, row, c), why, f.text)}
		}
		named := []explanation{{column: f.word}}
		for _, c := range f.columns()[1:] {
			x := at(c)
			against := said(c, "which does not go with "+words.Clip(t.Columns[f.word].Name)+" "+amount(&t.Columns[f.word], at(f.word)))
			if doubt, is := accused[place{row, c}]; is && !doubt {
				return nil, true
			}
			if x == x && odd[c](row, x) {
				for _, p := range powers {
					if v := x / p.factor; f.sort == fromValue && breaks(c, v) == 0 && !odd[c](row, v) {
						if against.Slip, against.Expected, against.Low, against.High = p.text, v, v, v; against.Slip != "" && number {
							against.Slip, against.Expected, against.Low, against.High = "", math.NaN(), math.NaN(), math.NaN()
							break
						}
						number = true
					}
				}
				return []Suspicion{against}, true
			}
			var others []float64 // with which the word would follow
			switch f.sort {
			case fromValue:
				for _, o := range alike {
					for _, b := range o.rule.list {
						others = append(others, max(b.low, b.first), min(b.high, b.last))
					}
				}
			case fromOrder:
				others = append(others, at(f.a+f.b-c))
			}
			least, now, fits := math.MaxInt, breaks(c, x), false
			for _, v := range others {
				if _, is := f.broken(func(other int) float64 {
					if other == c {
						return v
					}
					return at(other)
				}); !is || f.sort == fromOrder {
					least = min(least, breaks(c, v))
					fits = fits || !odd[c](row, v)
				}
			}
			if f.sort == fromHour || f.sort == fromWeekday {
				if step != step {
					step = stepOf(t.Columns[c].Values)
				}
				fits = !betweenStamps(t.Columns[c].Values, row, step)
			}
			if now > 1 && least == 0 && f.sort == fromValue {
				return []Suspicion{against}, true
			}
			if f.sort == fromBeing || fits && !(x == x && obeyed(row, c)) && !(f.sort == fromValue && least > 0) {
				cells, named = append(cells, against), append(named, explanation{column: c})
			}
		}
		because := ""
		for k, c := range f.columns()[1:] {
			if k > 0 {
				because += " and "
			}
			because += words.Clip(t.Columns[c].Name) + " is " + asWritten(t, row, c)
		}
		word := said(f.word, "but "+because)
		meant := -1
		for w, class := range f.class {
			if class == b.class {
				if meant >= 0 {
					word.Doubt = true
				}
				meant = w
			}
		}
		if !word.Doubt && meant >= 0 {
			word.Level = t.Columns[f.word].Levels[meant]
		}
		cells = slices.Insert(cells, 0, word)
		if len(cells) > 1 {
			for i := range cells {
				cells[i].inDoubt(t, named, cells[i].Column)
			}
		}
		return cells, false
	}
}
