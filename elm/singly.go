package elm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// Generalised cross-validation takes all rows to have the same share in what is fitted to them. Where
// nodes are nearly dependent that is far from true: a few rows that lie apart are met exactly by
// huge output weights, which the mean does not show, and the score falls until rounding stops it
// while predictions are off by orders of magnitude. So the errors of left-out rows are computed for
// each row by itself, where there are not so many that their shares are small anyway.

// mostSingly is the number of rows for each node up to which rows are looked at one by one.
const mostSingly = 20

// leastRoom is the smallest part of an error that a row is taken to leave to itself: below, it is rounding.
const leastRoom = 1e-10

// singly is a regression seen row by row along the left singular vectors of sqrt(W)H.
type singly struct {
	vectors, squares *mat.Dense // n x m, and their squares
	along            *mat.Dense // targets along the vectors, m x k
	outside          *mat.Dense // what no output weights reach of the targets, n x k
	beside           []float64  // squared length of a row's direction that no vector has
}

// singly tells whether rows are looked at one by one.
func (r *regression) singly() bool { return r.h.kept != nil && r.h.n <= mostSingly*r.h.l && !r.h.pools }

// weighted are rows times the roots of their weights.
func weighted(rows *mat.Dense, w []float64) *mat.Dense {
	out := mat.DenseCopyOf(rows)
	if w == nil {
		return out
	}
	for i, v := range w {
		root, row := math.Sqrt(v), out.RawRowView(i)
		for j := range row {
			row[j] *= root
		}
	}
	return out
}

// peelRows finds the spectrum of the problem with row weights w and what it says of single rows.
func (s *spectrum) peelRows(ctx context.Context, r *regression, w []float64) error {
	nodes, t := weighted(r.h.kept, w), weighted(r.t, w)
	n, m := r.h.n, min(r.h.n, r.h.l)
	basis := mat.NewDense(n, m, nil)
	if n > m {
		basis.Copy(nodes)
		linalg.Orthonormalize(basis)
	} else {
		for i := range n {
			basis.Set(i, i, 1)
		}
	}
	a, targets := nodes, t
	if n > m {
		a, targets = mat.NewDense(m, m, nil), mat.NewDense(m, r.k, nil)
		linalg.Mul(a, basis.T(), nodes)
		linalg.Mul(targets, basis.T(), t)
	}
	left, err := s.peel(ctx, a, targets, basis)
	if err != nil {
		return err
	}
	known := len(s.values)
	one := &singly{vectors: left.Slice(0, n, 0, known).(*mat.Dense), squares: mat.NewDense(n, known, nil), along: mat.NewDense(known, r.k, nil)}
	linalg.Mul(one.along, one.vectors.T(), t)
	one.outside = mat.NewDense(n, r.k, nil)
	linalg.Mul(one.outside, one.vectors, one.along)
	one.outside.Sub(t, one.outside)
	for i := range n {
		inside, to := 0.0, one.squares.RawRowView(i)
		for j, v := range one.vectors.RawRowView(i) {
			to[j] = v * v
			inside += to[j]
		}
		one.beside = append(one.beside, math.Max(1-inside, 0))
	}
	s.outside = mat.Norm(one.outside, 2)
	s.outside *= s.outside
	s.single = one
	return nil
}

// scores are the sums, over rows with their weights, of the squared errors that a fit without the row makes
// of it, one for each penalty: e/(1 - h), where h is the row's share in its own fit. A row that counts
// several times is left out as often: the others would give it away.
func (o *singly) scores(values, penalties []float64) []float64 {
	n, m := o.vectors.Dims()
	_, k := o.along.Dims()
	width := len(penalties)
	out := make([]float64, width)
	if width == 0 {
		return out
	}
	kept := mat.NewDense(m, width, nil) // part of a target along each vector that is not fitted
	for j, v := range values {
		row := kept.RawRowView(j)
		for p, lambda := range penalties {
			row[p] = lambda / (v + lambda)
		}
	}
	room, errors, missed := mat.NewDense(n, width, nil), mat.NewDense(n, width, nil), mat.NewDense(m, width, nil)
	linalg.Mul(room, o.squares, kept)
	for i, v := range o.beside {
		row := room.RawRowView(i)
		for p := range row {
			row[p] = math.Max(row[p]+v, leastRoom)
		}
	}
	for c := range k {
		for j := range m {
			z, to := o.along.At(j, c), missed.RawRowView(j)
			for p, v := range kept.RawRowView(j) {
				to[p] = z * v
			}
		}
		linalg.Mul(errors, o.vectors, missed)
		for i := range n {
			rooms, rest := room.RawRowView(i), o.outside.At(i, c)
			for p, e := range errors.RawRowView(i) {
				e = (e + rest) / rooms[p]
				out[p] += e * e
			}
		}
	}
	return out
}
