package check

import (
	"slices"
	"strings"
)

// A sensor that stands still breaks the laws that its column has a part in, row by row. The other cells of these laws are right.

// stoodStill is a stretch of rows in which a column stands still.
type stoodStill struct {
	rows []int
	why  string
}

// brokenWhileStill is the share of such a stretch that breaks a law at least: what stands still by right breaks one now and then.
const brokenWhileStill = 0.3

// stretches are those of cells that stand still.
func (l *lister) stretches() map[place]*stoodStill {
	if l.stuck == nil {
		l.stuck = map[place]*stoodStill{}
		var last *stoodStill
		for k := range l.result.Found {
			for _, s := range l.result.Found[k].Cells {
				if s.Slip != slipStuck || l.result.Found[k].Part != PartTime {
					continue
				}
				if last == nil || last.why != s.Why {
					last = &stoodStill{why: s.Why}
				}
				last.rows = append(last.rows, s.Row)
				l.stuck[place{s.Row, s.Column}] = last
			}
		}
	}
	return l.stuck
}

// standsStill acquits the cells of a row that break laws because another one stands still, which has what the law gives.
func (l *lister) standsStill(row int, cells []Cell) {
	for i := range cells {
		c := &cells[i]
		s := l.stretches()[place{row, c.Column}]
		if s == nil {
			continue
		}
		var own []int // laws that are broken for it
		for _, k := range l.brokenBy(row) {
			law, broken := &l.result.Relations[k], 0
			for _, r := range s.rows {
				if _, is := slices.BinarySearch(law.Broken, r); is {
					broken++
				}
			}
			if slices.Contains(law.Columns, c.Column) && float64(broken) >= brokenWhileStill*float64(len(s.rows)) {
				own = append(own, k)
			}
		}
		if own == nil {
			continue
		}
		if c.Part == PartRelation {
			_, law, _ := strings.Cut(c.Why, ", but ")
			law, _, _ = strings.Cut(law, "; ")
			c.Why = s.why + "; " + law
		}
		c.Wrong, c.Doubt, c.Slip = true, false, slipStuck
		for k := range cells {
			other := &cells[k]
			in := func(law int) bool { return slices.Contains(l.result.Relations[law].Columns, other.Column) }
			if k != i && other.Part == PartRelation && slices.ContainsFunc(own, in) &&
				!slices.ContainsFunc(l.brokenBy(row), func(law int) bool { return in(law) && !slices.Contains(own, law) }) {
				other.Wrong = false
			}
		}
		wrongFirst(cells)
		return
	}
}

// wrongFirst puts the cells of a row that are wrong before the others.
func wrongFirst(cells []Cell) {
	slices.SortStableFunc(cells, func(a, b Cell) int {
		if a.Wrong == b.Wrong {
			return 0
		}
		return -int(sign(a.Wrong))
	})
}
