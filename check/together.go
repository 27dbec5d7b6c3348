package check

import (
	"fmt"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/internal/words"
)

// Group is rows that share what others do not have and are not called wrong one by one, but are something of their own together: those that
// break a law, that predictions miss, or that are far from the others. Whether they are another kind of rows or one mistake
// that was made throughout the table does not tell.
type Group struct {
	Text string // in one sentence
	Rows []int  // ascending

	member string // what a row of it is; empty: rows have words of their own
}

const (
	// groupFar is the share of the rows of a group that are far.
	groupFar = 0.5
	// groupApart is by how many spreads of the others a column sets a group apart at least.
	groupApart = 1.5
	// groupRows is how many rows are looked at for the column that sets a group apart.
	groupRows = 4000
	// eitherWay ends what is said of groups that may be wrong.
	eitherWay = "another kind of rows, or one mistake made throughout"
)

// oddKind is a kind of rows that predictions miss.
type oddKind struct {
	mark mark
	odd  []bool // by row: those that are missed
}

// groups tells of the rows that were acquitted because of what they share.
func (m *Model) groups(v *view, r *Result, found []candidate, far []farGroup) {
	var told where
	tell := func(k mark, text string, rows []int) {
		told = append(told, k)
		r.Groups = append(r.Groups, Group{text, rows, fmt.Sprintf("one of the %s with %s, which are far from the others together", words.Plural(len(rows), "row"), k.name(v.table))})
	}
	known := func(k mark) bool {
		return slices.ContainsFunc(told, func(o mark) bool {
			return o.column == k.column && o.sort == k.sort && bits(o.value) == bits(k.value)
		})
	}
	for _, e := range v.exceptions {
		rows, broken := e.mark.rows(v.table), 0
		for _, i := range rows {
			if e.breaks(i) {
				broken++
			}
		}
		if broken >= fewestMarked && !known(e.mark) {
			tell(e.mark, fmt.Sprintf("%s with %s break %s: %s.", ofAll(broken, len(rows)), e.mark.name(v.table), e.law, eitherWay), rows)
		}
	}
	for _, k := range v.odd {
		rows, odd := k.mark.rows(v.table), 0
		for _, i := range rows {
			if k.odd[i] {
				odd++
			}
		}
		if odd >= fewestMarked && !known(k.mark) {
			tell(k.mark, fmt.Sprintf("%s with %s do not fit what the other rows say%s: %s.", ofAll(odd, len(rows)), k.mark.name(v.table), m.missed(v.table, &k.mark, found), eitherWay), rows)
		}
	}
	r.Groups = append(r.Groups, v.alike...)
	extreme := func(row int) bool { return r.Part[row] == PartExtreme }
	s := &markSearch{table: v.table, least: groupFar, fewest: max(fewestMarked, int(kindRows*float64(r.Rows)))}
	for _, k := range s.marks(func(row int) (broken, asked bool) { return extreme(row), true }) {
		rows := k.rows(v.table)
		if !known(k) {
			tell(k, fmt.Sprintf("The %s with %s are a group of its own%s; far from the others, and not wrong for it.", words.Plural(len(rows), "row"), k.name(v.table), m.apartBy(v.table, rows)), rows)
		}
	}
	for _, g := range far {
		rows := g.members(v.table)
		right := 0
		for _, i := range rows {
			if !r.Wrong[i] {
				right++
			}
		}
		if right >= fewestMarked && 2*right > len(rows) && !slices.ContainsFunc(r.Groups, func(o Group) bool { return sharesMost(o.Rows, rows) }) {
			r.Groups = append(r.Groups, Group{Text: fmt.Sprintf("%s are far from the others: %s; %s.", words.Plural(len(rows), "row"), g.values(v.table), eitherWay), Rows: rows})
		}
	}
}

// ofAll words a count among others.
func ofAll(some, all int) string {
	if some == all {
		return fmt.Sprintf("All %s", words.Plural(all, "row"))
	}
	return fmt.Sprintf("%d of the %s", some, words.Plural(all, "row"))
}

// name is what the rows with a mark have: clerk "K7".
func (m *mark) name(t *tolerant.Table) string {
	switch {
	case m.sort != markIs || m.also != nil:
		return m.text(t)
	case m.value != m.value:
		return "no " + words.Clip(t.Columns[m.column].Name)
	}
	return words.Clip(t.Columns[m.column].Name) + " " + m.worded(t)
}

