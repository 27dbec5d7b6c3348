package linear

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
)

// cloud is a set of points with weights. Their columns are standardised, so that moments
// need no shift to be accurate.
type cloud struct {
	n, k  int
	wide  int       // at least k + 1, for the matrix kernel
	z     []float64 // n x wide: 1, the k coordinates, zeros
	prior []float64
	total float64
	units units
}

// newCloud standardises some columns of at most so many rows, drawn at random. A weight
// counts repetitions: many are drawn one by one, and then each drawn row weighs one.
func newCloud(x *mat.Dense, columns []int, as []column, prior []float64, most int, seed uint64) *cloud {
	n, _ := x.Dims()
	all := unitsOf(n, prior)
	var rows []int
	if all.count > most {
		rows, prior = all.draw(most, random.New(seed, "linear cloud")), nil
	} else {
		rows = make([]int, n)
		for i := range rows {
			rows[i] = i
		}
	}
	c := emptyCloud(len(rows), len(columns))
	c.setWeights(prior)
	for k, i := range rows {
		row, to := x.RawRowView(i), c.point(k)
		for a, j := range columns {
			to[a] = (as[a].within(row[j]) - as[a].centre) / as[a].spread
		}
	}
	return c
}

// setWeights gives the points weights; nil for ones.
func (c *cloud) setWeights(w []float64) {
	c.prior, c.units, c.total = w, unitsOf(c.n, w), 0
	for i := range c.n {
		c.total += c.weight(i)
	}
}

func emptyCloud(n, k int) *cloud {
	c := &cloud{n: n, k: k, wide: padded(k + 1)}
	c.z = make([]float64, n*c.wide)
	for i := range n {
		c.z[i*c.wide] = 1
	}
	return c
}

// point returns the coordinates of point i.
func (c *cloud) point(i int) []float64 { return c.z[i*c.wide+1 : i*c.wide+1+c.k] }

func (c *cloud) weight(i int) float64 {
	if c.prior == nil {
		return 1
	}
	return c.prior[i]
}

// sample draws some of the points.
func (c *cloud) sample(count int, seed uint64) *cloud {
	rows := c.units.draw(count, random.New(seed, "linear leverage rows"))
	s := emptyCloud(count, c.k)
	s.setWeights(nil)
	for a, i := range rows {
		copy(s.point(a), c.point(i))
	}
	return s
}

// core is a possible half of the points.
type core struct {
	mean    []float64
	scatter *mat.SymDense
	whiten  *mat.Dense
	logDet  float64
}

// densest returns mean and consistent covariance of the half of the points with the
// smallest determinant that was found: concentration steps from random simplices and from
// the points nearest to the coordinatewise median.
func (c *cloud) densest(ctx context.Context, seed uint64) ([]float64, *mat.SymDense, error) {
	starts := make([]*core, leverageStarts+1)
	linalg.Parallel(len(starts), func(s int) {
		if ctx.Err() != nil {
			return
		}
		w := make([]float64, c.n)
		if s == 0 {
			for i := range w {
				w[i] = c.weight(i) / math.Max(1, squaredNorm(c.point(i)))
			}
		} else {
			draw := random.New(seed, fmt.Sprintf("linear leverage %d", s))
			var drawn []int
			for range c.k + 1 {
				if unit := draw.IntN(c.units.count); !slices.Contains(drawn, unit) {
					drawn = append(drawn, unit)
					w[c.units.row(unit)]++
				}
			}
		}
		next := c.core(w)
		for range 2 {
			if next != nil {
				next = c.concentrate(next)
			}
		}
		starts[s] = next
	})
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	starts = slices.DeleteFunc(starts, func(s *core) bool { return s == nil })
	slices.SortStableFunc(starts, func(a, b *core) int { return cmp.Compare(a.logDet, b.logDet) })
	ends := starts[:min(3, len(starts))]
	linalg.Parallel(len(ends), func(k int) {
		for range 100 {
			next := c.concentrate(ends[k])
			if next == nil || !(next.logDet < ends[k].logDet-1e-10) {
				break
			}
			ends[k] = next
		}
	})
	best := slices.MinFunc(ends, func(a, b *core) int { return cmp.Compare(a.logDet, b.logDet) })
	share := c.half() / c.total
	q := distuv.ChiSquared{K: float64(c.k)}.Quantile(share)
	factor := share / distuv.ChiSquared{K: float64(c.k + 2)}.CDF(q)
	best.scatter.ScaleSym(factor, best.scatter)
	return best.mean, best.scatter, nil
}

