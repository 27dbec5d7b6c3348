package check

import (
	"math"
	"slices"

	"github.com/inlier-ml/inlier/linalg"
)

// settle puts cells at their predictions from the others, at once: cells that tell each other nearly exactly would come near it in hundreds of turns
// only, and what is left of the way would count as their residual. grown is what grow needs of the cells before.
func (c *conditional) settle(y, v []float64, cells []int, grown *growing) {
	switch n := len(cells); {
	case n == 1:
		c.step(y, v, cells[0], v[cells[0]]/c.diag[cells[0]])
	case n > mostUnknown:
		c.grow(y, v, cells, grown)
	case n > 1:
		var room [mostUnknown * mostUnknown]float64
		var steps [mostUnknown]float64
		factor := &room
		if grown == nil {
			c.factored(cells, 0, factor)
		} else {
			factor = &grown.factor
			c.factored(cells, grown.few, factor)
			grown.few = n
		}
		for i, j := range cells {
			steps[i] = v[j] / c.root[j]
		}
		forward(factor, steps[:n])
		backward(factor, steps[:n])
		for i, j := range cells {
			c.step(y, v, j, steps[i]/c.root[j])
		}
	}
}

// step takes a cell back by so much, and keeps the product with the inverse covariance up to date.
func (c *conditional) step(y, v []float64, j int, by float64) {
	if by == 0 {
		return
	}
	y[j] -= by
	linalg.Axpy(-by, c.omega[j*c.d:(j+1)*c.d], v)
}

// growing is the lower half, row by row, of the Cholesky factor of so many cells' part of the inverse covariance, whose diagonal is made one.
type growing struct {
	n            int
	lower, steps []float64
	few          int // of how many cells factor is, as long as they are few
	factor       [mostUnknown * mostUnknown]float64
}

// grow is settle for many cells. Of those before, which are the same as the last time, the factor is there: rows that are wrong everywhere have a
// hundred cells and more, one of which is added at a time.
func (c *conditional) grow(y, v []float64, cells []int, f *growing) {
	n := len(cells)
	for ; f.n < n; f.n++ {
		i, j := f.n, cells[f.n]
		from := len(f.lower)
		f.lower = slices.Grow(f.lower, i+1)[:from+i+1]
		row := f.lower[from:]
		for k, o := range cells[:i] {
			before := f.lower[k*(k+1)/2:][:k+1]
			row[k] = (c.unit[j*c.d+o] - linalg.Inner(before[:k], row[:k])) / before[k]
		}
		row[i] = math.Sqrt(max(1-linalg.Inner(row[:i], row[:i]), 1e-12))
	}
	f.steps = slices.Grow(f.steps[:0], n)[:n]
	steps := f.steps
	for i, j := range cells {
		row := f.lower[i*(i+1)/2:][:i+1]
		steps[i] = (v[j]/c.root[j] - linalg.Inner(row[:i], steps[:i])) / row[i]
	}
	for i := n - 1; i >= 0; i-- {
		row := f.lower[i*(i+1)/2:][:i+1]
		steps[i] /= row[i]
		linalg.Axpy(-steps[i], row[:i], steps[:i])
	}
	for i, j := range cells {
		c.step(y, v, j, steps[i]/c.root[j])
	}
}

// factored is the Cholesky factor of a few cells' part of the inverse covariance, whose diagonal is made one; row by row, the lower half.
// That of the first ones is there.
func (c *conditional) factored(cells []int, known int, room *[mostUnknown * mostUnknown]float64) {
	for i := known; i < len(cells); i++ {
		unit, row := c.unit[cells[i]*c.d:][:c.d], room[i*mostUnknown:][:i+1]
		for k, o := range cells[:i+1] {
			sum, before := unit[o], room[k*mostUnknown:][:k+1]
			for p, x := range row[:k] {
				sum -= x * before[p]
			}
			if k == i {
				row[i] = math.Sqrt(max(sum, 1e-12))
			} else {
				row[k] = sum / before[k]
			}
		}
	}
}

// forward solves factor x = b in place, backward its transpose.
func forward(factor *[mostUnknown * mostUnknown]float64, b []float64) {
	for i, x := range b {
		row := factor[i*mostUnknown:][:i+1]
		for k, y := range b[:i] {
			x -= row[k] * y
		}
		b[i] = x / row[i]
	}
}

func backward(factor *[mostUnknown * mostUnknown]float64, b []float64) {
	n := len(b)
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			b[i] -= factor[k*mostUnknown+i] * b[k]
		}
		b[i] /= factor[i*mostUnknown+i]
	}
}

// loosenFrom is the standardised residual from which on it is asked what those cells would tell of it that are missing.
const loosenFrom = 2

// loosen takes the residuals of cells that are there as what they are without those that are not: of the scale which close relations turned out to
// have is only what is left of these. Residuals become smaller by it, never larger.
func (c *conditional) loosen(t []float64, gone []int) {
	var room [mostUnknown * mostUnknown]float64
	var of [mostUnknown]float64
	factored, n := false, len(gone)
	for j, x := range t {
		if !(math.Abs(x) > loosenFrom) || within(gone, j) {
			continue
		}
		if !factored {
			c.factored(gone, 0, &room)
			factored = true
		}
		for k, o := range gone {
			of[k] = c.unit[j*c.d+o]
		}
		forward(&room, of[:n])
		kept := 1.0 // of the precision that the cell has where none is missing
		for _, w := range of[:n] {
			kept -= w * w
		}
		wider := 1 / max(kept, 1e-12)
		scale := c.scale[j]
		t[j] *= min(1, wider*scale/math.Sqrt(wider-1+scale*scale))
	}
}
