package cluster

import (
	"context"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
)

var kernel fastblas.Implementation

// table is the rows to be clustered with what all starts share. Inside the package every
// row and center is an offset from the mean of the rows, so that a large common offset
// costs no accuracy.
type table struct {
	src     linalg.Source
	n, d    int
	weights []float64 // nil: one each
	total   float64   // sum of the weights
	counted int       // rows with weight
	mean    []float64
	norms   []float64 // ||x - mean||^2 of every row
	scatter float64   // sum of weights * norms
	offset  float64   // ||mean||^2 where rows may be multiplied as they are; see set
	near    bool      // the mean is no further than that
	rooms   sync.Pool // of *room
}

// MissingError is a number that is missing or infinite.
type MissingError struct {
	Row, Column int // from 1
	Value       float64
}

// Error names the place.
func (e *MissingError) Error() string {
	what := "is missing"
	if !math.IsNaN(e.Value) {
		what = "is infinite"
	}
	return fmt.Sprintf("cluster: row %d, column %d %s", e.Row, e.Column, what)
}

func newTable(ctx context.Context, src linalg.Source, weights []float64) (*table, error) {
	n, d := src.Dims()
	if n < 1 || d < 1 {
		return nil, fmt.Errorf("cluster: a table of %d rows and %d columns has nothing to group", n, d)
	}
	t := &table{src: src, n: n, d: d, weights: weights, counted: n, norms: make([]float64, n)}
	if weights != nil {
		t.counted = 0
		for _, w := range weights {
			if w > 0 {
				t.counted++
			}
		}
	}
	var err error
	if t.total, t.mean, err = linalg.WeightedMean(ctx, src, weights); err != nil {
		return nil, err
	}
	if err := linalg.Residuals(ctx, src, t.mean, nil, t.norms, nil); err != nil {
		return nil, err
	}
	for i, s := range t.norms {
		if math.IsNaN(s) || math.IsInf(s, 0) {
			return nil, findMissing(ctx, src)
		}
		t.scatter += t.weight(i) * s
	}
	t.offset = kernel.Ddot(d, t.mean, 1, t.mean, 1)
	t.near = t.offset <= nearMean*t.scatter/t.total
	return t, nil
}

// nearMean is how large the squared norm of the mean may be, in mean squared distances from
// it, for products with rows that were not centred first to lose no more than a digit.
const nearMean = 100

// findMissing returns the first number that is none.
func findMissing(ctx context.Context, src linalg.Source) error {
	row, column, value, err := linalg.Unusable(ctx, src)
	switch {
	case err != nil:
		return err
	case row == 0:
		return fmt.Errorf("cluster: the numbers are too large to be squared")
	}
	return &MissingError{Row: row, Column: column, Value: value}
}

func (t *table) weight(i int) float64 {
	if t.weights == nil {
		return 1
	}
	return t.weights[i]
}

// variance is the mean over the columns of their variance, the unit of tolerances.
func (t *table) variance() float64 { return t.scatter / t.total / float64(t.d) }

// rounding is a distance too small to mean anything.
func (t *table) rounding() float64 { return math.Max(1e-9*math.Sqrt(t.scatter/t.total), 1e-12) }

// room is the working memory of one goroutine.
type room struct {
	wanted   []int     // rows of the block at work, counted from its first
	rows     []float64 // those rows less the mean, or room for one
	inner    []float64 // products with the centers, padded
	straight bool      // inner is of all rows of the block, as they stand there
}

func (t *table) room() *room {
	if r, ok := t.rooms.Get().(*room); ok {
		return r
	}
	return new(room)
}

// set is a number of centers, ready to be compared with rows.
type set struct {
	k, padded int
	x         []float64 // padded x d, less the mean
	lengths   []float64 // squared norms
	straight  []float64 // squared norms + 2 mean'c: takes the mean out of products with rows as they are
}

