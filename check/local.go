package check

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

const (
	// wide is the number of features beyond which each is predicted from a few others only: the inverse of
	// all covariances takes minutes at thousands of columns, and rows for so many are never there.
	wide = 500
	// mostTelling is the number of features that predict another one in a wide table.
	mostTelling = 24
	// farthestFilled bounds what is filled in, in transformed units.
	farthestFilled = 8
)

// link is another feature with its correlation, or with what its value adds to a prediction.
type link struct {
	to int
	by float64
}

// local predicts each feature of a wide table from the few that tell most about it.
type local struct {
	from [][]link // per feature, those that predict it
	onto [][]link // per feature, those that it predicts
}

// regress takes the mean and, of every feature, the prediction from those others that tell most about it.
// filled is as invert has it.
func (c *conditional) regress(y *mat.Dense, filled []float64) {
	n, d := y.Dims()
	mean, size := make([]float64, d), make([]float64, d)
	unit := mat.NewDense(d, n, nil) // a feature in each row, of length 1
	linalg.Parallel(d, func(j int) {
		to := unit.RawRowView(j)
		mat.Col(to, j, y)
		for _, v := range to {
			mean[j] += v / float64(n)
		}
		for i := range to {
			to[i] -= mean[j]
		}
		size[j] = math.Sqrt(linalg.Dot(to, to))
		for i := range to {
			to[i] /= max(size[j], 1e-100)
		}
	})
	if c.telling == nil || c.looked < 2 { // once more from cleaner rows, then it stands
		c.looked++
		// The largest of so many correlations by chance are left out.
		c.telling = mostAlike(unit, min(mostTelling, n/10), math.Sqrt(3*math.Log(float64(d))/float64(n)), c.alone)
	}
	before := c.diag
	c.mean, c.local = mean, &local{from: make([][]link, d), onto: make([][]link, d)}
	c.diag, c.root = make([]float64, d), make([]float64, d)
	linalg.Parallel(d, func(j int) {
		from, left := solveFew(unit, j, c.telling[j])
		variance := size[j] * size[j] / float64(max(n-1, 1)) * left
		if before != nil {
			variance += filled[j] / before[j]
		}
		for k := range from {
			from[k].by *= size[j] / max(size[from[k].to], 1e-100)
		}
		c.local.from[j] = from
		c.diag[j] = 1 / max(variance, 1e-4)
		c.root[j] = math.Sqrt(c.diag[j])
	})
	for j, from := range c.local.from {
		for _, l := range from {
			c.local.onto[l.to] = append(c.local.onto[l.to], link{j, l.by})
		}
	}
}

// solveFew predicts a feature from some others, all of length 1: the coefficients, and the share of its
// variance that is left. Correlations are taken once more: those of few may be by some of the rows only.
func solveFew(unit *mat.Dense, j int, few []link) (from []link, left float64) {
	if len(few) == 0 {
		return nil, 1
	}
	_, n := unit.Dims()
	shrink := 0.001 + min(0.9, 0.5*float64(len(few))/float64(n))
	s, b := mat.NewSymDense(len(few), nil), mat.NewVecDense(len(few), nil)
	for a, l := range few {
		s.SetSym(a, a, 1)
		b.SetVec(a, (1-shrink)*linalg.Dot(unit.RawRowView(l.to), unit.RawRowView(j)))
		for k := range a {
			s.SetSym(k, a, (1-shrink)*linalg.Dot(unit.RawRowView(l.to), unit.RawRowView(few[k].to)))
		}
	}
	var chol mat.Cholesky
	var x mat.VecDense
	if !chol.Factorize(s) || chol.SolveVecTo(&x, b) != nil {
		return nil, 1
	}
	from = make([]link, len(few))
	left = 1
	for a, l := range few {
		from[a] = link{l.to, x.AtVec(a)}
		left -= x.AtVec(a) * b.AtVec(a)
	}
	return from, max(left, 1e-4)
}

