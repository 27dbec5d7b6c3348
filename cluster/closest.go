package cluster

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
)

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
		v = linalg.SquaredDistance(x, s.x[c*t.d:(c+1)*t.d])
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
	return t.compare(ctx, all, func(r *room, i, row int, block *mat.Dense, factor, more float64) {
		norm := t.norms[row]
		best, least, _ := t.closest(r, i, block, all, norm, factor*(norm+more))
		labels[row], squared[row] = int32(best), least
	})
}

// distances writes the squared distances of every row from m points into out, n x m.
func (t *table) distances(ctx context.Context, points []float64, out []float64) error {
	all := t.set(points)
	return t.compare(ctx, all, func(r *room, i, row int, block *mat.Dense, factor, more float64) {
		norm := t.norms[row]
		rounding := 1e4 * factor * (norm + more)
		for c, v := range r.partials(i, all) {
			if v += norm; v < rounding {
				v = linalg.SquaredDistance(r.row(i, block, t.origin), points[c*t.d:(c+1)*t.d])
			}
			out[row*all.k+c] = v
		}
	})
}

// compare multiplies every row with the points and shows it: as the i-th of its block and by
// its place in the table, with what rounding may have done to its products ([table.slack]).
func (t *table) compare(ctx context.Context, all *set, see func(r *room, i, row int, block *mat.Dense, factor, more float64)) error {
	last, err := linalg.Pass(ctx, t.src, t.room,
		func(r *room, first int, block *mat.Dense) {
			rows, _ := block.Dims()
			r.all(rows)
			t.multiply(r, block, all)
			factor, more := t.slack(r, all)
			for i := range rows {
				see(r, i, first+i, block, factor, more)
			}
		},
		func(_, from *room) { t.rooms.Put(from) })
	if err == nil {
		t.rooms.Put(last)
	}
	return err
}
