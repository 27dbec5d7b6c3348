package check

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

const (
	// batch is the number of rows whose nearest ones are looked for together.
	batch = 32
	// foretell is how many of a part of the rows foretell how near the nearest of all are.
	foretell = 4
	// mostFeatures is the number of features up to which products of whole rows find the nearest in some columns faster than
	// differences in these.
	mostFeatures = 128
)

// seeker finds the nearest rows of many. Products of matrices tell who may be among them; those
// are measured, so that the result is that of measuring all. One goroutine uses it at a time.
type seeker struct {
	*neighbours
	left, products []float64
	alike, agree   *closest // nearest in all columns, and in those that tell about one
	closer         *closest // these and one more, by products
	foretold       *closest // the nearest few of a part of the rows
	room           []float64
	last           *float64 // the first cell of the row that was asked about last
	seeds          []int
}

// seeker is one to use; release gives it back.
func (b *neighbours) seeker() *seeker {
	if s, ok := b.idle.Get().(*seeker); ok {
		return s
	}
	n, d := b.clean.Dims()
	return &seeker{neighbours: b, left: make([]float64, batch*d), products: make([]float64, batch*n),
		alike: newClosest(nearest), agree: newClosest(asked), closer: newClosest(asked + 1), foretold: newClosest(foretell), room: make([]float64, asked), seeds: make([]int, 0, asked+1)}
}

func (s *seeker) release() { s.idle.Put(s) }

// measure takes the lengths of the rows.
func (b *neighbours) measure() {
	n, d := b.clean.Dims()
	b.norms = make([]float64, n)
	for i := range b.norms {
		row := b.clean.RawRowView(i)
		b.norms[i] = linalg.Dot(row, row)
	}
	b.norm, b.across = linalg.Largest(b.norms), b.clean.T()
	if d > mostFeatures {
		return
	}
	b.across = mat.DenseCopyOf(b.across)
	b.weighed, b.longest = make([][]float64, d), make([]float64, d)
	linalg.Parallel(d, func(j int) {
		b.weighed[j] = make([]float64, n)
		for i := range n {
			row := b.clean.RawRowView(i)
			for at, k := range b.aside[j] {
				b.weighed[j][i] += b.worth[j][at] * row[k] * row[k]
			}
			b.longest[j] = max(b.longest[j], b.weighed[j][i])
			if b.weighed[j][i] /= 2; b.miss.At(i, j) != b.miss.At(i, j) {
				b.weighed[j][i] = math.Inf(1) // a row that says nothing of the column is never near
			}
		}
	})
}

// multiply sets the products of the first rows on the left with all neighbours.
func (s *seeker) multiply(rows int) {
	n, d := s.clean.Dims()
	linalg.Mul(mat.NewDense(rows, n, s.products[:rows*n]), mat.NewDense(rows, d, s.left[:rows*d]), s.across)
}

// slack is more than rounding can have changed in a squared distance from a product, of lengths that are up to own and longest.
func (s *seeker) slack(own, longest float64) float64 {
	_, d := s.clean.Dims()
	return 1e-15 * float64(d+8) * (own + max(own, longest))
}

// alone is how far rows (cleaned or not, clipped) are from their nearest ones, themselves left out.
func (s *seeker) alone(rows [][]float64, self []int, to []float64) {
	n, d := s.clean.Dims()
	for first := 0; first < len(rows); first += batch {
		some := rows[first:min(first+batch, len(rows))]
		for i, row := range some {
			copy(s.left[i*d:(i+1)*d], row)
		}
		s.multiply(len(some))
		for i, row := range some {
			to[first+i] = s.meanDistance(row, self[first+i], s.products[i*n:(i+1)*n])
		}
	}
}

func (s *seeker) meanDistance(row []float64, self int, products []float64) float64 {
	near := s.alike
	near.reset()
	own := linalg.Dot(row, row)
	slack, limit := s.slack(own, s.norm), math.Inf(1)
	for i, p := range products {
		if own+s.norms[i]-2*p >= limit || s.rows[i] == self {
			continue
		}
		if v := linalg.SquaredDistance(row, s.clean.RawRowView(i)); v < near.farthest() {
			near.show(v, i)
			limit = near.farthest() + slack
		}
	}
	if len(near.distance) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range near.distance {
		sum += math.Sqrt(v)
	}
	return sum / float64(len(near.distance))
}

// question asks what neighbours say of a cell.
type question struct {
	feature  int
	residual float64
	row      []float64 // cleaned and clipped
	self     int
}

