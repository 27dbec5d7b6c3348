package check

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/words"
)

// A label may be decided by one number: A below 14 points, B below 20. A machine that sees all columns knows only about where such a border is,
// and doubts the right labels beside it; the rule itself knows them all.

const (
	// bandDoubted is the share of the labels that break it which the machine has to doubt as well: where other columns have a say they are right.
	bandDoubted = 0.6
	// bandOdd is the residual of the number, in standard deviations, from which on it may be the number that is wrong.
	bandOdd = 4
	// bandSoft is the chance of so many wrong labels beside borders below which classes overlap there.
	bandSoft = 0.05
)

// banded lets the rule of one number have the last word, where there is one: what keeps it is right, and what breaks it is wrong.
func (t *targetTable) banded(names []string, said []Suspicion) []Suspicion {
	var best *bands
	for _, f := range t.inputs {
		if f.level < 0 && t.v.table.Columns[f.column].Kind != tolerant.Boolean {
			if b := t.from.bandsOf(f, len(names)); b != nil && (best == nil || cmp.Or(cmp.Compare(b.wrong, best.wrong), cmp.Compare(len(b.list), len(best.list))) < 0) {
				best = b
			}
		}
	}
	if best == nil {
		return said
	}
	values := t.v.table.Columns[best.feature.column].Values
	place := make(map[int]int, len(t.rows)) // in t.rows
	for i, row := range t.rows {
		place[row] = i
	}
	var broken []int
	doubted := 0
	for i, row := range t.rows {
		if b := best.at(values[row]); b != nil && b.class != t.codes[i] && best.has(t.codes[i]) && values[row] >= b.low && values[row] <= b.high {
			if broken = append(broken, i); t.likely[i] != t.codes[i] {
				doubted++
			}
		}
	}
	if float64(doubted) < bandDoubted*float64(len(broken)) {
		return said
	}
	said = slices.DeleteFunc(said, func(s Suspicion) bool {
		i, known := place[s.Row]
		return known && best.allows(values[s.Row], t.codes[i])
	})
	at := make(map[int]int, len(said))
	for k, s := range said {
		at[s.Row] = k
	}
	odd := t.v.oddness(best.feature.column, t.column)
	for _, i := range broken {
		row := t.rows[i]
		b := best.at(values[row])
		if off, _ := odd(row, values[row]); off > bandOdd && !(t.v.obeyed != nil && t.v.obeyed(row, best.feature.column)) {
			continue
		}
		s := t.doubt(i, names[t.codes[i]], names[b.class], 0)
		number := &t.v.table.Columns[best.feature.column]
		s.Why = fmt.Sprintf("%s is %q, and rows with %s from %s to %s are %q", words.Clip(t.v.table.Columns[t.column].Name), names[t.codes[i]],
			words.Clip(number.Name), amount(number, b.low), amount(number, b.high), names[b.class])
		s.Called = true
		if k, known := at[row]; known {
			said[k] = s
		} else {
			said = append(said, s)
		}
	}
	slices.SortStableFunc(said, func(a, b Suspicion) int { return cmp.Compare(a.Row, b.Row) })
	return said
}

// bandsOf is the rule by which a number decides the label; nil where it does not.
func (t *targetTable) bandsOf(f feature, classes int) *bands {
	values := t.v.table.Columns[f.column].Values
	var rows []numbered
	for _, i := range t.taught {
		if v := values[t.rows[i]]; v == v {
			rows = append(rows, numbered{v, t.codes[i]})
		}
	}
	if len(rows) < FewestTargets {
		return nil
	}
	slices.SortStableFunc(rows, func(a, b numbered) int { return cmp.Compare(a.value, b.value) })
	r, _ := newBands(rows, classes, bandSoft)
	if r != nil {
		r.feature = f
	}
	return r
}

// oddness is by how many standard deviations a value does not fit the rest of its row but for one column, or its own column, so that it may be wrong in
// place of a word, and by how many any cell of the row does not fit then; 0 where nobody knows.
func (v *view) oddness(column, without int) func(row int, value float64) (own, all float64) {
	at := slices.IndexFunc(v.features, func(o feature) bool { return o.column == column && o.level < 0 })
	if at < 0 || v.predict == nil || v.features[at].few {
		return func(int, float64) (float64, float64) { return 0, 0 }
	}
	d := len(v.features)
	z, y, residual := mat.NewDense(1, d, nil), mat.NewDense(1, d, nil), mat.NewDense(1, d, nil)
	return func(row int, value float64) (own, all float64) {
		fill(z.RawRowView(0), v.table, v.features, row)
		for j := range v.features {
			if v.features[j].column == without {
				z.Set(0, j, math.NaN())
			}
		}
		z.Set(0, at, v.features[at].forward(value))
		v.predict.rows(z, y, residual, nil)
		for j, e := range residual.RawRowView(0) {
			if e == e && v.features[j].judged() {
				all = max(all, math.Abs(e))
			}
		}
		own = max(math.Abs(residual.At(0, at)), math.Abs(z.At(0, at)))
		return own, max(own, all)
	}
}
