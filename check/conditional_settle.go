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
		factor := c.factored(cells, room[:n*n])
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
			row[k] = (c.omega[j*c.d+o]/(c.root[j]*c.root[o]) - linalg.Inner(before[:k], row[:k])) / before[k]
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
func (c *conditional) factored(cells []int, room []float64) []float64 {
	n := len(cells)
	for i, j := range cells {
		for k, o := range cells[:i+1] {
			sum := c.omega[j*c.d+o] / (c.root[j] * c.root[o])
			for p := range k {
				sum -= room[i*n+p] * room[k*n+p]
			}
			if k == i {
				room[i*n+i] = math.Sqrt(max(sum, 1e-12))
			} else {
				room[i*n+k] = sum / room[k*n+k]
			}
		}
	}
	return room
}

// forward solves factor x = b in place, backward its transpose.
func forward(factor, b []float64) {
	n := len(b)
	for i := range n {
		for k := range i {
			b[i] -= factor[i*n+k] * b[k]
		}
		b[i] /= factor[i*n+i]
	}
}

func backward(factor, b []float64) {
	n := len(b)
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			b[i] -= factor[k*n+i] * b[k]
		}
		b[i] /= factor[i*n+i]
	}
}

// loosenFrom is the standardised residual from which on it is asked what those cells would tell of it that are missing.
const loosenFrom = 2

// loosen takes the residuals of cells that are there as what they are without those that are not: of the scale which close relations turned out to
// have is only what is left of these. Residuals become smaller by it, never larger.
func (c *conditional) loosen(t []float64, gone []int) {
	var room [mostUnknown * mostUnknown]float64
	var of [mostUnknown]float64
	var factor []float64
	n := len(gone)
	for j, x := range t {
		if !(math.Abs(x) > loosenFrom) || within(gone, j) {
			continue
		}
		if factor == nil {
			factor = c.factored(gone, room[:n*n])
		}
		for k, o := range gone {
			of[k] = c.omega[j*c.d+o] / (c.root[j] * c.root[o])
		}
		forward(factor, of[:n])
		kept := 1.0 // of the precision that the cell has where none is missing
		for _, w := range of[:n] {
			kept -= w * w
		}
		wider := 1 / max(kept, 1e-12)
		scale := c.scale[j]
		t[j] *= min(1, wider*scale/math.Sqrt(wider-1+scale*scale))
	}
}
