package linear

import (
	"math"
	"math/rand/v2"

	"github.com/inlier-ml/inlier/internal/univariate"
)

// elemental finds exact fits of p random rows. It keeps its memory from draw to draw.
type elemental struct {
	g *design
	// units lists every row as often as its weight says; order is a permutation of it, the
	// identity between draws; touched are the places to restore.
	units   []int
	order   []int
	touched []int
	upper   []float64 // p x p: the rows that are taken, eliminated
	side    []float64 // their targets, eliminated alike
	columns []int     // the order of the columns in upper
}

func newElemental(g *design) *elemental {
	e := &elemental{g: g, units: univariate.NewRows(g.n, g.prior).All(), upper: make([]float64, g.p*g.p), side: make([]float64, g.p), columns: make([]int, g.p)}
	e.order = make([]int, len(e.units))
	for i := range e.order {
		e.order[i] = i
	}
	return e
}

// fit returns the exact fit of p random rows. Rows that depend on those already drawn are
// passed over (Koller and Stahel 2017), so that columns with few distinct values make no
// trouble; false when no p independent rows are found. A row is eliminated as it comes,
// the largest of what is left of it becoming its pivot.
func (e *elemental) fit(draw *rand.Rand) ([]float64, bool) {
	g, p := e.g, e.g.p
	for _, j := range e.touched {
		e.order[j] = j
	}
	e.touched = e.touched[:0]
	for j := range e.columns {
		e.columns[j] = j
	}
	taken := 0
	for k := 0; k < len(e.units) && taken < p; k++ {
		j := k + draw.IntN(len(e.units)-k)
		i := e.units[e.order[j]]
		e.order[j] = e.order[k]
		e.touched = append(e.touched, j)
		if g.weight(i) > 0 && e.take(i, taken) { // a row that was taken depends on itself
			taken++
		}
	}
	if taken < p {
		return nil, false
	}
	beta := make([]float64, p)
	for k := p - 1; k >= 0; k-- {
		row := e.upper[k*p : (k+1)*p]
		t := e.side[k]
		for j := k + 1; j < p; j++ {
			t -= row[j] * beta[e.columns[j]]
		}
		t /= row[k]
		if math.IsNaN(t) || math.IsInf(t, 0) {
			return nil, false
		}
		beta[e.columns[k]] = t
	}
	return beta, true
}

// take eliminates row i against the rows taken before and keeps it unless nothing is left.
func (e *elemental) take(i, taken int) bool {
	p := e.g.p
	row, v, t := e.g.row(i), e.upper[taken*p:(taken+1)*p], e.g.y[i]
	size := 0.0
	for j, c := range e.columns {
		v[j] = row[c]
		size = max(size, math.Abs(v[j]))
	}
	for m := range taken {
		above := e.upper[m*p+m : (m+1)*p]
		to := v[m:]
		to = to[:len(above)]
		f := to[0] / above[0]
		for j, u := range above {
			to[j] -= f * u
		}
		t -= f * e.side[m]
	}
	best, pivot := 0.0, taken
	for j := taken; j < p; j++ {
		if a := math.Abs(v[j]); a > best {
			best, pivot = a, j
		}
	}
	if !(best > 1e-7*size) {
		return false
	}
	if pivot != taken {
		for m := 0; m <= taken; m++ {
			u := e.upper[m*p : (m+1)*p]
			u[taken], u[pivot] = u[pivot], u[taken]
		}
		e.columns[taken], e.columns[pivot] = e.columns[pivot], e.columns[taken]
	}
	e.side[taken] = t
	return true
}
