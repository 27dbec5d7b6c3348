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
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
)

const (
	// leverageRows bounds the sample from which the raw estimate comes, cloudRows the one
	// on which it is reweighted.
	leverageRows = 1000
	cloudRows    = 20000
	// leverageStarts is the number of random subsets tried.
	leverageStarts = 20
	// leverageLevel is the share of normal rows inside the cut-off.
	leverageLevel = 0.975
)

// leverage measures how far a row is out in the columns, by the reweighted minimum
// covariance determinant (Rousseeuw and Van Driessen 1999): centre and covariance of the
// half of the rows that lie closest together, then of all rows near those.
type leverage struct {
	columns []int      // of x that take part: those that are not mostly one value
	offset  []float64  // of every column of x that takes part
	whiten  *mat.Dense // k x k, upper triangular: distance = |(row - offset) whiten|
	cutoff  float64    // 0: no row counts as far out
}

func newLeverage(ctx context.Context, x *mat.Dense, o Robust) (*leverage, error) {
	n, d := x.Dims()
	l := &leverage{}
	var centre, spread []float64
	for j := range d {
		at := columnOf(x, j)
		c, s := centreAndSpread(at, n, o.Weights)
		if s <= 1e-13*math.Abs(c) || mostlyOneValue(at, n, c) {
			continue
		}
		l.columns = append(l.columns, j)
		centre, spread = append(centre, c), append(spread, s)
	}
	k := len(l.columns)
	if k == 0 || n < 3*(k+1) {
		l.columns = nil
		return l, nil
	}
	cloud := newCloud(x, l.columns, centre, spread, o.Weights, max(cloudRows, 20*k), o.Seed)
	sample := cloud
	if rows := max(leverageRows, 20*k); cloud.n > 2*rows {
		sample = cloud.sample(rows, o.Seed)
	}
	mean, scatter, err := sample.densest(ctx, o.Seed)
	if err != nil {
		return nil, err
	}
	if mean, scatter, err = cloud.reweighted(ctx, mean, scatter); err != nil {
		return nil, err
	}
	whiten, _, ok := whitener(scatter)
	if !ok {
		l.columns = nil
		return l, nil
	}
	l.offset = make([]float64, k)
	for i := range k {
		l.offset[i] = centre[i] + spread[i]*mean[i]
		for j := range k {
			whiten.Set(i, j, whiten.At(i, j)/spread[i])
		}
	}
	l.whiten = whiten
	l.cutoff = math.Sqrt(distuv.ChiSquared{K: float64(k)}.Quantile(leverageLevel))
	return l, nil
}

// mostlyOneValue tells whether at least half of the values are equal, as in columns of
// rare categories: they have no spread to measure distances by.
func mostlyOneValue(at func(i int) float64, n int, centre float64) bool {
	same, seen := 0, 0
	for i := 0; i < n; i += (n + standardiseRows - 1) / standardiseRows {
		seen++
		if at(i) == centre {
			same++
		}
	}
	return 2*same >= seen
}

// distances of the rows of x.
func (l *leverage) distances(x *mat.Dense) []float64 {
	n, _ := x.Dims()
	out := make([]float64, n)
	k := len(l.columns)
	if k == 0 {
		return out
	}
	white := l.whiten.RawMatrix()
	linalg.Parallel((n+passRows-1)/passRows, func(piece int) {
		const block = 256
		v, z := make([]float64, block*k), make([]float64, block*k)
		last := min((piece+1)*passRows, n)
		for first := piece * passRows; first < last; first += block {
			rows := min(block, last-first)
			for i := range rows {
				row := x.RawRowView(first + i)
				for a, j := range l.columns {
					v[i*k+a] = row[j] - l.offset[a]
				}
			}
			fastblas.Gemm(1, false, false, rows, k, k, 1, v, k, white.Data, white.Stride, 0, z, k)
			for i := range rows {
				out[first+i] = math.Sqrt(squaredNorm(z[i*k : (i+1)*k]))
			}
		}
	})
	return out
}

// cloud is a set of standardised points with weights.
type cloud struct {
	n, k  int
	z     *mat.Dense
	prior []float64
	total float64
}

// newCloud standardises the columns of at most so many rows, drawn at random.
func newCloud(x *mat.Dense, columns []int, centre, spread, prior []float64, most int, seed uint64) *cloud {
	n, _ := x.Dims()
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	if n > most {
		draw := random.New(seed, "linear cloud")
		for k := range most {
			j := k + draw.IntN(n-k)
			rows[k], rows[j] = rows[j], rows[k]
		}
		rows = rows[:most]
		slices.Sort(rows)
	}
	c := &cloud{n: len(rows), k: len(columns), z: mat.NewDense(len(rows), len(columns), nil)}
	for k, i := range rows {
		row, to := x.RawRowView(i), c.z.RawRowView(k)
		for a, j := range columns {
			to[a] = (row[j] - centre[a]) / spread[a]
		}
		if prior != nil {
			c.prior = append(c.prior, prior[i])
		}
		c.total += c.weight(k)
	}
	return c
}

func (c *cloud) weight(i int) float64 {
	if c.prior == nil {
		return 1
	}
	return c.prior[i]
}

