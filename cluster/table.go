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
	return t, nil
}

// findMissing returns the first number that is none.
func findMissing(ctx context.Context, src linalg.Source) error {
	var found *MissingError
	err := src.Scan(ctx, func(first int, block *mat.Dense) error {
		rows, _ := block.Dims()
		for i := range rows {
			for j, v := range block.RawRowView(i) {
				if found == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
					found = &MissingError{Row: first + i + 1, Column: j + 1, Value: v}
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if found == nil {
		return fmt.Errorf("cluster: the numbers are too large to be squared")
	}
	return found
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
	wanted []int     // rows of the block at work, counted from its first
	rows   []float64 // those rows less the mean
	inner  []float64 // their products with the centers
}

func (t *table) room() *room {
	if r, ok := t.rooms.Get().(*room); ok {
		return r
	}
	return new(room)
}

// multiply puts the wanted rows of the block, less the mean, into r.rows and their inner
// products with the k centers into r.inner.
func (t *table) multiply(r *room, block *mat.Dense, centers []float64, k int) {
	raw := block.RawMatrix()
	m := len(r.wanted)
	r.rows, r.inner = grown(r.rows, m*t.d), grown(r.inner, m*k)
	for a, i := range r.wanted {
		subtract(r.rows[a*t.d:(a+1)*t.d], raw.Data[i*raw.Stride:i*raw.Stride+t.d], t.mean)
	}
	fastblas.Gemm(1, false, true, m, k, t.d, 1, r.rows, t.d, centers, t.d, 0, r.inner, k)
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
	k := len(centers) / t.d
	lengths := squaredLengths(centers, t.d)
	last, err := linalg.Pass(ctx, t.src, t.room,
		func(r *room, first int, block *mat.Dense) {
			rows, _ := block.Dims()
			r.all(rows)
			t.multiply(r, block, centers, k)
			for i := range rows {
				best, least := 0, math.Inf(1)
				for c, p := range r.inner[i*k : (i+1)*k] {
					if v := lengths[c] - 2*p; v < least {
						best, least = c, v
					}
				}
				labels[first+i] = int32(best)
				squared[first+i] = closer(t.norms[first+i], lengths[best], least, r.rows[i*t.d:(i+1)*t.d], centers[best*t.d:(best+1)*t.d])
			}
		},
		func(_, from *room) { t.rooms.Put(from) })
	if err == nil {
		t.rooms.Put(last)
	}
	return err
}

// closer is the squared distance norm + rest of a row x from a center c, where rest is
// ||c||^2 - 2x'c. Where the sum cancels the distance is measured directly.
func closer(norm, length, rest float64, x, c []float64) float64 {
	s := norm + rest
	if s < 1e-6*(norm+length) {
		return squaredDistance(x, c)
	}
	return s
}

// distances writes the squared distances of every row from m points into out, n x m.
func (t *table) distances(ctx context.Context, points []float64, out []float64) error {
	m := len(points) / t.d
	lengths := squaredLengths(points, t.d)
	last, err := linalg.Pass(ctx, t.src, t.room,
		func(r *room, first int, block *mat.Dense) {
			rows, _ := block.Dims()
			r.all(rows)
			t.multiply(r, block, points, m)
			for i := range rows {
				for c, p := range r.inner[i*m : (i+1)*m] {
					out[(first+i)*m+c] = max(0, t.norms[first+i]+lengths[c]-2*p)
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
