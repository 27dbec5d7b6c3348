package check

import (
	"context"
	"math"
	"slices"
)

// findSums looks for plain sums, total = net + vat, also with one more term added or taken off.
// They come before other coefficients that would say the same: total = 1.19 * net.
func findSums(ctx context.Context, s *relationSample) ([]equation, error) {
	l := &linearSearch{sample: s}
	d := len(s.columns)
	if len(s.rows) < fewestRelated {
		return nil, nil
	}
	s.spent = 0
	probes := spacedRows(len(s.rows), 24)
	for left := range d {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		// In wide tables the terms stand near the sum.
		low, high := max(0, left-60), min(d, left+60)
		l.inTurn(probes, left, low, high)
		for a := low; a < high; a++ {
			for b := a + 1; b < high; b++ {
				if a == left || b == left {
					continue
				}
				l.sum(probes, left, [3]int{a, b, -1}, 1)
				if d > 40 {
					continue
				}
				for c := low; c < high; c++ {
					if c == left || c == a || c == b {
						continue
					}
					if c > b {
						l.sum(probes, left, [3]int{a, b, c}, 1)
					}
					l.sum(probes, left, [3]int{a, b, c}, -1)
				}
			}
		}
	}
	return l.found, nil
}

// shortestRun are the terms of a sum of columns one after the other; sums of fewer are looked for in any order.
const shortestRun = 4

// inTurn looks for sums of columns that stand one after the other, however many: voters = invalid + red + blue + green + yellow. The sum
// itself may stand among them.
func (l *linearSearch) inTurn(probes []int, left, low, high int) {
	s := l.sample
	sums := make([]float64, len(probes))
	for first := low; first < high; first++ {
		clear(sums)
		blur := s.steps[left]
		var e equation
		for c := first; c < high; c++ {
			if c == left {
				if c == first {
					break
				}
				continue
			}
			e.terms = append(e.terms, term{column: s.columns[c], slope: 1})
			blur += s.steps[c]
			missed, kept := 0, 0
			for k, i := range probes {
				sums[k] += s.values[c][i]
				if r := math.Abs(s.values[left][i] - sums[k]); r <= 0.6*blur+1e-9*math.Abs(sums[k]) {
					kept++
				} else if r == r {
					missed++
				}
			}
			if len(e.terms) < shortestRun || missed > kept+2 {
				continue
			}
			l.sought++
			e.left = s.columns[left]
			shorter := func(f equation) bool { // says the same
				return f.left == e.left && !slices.ContainsFunc(f.columns(), func(c int) bool { return !slices.Contains(e.columns(), c) })
			}
			if slices.ContainsFunc(l.found, shorter) || !s.affordable() {
				return
			}
			if e, share := s.completed(equation{left: e.left, terms: slices.Clone(e.terms)}, l.sought); share > 0 {
				l.found = append(l.found, e)
				return
			}
		}
	}
}

// sum looks at one sum: a few rows tell of most that they are none. last is the sign of the third
// term; the place -1 means that there is none.
func (l *linearSearch) sum(probes []int, left int, terms [3]int, last float64) {
	s := l.sample
	v := s.values
	a, b, c := terms[0], terms[1], terms[2]
	blur := s.steps[left] + s.steps[a] + s.steps[b]
	if c >= 0 {
		blur += s.steps[c]
	}
	missed, kept := 0, 0
	for _, i := range probes {
		right := v[a][i] + v[b][i]
		if c >= 0 {
			right += last * v[c][i]
		}
		if r := math.Abs(v[left][i] - right); r <= 0.6*blur+1e-9*math.Abs(right) {
			kept++
		} else if r == r {
			if missed++; missed > kept+2 {
				return
			}
		}
	}
	set := []int{left, a, b}
	e := equation{left: s.columns[left], terms: []term{{column: s.columns[a], slope: 1}, {column: s.columns[b], slope: 1}}}
	if c >= 0 {
		set = append(set, c)
		e.terms = append(e.terms, term{column: s.columns[c], slope: last})
	}
	l.sought++
	if l.known(set) || !s.affordable() {
		return
	}
	if e, share := s.completed(e, l.sought); share > 0 && !slices.ContainsFunc(l.found, func(f equation) bool { return sameColumns(f, e) }) {
		l.found = append(l.found, e)
	}
}

// sameColumns says that two equations speak of the same columns.
func sameColumns(a, b equation) bool {
	x, y := a.columns(), b.columns()
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// bindings are of columns that are bound to each other: each stands under another one, and the last of these under none.
type bindings map[int]int

// of is the column that stands for all that a column is bound to.
func (b bindings) of(c int) int {
	for {
		next, under := b[c]
		if !under {
			return c
		}
		c = next
	}
}

// markImplied marks the equations that say what others before them say together: a column that is
// a multiple of another may stand for it, and sums of sums are sums.
func (l *laws) markImplied() {
	var basis [][]float64
	multiple := bindings{} // columns by the first one that they are multiples of
	for k := range l.equations {
		if e := &l.equations[k]; !e.product && len(e.terms) == 1 && e.constant == 0 && e.calendar == plainSum {
			if a, b := multiple.of(e.left), multiple.of(e.terms[0].column); a != b {
				multiple[max(a, b)] = min(a, b)
			}
		}
	}
	var products [][]int
	for k := range l.equations {
		e := &l.equations[k]
		if e.product {
			key := e.columns()
			for i, c := range key {
				key[i] = multiple.of(c)
			}
			slices.Sort(key)
			e.implied = slices.ContainsFunc(products, func(p []int) bool { return slices.Equal(p, key) })
			products = append(products, key)
			continue
		}
		if e.calendar != plainSum || slices.ContainsFunc(e.terms, func(t term) bool { return t.second > 0 }) {
			continue
		}
		v := make([]float64, len(l.steps)+1)
		v[e.left] = l.spreads[e.left]
		for _, t := range e.terms {
			v[t.column] = -t.slope * l.spreads[t.column]
		}
		basis, e.implied = widened(basis, v)
	}
}

// widened adds a direction to an orthonormal basis unless it lies in its span.
func widened(basis [][]float64, v []float64) ([][]float64, bool) {
	dot := func(a, b []float64) (sum float64) {
		for i := range a {
			sum += a[i] * b[i]
		}
		return sum
	}
	unit := func(v []float64) bool {
		norm := math.Sqrt(dot(v, v))
		for i := range v {
			v[i] /= norm
		}
		return norm > 0.01
	}
	unit(v)
	for _, b := range basis {
		c := dot(b, v)
		for i := range v {
			v[i] -= c * b[i]
		}
	}
	if !unit(v) {
		return basis, true
	}
	return append(basis, v), false
}