// ask asks those rows that agree best with a cell's row in the other columns.
func (s *seeker) ask(questions []question, to []float64) {
	n, d := s.clean.Dims()
	s.last = nil
	if s.weighed == nil {
		for k := range questions {
			to[k] = s.answer(&questions[k], nil)
		}
		return
	}
	for first := 0; first < len(questions); first += batch {
		some := questions[first:min(first+batch, len(questions))]
		clear(s.left)
		for i, q := range some {
			left := s.left[i*d : (i+1)*d]
			for at, k := range s.aside[q.feature] {
				left[k] = s.worth[q.feature][at] * q.row[k]
			}
		}
		s.multiply(len(some))
		for i := range some {
			to[first+i] = s.answer(&some[i], s.products[i*n:(i+1)*n])
		}
	}
}

// answer looks for the rows that agree best, by products where there are any.
func (s *seeker) answer(q *question, products []float64) float64 {
	if products == nil || !s.byProducts(q, products) {
		s.byDifferences(q, products)
	}
	return s.said(q.feature, q.residual, s.agree, s.room)
}

// byProducts finds them by products alone, where these tell the last one from the next beyond their rounding.
func (s *seeker) byProducts(q *question, products []float64) bool {
	near, j := s.closer, q.feature
	norms := s.weighed[j][:len(products)]
	if s.last == &q.row[0] { // the nearest rows for another cell of this one come first, and few of the others are nearer
		seeds := append(s.seeds[:0], near.row...)
		near.reset()
		var was [asked + 1]float64
		for k, i := range seeds {
			if v := norms[i] - products[i]; v < math.Inf(1) {
				near.show(v, i)
			}
			was[k], products[i] = products[i], math.Inf(-1) // not to be found again
		}
		s.among(q, norms, products, near, near.farthest())
		for k, i := range seeds {
			products[i] = was[k]
		}
	} else {
		// Twice as many as are looked for lie below the nearest few of a part of the rows, as a rule; only these are put in order.
		s.foretold.reset()
		part := len(products) * foretell / (2 * (asked + 1))
		s.among(q, norms[:part], products[:part], s.foretold, math.Inf(1))
		near.reset()
		if bound := s.foretold.farthest(); !s.among(q, norms, products, near, bound) && !math.IsInf(bound, 1) {
			near.reset()
			s.among(q, norms, products, near, math.Inf(1))
		}
	}
	s.last = &q.row[0]
	found := min(len(near.row), asked)
	if len(near.row) > asked && !(near.distance[asked]-near.distance[asked-1] > s.slack(s.length(q), s.longest[j])) {
		return false
	}
	s.agree.row = append(s.agree.row[:0], near.row[:found]...)
	return true
}

// among adds to the nearest those rows, by products, that are nearer than a bound; full says that there are as many as are looked for.
// Distances are half of what [seeker.byDifferences] has.
func (s *seeker) among(q *question, norms, products []float64, near *closest, bound float64) (full bool) {
	for i := 0; i < len(norms); {
		i += linalg.Below(norms[i:], products[i:], bound)
		for end := min(i+8, len(norms)); i < end; i++ {
			if v := norms[i] - products[i]; v < bound {
				if s.rows[i] != q.self {
					near.show(v, i)
					bound = min(bound, near.farthest())
				}
			}
		}
	}
	return len(near.row) == near.size
}

// length is the squared one of the row of a question, by which the others tell about its cell.
func (s *seeker) length(q *question) (own float64) {
	for at, k := range s.aside[q.feature] {
		own += s.worth[q.feature][at] * q.row[k] * q.row[k]
	}
	return own
}

// byDifferences measures the rows that may be among them.
func (s *seeker) byDifferences(q *question, products []float64) {
	near, j := s.agree, q.feature
	near.reset()
	others, worth := s.aside[j], s.worth[j]
	var norms []float64
	own, slack, bound := 0.0, 0.0, math.Inf(1)
	if products != nil {
		own, norms = s.length(q), s.weighed[j]
		slack = s.slack(own, s.longest[j])
		products = products[:len(norms)]
	}
	for i, r := range s.rows {
		if products != nil && own+2*(norms[i]-products[i]) >= bound {
			continue
		}
		if miss := s.miss.At(i, j); r == q.self || miss != miss {
			continue
		}
		row, limit, v := s.clean.RawRowView(i), near.farthest(), 0.0
		for at, k := range others {
			e := q.row[k] - row[k]
			if v += worth[at] * e * e; v >= limit {
				break
			}
		}
		if v < limit {
			near.show(v, i)
			bound = near.farthest() + slack
		}
	}
}
