package check

import (
	"fmt"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/words"
)

// exchanged finds two columns whose values were exchanged in a row: put back, every equation that is
// broken holds and no other breaks. That is hardly ever so by chance, while one cell alone can always be
// given the value that a single equation wants.
func (g *guilt) exchanged(row int, broken []int) []Suspicion {
	at := func(c int) float64 { return g.table.Columns[c].Values[row] }
	var columns []int
	for _, k := range broken {
		for _, c := range g.laws.equations[k].columns() {
			if !slices.Contains(columns, c) && at(c) == at(c) {
				columns = append(columns, c)
			}
		}
	}
	var best []Suspicion
	most := math.Inf(-1)
	for i, a := range columns {
		for _, b := range columns[i+1:] {
			if at(a) == at(b) || !g.mended(row, a, b, broken) || !g.fitting(row, a, b) {
				continue
			}
			if gain := g.apart(row, a, b); best == nil || gain > most+1e-9 {
				best, most = []Suspicion{g.givenBack(row, a, b, broken), g.givenBack(row, b, a, broken)}, gain
			}
		}
	}
	if best != nil && (g.leavesImpossible(row, columns, best) || g.byAccident(best[0].Column, best[1].Column, broken)) {
		return nil
	}
	if best != nil {
		return best
	}
	for _, a := range columns {
		for b := range g.table.Columns {
			if !slices.Contains(columns, b) && g.outside(row, a, b) && g.mended(row, a, b, broken) {
				return []Suspicion{g.givenBack(row, a, b, broken), g.givenBack(row, b, a, broken)}
			}
		}
	}
	return nil
}

// leavesImpossible says that the laws would hold by a number below nought in a column that has none: it is the mistake, and none changed places.
func (g *guilt) leavesImpossible(row int, columns []int, pair []Suspicion) bool {
	return slices.ContainsFunc(columns, func(c int) bool {
		values := g.table.Columns[c].Values
		return values[row] < 0 && c != pair[0].Column && c != pair[1].Column && neverNegative(values)
	})
}

const (
	// accidents rows with another row's value in one cell tell how often two cells that change places mend what a third has spoilt; where that is more
	// than accidental of them it tells nothing.
	accidents, accidental = 300, 0.02
)

// byAccident says that one of the broken equations that speak of both columns is mended by exchanging two cells whichever of its cells is wrong, as sums
// of few different counts are.
func (g *guilt) byAccident(a, b int, broken []int) bool {
	return slices.ContainsFunc(broken, func(k int) bool {
		columns := g.laws.equations[k].columns()
		return slices.Contains(columns, a) && slices.Contains(columns, b) && g.mendsEasily(k)
	})
}

// mendsEasily says that exchanging cells tells nothing of an equation.
func (g *guilt) mendsEasily(k int) bool {
	if easily, known := g.easily[k]; known {
		return easily
	}
	e := &g.laws.equations[k]
	columns, rows := e.columns(), spacedRows(g.table.Rows, accidents)
	mended, spoilt := 0, 0
	for i, row := range rows {
		whole := func(c int) float64 { return g.table.Columns[c].Values[row] }
		if g.breaks(e, whole) {
			continue
		}
		for _, c := range columns {
			other := g.table.Columns[c].Values[rows[(i+1)%len(rows)]]
			at := func(column int) float64 {
				if column == c {
					return other
				}
				return whole(column)
			}
			if other != other || !g.breaks(e, at) {
				continue
			}
			if spoilt++; g.mendedByAny(e, columns, at) {
				mended++
			}
		}
	}
	if g.easily == nil {
		g.easily = map[int]bool{}
	}
	g.easily[k] = float64(mended) > accidental*float64(spoilt)
	return g.easily[k]
}

// breaks says that cells miss an equation by more than it allows.
func (g *guilt) breaks(e *equation, at func(column int) float64) bool {
	difference, limit := g.laws.misses(e, at)
	return !(math.Abs(difference) <= limit)
}

// mendedByAny says that an equation holds once some two of its cells have changed places.
func (g *guilt) mendedByAny(e *equation, columns []int, at func(column int) float64) bool {
	for i, a := range columns {
		for _, b := range columns[i+1:] {
			if at(a) != at(b) && !g.breaks(e, func(c int) float64 {
				switch c {
				case a:
					return at(b)
				case b:
					return at(a)
				}
				return at(c)
			}) {
				return true
			}
		}
	}
	return false
}

