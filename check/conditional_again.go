package check

import (
	"math"
	"slices"

	"github.com/inlier-ml/inlier/linalg"
)

// mostUnknown is how many cells of a row that are missing or do not fit are asked together; in rows with more everything is wrong.
const mostUnknown = 24

// again gives back, one by one, the cells that were replaced and fit those which are left: one wrong cell makes its neighbours look wrong, and one of these may
// have been blamed before it. wide are by how much the standard deviations of the cells that stay replaced grow since none of them tells of the others; nil: they do
// not. The first cells are missing.
func (c *conditional) again(z, y, v []float64, replaced []int, missing int) (left []int, wide []float64) {
	for len(replaced) > missing && len(replaced) > 1 && len(replaced) <= mostUnknown {
		wide = c.wider(replaced)
		fits, least := -1, float64(cut)
		for k, j := range replaced {
			if u := math.Abs(z[j]-c.mean[j]-y[j]) * c.root[j] / wide[k] / c.scale[j]; k >= missing && u < least {
				fits, least = k, u
			}
		}
		if fits < 0 || len(replaced) == missing+1 {
			return replaced, wide
		}
		j := replaced[fits]
		step := z[j] - c.mean[j] - y[j]
		y[j] += step
		linalg.Axpy(step, c.omega[j*c.d:(j+1)*c.d], v)
		replaced = slices.Delete(replaced, fits, fits+1)
		c.settle(y, v, replaced, nil)
	}
	return replaced, nil
}

// wider are the standard deviations of cells of which all are unknown beside those of each where it alone is. The diagonal of the inverse of their part of the
// inverse covariance says how much variance there is more. Only what is there without it is of the scale that the residuals turned out to have: the inverse
// covariance is shrunken, and says too little of close relations, but not of loose ones.
func (c *conditional) wider(cells []int) []float64 {
	n := len(cells)
	var room [mostUnknown * mostUnknown]float64
	a, out := room[:n*n], make([]float64, n)
	for i, j := range cells {
		for k, o := range cells {
			a[i*n+k] = c.unit[j*c.d+o]
		}
	}
	// Each cell is swept out of the others (Gauss and Jordan), in place; the part is positive definite.
	for p := range n {
		pivot := max(a[p*n+p], 1e-12)
		from := a[p*n : p*n+n]
		for i := range n {
			if i == p {
				continue
			}
			to := a[i*n : i*n+n][:len(from)]
			by := to[p] / pivot
			for k, w := range from {
				to[k] -= by * w
			}
			to[p] = -by
		}
		for k := range n {
			if k != p {
				a[p*n+k] /= pivot
			}
		}
		a[p*n+p] = 1 / pivot
	}
	for i, j := range cells {
		out[i] = math.Sqrt(1 + max(a[i*n+i]-1, 0)/(c.scale[j]*c.scale[j]))
	}
	return out
}
