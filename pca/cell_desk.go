package pca

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// cellDesk has room for a block of rows of a cellwise fit, and the sums over its blocks.
type cellDesk struct {
	at    cellState
	d, m  int
	pairs *mat.Dense // d x m(m+1)/2: products of the loadings of each column
	// the loadings and pairs transposed: once, so that a row at a time leaves no garbage
	across, pairsAcross mat.Matrix
	rows                int

	off     *mat.Dense // z - mu; 0 where missing
	e       *mat.Dense // deviations; 0 where missing
	v       *mat.Dense // weights of cells; 0 where missing
	gone    []bool     // missing cells, row by row
	holes   []int      // missing cells of each row
	gram    *mat.Dense // normal equations of rows
	side    *mat.Dense
	small   []float64 // one system
	step    []float64
	inverse []float64

	features *mat.Dense // 1 and the scores, and their products
	products *mat.Dense
	grams    *mat.Dense // d x (m+1)(m+2)/2, sums of the normal equations of columns
	sides    *mat.Dense // d x (m+1)
	room     [2]*mat.Dense
	sums     []float64 // of weights, and of weights times scores
}

func newCellDesk(at cellState) *cellDesk {
	d, m := at.a.Dims()
	k := &cellDesk{at: at, d: d, m: m, pairs: mat.NewDense(d, m*(m+1)/2, nil), small: make([]float64, (m+1)*(m+1)), step: make([]float64, m+1)}
	for j := range d {
		products(k.pairs.RawRowView(j), at.a.RawRowView(j))
	}
	k.across, k.pairsAcross = at.a.T(), k.pairs.T()
	return k
}

// products writes the products of all pairs of f, upper triangle row by row.
func products(dst, f []float64) {
	p := 0
	for i, v := range f {
		for _, u := range f[i:] {
			dst[p] = v * u
			p++
		}
	}
}

// room returns a matrix of the size asked for, the old one where it fits.
func roomFor(m *mat.Dense, r, c int) *mat.Dense {
	if m != nil {
		if rows, columns := m.Dims(); rows == r && columns == c {
			return m
		}
	}
	return mat.NewDense(r, c, nil)
}

// load takes a block of rows.
func (k *cellDesk) load(block *mat.Dense) {
	k.rows, _ = block.Dims()
	k.off, k.e, k.v = roomFor(k.off, k.rows, k.d), roomFor(k.e, k.rows, k.d), roomFor(k.v, k.rows, k.d)
	k.gram, k.side = roomFor(k.gram, k.rows, k.m*(k.m+1)/2), roomFor(k.side, k.rows, k.m)
	if len(k.gone) != k.rows*k.d {
		k.gone, k.holes = make([]bool, k.rows*k.d), make([]int, k.rows)
	}
	for i := range k.rows {
		row, off, gone := block.RawRowView(i), k.off.RawRowView(i), k.gone[i*k.d:(i+1)*k.d]
		k.holes[i] = 0
		for j, v := range row {
			off[j], gone[j] = v-k.at.mu[j], false
			if v != v {
				off[j], gone[j] = 0, true
				k.holes[i]++
			}
		}
	}
}

// rowsOf are the rows of the block in a matrix of all rows.
func (k *cellDesk) rowsOf(all *mat.Dense, first int) *mat.Dense {
	_, c := all.Dims()
	return all.Slice(first, first+k.rows, 0, c).(*mat.Dense)
}

func (k *cellDesk) scoresOf(at cellState, first int) *mat.Dense { return k.rowsOf(at.scores, first) }

// deviate works out the deviations of the cells at these scores.
func (k *cellDesk) deviate(z *mat.Dense) {
	linalg.Mul(k.e, z, k.across)
	e := k.e.RawMatrix().Data
	for c, v := range k.off.RawMatrix().Data {
		e[c] = v - e[c]
	}
	k.blank(k.e)
}

// blank puts 0 where cells are missing.
func (k *cellDesk) blank(m *mat.Dense) {
	for i, holes := range k.holes {
		if holes == 0 {
			continue
		}
		row := m.RawRowView(i)
		for j, gone := range k.gone[i*k.d : (i+1)*k.d] {
			if gone {
				row[j] = 0
			}
		}
	}
}

// weigh works out the weights of the cells.
func (k *cellDesk) weigh(l cellLoss) {
	l.weigh(k.v.RawMatrix().Data, k.e.RawMatrix().Data)
	k.blank(k.v)
}

// meanLoss writes the mean loss of the cells of each row; 0 for rows without any.
func (k *cellDesk) meanLoss(l cellLoss, u []float64) {
	l.lose(k.v.RawMatrix().Data, k.e.RawMatrix().Data)
	k.blank(k.v)
	for i := range u {
		sum := 0.0
		for _, v := range k.v.RawRowView(i) {
			sum += v
		}
		u[i] = sum / math.Max(float64(k.d-k.holes[i]), 1)
	}
}

