package check

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/inlier-ml/inlier/internal/words"
)

// followByRight is the chance of so many rows of one band that break a law, beside those of the others, below which they do so by right: mistakes come in all
// bands, and a bank that asks for a score of 600 may refuse others as well.
const followByRight = 1e-4

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
		for i, s := range found {
			s.Certain, s.P = true, 1e-9
			if k := bands[i]; share > brokenSurely && !g.laws.elsewhere { // what is probable on either side of a border is no law
				s.Certain, s.P = false, max(orderMostlyP, share)
			} else if k >= 0 && !g.laws.elsewhere {
				usual := (floats.Sum(broken) - broken[k] + 0.5) / (floats.Sum(asked) - asked[k] + 1)
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

const (
	// followOdd is how odd a number is at least that is guilty of a broken law, and followOdder one that is named first.
	followOdd, followOdder = 3, 2
)

// followBlame names the guilty cells of rows that break a law. A number is guilty that is odd beside the rest of its row, or by which two words do not
// follow; it is right where another law bears it out, and where no number with which the word would follow fits the rest of the row. Then the word is wrong;
// otherwise nobody knows, and both are named.
func (g *guilt) followBlame(f *follows, accused map[place]bool) func(row int, b *band) (cells []Suspicion, number bool) {
	t, columns := g.table, f.columns()[1:]
	obeyed := g.laws.obeyed(t)
	var alike []*follows // from the same source
	for k := range g.laws.follows {
		if o := &g.laws.follows[k]; o.source == f.source {
			alike = append(alike, o)
		}
	}
	odd, step := map[int]func(int, float64) (own, all float64){}, math.NaN()
	for _, c := range columns {
		odd[c] = g.laws.odd(c, f.word)
	}
	return func(row int, b *band) (cells []Suspicion, number bool) {
		at := func(c int) float64 { return t.Columns[c].Values[row] }
		said := func(c int, why string) Suspicion {
			return Suspicion{Row: row, Column: c, Expected: math.NaN(), Low: math.NaN(), High: math.NaN(),
				Why: fmt.Sprintf("%s is %s, %s: %s", words.Clip(t.Columns[c].Name), asWritten(t, row, c), why, f.text)}
		}
		named, first, because := []explanation{{column: f.word}}, 0, ""
		var guilty Suspicion
		worst := float64(followOdd)
		for k, c := range columns {
			if doubt, is := accused[place{row, c}]; is && !doubt {
				return nil, true
			}
			x := at(c)
			if k > 0 {
				because += " and "
			}
			because += words.Clip(t.Columns[c].Name) + " is " + asWritten(t, row, c)
			against := said(c, "which does not go with "+words.Clip(t.Columns[f.word].Name)+" "+amount(&t.Columns[f.word], at(f.word)))
			breaks := func(v float64) (count int) { // how many laws another value breaks
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
			own, all, least, may := 0.0, 0.0, math.Inf(1), f.sort == fromBeing
			if x == x {
				own, all = odd[c](row, x)
			}
			var others []float64 // with which the word may follow
			switch f.sort {
			case fromHour, fromWeekday:
				if step != step {
					step = stepOf(t.Columns[c].Values)
				}
				if may = !betweenStamps(t.Columns[c].Values, row, step); may {
					least = 0
				}
			case fromOrder:
				others = append(others, at(f.a+f.b-c))
			case fromValue:
				for _, o := range alike {
					for _, b := range o.rule.list {
						others = append(others, max(b.low, b.first), min(b.high, b.last))
					}
				}
			}
			for _, v := range others {
				if f.sort == fromOrder || breaks(v) == 0 {
					_, then := odd[c](row, v)
					least = min(least, then)
				}
			}
			if may = may || least <= cut || all > cut && !math.IsInf(least, 1); x == x && obeyed(row, c) {
				continue
			}
			if again := may && len(alike) > 1 && breaks(x) > 1; again || own > worst && least < all {
				if guilty, worst = against, max(worst, own); again {
					worst = math.Inf(1)
				}
				guilty.Doubt = worst <= possible
			}
			if may {
				if cells, named = append(cells, against), append(named, explanation{column: c}); own > followOdder {
					first = len(cells)
				}
			}
		}
		if worst > followOdd {
			return []Suspicion{guilty}, true
		}
		word, meant := said(f.word, "but "+because), -1
		for w, class := range f.class {
			if class == b.class {
				word.Doubt, meant = meant >= 0, w
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
		cells[0], cells[first] = cells[first], cells[0]
		return cells, false
	}
}
