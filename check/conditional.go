package check

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/internal/workspace"
	"github.com/inlier-ml/inlier/linalg"
)

// conditional predicts each cell of a row from its other cells: by the inverse covariance of the
// cleaned table, with cells that do not fit replaced by their own predictions, one by one, the
// one that explains most first.
type conditional struct {
	d     int
	few   []bool
	alone []bool // predict nothing and are predicted by nothing
	mean  []float64
	omega []float64 // inverse covariance, d x d
	diag  []float64 // its diagonal
	root  []float64 // square roots of the diagonal: one over the conditional standard deviations
	unit  []float64 // the inverse covariance with a diagonal of ones
	scale []float64 // robust scale of the standardised residuals
	shift []float64 // their median
	usual []reach   // of products with the inverse covariance, within which cells surely fit

	local   *local   // of wide tables, in place of the inverse covariance
	telling [][]link // the features that tell most about each
	looked  int      // how often they were looked for

	idle sync.Pool // of *cleaning
}

// cut is the standardised residual beyond which a cell no longer predicts others.
const cut = 4

// learnConditional learns from rows in transformed units, NaN where missing.
func learnConditional(z *mat.Dense, few, alone []bool) *conditional {
	n, d := z.Dims()
	c := &conditional{d: d, few: few, alone: alone}
	y := mat.NewDense(n, d, nil)
	filled := make([]float64, d)
	for i := range n {
		from, to := z.RawRowView(i), y.RawRowView(i)
		for j, v := range from {
			if v == v && (few[j] || math.Abs(v) < cut) {
				to[j] = v
			}
		}
	}
	c.scale, c.shift = make([]float64, d), make([]float64, d)
	for j := range c.scale {
		c.scale[j] = 1
	}
	t := mat.NewDense(n, d, nil)
	for range 4 {
		if d > wide {
			c.regress(y, filled)
		} else {
			c.invert(y, filled)
		}
		c.reaches()
		c.rows(z, y, t, nil)
		c.drawIn(y)
		clear(filled)
		for i := range n {
			for j, v := range t.RawRowView(i) {
				if !few[j] && !(math.Abs(v) <= cut) {
					filled[j] += 1 / float64(n)
				}
			}
		}
		c.rescale(t)
	}
	c.reaches()
	return c
}

// reach is from where to where numbers lie.
type reach struct{ low, high float64 }

// reaches finds within which products with the inverse covariance no cell is beyond the cut, whatever rounding does.
func (c *conditional) reaches() {
	c.usual = make([]reach, c.d)
	for j, root := range c.root {
		most := cut*c.scale[j] - 1e-9*(cut*c.scale[j]+math.Abs(c.shift[j]))
		c.usual[j] = reach{root * (c.shift[j] - most), root * (c.shift[j] + most)}
	}
}

// farthestLearned is how far from the middle, in transformed units, a cleaned cell lies at most that predictions are learned from.
const farthestLearned = 8

// drawIn draws rows that are far out in most of their cells, and so are not cleaned, in towards the middle: a lone row of totals would set all
// covariances. It keeps its direction, in which its cells may well agree with each other.
func (c *conditional) drawIn(y *mat.Dense) {
	n, _ := y.Dims()
	for i := range n {
		row, far := y.RawRowView(i), 0.0
		for j, v := range row {
			if !c.few[j] {
				far = max(far, math.Abs(v))
			}
		}
		if far <= farthestLearned {
			continue
		}
		for j := range row {
			if !c.few[j] {
				row[j] *= farthestLearned / far
			}
		}
	}
}

