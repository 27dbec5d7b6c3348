package check

import (
	"cmp"
	"slices"
)

// A law that a clerk has broken in a fifth of all rows is still worth telling, and so are the rows, though they may be right: it is
// one that most rows obey, and nothing is called wrong for it.

const (
	// mostlyBroken is the share of rows that may break a law that is told as one most rows obey, beyond brokenAtMost.
	mostlyBroken = 0.35
	// mostlyKept bounds how many are kept in mind while laws are looked for.
	mostlyKept = 50
)

// keepMostly keeps an equation in mind that too many rows break for a law.
func (s *relationSample) keepMostly(e *equation, a assessment) {
	if len(s.mostly) >= mostlyKept || a.rounding > leftSide || len(e.terms) > 3 {
		return
	}
	kept := *e
	kept.terms = slices.Clone(e.terms)
	kept.rounding, kept.exceptions, kept.mostly = a.rounding, a.exceptions(), true
	s.mostly = append(s.mostly, kept)
}

// takeMostly are the laws that most rows obey, of columns that no law of all rows tells of, one for each.
func (s *relationSample) takeMostly(found []equation) []equation {
	covered := map[int]bool{}
	cover := func(e *equation) {
		for _, c := range e.columns() {
			covered[c] = true
		}
	}
	for k := range found {
		cover(&found[k])
	}
	slices.SortStableFunc(s.mostly, func(a, b equation) int {
		return cmp.Or(cmp.Compare(int(100*a.exceptions), int(100*b.exceptions)), cmp.Compare(a.rounding, b.rounding))
	})
	for k := range s.mostly {
		e := &s.mostly[k]
		if !slices.ContainsFunc(e.columns(), func(c int) bool { return !covered[c] }) || !s.spoken(e, s.assess(e)) {
			continue
		}
		cover(e)
		found = append(found, *e)
	}
	return found
}
