package check

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/linalg"
)

const (
	// A far value that comes again exactly so often, and in this share of the rows, is one of a group.
	againCount, againShare = 4, 0.01
	// A group beyond a gap of so many widths of the rest, of at most this share of the rows, is far.
	gapWidths, gapShare = 5, 0.25
	// possible is the transformed value up to which an expected one is believed.
	possible = 6
)

// acquit takes cells off the list of the suspicious: those whose law holds in their row, as a single wrong
// cell would have broken it, and those whose far value comes again and again, as what many rows have is
// no slip. They may still be far out.
func (m *Model) acquit(v *view, l *looks, found []candidate) {
	if m.predict != nil {
		m.populations(v, l, found)
	}
	if len(found) == 0 {
		return
	}
	m.reversals(v, l, found)
	again := m.again(v.table, found)
	defer spill.Free(again)
	q := &acquitting{Model: m, view: v, looks: l, straightly: m.straightly(v), piles: eachOnce(len(v.table.Columns), m.pileOf),
		steps: eachOnce(len(v.table.Columns), func(column int) float64 { return stepOf(v.table.Columns[column].Values) })}
	const stretch = 1 << 12
	from := func(k int) int { // the first of a row
		at := min(k*stretch, len(found))
		for at > 0 && at < len(found) && found[at].row == found[at-1].row {
			at++
		}
		return at
	}
	linalg.Parallel((len(found)+stretch-1)/stretch, func(k int) { q.rows(found[from(k):from(k+1)], again[from(k):from(k+1)]) })
}

// acquitting is what the candidates of rows are looked at with.
type acquitting struct {
	*Model
	*view
	*looks
	straightly func(c *candidate) bool
	piles      func(column int) pile
	steps      func(column int) float64 // usual ones of columns of dates
}

// rows takes cells of some rows off the list.
func (q *acquitting) rows(found []candidate, again []bool) {
	m, v, l := q.Model, q.view, q.looks
	tests, own := float64(max(m.judged, 1)), newOneRow(len(m.features))
	for from, last := 0, 0; from < len(found); {
		row, free, least := found[from].row, 0, 1.0
		v.table.Room().Reached(&last, row, len(m.features))
		end := from
		accused := 0 // cells whose law holds: two that were exchanged keep it
		for ; end < len(found) && found[end].row == row; end++ {
			c := &found[end]
			if v.obeyed != nil && v.obeyed(row, m.features[c.feature].column) {
				accused++
			}
		}
		sensible := slices.ContainsFunc(found[from:end], func(c candidate) bool { return math.Abs(c.expected) <= possible })
		for k := from; k < end; k++ {
			c := &found[k]
			if v.inLine != nil && v.inLine(row, m.features[c.feature].column) || tests*c.verified < suspicious && q.straightly(c) {
				c.verified = 1
				free++
			}
			if sensible && math.Abs(c.expected) > possible {
				c.verified = 1 // it would have to be what no value is: another cell is wrong
			}
			if again[k] && tests*c.margin < suspicious || accused == 1 && v.obeyed(row, m.features[c.feature].column) {
				c.verified = 1
				free++
			}
			column := m.features[c.feature].column
			if at := &v.table.Columns[column]; at.Kind == tolerant.Date && c.verified < 1 && len(at.Values) == v.table.Rows {
				if betweenStamps(at.Values, row, q.steps(column)) {
					c.verified = 1
					free++
				}
			}
			c.verified = max(c.verified, q.piles(column).p(v.table.Columns[column].Values[row]))
			least = min(least, tests*c.verified)
		}
		if l.verified[row] = least; free == end-from {
			l.joint[row] = 1 // nothing else is odd about the row
		} else if free > 0 && l.joint[row] < suspicious {
			l.joint[row] = m.jointBut(v, row, own, func(f int) bool {
				return slices.ContainsFunc(found[from:end], func(c candidate) bool { return c.feature == f && c.verified == 1 })
			})
		}
		from = end
	}
}

// jointBut is the chance of a row's residuals together but for those of features that something vouches for.
func (m *Model) jointBut(v *view, row int, own *oneRow, vouched func(feature int) bool) float64 {
	fill(own.z.RawRowView(0), v.table, m.features, row)
	m.predict.rows(own.z, own.y, own.residual, nil)
	residual := own.residual.RawRowView(0)
	for j := range residual {
		if vouched(j) {
			residual[j] = 0
		}
	}
	return m.joint.p(m.together(residual))
}