// invert takes mean and inverse covariance of cleaned rows. filled are the shares of cells that
// are predictions: they lack the conditional variance, which is added.
func (c *conditional) invert(y *mat.Dense, filled []float64) {
	n, d := y.Dims()
	mean := make([]float64, d)
	for i := range n {
		for j, v := range y.RawRowView(i) {
			mean[j] += v
		}
	}
	for j := range mean {
		mean[j] /= float64(n)
	}
	centred := mat.NewDense(n, d, nil)
	for i := range n {
		to := centred.RawRowView(i)
		for j, v := range y.RawRowView(i) {
			to[j] = v - mean[j]
		}
	}
	var s mat.Dense
	linalg.Mul(&s, centred.T(), centred)
	// The fewer rows there are for each column, the less their correlations are believed.
	shrink := 0.001 + min(0.9, 0.5*float64(d)/float64(n))
	sym := mat.NewSymDense(d, nil)
	for j := range d {
		for k := j; k < d; k++ {
			v := s.At(j, k) / float64(max(n-1, 1))
			if j == k {
				if c.diag != nil {
					v += filled[j] / c.diag[j]
				}
				v = max(v, 1e-4) * (1 + 1e-9)
			} else if v *= 1 - shrink; c.alone[j] || c.alone[k] {
				v = 0
			}
			sym.SetSym(j, k, v)
		}
	}
	chol, ok := linalg.NewCholesky(sym)
	for extra := 0.01; !ok; extra *= 3 {
		for j := range d {
			sym.SetSym(j, j, sym.At(j, j)*(1+extra))
		}
		chol, ok = linalg.NewCholesky(sym)
	}
	inverse := chol.Inverse()
	c.mean = mean
	c.omega, c.diag, c.root = make([]float64, d*d), make([]float64, d), make([]float64, d)
	for j := range d {
		for k := range d {
			c.omega[j*d+k] = inverse.At(j, k)
		}
		c.diag[j] = inverse.At(j, j)
		c.root[j] = math.Sqrt(c.diag[j])
	}
	c.unit = make([]float64, d*d)
	for j := range d {
		for k := range d {
			c.unit[j*d+k] = c.omega[j*d+k] / (c.root[j] * c.root[k])
		}
	}
}

// rescale takes the median and the robust scale of every column of standardised residuals.
func (c *conditional) rescale(t *mat.Dense) {
	n, d := t.Dims()
	linalg.Parallel(d, func(j int) {
		if c.few[j] {
			return
		}
		column := make([]float64, 0, n)
		for i := range n {
			if v := t.At(i, j); v == v {
				column = append(column, v)
			}
		}
		if len(column) == 0 {
			return
		}
		shift, scale := univariate.Deviation(column)
		// Before, residuals were divided by the old scale.
		c.shift[j] += shift * c.scale[j]
		c.scale[j] *= max(scale, 0.05)
	})
}

// rows cleans rows: y becomes z with what is missing or does not fit replaced by its prediction,
// t the standardised residuals of all cells against the predictions from the cleaned others (NaN
// where missing). distance, if given, gets the rows' Mahalanobis distances before cleaning.
func (c *conditional) rows(z, y, t *mat.Dense, distance []float64) {
	n, _ := z.Dims()
	if n == 1 { // asked for some hundred thousand times
		c.some(z, y, t, distance, 0, 1)
		return
	}
	const block = 256
	linalg.Parallel((n+block-1)/block, func(b int) { c.some(z, y, t, distance, b*block, min(block, n-b*block)) })
}

// some cleans so many rows from one on.
func (c *conditional) some(z, y, t *mat.Dense, distance []float64, first, count int) {
	d := c.d
	room := workspace.Get(2 * count * d)
	defer room.Put()
	centred, v := mat.NewDense(count, d, room.Take(count*d)), mat.NewDense(count, d, room.Take(count*d))
	for i := range count {
		to := centred.RawRowView(i)
		for j, x := range z.RawRowView(first + i) {
			if to[j] = 0; x == x {
				to[j] = x - c.mean[j]
			}
		}
	}
	switch {
	case c.local != nil:
	case count == 1:
		to := v.RawRowView(0)
		clear(to)
		for j, x := range centred.RawRowView(0) {
			linalg.Axpy(x, c.omega[j*d:(j+1)*d], to)
		}
	default:
		linalg.Mul(v, centred, mat.NewDense(d, d, c.omega))
	}
	cells, ok := c.idle.Get().(*cleaning)
	if !ok {
		cells = &cleaning{gone: make([]bool, d), replaced: make([]int, 0, d)}
	}
	defer c.idle.Put(cells)
	for i := range count {
		row, gradient := centred.RawRowView(i), v.RawRowView(i)
		if c.local != nil {
			c.apply(row, gradient)
		}
		if distance != nil {
			distance[first+i] = c.distance(row, gradient)
		}
		if c.local != nil {
			c.cleanWide(z.RawRowView(first+i), row, gradient, t.RawRowView(first+i))
		} else {
			c.clean(z.RawRowView(first+i), row, gradient, t.RawRowView(first+i), cells)
		}
		to := y.RawRowView(first + i)
		for j, x := range row {
			to[j] = x + c.mean[j]
		}
	}
}