// half is the weight of the densest half.
func (c *cloud) half() float64 { return math.Floor((c.total + float64(c.k) + 1) / 2) }

// moments returns sum of the weights, weighted mean and weighted scatter; the mean is nil
// without weight.
func (c *cloud) moments(w []float64) (total float64, mean []float64, scatter *mat.SymDense) {
	gram := make([]float64, c.wide*c.wide)
	fastblas.WeightedGram(0, c.n, c.wide, c.z, c.wide, w, nil, gram, c.wide)
	if total = gram[0]; !(total > 0) {
		return total, nil, nil
	}
	mean = make([]float64, c.k)
	for j := range mean {
		mean[j] = gram[1+j] / total
	}
	scatter = mat.NewSymDense(c.k, nil)
	for i := range c.k {
		for j := i; j < c.k; j++ {
			scatter.SetSym(i, j, gram[(1+i)*c.wide+1+j]-gram[1+i]*mean[j])
		}
	}
	return total, mean, scatter
}

// core returns the weighted moments; nil without weight.
func (c *cloud) core(w []float64) *core {
	total, mean, s := c.moments(w)
	if mean == nil {
		return nil
	}
	s.ScaleSym(1/total, s)
	for j := range c.k { // points in a plane have a volume too, if a small one
		s.SetSym(j, j, s.At(j, j)+1e-8)
	}
	whiten, logDet, ok := whitener(s)
	if !ok {
		return nil
	}
	return &core{mean: mean, scatter: s, whiten: whiten, logDet: logDet}
}

// concentrate takes the half of the points nearest to a core.
func (c *cloud) concentrate(at *core) *core {
	d := c.squared(at.mean, at.whiten)
	w := make([]float64, c.n)
	if c.prior == nil {
		for _, i := range univariate.Smallest(d, int(c.half())) {
			w[i] = 1
		}
		return c.core(w)
	}
	order := make([]int, c.n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if d[a] != d[b] {
			return cmp.Compare(d[a], d[b])
		}
		return a - b
	})
	left := c.half()
	for _, i := range order {
		w[i] = math.Min(left, c.weight(i))
		if left -= w[i]; left <= 0 {
			break
		}
	}
	return c.core(w)
}

// squared distances of all points: |(z - mean) whiten|^2, the mean by way of the ones.
func (c *cloud) squared(mean []float64, whiten *mat.Dense) []float64 {
	white := make([]float64, c.wide*c.wide)
	for i := range c.k {
		copy(white[(1+i)*c.wide:], whiten.RawRowView(i))
		axpy(-mean[i], whiten.RawRowView(i), white[:c.k])
	}
	d := make([]float64, c.n)
	const block = 512
	linalg.Parallel((c.n+block-1)/block, func(piece int) {
		first, last := piece*block, min((piece+1)*block, c.n)
		out := make([]float64, (last-first)*c.wide)
		fastblas.Gemm(1, false, false, last-first, c.wide, c.wide, 1, c.z[first*c.wide:], c.wide, white, c.wide, 0, out, c.wide)
		for i := first; i < last; i++ {
			d[i] = squaredNorm(out[(i-first)*c.wide : (i-first)*c.wide+c.k])
		}
	})
	return d
}

// reweighted returns moments of the points within the cut-off, made consistent.
func (c *cloud) reweighted(mean []float64, scatter *mat.SymDense) ([]float64, *mat.SymDense) {
	whiten, _, ok := whitener(scatter)
	if !ok {
		return mean, scatter
	}
	q := distuv.ChiSquared{K: float64(c.k)}.Quantile(leverageLevel)
	w := make([]float64, c.n)
	inside := 0.0
	for i, v := range c.squared(mean, whiten) {
		if v <= q {
			w[i] = c.weight(i)
			inside += w[i]
		}
	}
	if inside <= float64(2*c.k) {
		return mean, scatter
	}
	total, centre, s := c.moments(w)
	if !(total > 1) {
		return mean, scatter
	}
	factor := leverageLevel / distuv.ChiSquared{K: float64(c.k + 2)}.CDF(q)
	s.ScaleSym(factor/(total-1), s)
	for j := range c.k {
		s.SetSym(j, j, s.At(j, j)+1e-10)
	}
	return centre, s
}
