package cluster

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
)

var kernel fastblas.Implementation

// table is the rows to be clustered with what all starts share. Inside the package every
// row and center is an offset from the origin, the median of each column, so that neither a
// large common offset nor rows far off cost the others their digits.
type table struct {
	src     linalg.Source
	n, d    int
	weights []float64 // nil: one each
	total   float64   // sum of the weights
	counted int       // rows with weight
	origin  []float64
	norms   []float64 // ||x - origin||^2 of every row
	scatter float64   // sum of weights * norms
	typical float64   // median of the norms above 0: what most rows have, whatever the others are
	offset  float64   // ||origin||^2 where rows may be multiplied as they are; see set
	near    bool      // the origin is no further than that
	unit    float64   // what 1 in the user's table counts here; see inRange
	clip    bool      // far rows have no vote
	rooms   sync.Pool // of *room
	sorted  sync.Once // for onLine
	line    *line
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

// newTable measures the rows. clip says that rows far off will have no vote.
func newTable(ctx context.Context, src linalg.Source, weights []float64, clip bool) (*table, error) {
	n, d := src.Dims()
	if n < 1 || d < 1 {
		return nil, fmt.Errorf("cluster: a table of %d rows and %d columns has nothing to group", n, d)
	}
	t := &table{src: src, n: n, d: d, weights: weights, counted: n, total: float64(n), norms: make([]float64, n), unit: 1, clip: clip}
	if weights != nil {
		t.counted, t.total = 0, 0
		for i, w := range weights {
			if !(w >= 0) || math.IsInf(w, 0) {
				return nil, fmt.Errorf("cluster: weight %d is %g; weights are finite and not negative", i+1, w)
			}
			if w > 0 {
				t.counted++
			}
			t.total += w
		}
		if t.counted == 0 {
			return nil, fmt.Errorf("cluster: the weights sum to zero")
		}
	}
	if err := t.measure(ctx); err != nil {
		return nil, err
	}
	if most := slices.Max(t.norms); most >= leastSquare && most <= mostSquare {
		return t, nil
	}
	if err := findMissing(ctx, src); err != nil {
		return nil, err
	}
	view, err := inRange(ctx, src, clip, !(t.typical <= 1e200 && t.offset <= 1e200))
	if err != nil {
		return nil, err
	}
	t.src, t.unit = view, view.unit
	return t, t.measure(ctx)
}

// measure finds the origin and how far rows are from it.
func (t *table) measure(ctx context.Context) error {
	rows := t.spaced(min(1001, max(65, 1<<18/t.d)))
	t.origin = make([]float64, t.d)
	sample, err := t.pick(ctx, rows)
	if err != nil {
		return err
	}
	column := make([]float64, 0, len(rows))
	for j := range t.d {
		column = column[:0]
		for a := range rows {
			if v := sample[a*t.d+j]; !math.IsNaN(v) && !math.IsInf(v, 0) {
				column = append(column, v)
			}
		}
		if len(column) > 0 {
			t.origin[j] = univariate.Median(column)
		}
	}
	if err := linalg.Residuals(ctx, t.src, t.origin, nil, t.norms, nil); err != nil {
		return err
	}
	t.scatter = 0
	for i, s := range t.norms {
		t.scatter += t.weight(i) * s
	}
	positive := make([]float64, 0, len(rows))
	for _, i := range t.spaced(10001) {
		if s := t.norms[i]; s > 0 {
			positive = append(positive, s)
		}
	}
	t.typical = 0
	if len(positive) > 0 {
		t.typical = univariate.Median(positive)
	}
	t.offset = kernel.Ddot(t.d, t.origin, 1, t.origin, 1)
	t.near = t.offset <= nearOrigin*t.typical
	return nil
}

// nearOrigin is how large the squared norm of the origin may be, in squared distances of
// most rows from it, for products with rows that were not centred first to lose no more
// than a digit.
const nearOrigin = 100

// size is the number of rows, repeated as often as whole weights say.
func (t *table) size() float64 { return math.Max(t.total, float64(t.counted)) }

// spaced lists m rows, or all, at even steps of the weight, in order. A heavy row may come
// several times.
func (t *table) spaced(m int) []int {
	return t.at(m, func() float64 { return 0.5 })
}

// at lists m rows in order, one from each of m equal parts of the weight: where u says, from
// 0 to 1. A table with rows repeated gives the same rows as one with whole weights. All rows
// with weight are listed where there are no more than m.
func (t *table) at(m int, u func() float64) []int {
	if t.size() <= float64(m) && t.weights == nil {
		return t.countedRows()
	}
	if t.weights != nil && t.size() <= float64(m) && t.whole() {
		var out []int
		for i, w := range t.weights {
			for range int(w) {
				out = append(out, i)
			}
		}
		return out
	}
	out := make([]int, m)
	row, sum := -1, 0.0
	for a := range out {
		place := (float64(a) + u()) / float64(m) * t.total
		if t.weights == nil {
			out[a] = min(int(place), t.n-1)
			continue
		}
		for row < 0 || sum <= place && row+1 < t.n {
			row++
			sum += t.weights[row]
		}
		for t.weights[row] == 0 { // rounding at the end
			row--
		}
		out[a] = row
	}
	return out
}

// whole tells whether all weights are whole numbers.
func (t *table) whole() bool {
	for _, w := range t.weights {
		if w != math.Trunc(w) {
			return false
		}
	}
	return true
}

// findMissing returns an error for the first number that is none.
func findMissing(ctx context.Context, src linalg.Source) error {
	row, column, value, err := linalg.Unusable(ctx, src)
	switch {
	case err != nil:
		return err
	case row == 0:
		return nil
	}
	return &MissingError{Row: row, Column: column, Value: value}
}

func (t *table) weight(i int) float64 {
	if t.weights == nil {
		return 1
	}
	return t.weights[i]
}

// variance is the mean over the columns of their variance, the unit of tolerances. A few
// rows far off do not widen it.
func (t *table) variance() float64 {
	return math.Min(t.scatter/t.total, 10*t.typical) / float64(t.d)
}

// rounding is a distance too small to mean anything.
func (t *table) rounding() float64 {
	least := math.Max(1e-9*math.Sqrt(t.variance()*float64(t.d)), 4*epsilon*math.Sqrt(t.offset))
	if least == 0 {
		return 1e-12 * t.unit // all rows are zero
	}
	return least
}

// room is the working memory of one goroutine.
type room struct {
	wanted   []int     // rows of the block at work, counted from its first
	rows     []float64 // those rows less the origin, or room for one
	partial  []float64 // squared distances from the centers less the rows' own norms, padded
	straight bool      // partial is of all rows of the block, as they stand there
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
	x         []float64 // padded x d, less the origin
	lengths   []float64 // squared norms, padded
	longest   float64   // of them
	straight  []float64 // squared norms + 2 origin'c, padded: takes the origin out of products with rows as they are
}

// set prepares centers. ||x-o-c||^2 = ||x-o||^2 + ||c||^2 - 2(x-o)'c, and the last
// product is x'c - o'c for the origin o. The kernel computes eight columns at a time, so the centers are
// filled up with zeros.
func (t *table) set(centers []float64) *set {
	k := len(centers) / t.d
	s := &set{k: k, padded: (k + 7) / 8 * 8, x: centers}
	if s.padded > k {
		s.x = make([]float64, s.padded*t.d)
		copy(s.x, centers)
	}
	s.lengths, s.straight = squaredLengths(s.x, t.d), make([]float64, s.padded)
	for c, v := range s.lengths[:k] {
		s.longest = max(s.longest, v)
		s.straight[c] = v + 2*kernel.Ddot(t.d, t.origin, 1, centers[c*t.d:(c+1)*t.d], 1)
	}
	return s
}

// multiply puts what the squared distances of the wanted rows of the block from the centers
// have beyond the rows' own norms into r. When most rows are wanted and the origin is near,
// all rows are multiplied where they stand.
func (t *table) multiply(r *room, block *mat.Dense, s *set) {
	raw := block.RawMatrix()
	m := len(r.wanted)
	if r.straight = t.near && 2*m >= raw.Rows; r.straight {
		r.fill(raw.Rows, s.straight)
		fastblas.Gemm(1, false, true, raw.Rows, s.padded, t.d, -2, raw.Data, raw.Stride, s.x, t.d, 1, r.partial, s.padded)
		return
	}
	r.fill(m, s.lengths)
	r.rows = grown(r.rows, m*t.d)
	for a, i := range r.wanted {
		subtract(r.rows[a*t.d:(a+1)*t.d], raw.Data[i*raw.Stride:i*raw.Stride+t.d], t.origin)
	}
	fastblas.Gemm(1, false, true, m, s.padded, t.d, -2, r.rows, t.d, s.x, t.d, 1, r.partial, s.padded)
}

// fill begins every row of partial with the same numbers.
func (r *room) fill(rows int, lengths []float64) {
	r.partial = grown(r.partial, rows*len(lengths))
	for done := copy(r.partial, lengths); done < len(r.partial); done *= 2 {
		copy(r.partial[done:], r.partial[:done])
	}
}

// partials are those of the p-th wanted row.
func (r *room) partials(p int, s *set) []float64 {
	if r.straight {
		p = r.wanted[p]
	}
	return r.partial[p*s.padded : p*s.padded+s.k]
}

// row is the p-th wanted row less the origin, until the next call.
func (r *room) row(p int, block *mat.Dense, origin []float64) []float64 {
	d := len(origin)
	if !r.straight {
		return r.rows[p*d : (p+1)*d]
	}
	r.rows = grown(r.rows, d)
	subtract(r.rows, block.RawRowView(r.wanted[p]), origin)
	return r.rows
}

// all makes every row of the block wanted.
func (r *room) all(rows int) {
	r.wanted = r.wanted[:0]
	for i := range rows {
		r.wanted = append(r.wanted, i)
	}
}

// slack is what rounding may have done to a squared distance that was computed by products:
// of a row of squared norm s it is factor * (s + more).
func (t *table) slack(r *room, s *set) (factor, more float64) {
	more = s.longest
	if r.straight {
		more += t.offset
	}
	return 8 * epsilon * float64(t.d+8), more
}

// closest finds the nearest center of the p-th wanted row, the squared distance to it and a
// bound below those to all others. Products decide where rounding cannot have changed the
// order; other candidates are measured directly. Among centers at the same distance the
// first counts. slack is what rounding can have done.
func (t *table) closest(r *room, p int, block *mat.Dense, s *set, norm, slack float64) (best int, least, second float64) {
	best, least, second = twoLeast(r.partials(p, s), norm)
	if second > least+2*slack && least > 1e-6*(norm+s.lengths[best]) {
		return best, least, second - slack
	}
	return t.recheck(r, p, block, s, norm, least, slack)
}

// twoLeast is the index of the least of norm + partial, that value and the next. Which
// centers come closest is hard to foresee for a processor, so there are no branches:
// squares are not negative but for rounding, and numbers that are not negative compare
// like the whole numbers with the same bits.
func twoLeast(partial []float64, norm float64) (best int, least, second float64) {
	first := int64(math.MaxInt64)
	next := int64(math.Float64bits(math.Inf(1)))
	for c, v := range partial {
		s := int64(math.Float64bits(norm + v))
		next = min(next, max(first, s))
		if s < first {
			best = c
		}
		first = min(first, s)
	}
	return best, math.Float64frombits(uint64(first)), math.Float64frombits(uint64(next))
}

// recheck measures directly which of the centers that may be nearest is.
func (t *table) recheck(r *room, p int, block *mat.Dense, s *set, norm, least, slack float64) (best int, exact, second float64) {
	x := r.row(p, block, t.origin)
	limit := max(least, 0) + 2*slack
	beyond := math.Inf(1)
	best, exact, second = -1, math.Inf(1), math.Inf(1)
	for c, v := range r.partials(p, s) {
		if v += norm; v > limit {
			beyond = min(beyond, v)
			continue
		}
		v = squaredDistance(x, s.x[c*t.d:(c+1)*t.d])
		if v < exact || best < 0 {
			best, exact, second = c, v, exact
		} else if v < second {
			second = v
		}
	}
	return best, exact, min(second*(1-4*epsilon*float64(t.d+2)), beyond-slack)
}

// nearest writes the nearest center of every row and the squared distance to it.
func (t *table) nearest(ctx context.Context, centers []float64, labels []int32, squared []float64) error {
	all := t.set(centers)
	last, err := linalg.Pass(ctx, t.src, t.room,
		func(r *room, first int, block *mat.Dense) {
			rows, _ := block.Dims()
			r.all(rows)
			t.multiply(r, block, all)
			factor, more := t.slack(r, all)
			for i := range rows {
				norm := t.norms[first+i]
				best, least, _ := t.closest(r, i, block, all, norm, factor*(norm+more))
				labels[first+i], squared[first+i] = int32(best), least
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
			factor, more := t.slack(r, all)
			for i := range rows {
				norm := t.norms[first+i]
				rounding := 1e4 * factor * (norm + more)
				for c, v := range r.partials(i, all) {
					if v += norm; v < rounding {
						v = squaredDistance(r.row(i, block, t.origin), points[c*t.d:(c+1)*t.d])
					}
					out[(first+i)*all.k+c] = v
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
	sums := g.sums[c*len(x) : (c+1)*len(x)]
	if len(x) < 32 {
		for j, v := range x {
			sums[j] += w * v
		}
	} else {
		kernel.Daxpy(len(x), w, x, 1, sums, 1)
	}
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
					subtract(g.rows, block.RawRowView(i), t.origin)
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

// pick returns the given rows less the origin, in the given order.
func (t *table) pick(ctx context.Context, rows []int) ([]float64, error) {
	out := make([]float64, len(rows)*t.d)
	if m, ok := t.src.(*linalg.Matrix); ok {
		for a, i := range rows {
			subtract(out[a*t.d:(a+1)*t.d], m.Dense().RawRowView(i), t.origin)
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
				subtract(out[a*t.d:(a+1)*t.d], block.RawRowView(i), t.origin)
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
		row := out.RawRowView(c)
		for j, o := range t.origin {
			row[j] = (row[j] + o) / t.unit
		}
	}
	return out
}