// sample draws some of the points.
func (c *cloud) sample(count int, seed uint64) *cloud {
	draw := random.New(seed, "linear leverage rows")
	rows := draw.Perm(c.n)[:count]
	slices.Sort(rows)
	s := &cloud{n: count, k: c.k, z: mat.NewDense(count, c.k, nil)}
	if c.prior != nil {
		s.prior = make([]float64, count)
	}
	for a, i := range rows {
		copy(s.z.RawRowView(a), c.z.RawRowView(i))
		s.total += c.weight(i)
		if c.prior != nil {
			s.prior[a] = c.prior[i]
		}
	}
	return s
}

// core is a possible half of the points.
type core struct {
	mean    []float64
	scatter *mat.SymDense
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
				w[i] = c.weight(i) / math.Max(1, squaredNorm(c.z.RawRowView(i)))
			}
		} else {
			draw := random.New(seed, fmt.Sprintf("linear leverage %d", s))
			for range c.k + 1 {
				w[draw.IntN(c.n)] = 1
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
	var best *core
	for _, at := range starts[:min(3, len(starts))] {
		for range 100 {
			next := c.concentrate(at)
			if next == nil || !(next.logDet < at.logDet-1e-10) {
				break
			}
			at = next
		}
		if best == nil || at.logDet < best.logDet {
			best = at
		}
	}
	share := c.half() / c.total
	q := distuv.ChiSquared{K: float64(c.k)}.Quantile(share)
	factor := share / distuv.ChiSquared{K: float64(c.k + 2)}.CDF(q)
	best.scatter.ScaleSym(factor, best.scatter)
	return best.mean, best.scatter, nil
}

// half is the weight of the densest half.
func (c *cloud) half() float64 { return math.Floor((c.total + float64(c.k) + 1) / 2) }

// core returns the weighted moments; nil without weight.
func (c *cloud) core(w []float64) *core {
	m := linalg.NewMoments(c.k)
	m.Add(c.z, w)
	if !(m.Total() > 0) {
		return nil
	}
	s := m.Scatter()
	s.ScaleSym(1/m.Total(), s)
	for j := range c.k { // points in a plane have a volume too, if a small one
		s.SetSym(j, j, s.At(j, j)+1e-8)
	}
	_, logDet, ok := whitener(s)
	if !ok {
		return nil
	}
	return &core{mean: m.Mean(), scatter: s, logDet: logDet}
}

// concentrate takes the half of the points nearest to a core.
func (c *cloud) concentrate(at *core) *core {
	d := c.squared(at.mean, at.scatter)
	if d == nil {
		return nil
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
	w := make([]float64, c.n)
	left := c.half()
	for _, i := range order {
		w[i] = math.Min(left, c.weight(i))
		if left -= w[i]; left <= 0 {
			break
		}
	}
	return c.core(w)
}

// squared distances of all points; nil if the scatter is singular.
func (c *cloud) squared(mean []float64, scatter *mat.SymDense) []float64 {
	whiten, _, ok := whitener(scatter)
	if !ok {
		return nil
	}
	columns := make([]int, c.k)
	for j := range columns {
		columns[j] = j
	}
	d := (&leverage{columns: columns, offset: mean, whiten: whiten}).distances(c.z)
	for i, v := range d {
		d[i] = v * v
	}
	return d
}

// reweighted returns moments of the points within the cut-off, made consistent.
func (c *cloud) reweighted(ctx context.Context, mean []float64, scatter *mat.SymDense) ([]float64, *mat.SymDense, error) {
	d := c.squared(mean, scatter)
	if d == nil {
		return mean, scatter, nil
	}
	q := distuv.ChiSquared{K: float64(c.k)}.Quantile(leverageLevel)
	w := make([]float64, c.n)
	inside := 0.0
	for i, v := range d {
		if v <= q {
			w[i] = c.weight(i)
			inside += w[i]
		}
	}
	if inside <= float64(2*c.k) {
		return mean, scatter, nil
	}
	total, centre, s, err := linalg.WeightedMoments(ctx, linalg.FromDense(c.z), w)
	if err != nil {
		return nil, nil, err
	}
	factor := leverageLevel / distuv.ChiSquared{K: float64(c.k + 2)}.CDF(q)
	s.ScaleSym(factor/(total-1), s)
	for j := range c.k {
		s.SetSym(j, j, s.At(j, j)+1e-10)
	}
	return centre, s, nil
}

// whitener returns the upper triangular W with |v'W|^2 = v' S^-1 v, and
// log det S; false if S is not positive definite.
func whitener(s *mat.SymDense) (w *mat.Dense, logDet float64, ok bool) {
	var chol mat.Cholesky
	if !chol.Factorize(s) {
		return nil, 0, false
	}
	k := s.SymmetricDim()
	var u, inverse mat.TriDense
	chol.UTo(&u) // S = U'U, so S^-1 = U^-1 U^-T and |v'U^-1| is the distance
	if err := inverse.InverseTri(&u); err != nil {
		if _, only := err.(mat.Condition); !only {
			return nil, 0, false
		}
	}
	w = mat.NewDense(k, k, nil)
	for i := range k {
		for j := i; j < k; j++ {
			w.Set(i, j, inverse.At(i, j))
		}
	}
	return w, chol.LogDet(), true
}

// squaredNorm is the squared length of a vector.
func squaredNorm(v []float64) float64 { return dot(v, v) }
