package check

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/inlier-ml/inlier/internal/univariate"
)

// Columns are transformed one by one, so that a sum of columns (an end is a start and a length) is bent where its columns are far out: a
// prediction that is right in the middle misses there. Far rows are therefore held against a straight one as well, and against one of logarithms:
// a price is a cost times a factor, for nails and for machines.

const (
	// farOut is the transformed value from which on a cell is far out.
	farOut = 2
	// straightRows are those that a straight prediction is learned from at most, and farRows are how many far ones have to keep to it.
	straightRows, farRows = 2000, 5
	// straightColumns are the columns that it takes at most, those that tell most.
	straightColumns = 3
	// straightSharp is the part of a column's spread that a straight prediction leaves open at most.
	straightSharp = 0.2
	// keptTo are the spreads up to which a row keeps to a straight prediction; half of the far rows have to within keptByMost.
	keptTo, keptByMost = 4, 2.5
)

// straight predicts a column from others in their own units.
type straight struct {
	logs     bool // of logarithms
	features []int
	slopes   []float64 // the constant last
	spread   float64   // of its residuals
	centres  []float64 // of the columns, and of the predicted one last: differences of dates are small beside dates
}

// in is a value in the units of the prediction.
func (s *straight) in(v float64) float64 {
	if s.logs {
		return math.Log(v)
	}
	return v
}

// straightCells are the values of features in the rows that straight predictions are learned from, taken once for each: rows
// far from each other are dear where the table is in files.
func (m *Model) straightCells(asked []int) func(feature int) []float64 {
	rows := make([]int, len(asked)) // of the table
	for k, i := range asked {
		rows[k] = m.view.sample[i]
	}
	known := map[int][]float64{}
	return func(feature int) []float64 {
		values, ok := known[feature]
		if !ok {
			values = pick(m.view.table.Columns[m.features[feature].column].Values, rows)
			known[feature] = values
		}
		return values
	}
}

// straightOf learns the straight prediction of a feature from the rows in the middle, which are places in the sample, with
// the cells of features in them; nil where far rows do not keep to it.
func (m *Model) straightOf(j int, logs bool, asked []int, cells func(feature int) []float64) *straight {
	c, v := m.predict, m.view
	s := &straight{logs: logs}
	taken := func(k int) bool { return !logs || amounts(cells(k)) }
	if c.local != nil || m.features[j].level >= 0 || !taken(j) {
		return nil
	}
	for k := range m.features {
		if f := m.features[k]; k != j && !f.few && !f.derived && f.level < 0 && taken(k) {
			s.features = append(s.features, k)
		}
	}
	part := func(k int) float64 { return math.Abs(c.omega[j*c.d+k]) / c.root[k] }
	slices.SortStableFunc(s.features, func(a, b int) int { return cmp.Compare(part(b), part(a)) })
	s.features = s.features[:min(len(s.features), straightColumns)]
	for _, k := range append(slices.Clone(s.features), j) {
		s.centres = append(s.centres, s.in(quantile(sortedValues(cells(k)), 0.5)))
	}
	value := func(i int) func(feature int) float64 {
		return func(feature int) float64 { return cells(feature)[i] }
	}
	var inner, far []int // places among the cells
	for i, at := range asked {
		z := v.z.RawRowView(at)
		most := math.Abs(z[j])
		for _, k := range s.features {
			most = max(most, math.Abs(z[k]))
		}
		switch {
		case most <= farOut && s.whole(value(i), j):
			inner = append(inner, i)
		case most > farOut && s.whole(value(i), j): // none is missing
			far = append(far, i)
		}
	}
	size := len(s.features) + 1
	if size == 1 || len(inner) < 20*size || len(far) < farRows {
		return nil
	}
	kept := inner
	for range 5 { // those that miss it take no part in the next
		normal := make([]float64, size*(size+1))
		row := make([]float64, size+1)
		for _, i := range kept {
			s.terms(value(i), j, row)
			for a := range size {
				for b := range size + 1 {
					normal[a*(size+1)+b] += row[a] * row[b]
				}
			}
		}
		if s.slopes = solveScaled(normal, size); s.slopes == nil {
			return nil
		}
		sizes := make([]float64, 0, len(inner))
		for _, i := range inner {
			sizes = append(sizes, math.Abs(s.misses(value(i), j)))
		}
		s.spread = 1.4826 * univariate.Median(slices.Clone(sizes))
		kept = kept[:0:0]
		for k, i := range inner {
			if sizes[k] <= 3*s.spread {
				kept = append(kept, i)
			}
		}
	}
	sizes := make([]float64, 0, len(far))
	for _, i := range far {
		sizes = append(sizes, math.Abs(s.misses(value(i), j)))
	}
	values := slices.Clone(cells(j))
	for k, x := range values {
		values[k] = s.in(x)
	}
	if _, own := univariate.Deviation(sortedValues(values)); univariate.Median(sizes) > keptByMost*s.spread || s.spread > straightSharp*own {
		return nil
	}
	return s
}