// set prepares centers. ||x-mean-c||^2 = ||x-mean||^2 + ||c||^2 - 2(x-mean)'c, and the last
// product is x'c - mean'c. The kernel computes eight columns at a time, so the centers are
// filled up with zeros.
func (t *table) set(centers []float64) *set {
	k := len(centers) / t.d
	s := &set{k: k, padded: (k + 7) / 8 * 8, x: centers, lengths: squaredLengths(centers, t.d), straight: make([]float64, k)}
	if s.padded > k {
		s.x = make([]float64, s.padded*t.d)
		copy(s.x, centers)
	}
	for c, v := range s.lengths {
		s.straight[c] = v + 2*kernel.Ddot(t.d, t.mean, 1, centers[c*t.d:(c+1)*t.d], 1)
	}
	return s
}

// squared are the lengths that go with the products in r.
func (s *set) squared(r *room) []float64 {
	if r.straight {
		return s.straight
	}
	return s.lengths
}

// multiply puts inner products of the wanted rows of the block with the centers into r. When
// most rows are wanted and the mean is near, all rows are multiplied where they stand.
func (t *table) multiply(r *room, block *mat.Dense, s *set) {
	raw := block.RawMatrix()
	m := len(r.wanted)
	if r.straight = t.near && 2*m >= raw.Rows; r.straight {
		r.inner = grown(r.inner, raw.Rows*s.padded)
		fastblas.Gemm(1, false, true, raw.Rows, s.padded, t.d, 1, raw.Data, raw.Stride, s.x, t.d, 0, r.inner, s.padded)
		return
	}
	r.rows, r.inner = grown(r.rows, m*t.d), grown(r.inner, m*s.padded)
	for a, i := range r.wanted {
		subtract(r.rows[a*t.d:(a+1)*t.d], raw.Data[i*raw.Stride:i*raw.Stride+t.d], t.mean)
	}
	fastblas.Gemm(1, false, true, m, s.padded, t.d, 1, r.rows, t.d, s.x, t.d, 0, r.inner, s.padded)
}

// products are those of the p-th wanted row.
func (r *room) products(p int, s *set) []float64 {
	if r.straight {
		p = r.wanted[p]
	}
	return r.inner[p*s.padded : p*s.padded+s.k]
}

// row is the p-th wanted row less the mean, until the next call.
func (r *room) row(p int, block *mat.Dense, mean []float64) []float64 {
	d := len(mean)
	if !r.straight {
		return r.rows[p*d : (p+1)*d]
	}
	r.rows = grown(r.rows, d)
	subtract(r.rows, block.RawRowView(r.wanted[p]), mean)
	return r.rows
}

// all makes every row of the block wanted.
func (r *room) all(rows int) {
	r.wanted = r.wanted[:0]
	for i := range rows {
		r.wanted = append(r.wanted, i)
	}
}

// nearest writes the nearest center of every row and the squared distance to it. Among
// centers at the same distance the first counts.
func (t *table) nearest(ctx context.Context, centers []float64, labels []int32, squared []float64) error {
	all := t.set(centers)
	last, err := linalg.Pass(ctx, t.src, t.room,
		func(r *room, first int, block *mat.Dense) {
			rows, _ := block.Dims()
			r.all(rows)
			t.multiply(r, block, all)
			lengths := all.squared(r)
			for i := range rows {
				best, least := 0, math.Inf(1)
				for c, p := range r.products(i, all) {
					if v := lengths[c] - 2*p; v < least {
						best, least = c, v
					}
				}
				labels[first+i] = int32(best)
				s := t.norms[first+i] + least
				if s < 1e-6*(t.norms[first+i]+all.lengths[best]) { // cancels
					s = squaredDistance(r.row(i, block, t.mean), centers[best*t.d:(best+1)*t.d])
				}
				squared[first+i] = s
			}
		},
		func(_, from *room) { t.rooms.Put(from) })
	if err == nil {
		t.rooms.Put(last)
	}
	return err
}