// distance is the Mahalanobis distance of a row; of a wide one, whose predictions are no covariance, the length
// of its standardised residuals.
func (c *conditional) distance(row, gradient []float64) float64 {
	if c.local == nil {
		return math.Sqrt(max(linalg.Dot(row, gradient), 0))
	}
	sum := 0.0
	for j, v := range gradient {
		sum += v * v / c.diag[j]
	}
	return math.Sqrt(sum)
}

// cleaning is room for the cells of a row that are missing or were replaced: which, in order, and what grow knows of them.
type cleaning struct {
	gone     []bool
	replaced []int
	grown    growing
}

// clean cleans one row. y is the row less the mean, v the product with the inverse covariance,
// both kept up to date; t gets the standardised residuals.
func (c *conditional) clean(z, y, v, t []float64, room *cleaning) {
	replaced, gone, grown := room.replaced[:0], room.gone, &room.grown
	grown.n, grown.few, grown.lower = 0, 0, grown.lower[:0]
	for j, x := range z {
		if gone[j] = x != x; gone[j] {
			replaced = append(replaced, j)
		}
	}
	missing := len(replaced)
	c.settle(y, v, replaced, grown)
	limit := min(missing+1+c.d/2, c.d)
	for len(replaced) < limit {
		worst, most := c.worst(z, v, gone)
		if worst < 0 {
			break
		}
		replaced, gone[worst] = append(replaced, worst), true
		if len(replaced) > missing+mostUnknown {
			replaced = c.nearlyWorst(z, v, evenly*most, replaced[:len(replaced):limit], gone)
		}
		c.settle(y, v, replaced, grown)
	}
	replaced, wide := c.again(z, y, v, replaced, missing)
	c.residuals(z, y, v, t, replaced, wide)
}

// residuals are those of a cleaned row, standardised: of what was replaced by how much it was moved. wide are by how much larger the standard deviations of
// these are than that of each cell by itself; nil: they are not.
func (c *conditional) residuals(z, y, v, t []float64, replaced []int, wide []float64) {
	for j := range t {
		t[j] = (v[j]/c.root[j] - c.shift[j]) / c.scale[j]
	}
	if c.local == nil && len(replaced) > 0 && len(replaced) <= mostUnknown {
		c.loosen(t, replaced)
	}
	for k, j := range replaced {
		moved := (z[j] - c.mean[j] - y[j]) * c.root[j]
		if wide != nil {
			moved /= wide[k]
		}
		t[j] = (moved + v[j]/c.root[j] - c.shift[j]) / c.scale[j]
	}
}

// away is the standard deviation of what is expected of a cell that is z, y in the cleaned row, and t standard deviations from it.
func (c *conditional) away(j int, z, y, t float64) float64 {
	own := c.scale[j] / c.root[j]
	if moved, by := z-y, t*c.scale[j]+c.shift[j]; moved*by > 0 && !math.IsInf(moved, 0) {
		return max(own, c.scale[j]*moved/by) // replaced with others
	}
	return own
}

func within(cells []int, j int) bool {
	for _, k := range cells {
		if k == j {
			return true
		}
	}
	return false
}