// terms are the values of a row about their centres, a 1, and what is predicted.
func (s *straight) terms(at func(feature int) float64, j int, to []float64) {
	for k, f := range s.features {
		to[k] = s.in(at(f)) - s.centres[k]
	}
	to[len(s.features)], to[len(s.features)+1] = 1, s.in(at(j))-s.centres[len(s.features)]
}

// misses is by how much the straight prediction misses a row.
func (s *straight) misses(at func(feature int) float64, j int) float64 {
	row := make([]float64, len(s.features)+2)
	s.terms(at, j, row)
	miss := row[len(s.features)+1]
	for k, slope := range s.slopes {
		miss -= slope * row[k]
	}
	return miss
}

// solveScaled solves normal equations in units in which their diagonal is one; nil where they have no one solution.
func solveScaled(normal []float64, size int) []float64 {
	unit := make([]float64, size)
	for k := range unit {
		if unit[k] = math.Sqrt(normal[k*(size+1)+k]); !(unit[k] > 0) {
			return nil
		}
	}
	for a := range size {
		for b := range size + 1 {
			if normal[a*(size+1)+b] /= unit[a]; b < size {
				normal[a*(size+1)+b] /= unit[b]
			}
		}
	}
	out, ok := solveSmall(normal, size)
	if !ok {
		return nil
	}
	for k := range out {
		out[k] /= unit[k]
	}
	return out
}

// whole says that a row has all that the prediction asks for.
func (s *straight) whole(at func(feature int) float64, j int) bool {
	known := func(k int) bool { v := s.in(at(k)); return v == v && !math.IsInf(v, 0) }
	for _, k := range s.features {
		if !known(k) {
			return false
		}
	}
	return known(j)
}

// amounts says that values are positive, but for as few as may be mistakes.
func amounts(values []float64) bool {
	below, known := 0, 0
	for _, x := range values {
		if x == x {
			known++
		}
		if x <= 0 {
			below++
		}
	}
	return below <= mostBeyond(known) && known > 0
}

// straights are the straight predictions of features as they are asked for: in units, and in logarithms.
func (m *Model) straights() func(j int) []*straight {
	asked := spacedRows(len(m.view.sample), straightRows)
	cells := m.straightCells(asked)
	return eachOnce(len(m.features), func(j int) (all []*straight) {
		for _, logs := range []bool{false, true} {
			if s := m.straightOf(j, logs, asked, cells); s != nil {
				all = append(all, s)
			}
		}
		return all
	})
}

// eachOnce finds out once what is asked of numbers below n, one after the other: rows are looked at by several at a time.
func eachOnce[T any](n int, find func(k int) T) func(k int) T {
	var lock sync.Mutex
	known := make([]func() T, n)
	for k := range known {
		known[k] = sync.OnceValue(func() T {
			lock.Lock()
			defer lock.Unlock()
			return find(k)
		})
	}
	return func(k int) T { return known[k]() }
}

// straightly tells of far rows whose cell a straight prediction knows better: it is as that says, and what the other expects is not.
func (m *Model) straightly(v *view) func(c *candidate) bool {
	all := m.straights()
	return func(c *candidate) bool {
		j := c.feature
		at := func(k int) float64 { return v.table.Columns[m.features[k].column].Values[c.row] }
		return slices.ContainsFunc(all(j), func(s *straight) bool {
			miss := s.misses(at, j)
			if !(math.Abs(miss) <= keptTo*s.spread) {
				return false
			}
			far := math.Abs(m.features[j].change.Forward(at(j))) > farOut || math.Abs(c.expected) > farOut
			for _, k := range s.features {
				far = far || math.Abs(m.features[k].change.Forward(at(k))) > farOut
			}
			away := s.in(at(j)) - s.in(m.features[j].change.Back(c.expected))
			return far && math.Abs(away-miss) > keptTo*s.spread
		})
	}
}

// keeps says of a cell, however far out, that a straight prediction tells where it is.
func (m *Model) keeps(v *view) func(j, row int) bool {
	all := m.straights()
	return func(j, row int) bool {
		at := func(k int) float64 { return v.table.Columns[m.features[k].column].Values[row] }
		return slices.ContainsFunc(all(j), func(s *straight) bool {
			miss := math.Abs(s.misses(at, j))
			return miss <= keptByMost*s.spread && miss <= (1-inLine)*math.Abs(s.in(at(j))-s.centres[len(s.features)])
		})
	}
}
