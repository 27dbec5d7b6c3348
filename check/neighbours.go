package check

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

// neighbours are rows that others are held against: those that agree best in all columns, or in all
// but the one that is asked about. They know of groups and bends that no covariance knows.
type neighbours struct {
	rows  []int      // of the table they were learned from
	miss  *mat.Dense // standardised residuals of their cells: by how much they miss their predictions
	clean *mat.Dense // cleaned and clipped: by these rows are alike
	aside [][]int    // per feature, the others that tell about it, the most telling first
	worth [][]float64

	across  mat.Matrix  // clean, turned; where features are few by itself, so that products need not turn it
	norms   []float64   // squared lengths of the cleaned rows
	norm    float64     // the largest of them
	weighed [][]float64 // per feature, half of these lengths with the others' worths, infinite where the cell is missing; nil where there are many features
	longest []float64   // the largest of them, whole
	idle    sync.Pool   // of seekers
}

const (
	nearest     = 10 // rows whose mean distance tells how alone a row is
	asked       = 15 // rows asked about one cell
	alike       = 4  // clip of cleaned values
	mostColumns = 30 // that decide who is asked
)

// chooseNeighbours takes at most so many rows of the sample, evenly.
func chooseNeighbours(residual, clean *mat.Dense, sample []int, most int) *neighbours {
	n, d := residual.Dims()
	count := min(n, most)
	b := &neighbours{rows: make([]int, count), miss: mat.NewDense(count, d, nil), clean: mat.NewDense(count, d, nil)}
	for i := range count {
		at := int((float64(i) + 0.5) * float64(n) / float64(count))
		b.rows[i] = sample[at]
		copy(b.miss.RawRowView(i), residual.RawRowView(at))
		clip(b.clean.RawRowView(i), clean.RawRowView(at))
	}
	b.weigh()
	return b
}

func clip(to, from []float64) {
	for j, v := range from {
		to[j] = min(max(v, -alike), alike)
	}
}

// weigh finds for every feature which others tell about it: by the square roots of their
// correlations, with a little for all of them.
func (b *neighbours) weigh() {
	n, d := b.clean.Dims()
	if d > wide {
		b.weighWide()
		b.measure()
		return
	}
	mean, sd := make([]float64, d), make([]float64, d)
	centred := mat.DenseCopyOf(b.clean)
	for j := range d {
		for i := range n {
			mean[j] += centred.At(i, j) / float64(n)
		}
		for i := range n {
			v := centred.At(i, j) - mean[j]
			centred.Set(i, j, v)
			sd[j] += v * v
		}
		sd[j] = math.Sqrt(sd[j])
	}
	var product mat.Dense
	linalg.Mul(&product, centred.T(), centred)
	b.aside, b.worth = make([][]int, d), make([][]float64, d)
	linalg.Parallel(d, func(j int) {
		others := make([]int, 0, d)
		weight := make([]float64, d)
		for k := range d {
			if k == j || sd[k] == 0 {
				continue
			}
			r := 0.0
			if sd[j] > 0 {
				r = math.Abs(product.At(j, k)) / (sd[j] * sd[k])
			}
			weight[k] = r + 0.1
			others = append(others, k)
		}
		slices.SortStableFunc(others, func(a, c int) int {
			switch {
			case weight[a] > weight[c]:
				return -1
			case weight[a] < weight[c]:
				return 1
			}
			return a - c
		})
		if len(others) > mostColumns {
			others = others[:mostColumns]
		}
		b.aside[j] = others
		b.worth[j] = make([]float64, len(others))
		for i, k := range others {
			b.worth[j][i] = weight[k]
		}
	})
	b.measure()
}

// weighWide is weigh for wide tables, in which the matrix of all correlations would be the largest thing of all.
func (b *neighbours) weighWide() {
	n, d := b.clean.Dims()
	unit, constant := mat.NewDense(d, n, nil), make([]bool, d)
	linalg.Parallel(d, func(j int) {
		to := unit.RawRowView(j)
		mat.Col(to, j, b.clean)
		mean := 0.0
		for _, v := range to {
			mean += v / float64(n)
		}
		for i := range to {
			to[i] -= mean
		}
		size := math.Sqrt(linalg.Dot(to, to))
		constant[j] = size == 0
		for i := range to {
			to[i] /= max(size, 1e-100)
		}
	})
	b.aside, b.worth = make([][]int, d), make([][]float64, d)
	for j, list := range mostAlike(unit, mostColumns, 0, constant) {
		for _, l := range list {
			b.aside[j] = append(b.aside[j], l.to)
			b.worth[j] = append(b.worth[j], math.Abs(l.by)+0.1)
		}
	}
}

// closest keeps the nearest of what it is shown.
type closest struct {
	distance []float64
	row      []int
	size     int
}

func newClosest(size int) *closest {
	return &closest{distance: make([]float64, 0, size), row: make([]int, 0, size), size: size}
}

func (c *closest) reset() { c.distance, c.row = c.distance[:0], c.row[:0] }

func (c *closest) farthest() float64 {
	if len(c.distance) < c.size {
		return math.Inf(1)
	}
	return c.distance[c.size-1]
}

func (c *closest) show(distance float64, row int) {
	if len(c.distance) < c.size {
		c.distance, c.row = append(c.distance, 0), append(c.row, 0)
	}
	i := len(c.distance) - 1
	for i > 0 && c.distance[i-1] > distance {
		c.distance[i], c.row[i] = c.distance[i-1], c.row[i-1]
		i--
	}
	c.distance[i], c.row[i] = distance, row
}

// said is by how much the residual of a cell differs from those of the rows nearest to its row in the
// other columns: where the prediction misses all of them in the same way it is the prediction that is wrong
// (groups, bends), not the cell. It returns the difference in spreads of theirs; 0 where a fifth of them
// say the same, or too few can be asked.
func (b *neighbours) said(j int, residual float64, near *closest, room []float64) float64 {
	if len(near.row) < 3 {
		return 0
	}
	said, all := room[:0], b.miss.RawMatrix()
	for _, i := range near.row {
		said = append(said, all.Data[i*all.Stride+j])
	}
	middle, spread := fewDeviation(said)
	spread = max(spread, 0.5)
	same := 0
	for _, i := range near.row {
		if math.Abs(all.Data[i*all.Stride+j]-residual) < max(spread, 1) {
			same++
		}
	}
	if 5*same >= len(near.row) {
		return 0
	}
	return math.Abs(residual-middle) / spread
}

// fewDeviation is [univariate.Deviation] of a few values.
func fewDeviation(x []float64) (centre, deviation float64) {
	middle := func() float64 {
		for i, v := range x {
			k := i
			for ; k > 0 && x[k-1] > v; k-- {
				x[k] = x[k-1]
			}
			x[k] = v
		}
		upper := x[len(x)/2]
		if len(x)%2 == 1 {
			return upper
		}
		return x[len(x)/2-1]/2 + upper/2
	}
	centre = middle()
	for i, v := range x {
		x[i] = math.Abs(v - centre)
	}
	return centre, univariate.Normal * middle()
}