// again tells of which candidates the value comes again and again among the rows that were learned
// from. Numbers that stand for a missing value do so too, and are wrong; 0 may be one of them.
func (m *Model) again(t *tolerant.Table, found []candidate) []bool {
	out := spill.Make[bool](t.Room(), len(found))
	value := func(c *candidate) float64 { return t.Columns[m.features[c.feature].column].Values[c.row] }
	learned := float64(len(m.view.sample))
	least := max(againCount, againShare*learned)
	counts, suspected := make([]map[float64]int, len(m.features)), make([]map[float64]int, len(m.features))
	last := 0
	for k := range found {
		t.Room().Reached(&last, found[k].row, len(m.features))
		j := found[k].feature
		if counts[j] == nil {
			counts[j], suspected[j] = map[float64]int{}, map[float64]int{}
			for _, v := range pick(m.view.table.Columns[m.features[j].column].Values, m.view.sample) {
				if v == v {
					counts[j][v]++
				}
			}
			maps.DeleteFunc(counts[j], func(_ float64, n int) bool { return float64(n) < least })
		}
		if len(counts[j]) > 0 {
			if x := value(&found[k]); counts[j][x] > 0 {
				suspected[j][x]++
			}
		}
	}
	for k := range found {
		if len(counts[found[k].feature]) == 0 {
			continue
		}
		t.Room().Reached(&last, found[k].row, len(m.features))
		x := value(&found[k])
		count := float64(counts[found[k].feature][x])
		// Where most of the others fit their rows the value is right there and not here.
		alike := float64(suspected[found[k].feature][x])/float64(t.Rows) >= count/learned/2
		out[k] = count >= least && alike && x != 0 && !sentinel(x) && !sameDigits(x)
	}
	return out
}

// sameDigits says that a number is written with one digit, three times or more: 8888.
func sameDigits(x float64) bool {
	text := fmt.Sprint(math.Abs(x))
	return len(text) >= 3 && text == string(slices.Repeat([]byte{text[0]}, len(text)))
}

// farGroup are values of a column far beyond all others: nobody's neighbours but each other's.
type farGroup struct {
	column    int
	low, high float64 // values above low and below high are those of the others
	rows      int
}

// farGroups finds columns in which a few rows lie beyond a gap that is wide beside the width of the
// rest. Whether they are wrong or another kind of rows no table can tell.
func (m *Model) farGroups() (out []farGroup) {
	v := m.view
	for _, f := range m.features {
		if f.few || f.level >= 0 {
			continue
		}
		values := pick(v.table.Columns[f.column].Values, v.sample)
		for i, x := range values {
			values[i] = bounded(x)
		}
		sorted := sortedValues(values)
		n := len(sorted)
		most := int(gapShare * float64(n))
		if n < 20 {
			continue
		}
		middle := sorted[n/2]
		g := farGroup{column: f.column, low: math.Inf(-1), high: math.Inf(1)}
		// Where most rows share the middle value the few beside it within the gap are no width: they must be as
		// many as those beyond.
		lower, _ := slices.BinarySearch(sorted, middle)
		upper, _ := slices.BinarySearch(sorted, math.Nextafter(middle, math.Inf(1)))
		for k := 2; k <= min(most, (n-upper)/2); k++ { // so many rows beyond the gap
			if inner := sorted[n-k-1] - middle; inner > 0 && sorted[n-k]-sorted[n-k-1] > gapWidths*inner {
				g.high, g.rows = sorted[n-k-1], g.rows+k
				break
			}
		}
		for k := 2; k <= min(most, lower/2); k++ {
			if inner := middle - sorted[k]; inner > 0 && sorted[k]-sorted[k-1] > gapWidths*inner {
				g.low, g.rows = sorted[k], g.rows+k
				break
			}
		}
		if g.rows > 0 {
			out = append(out, g)
		}
	}
	return out
}

// far is the first group that a row belongs to; none where there is none.
func far(groups []farGroup, t *tolerant.Table, row int) (farGroup, bool) {
	for _, g := range groups {
		if x := t.Columns[g.column].Values[row]; x > g.high || x < g.low {
			return g, true
		}
	}
	return farGroup{}, false
}

// why says what is far about a row of the group.
func (g farGroup) why(t *tolerant.Table, row int) string {
	c := &t.Columns[g.column]
	return fmt.Sprintf("one of %d rows far from the others: %s is %s, theirs are %s", g.rows, c.Name, amount(c, c.Values[row]), g.others(c))
}

// others says where the values of the others lie.
func (g farGroup) others(c *tolerant.Column) string {
	switch {
	case g.low > math.Inf(-1) && g.high < math.Inf(1):
		return "from " + amount(c, g.low) + " to " + amount(c, g.high)
	case g.high < math.Inf(1):
		return "up to " + amount(c, g.high)
	}
	return "above " + amount(c, g.low)
}
