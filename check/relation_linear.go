package check

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/inlier-ml/inlier/internal/random"
)

// mostSubsets bounds the search by the number of columns in a relation: pairs, triples, fours
// and fives. In wider tables relations of many columns are looked for among neighbours.
var mostSubsets = [...]int{2: 200_000, 3: 100_000, 4: 40_000, 5: 20_000}

const (
	// mostTogether is how many columns one relation has at most when it is found; it may be
	// extended by one that explains its exceptions.
	mostTogether = 5
	draws        = 5 // of so many rows as fix a relation
)

// findLinear looks for sums among all small sets of columns: a few rows fix the coefficients, and
// others, drawn at random, must agree. Rows that break a relation only cost a draw.
func findLinear(ctx context.Context, s *relationSample, sums []equation, seed uint64) ([]equation, error) {
	search := &linearSearch{sample: s, random: random.New(seed, "relations"), found: sums}
	if len(s.rows) < fewestRelated {
		return sums, nil
	}
	for size := 2; size <= mostTogether; size++ {
		s.spent = 0
		width := searchWidth(len(s.columns), size)
		set := make([]int, size)
		for first := 0; first+size <= len(s.columns); first++ {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			set[0] = first
			search.sets(set, 1, min(first+width, len(s.columns)))
			if independent(search.found) > mostEquations(len(s.columns)) {
				return nil, nil
			}
		}
	}
	return search.found, nil
}

// mostEquations is the number of sums beyond which none is a law: the columns are points of a
// smooth curve, each between its neighbours.
func mostEquations(columns int) int { return 10 + columns/4 }

// independent is the number of equations without those of two columns which others of two bind already: of wages, where each column is a line of
// each other in most rows, there are many.
func independent(found []equation) int {
	n := 0
	bound := bindings{}
	for k := range found {
		e := &found[k]
		if e.product || len(e.terms) != 1 {
			n++
		} else if a, b := bound.of(e.left), bound.of(e.terms[0].column); a != b {
			bound[a] = b
			n++
		}
	}
	return n
}

// searchWidth is how far apart the columns of a set of this size may stand.
func searchWidth(columns, size int) int {
	for width := columns; width > size; width-- {
		if sets := float64(columns-width+1)*choose(width, size) + 1; sets <= float64(mostSubsets[size]) {
			return width
		}
	}
	return size
}

// choose is the number of ways to choose k of n.
func choose(n, k int) float64 {
	ways := 1.0
	for i := range k {
		ways *= float64(n-i) / float64(i+1)
	}
	return ways
}

type linearSearch struct {
	sample *relationSample
	random *rand.Rand
	found  []equation
	sought int
}

// sets completes a set of columns in all ways and looks at each.
func (l *linearSearch) sets(set []int, filled, end int) {
	if filled == len(set) {
		if !l.known(set) {
			l.look(set)
		}
		return
	}
	for c := set[filled-1] + 1; c < end; c++ {
		set[filled] = c
		l.sets(set, filled+1, end)
	}
}

// known says that some columns of the set already make a relation.
func (l *linearSearch) known(set []int) bool { return l.knownBut(set, 1) }

// knownBut is known for relations with at most so large a share of exceptions.
func (l *linearSearch) knownBut(set []int, exceptions float64) bool {
	inside := func(column int) bool {
		for _, j := range set {
			if l.sample.columns[j] == column {
				return true
			}
		}
		return false
	}
	for k := range l.found {
		e := &l.found[k]
		all := e.exceptions <= exceptions && inside(e.left)
		for i := 0; all && i < len(e.terms); i++ {
			all = inside(e.terms[i].column)
		}
		if all {
			return true
		}
	}
	return false
}

// look tries a few draws of rows on a set of columns.
func (l *linearSearch) look(set []int) {
	s := l.sample
	few := 0
	for _, j := range set {
		if s.few[j] {
			few++
		}
	}
	if few > 0 || s.spent > mostCandidates {
		return
	}
	l.sought++
	var c [mostTogether + 1]float64
	for range draws {
		if !l.through(set, c[:]) || !l.agree(set, c[:]) || !s.affordable() || !s.mostOn(set, c[:]) {
			continue
		}
		if e, ok := s.settle(set, c[:], l.sought); ok {
			l.found = append(l.found, e)
			return
		}
	}
}

// through finds the plane through random rows: z of the first column of the set is the sum of
// c[k] * z of the k-th and of c[0]. It is refused where a column has no part in it.
func (l *linearSearch) through(set []int, c []float64) bool {
	size := len(set)
	z := l.sample.z
	var m [mostTogether][mostTogether + 1]float64
	for i := range size {
		row := -1
		for range 4 { // rows without missing cells
			r := l.random.IntN(len(l.sample.rows))
			if complete(z, set, r) {
				row = r
				break
			}
		}
		if row < 0 {
			return false
		}
		m[i][0] = 1
		for k := 1; k < size; k++ {
			m[i][k] = z[set[k]][row]
		}
		m[i][size] = z[set[0]][row]
	}
	for k := range size { // elimination with the largest pivot of the column
		best := k
		for i := k + 1; i < size; i++ {
			if math.Abs(m[i][k]) > math.Abs(m[best][k]) {
				best = i
			}
		}
		if math.Abs(m[best][k]) < 1e-6 {
			return false
		}
		m[k], m[best] = m[best], m[k]
		for i := range size {
			if i == k {
				continue
			}
			f := m[i][k] / m[k][k]
			for j := k; j <= size; j++ {
				m[i][j] -= f * m[k][j]
			}
		}
	}
	for k := range size {
		c[k] = m[k][size] / m[k][k]
		if k > 0 && !(math.Abs(c[k]) > 1e-5) {
			return false
		}
	}
	return true
}

func complete(z [][]float64, set []int, row int) bool {
	for _, j := range set {
		if v := z[j][row]; v != v {
			return false
		}
	}
	return true
}

// agree says that other rows lie on the plane as well, but for some.
func (l *linearSearch) agree(set []int, c []float64) bool {
	s := l.sample
	tolerance := s.blur(set, c)
	const look = 12
	missed, asked := 0, 0
	for range 2 * look {
		row := l.random.IntN(len(s.rows))
		if !complete(s.z, set, row) {
			continue
		}
		r := s.z[set[0]][row] - c[0]
		for k := 1; k < len(set); k++ {
			r -= c[k] * s.z[set[k]][row]
		}
		asked++
		if math.Abs(r) > tolerance {
			if missed++; missed > look/2 || missed == asked && missed == 3 {
				return false
			}
		} else if asked-missed >= look/2 {
			return true
		}
	}
	return false
}