// outside says that a value may have been exchanged with one of a column that the broken laws do not speak of: among many values, so that it is no
// accident that it is the one which the laws want, and both are nearer to what their columns have when they are given back.
func (g *guilt) outside(row, a, b int) bool {
	x, y := &g.table.Columns[a], &g.table.Columns[b]
	if x.Kind != y.Kind || x.Kind != tolerant.Number && x.Kind != tolerant.Date || len(y.Values) < g.table.Rows || y.Values[row] != y.Values[row] {
		return false
	}
	const apart = 0.5
	of := g.column(b)
	return of.values == nil && distance(x.Values[row], of.description) < distance(y.Values[row], of.description)-apart &&
		distance(y.Values[row], g.column(a).description) < distance(x.Values[row], g.column(a).description)
}

// turned are the values of a row with those of two columns exchanged.
func (g *guilt) turned(row, a, b int) func(column int) float64 {
	return func(c int) float64 {
		switch c {
		case a:
			c = b
		case b:
			c = a
		}
		return g.table.Columns[c].Values[row]
	}
}

// fitting says that two values of a row are no farther from what their columns have when they are exchanged.
func (g *guilt) fitting(row, a, b int) bool {
	at, ofA, ofB := g.turned(row, a, b), g.column(a).description, g.column(b).description
	return !(distance(at(a), ofA)+distance(at(b), ofB) > distance(at(b), ofA)+distance(at(a), ofB)+0.5)
}

// apart is by how much nearer the difference of two values is to what that of their columns usually is when they are exchanged: shares of fat and of protein
// that changed places are out of their usual order, while the weights that follow from them are not.
func (g *guilt) apart(row, a, b int) float64 {
	x, y := g.table.Columns[a].Values, g.table.Columns[b].Values
	rows := spacedRows(len(x), relationRows)
	differences := make([]float64, 0, len(rows))
	for _, r := range rows {
		if d := x[r] - y[r]; d == d {
			differences = append(differences, d)
		}
	}
	about := describe(differences)
	gain := distance(x[row]-y[row], about) - distance(y[row]-x[row], about)
	if gain != gain {
		return 0
	}
	return gain
}

// mended says that a row keeps all its equations when the values of two columns are exchanged, one of those that it breaks by more than rounding.
func (g *guilt) mended(row, a, b int, broken []int) bool {
	at, said := g.turned(row, a, b), false
	for _, k := range g.kept {
		e := &g.laws.equations[k]
		if columns := e.columns(); !slices.Contains(broken, k) && !slices.Contains(columns, a) && !slices.Contains(columns, b) {
			continue
		}
		difference, limit := g.laws.misses(e, at)
		if math.Abs(difference) > limit || math.IsInf(difference, 0) {
			return false
		}
		said = said || slices.Contains(broken, k) && e.exceeds(limit, at)
	}
	return said || len(broken) == 0
}

// exceeds says that a column's part in the equation is larger than what rounding explains: it holds of next to nothing whatever its columns are.
func (e *equation) exceeds(limit float64, at func(column int) float64) bool {
	if e.calendar != plainSum || math.Abs(at(e.left)) > limit {
		return true
	}
	return slices.ContainsFunc(e.terms, func(t term) bool { return !e.product && math.Abs(t.times(at)*at(t.column)) > limit })
}

// givenBack expects of a cell what the other has.
func (g *guilt) givenBack(row, c, other int, broken []int) Suspicion {
	column := &g.table.Columns[c]
	given, meant := column.Values[row], g.table.Columns[other].Values[row]
	s := Suspicion{Row: row, Column: c, P: 1e-9, Expected: meant, Low: meant, High: meant, Slip: exchangedWith + words.Clip(g.table.Columns[other].Name)}
	exceptions, text := 1.0, ""
	for _, k := range broken {
		e := &g.laws.equations[k]
		exceptions = min(exceptions, e.exceptions)
		if text == "" && slices.Contains(e.columns(), c) {
			text = e.text
		}
	}
	if s.Certain = exceptions <= brokenSurely; !s.Certain {
		s.P = exceptions
	}
	s.Why = fmt.Sprintf("%s is %s, %s: %s holds with %s", words.Clip(column.Name), amount(column, given), s.Slip, text, amount(column, meant))
	return s
}