// rows are those that have a mark.
func (m *mark) rows(t *tolerant.Table) (rows []int) {
	for row := range t.Room().Rows(t.Rows, 2) {
		if m.has(t, row) {
			rows = spill.Append(t.Room(), rows, row)
		}
	}
	return rows
}

// missed names the column in which predictions miss most rows of a kind, with what it is and what was expected, in the middle.
func (m *Model) missed(t *tolerant.Table, k *mark, found []candidate) string {
	var values, expected = map[int][]float64{}, map[int][]float64{}
	most := -1
	for i := range found {
		c := &found[i]
		f := m.features[c.feature]
		if !k.has(t, c.row) || f.level >= 0 {
			continue
		}
		values[c.feature] = append(values[c.feature], t.Columns[f.column].Values[c.row])
		expected[c.feature] = append(expected[c.feature], f.change.Back(c.expected))
		if most < 0 || len(values[c.feature]) > len(values[most]) {
			most = c.feature
		}
	}
	if most < 0 {
		return ""
	}
	column := &t.Columns[m.features[most].column]
	is, should := univariate.Median(values[most]), univariate.Median(expected[most])
	if math.IsNaN(should) || math.IsInf(should, 0) {
		return ", most of all in " + words.Clip(column.Name)
	}
	text := fmt.Sprintf(", most of all in %s (about %s, where about %s was to be expected", words.Clip(column.Name), amount(column, inDecimals(column, is)), amount(column, inDecimals(column, should)))
	if slip := slip(column, is, should, math.NaN(), math.NaN()); slip != "" {
		text += ", " + slip
	}
	return text + ")"
}

// apartBy names the column that sets rows apart from the others, by the middles of both; empty where none does.
func (m *Model) apartBy(t *tolerant.Table, rows []int) string {
	best, most := -1, groupApart
	var middle, other float64
	inside := spill.Make[bool](t.Room(), t.Rows)
	defer spill.Free(inside)
	for _, i := range rows {
		inside[i] = true
	}
	for _, f := range m.features {
		if f.few || f.level >= 0 || t.Columns[f.column].Kind != tolerant.Number {
			continue
		}
		var own, others []float64
		for _, i := range rows {
			own = append(own, t.Columns[f.column].Values[i])
		}
		for _, i := range spacedRows(t.Rows, groupRows) {
			if !inside[i] {
				others = append(others, t.Columns[f.column].Values[i])
			}
		}
		own, others = sortedValues(own), sortedValues(others)
		if len(own) == 0 || len(others) == 0 {
			continue
		}
		a, b := quantile(own, 0.5), quantile(others, 0.5)
		if apart := math.Abs(f.change.Forward(a) - f.change.Forward(b)); apart > most {
			best, most, middle, other = f.column, apart, a, b
		}
	}
	if best < 0 {
		return ""
	}
	c := &t.Columns[best]
	return fmt.Sprintf(", set apart most of all by %s (about %s, the others %s)", words.Clip(c.Name), amount(c, inDecimals(c, middle)), amount(c, inDecimals(c, other)))
}

// members are the rows of a far group.
func (g farGroup) members(t *tolerant.Table) (rows []int) {
	for row, x := range spill.Each(t.Columns[g.column].Values) {
		if x > g.high || x < g.low {
			rows = spill.Append(t.Room(), rows, row)
		}
	}
	return rows
}

// values says what is far about a group.
func (g farGroup) values(t *tolerant.Table) string {
	c := &t.Columns[g.column]
	least, most := math.Inf(1), math.Inf(-1)
	for _, i := range g.members(t) {
		least, most = min(least, c.Values[i]), max(most, c.Values[i])
	}
	return fmt.Sprintf("%s is from %s to %s, theirs are %s", words.Clip(c.Name), amount(c, least), amount(c, most), g.others(c))
}

// sharesMost says that most of the rows of the one are rows of the other. Both ascend.
func sharesMost(a, b []int) bool {
	both := 0
	for _, i := range b {
		if _, in := slices.BinarySearch(a, i); in {
			both++
		}
	}
	return 2*both > len(b)
}

// member says what a row is as one of a group; empty where it is of none that has a name.
func (r *Result) member(row int) string {
	for k := range r.Groups {
		if _, in := slices.BinarySearch(r.Groups[k].Rows, row); in && r.Groups[k].member != "" {
			return r.Groups[k].member
		}
	}
	return ""
}