// distances writes the squared distances of every row from m points into out, n x m.
func (t *table) distances(ctx context.Context, points []float64, out []float64) error {
	all := t.set(points)
	last, err := linalg.Pass(ctx, t.src, t.room,
		func(r *room, first int, block *mat.Dense) {
			rows, _ := block.Dims()
			r.all(rows)
			t.multiply(r, block, all)
			lengths := all.squared(r)
			for i := range rows {
				for c, p := range r.products(i, all) {
					out[(first+i)*all.k+c] = max(0, t.norms[first+i]+lengths[c]-2*p)
				}
			}
		},
		func(_, from *room) { t.rooms.Put(from) })
	if err == nil {
		t.rooms.Put(last)
	}
	return err
}

// groups accumulates weighted sums of rows by label.
type groups struct {
	sums  []float64 // k x d
	mass  []float64 // weight of each group
	count []int     // rows with weight in each group
	*room
}

func (t *table) newGroups(k int) *groups {
	return &groups{sums: make([]float64, k*t.d), mass: make([]float64, k), count: make([]int, k), room: t.room()}
}

func (g *groups) merge(from *groups) {
	kernel.Daxpy(len(g.sums), 1, from.sums, 1, g.sums, 1)
	for c := range g.mass {
		g.mass[c] += from.mass[c]
		g.count[c] += from.count[c]
	}
}

// add counts row x of weight w into group c; w < 0 takes it out again.
func (g *groups) add(c int, w float64, x []float64) {
	kernel.Daxpy(len(x), w, x, 1, g.sums[c*len(x):(c+1)*len(x)], 1)
	g.mass[c] += w
	if w > 0 {
		g.count[c]++
	} else {
		g.count[c]--
	}
}

// sum adds up the rows of every label with the given weights (nil: the table's own).
func (t *table) sum(ctx context.Context, labels []int32, weights []float64, k int) (*groups, error) {
	return linalg.Pass(ctx, t.src,
		func() *groups { return t.newGroups(k) },
		func(g *groups, first int, block *mat.Dense) {
			rows, _ := block.Dims()
			g.rows = grown(g.rows, t.d)
			for i := range rows {
				w := t.weight(first + i)
				if weights != nil {
					w = weights[first+i]
				}
				if w > 0 {
					subtract(g.rows, block.RawRowView(i), t.mean)
					g.add(int(labels[first+i]), w, g.rows)
				}
			}
		},
		func(into, from *groups) { into.merge(from); t.rooms.Put(from.room) })
}

// means returns the mean of every group; a group without weight gets the row of fallback.
func (g *groups) means(d int, fallback []float64) []float64 {
	out := make([]float64, len(g.sums))
	for c, mass := range g.mass {
		if !(mass > 0) || g.count[c] == 0 {
			copy(out[c*d:(c+1)*d], fallback[c*d:(c+1)*d])
			continue
		}
		for j := c * d; j < (c+1)*d; j++ {
			out[j] = g.sums[j] / mass
		}
	}
	return out
}

// pick returns the given rows less the mean, in the given order.
func (t *table) pick(ctx context.Context, rows []int) ([]float64, error) {
	out := make([]float64, len(rows)*t.d)
	if m, ok := t.src.(*linalg.Matrix); ok {
		for a, i := range rows {
			subtract(out[a*t.d:(a+1)*t.d], m.Dense().RawRowView(i), t.mean)
		}
		return out, ctx.Err()
	}
	places := make(map[int][]int, len(rows))
	for a, i := range rows {
		places[i] = append(places[i], a)
	}
	err := t.src.Scan(ctx, func(first int, block *mat.Dense) error {
		n, _ := block.Dims()
		for i := range n {
			for _, a := range places[first+i] {
				subtract(out[a*t.d:(a+1)*t.d], block.RawRowView(i), t.mean)
			}
		}
		return nil
	})
	return out, err
}

// outside turns centers back into the units of the data.
func (t *table) outside(centers []float64) *mat.Dense {
	out := mat.NewDense(len(centers)/t.d, t.d, append([]float64(nil), centers...))
	k, _ := out.Dims()
	for c := range k {
		kernel.Daxpy(t.d, 1, t.mean, 1, out.RawRowView(c), 1)
	}
	return out
}