// mostAlike finds for every row of a matrix, all of length 1, at most so many others with the largest
// correlations, none below least: with their correlations, the largest first. Those that are left out are alike to none.
func mostAlike(unit *mat.Dense, most int, least float64, out []bool) [][]link {
	const block, work = 64, 4e10
	d, n := unit.Dims()
	if few := max(50, int(work/float64(d)/float64(d))); n > few { // very many features: some of the rows must do
		unit = mat.DenseCopyOf(unit.Slice(0, d, 0, few))
		for j := range d {
			row := unit.RawRowView(j)
			size := math.Sqrt(linalg.Dot(row, row))
			for i := range row {
				row[i] /= max(size, 1e-100)
			}
		}
	}
	found := make([][]link, d)
	linalg.Parallel((d+block-1)/block, func(b int) {
		first, end := b*block, min((b+1)*block, d)
		var product mat.Dense
		linalg.Mul(&product, unit.Slice(first, end, 0, unit.RawMatrix().Cols), unit.T())
		for j := first; j < end; j++ {
			if most < 1 || out != nil && out[j] {
				continue
			}
			var list []link
			for k, r := range product.RawRowView(j - first) {
				size := math.Abs(r)
				if k == j || !(size >= least) || out != nil && out[k] || len(list) == most && size <= math.Abs(list[most-1].by) {
					continue
				}
				if len(list) < most {
					list = append(list, link{})
				}
				at := len(list) - 1
				for ; at > 0 && math.Abs(list[at-1].by) < size; at-- {
					list[at] = list[at-1]
				}
				list[at] = link{k, r}
			}
			found[j] = list
		}
	})
	return found
}

// apply sets v to the residuals of a row less the mean, over their variances.
func (c *conditional) apply(y, v []float64) {
	for j := range v {
		predicted := 0.0
		for _, l := range c.local.from[j] {
			predicted += l.by * y[l.to]
		}
		v[j] = (y[j] - predicted) * c.diag[j]
	}
}

// cleanWide is clean for wide tables: in each round those cells are replaced that fit worse than all they are linked with.
func (c *conditional) cleanWide(z, y, v, t []float64) {
	replaced := make([]int, 0, 64)
	gone := make([]bool, c.d)
	for j, x := range z {
		if x != x {
			replaced, gone[j] = append(replaced, j), true
		}
	}
	missing := len(replaced)
	c.settleWide(y, v, replaced, 6)
	off := make([]float64, c.d) // by how much cells are off; 0 where they may stay
	for round := 0; round < 12 && len(replaced) <= missing+c.d/2; round++ {
		for j := range off {
			off[j] = 0
			if u := math.Abs(v[j]/c.root[j]-c.shift[j]) / c.scale[j]; u > cut && !c.few[j] && !gone[j] {
				off[j] = u
			}
		}
		from := len(replaced)
		for j, u := range off {
			if u > 0 && worst(j, off, c.local.from[j]) && worst(j, off, c.local.onto[j]) {
				replaced = append(replaced, j)
			}
		}
		if len(replaced) == from {
			break
		}
		for _, j := range replaced[from:] {
			gone[j] = true
		}
		c.settleWide(y, v, replaced, 2)
	}
	if len(replaced) > missing {
		c.settleWide(y, v, replaced, 4)
	}
	c.residuals(z, y, v, t, replaced, nil)
}

// worst says that none of the linked cells is farther off; of equal ones the first is.
func worst(j int, off []float64, links []link) bool {
	for _, l := range links {
		if off[l.to] > off[j] || off[l.to] == off[j] && l.to < j {
			return false
		}
	}
	return true
}

// settleWide puts cells at their predictions from the others, in turn.
func (c *conditional) settleWide(y, v []float64, cells []int, sweeps int) {
	for range sweeps {
		for _, j := range cells {
			to := min(max(y[j]-v[j]/c.diag[j], -farthestFilled), farthestFilled)
			step := y[j] - to
			if step == 0 {
				continue
			}
			y[j] = to
			v[j] -= step * c.diag[j]
			for _, l := range c.local.onto[j] {
				v[l.to] += step * l.by * c.diag[l.to]
			}
		}
		if len(cells) < 2 {
			return
		}
	}
}