// writeDeviations writes the deviations, NaN where cells are missing.
func (k *cellDesk) writeDeviations(dst *mat.Dense) {
	for i := range k.rows {
		row := dst.RawRowView(i)
		copy(row, k.e.RawRowView(i))
		for j, gone := range k.gone[i*k.d : (i+1)*k.d] {
			if gone {
				row[j] = math.NaN()
			}
		}
	}
}

// nearlyNone is what the diagonal of a small system gains, relative to its mean: a step along what
// its cells do not determine is none. The step is from the present place, so it never rises.
const nearlyNone = 1e-13

// improve moves the scores of the rows to the weighted least squares of their cells. Rows that
// are done stay; where done is not nil, rows that hardly move become done.
func (k *cellDesk) improve(z *mat.Dense, done []bool) {
	linalg.Mul(k.gram, k.v, k.pairs)
	v, e := k.v.RawMatrix().Data, k.e.RawMatrix().Data
	for c, w := range v {
		e[c] *= w // the deviations are not needed any more
	}
	linalg.Mul(k.side, k.e, k.at.a)
	for i := range k.rows {
		if done != nil && done[i] {
			continue
		}
		step := k.step[:k.m]
		copy(step, k.side.RawRowView(i))
		if !k.solve(k.gram.RawRowView(i), step) {
			continue
		}
		moved, size := 0.0, 0.0
		row := z.RawRowView(i)
		for l, s := range step {
			row[l] += s
			moved += s * s
			size += row[l] * row[l]
		}
		if done != nil && moved <= 1e-18*(1+size) {
			done[i] = true
		}
	}
}

// solve replaces b by the solution of the symmetric system with this upper triangle.
func (k *cellDesk) solve(triangle, b []float64) bool {
	m := len(b)
	a := k.small[:m*m]
	p, trace := 0, 0.0
	for i := range m {
		trace += triangle[p]
		for j := i; j < m; j++ {
			a[j*m+i] = triangle[p]
			p++
		}
	}
	if !(trace > 0 && trace <= math.MaxFloat64) {
		return false
	}
	least := nearlyNone * trace / float64(m)
	for i := range m { // Cholesky, lower triangle
		for j := range i + 1 {
			s := a[i*m+j]
			for l := range j {
				s -= a[i*m+l] * a[j*m+l]
			}
			if i == j {
				a[i*m+i] = math.Sqrt(math.Max(s, 0) + least)
			} else {
				a[i*m+j] = s / a[j*m+j]
			}
		}
	}
	for i := range m {
		for l := range i {
			b[i] -= a[i*m+l] * b[l]
		}
		b[i] /= a[i*m+i]
	}
	for i := m - 1; i >= 0; i-- {
		for l := i + 1; l < m; l++ {
			b[i] -= a[l*m+i] * b[l]
		}
		b[i] /= a[i*m+i]
	}
	return true
}

// without works out what cells would be expected at had they no part in the scores of their own
// rows, at the present deviations and weights of cells: shift is to be added to what is expected,
// and grow is how many times the spread of a cell it is then off by. h is the leverage of a cell.
func (k *cellDesk) without(l cellLoss, shift, grow *mat.Dense) {
	full := l.at.Weight(typicalCell)
	k.weigh(l)
	weights := k.v.RawMatrix().Data
	for c, w := range weights {
		weights[c] = w / full
	}
	linalg.Mul(k.gram, k.v, k.pairs)
	for i := range k.rows {
		k.invert(k.gram.RawRowView(i))
	}
	linalg.Mul(grow, k.gram, k.pairsAcross)
	h := grow.RawMatrix().Data
	e, to := k.e.RawMatrix().Data, shift.RawMatrix().Data
	for c, taken := range h {
		own := math.Max(1-weights[c]*taken, 1e-9)
		to[c] = -e[c] * (1 - own) / own
		h[c] = math.Sqrt(1 + math.Max(taken, 0)/own)
	}
}

// invert replaces the upper triangle of a symmetric system by that of its inverse, the entries off the
// diagonal doubled: its product with those of a a' is then a' inverse a.
func (k *cellDesk) invert(triangle []float64) {
	m := k.m
	inverse := k.inverse[:0]
	for i := range m {
		b := k.step[:m]
		clear(b)
		b[i] = 1
		if !k.solve(triangle, b) { // nothing is known of the row
			clear(triangle)
			return
		}
		inverse = append(inverse, b[i])
		for _, v := range b[i+1:] {
			inverse = append(inverse, 2*v)
		}
	}
	copy(triangle, inverse)
	k.inverse = inverse
}
