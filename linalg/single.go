package linalg

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg/fastblas"
)

// Single is a table in memory in single precision. Passes widen its blocks side by side, and [WeightedMoments] forms
// products in single precision where these neither overflow nor vanish.
type Single struct {
	n, d   int
	x      []float32
	narrow bool // products are formed in single precision
}

// Within these bounds products of two numbers, and of what is left of them about any point of the table, neither overflow in single
// precision nor vanish.
const (
	singleLargest = 1e15  // size of a number
	singleLeast   = 1e-12 // of the range of a column whose numbers are not all equal
)

// NewSingle is a table of n rows with d finite numbers each.
func NewSingle(n, d int, x []float32) *Single {
	const rows = 4096
	type ends struct{ low, high []float32 }
	parts := make([]ends, (n+rows-1)/rows)
	Parallel(len(parts), func(p int) {
		first, last := p*rows, min((p+1)*rows, n)
		e := ends{slices.Clone(x[first*d : (first+1)*d]), slices.Clone(x[first*d : (first+1)*d])}
		for i := first + 1; i < last; i++ {
			for j, v := range x[i*d : (i+1)*d] {
				if v < e.low[j] {
					e.low[j] = v
				} else if v > e.high[j] {
					e.high[j] = v
				}
			}
		}
		parts[p] = e
	})
	s := &Single{n, d, x, true}
	for j := range d {
		low, high := math.Inf(1), math.Inf(-1)
		for _, e := range parts {
			low, high = math.Min(low, float64(e.low[j])), math.Max(high, float64(e.high[j]))
		}
		if math.Max(-low, high) > singleLargest || high > low && high-low < singleLeast {
			s.narrow = false
		}
	}
	return s
}

// InSingle is a Source that may have its rows as a [Single].
type InSingle interface {
	Source
	// Single is nil where it has not.
	Single() *Single
}

func singleOf(src Source) *Single {
	if s, ok := src.(InSingle); ok {
		return s.Single()
	}
	return nil
}

// IsSingle tells whether the rows of a source are a [Single].
func IsSingle(src Source) bool { return singleOf(src) != nil }

// Narrow tells whether moments of a source are those of products in single precision.
func Narrow(src Source) bool {
	s := singleOf(src)
	return s != nil && s.narrow
}

// widened is a source whose moments are formed in double precision.
type widened struct{ Source }

// Widened is a source whose moments are formed in double precision, as those of all but a [Single] are.
func Widened(src Source) Source {
	if !Narrow(src) {
		return src
	}
	return &widened{src}
}

// reader returns a view of some rows of a source, or a copy in the room, which is kept; readers work side by side.
type reader func(room *mat.Dense, first, last int) *mat.Dense

// readerOf is nil for a source whose rows are not at hand.
func readerOf(src Source) reader {
	if m := inMemory(src); m != nil {
		return func(_ *mat.Dense, first, last int) *mat.Dense { return rowsOf(m, first, last) }
	}
	if s := singleOf(src); s != nil {
		return s.rows
	}
	switch src := src.(type) {
	case *widened:
		return readerOf(src.Source)
	case *changed:
		s := singleOf(src.Source)
		if s == nil {
			return nil
		}
		return func(room *mat.Dense, first, last int) *mat.Dense {
			block := s.rows(room, first, last)
			if src.needs(block) {
				for i := range last - first {
					src.change(block.RawRowView(i))
				}
			}
			return block
		}
	}
	return nil
}

// rows widens some rows.
func (s *Single) rows(room *mat.Dense, first, last int) *mat.Dense {
	if r, _ := room.Dims(); r < last-first {
		*room = *mat.NewDense(last-first, s.d, nil)
	}
	block := rowsOf(room, 0, last-first)
	out := block.RawMatrix().Data
	for i, v := range s.x[first*s.d : last*s.d] {
		out[i] = float64(v)
	}
	return block
}

// heavy and light are between which the largest weight lies that single precision is used with.
const heavy, light = 1e9, 1e-9

// mean is the weighted mean, without a copy of the rows: the first of them is subtracted from all.
func (s *Single) mean(ctx context.Context, w []float64) (total float64, mean []float64, err error) {
	const rows = 1024
	type part struct {
		total float64
		sum   []float64
	}
	parts := make([]part, (s.n+rows-1)/rows)
	Parallel(len(parts), func(k int) {
		if ctx.Err() != nil {
			return
		}
		p := part{sum: make([]float64, s.d)}
		var near [4][]float32 // rows with weight, taken in four at a time
		var factors [4]float64
		waiting := 0
		for i := k * rows; i < min((k+1)*rows, s.n); i++ {
			weight := weightAt(w, i)
			if weight == 0 {
				continue
			}
			p.total += weight
			near[waiting], factors[waiting] = s.x[i*s.d:(i+1)*s.d], weight
			if waiting++; waiting == len(near) {
				s.addFour(p.sum, near, factors)
				waiting = 0
			}
		}
		for i := waiting; waiting > 0 && i < len(near); i++ {
			near[i], factors[i] = near[0], 0
		}
		if waiting > 0 {
			s.addFour(p.sum, near, factors)
		}
		parts[k] = p
	})
	if err := ctx.Err(); err != nil {
		return 0, nil, err
	}
	mean = make([]float64, s.d)
	for _, p := range parts {
		total += p.total
		for j, v := range p.sum {
			mean[j] += v
		}
	}
	if !(total > 0) {
		return 0, nil, errNoWeight
	}
	for j := range mean {
		mean[j] = float64(s.x[j]) + mean[j]/total
	}
	return total, mean, nil
}

func (s *Single) addFour(sum []float64, rows [4][]float32, w [4]float64) {
	shift, r0, r1, r2, r3 := s.x[:len(sum)], rows[0][:len(sum)], rows[1][:len(sum)], rows[2][:len(sum)], rows[3][:len(sum)]
	w0, w1, w2, w3 := w[0], w[1], w[2], w[3]
	for j, v := range shift {
		at := float64(v)
		sum[j] += (w0*(float64(r0[j])-at) + w1*(float64(r1[j])-at)) + (w2*(float64(r2[j])-at) + w3*(float64(r3[j])-at))
	}
}

// moments are those of the table, of products in single precision about its mean, rounded to it; false where the
// numbers or the weights are not of a common size.
func (s *Single) moments(ctx context.Context, w []float64) (total float64, mean []float64, scatter *mat.SymDense, done bool, err error) {
	top := 1.0
	if w != nil {
		top = slices.Max(w)
	}
	if !s.narrow || top > heavy || top < light {
		return 0, nil, nil, false, nil
	}
	if total, mean, err = s.mean(ctx, w); err != nil {
		return 0, nil, nil, true, err
	}
	shift := make([]float32, s.d)
	for j, v := range mean {
		shift[j] = float32(v)
	}
	scatter = mat.NewSymDense(s.d, nil)
	out := scatter.RawSymmetric().Data
	for first := 0; first < s.n; first += momentRows {
		if err := ctx.Err(); err != nil {
			return 0, nil, nil, true, err
		}
		rows := min(momentRows, s.n-first)
		part := w
		if w != nil {
			part = w[first : first+rows]
		}
		fastblas.WeightedGramSingle(Threads(), rows, s.d, s.x[first*s.d:], s.d, part, shift, out, s.d)
	}
	for i, v := range mean {
		off := total * (v - float64(shift[i]))
		for j := i; j < s.d; j++ {
			out[i*s.d+j] -= off * (mean[j] - float64(shift[j]))
		}
		out[i*s.d+i] = max(out[i*s.d+i], 0)
	}
	return total, mean, scatter, true, nil
}
