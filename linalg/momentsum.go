package linalg

import (
	"gonum.org/v1/gonum/mat"
)

// Moments accumulates total weight, weighted mean and weighted scatter of rows that
// arrive in blocks. Accumulators of different rows can be merged in any grouping, which
// is how files, cores and machines share one computation.
type Moments struct {
	centre           // total weight, the point that is subtracted from every row, and the sum of what is left
	gram   []float64 // upper triangle of the sum of w (x - shift)(x - shift)', d x d
	d      int
}

// NewMoments returns an accumulator for rows of d columns.
func NewMoments(d int) *Moments {
	return &Moments{d: d, centre: *newCentre(d), gram: make([]float64, d*d)}
}

// Add takes in the rows of block; w nil means ones. Weights must be finite and >= 0.
func (m *Moments) Add(block *mat.Dense, w []float64) {
	if m.shift == nil {
		here := newCentre(m.d)
		if here.add(block, w); here.total == 0 {
			return
		}
		m.shift = here.mean()
	}
	raw := block.RawMatrix()
	weightedGram(Threads(), raw.Rows, m.d, raw.Data, raw.Stride, w, m.shift, m.gram, m.d)
	m.centre.add(block, w)
}

// Merge takes in what another accumulator has met; the other one does not change.
func (m *Moments) Merge(from *Moments) {
	if from.total == 0 {
		return
	}
	if m.total < from.total { // the shift of the heavier one serves both
		heavy := &Moments{
			d:      m.d,
			centre: centre{total: from.total, shift: from.shift, sum: append([]float64(nil), from.sum...)},
			gram:   append([]float64(nil), from.gram...),
		}
		*m, from = *heavy, &Moments{d: m.d, centre: m.centre, gram: m.gram}
		if from.total == 0 {
			return
		}
	}
	// With g the way from one shift to the other, the sum of w (y+g)(y+g)' is
	// gram + sum g' + g sum' + total g g'.
	gap := make([]float64, m.d)
	for j := range gap {
		gap[j] = from.shift[j] - m.shift[j]
	}
	for i, g := range gap {
		row, other := m.gram[i*m.d:(i+1)*m.d], from.gram[i*m.d:(i+1)*m.d]
		si := from.sum[i] + from.total*g
		for j := i; j < m.d; j++ {
			row[j] += other[j] + si*gap[j] + g*from.sum[j]
		}
	}
	m.centre.merge(&from.centre)
}

// Total returns the sum of the weights of the rows met so far.
func (m *Moments) Total() float64 { return m.total }

// Mean returns the weighted mean of the rows met so far; nil if they have no weight.
func (m *Moments) Mean() []float64 {
	if m.total == 0 {
		return nil
	}
	return m.mean()
}

// Scatter returns the sum of w (x-mean)(x-mean)' over the rows met so far.
func (m *Moments) Scatter() *mat.SymDense {
	scatter := mat.NewSymDense(m.d, append([]float64(nil), m.gram...))
	if m.total == 0 {
		return scatter
	}
	data := scatter.RawSymmetric().Data
	for i, s := range m.sum {
		row := data[i*m.d : (i+1)*m.d]
		for j := i; j < m.d; j++ {
			row[j] -= s / m.total * m.sum[j]
		}
		row[i] = max(row[i], 0)
	}
	return scatter
}

// farOff reports whether the mean is so far from the shift, against the spread of some
// column, that subtracting their distance loses more than about three digits.
func (m *Moments) farOff() bool {
	for j, s := range m.sum {
		moved := s / m.total * s
		if left := m.gram[j*m.d+j] - moved; moved > 0 && moved > 1e3*left {
			return true
		}
	}
	return false
}
