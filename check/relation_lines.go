package check

import (
	"context"
	"math"
	"slices"
)

// linesColumns is how many columns a table has at most in which sums of products are looked for.
const linesColumns = 14

// findSumsOfProducts looks for sums of two products, total = qty1 * price1 + qty2 * price2, also with one more column added or taken
// off. Sets of columns some of which already make a relation are left out.
func findSumsOfProducts(ctx context.Context, s *relationSample, known []equation) ([]equation, error) {
	d := len(s.columns)
	if d < 5 || d > linesColumns || len(s.rows) < 2*fewestRelated {
		return known, nil
	}
	l := &linesSearch{linearSearch: linearSearch{sample: s, found: slices.Clone(known)}, probes: spacedRows(len(s.rows), 24)}
	s.spent = 0
	var pairs [][2]int
	for a := range d {
		for b := a + 1; b < d; b++ {
			if !s.few[a] && !s.few[b] {
				pairs = append(pairs, [2]int{a, b})
			}
		}
	}
	for left := range d {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for k, p := range pairs {
			for _, q := range pairs[:k] {
				if p[0] == q[0] || p[0] == q[1] || p[1] == q[0] || p[1] == q[1] || slices.Contains(p[:], left) || slices.Contains(q[:], left) {
					continue
				}
				l.look(left, p, q)
			}
		}
	}
	return l.found, nil
}

type linesSearch struct {
	linearSearch
	probes []int
}

// look tries the sum of two products, by itself and with each further column.
func (l *linesSearch) look(left int, p, q [2]int) {
	s := l.sample
	set := []int{left, p[0], p[1], q[0], q[1]}
	product := func(p [2]int) term {
		return term{column: s.columns[p[0]], second: s.columns[p[1]] + 1, slope: 1}
	}
	e := equation{left: s.columns[left], terms: []term{product(q), product(p)}}
	rest := make([]float64, len(l.probes))
	for k, i := range l.probes {
		v := s.values
		rest[k] = v[left][i] - v[p[0]][i]*v[p[1]][i] - v[q[0]][i]*v[q[1]][i]
	}
	l.try(e, set, rest)
	for c := range s.columns {
		if slices.Contains(set, c) || s.few[c] {
			continue
		}
		for _, slope := range []float64{1, -1} {
			less := make([]float64, len(rest))
			for k, i := range l.probes {
				less[k] = rest[k] - slope*s.values[c][i]
			}
			longer := e
			longer.terms = append(slices.Clone(e.terms), term{column: s.columns[c], slope: slope})
			l.try(longer, append(slices.Clone(set), c), less)
		}
	}
}

// try asks all rows about a sum that leaves nothing but rounding over in most of the first.
func (l *linesSearch) try(e equation, set []int, rest []float64) {
	s := l.sample
	missed, kept := 0, 0
	for k, i := range l.probes {
		if _, tolerance := e.sides(s.at(i), s.all.steps); math.Abs(rest[k]) > tolerance[allColumns] {
			if missed++; missed > kept+2 {
				return
			}
			continue
		}
		if rest[k] == rest[k] {
			kept++
		}
	}
	l.sought++
	if kept < fewestRelated || l.known(set) || !s.affordable() {
		return
	}
	if a := s.assess(&e); s.holds(&e, a, l.sought) && s.spoken(&e, a) {
		e.rounding, e.exceptions = a.rounding, a.exceptions()
		l.found = append(l.found, e)
	}
}
