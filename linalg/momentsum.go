package linalg

import (
	"gonum.org/v1/gonum/mat"
)

// Moments accumulates total weight, weighted mean and weighted scatter of rows that
// arrive in blocks. Accumulators of different rows can be merged in any grouping, which
// is how files, cores and machines share one computation.
type Moments struct {
	Total float64   // sum of the weights
	shift []float64 // what is subtracted from every row; nil until a row has weight
	sum   []float64 // of w (x - shift)
	gram  []float64 // upper triangle of the sum of w (x - shift)(x - shift)', d x d
	d     int
}

// NewMoments returns an accumulator for rows of d columns.
func NewMoments(d int) *Moments {
	return &Moments{d: d, sum: make([]float64, d), gram: make([]float64, d*d)}
}

// Add takes in the rows of block; w nil means ones. Weights must be finite and >= 0.
func (m *Moments) Add(block *mat.Dense, w []float64) {
	here := newCentre(m.d)
	here.add(block, w)
	if here.total == 0 {
		return
	}
	mean := here.mean()
	if m.shift == nil {
		m.shift = mean
	}
	raw := block.RawMatrix()
	weightedGram(Threads(), raw.Rows, m.d, raw.Data, raw.Stride, w, m.shift, m.gram, m.d)
	m.Total += here.total
	for j := range m.sum {
		m.sum[j] += here.total * (mean[j] - m.shift[j])
	}
}

// Merge takes in what another accumulator has met. The other one keeps its meaning.
func (m *Moments) Merge(from *Moments) {
	if from.Total == 0 {
		return
	}
	if m.Total == 0 {
		m.Total = from.Total
		m.shift = append([]float64(nil), from.shift...)
		copy(m.sum, from.sum)
		copy(m.gram, from.gram)
		return
	}
	m.recentre()
	from.recentre()
	// Both are now about their own means: the scatter of the union is the sum of the
	// scatters and a term for the distance of the means (Chan, Golub, LeVeque 1979).
	total := m.Total + from.Total
	gap := make([]float64, m.d)
	for j := range gap {
		gap[j] = from.shift[j] - m.shift[j]
	}
	factor := m.Total * (from.Total / total)
	for i, g := range gap {
		row, other := m.gram[i*m.d:(i+1)*m.d], from.gram[i*m.d:(i+1)*m.d]
		for j := i; j < m.d; j++ {
			row[j] += other[j] + factor*g*gap[j]
		}
	}
	for j := range m.shift {
		m.shift[j] += from.Total / total * gap[j]
	}
	m.Total = total
}

// Mean returns the weighted mean of the rows met so far; nil if they have no weight.
func (m *Moments) Mean() []float64 {
	if m.Total == 0 {
		return nil
	}
	mean := make([]float64, m.d)
	for j := range mean {
		mean[j] = m.shift[j] + m.sum[j]/m.Total
	}
	return mean
}

// Scatter returns the sum of w (x-mean)(x-mean)' over the rows met so far.
func (m *Moments) Scatter() *mat.SymDense {
	m.recentre()
	return mat.NewSymDense(m.d, append([]float64(nil), m.gram...))
}

// recentre moves the shift to the mean, so that sum is zero and gram the scatter.
func (m *Moments) recentre() {
	if m.Total == 0 {
		return
	}
	mean := m.Mean()
	for i, s := range m.sum {
		if s == 0 {
			continue
		}
		row := m.gram[i*m.d : (i+1)*m.d]
		for j := i; j < m.d; j++ {
			row[j] -= s / m.Total * m.sum[j]
		}
		row[i] = max(row[i], 0)
	}
	m.shift = mean
	clear(m.sum)
}

// cancelled reports whether the mean is so far from the shift, against the spread of
// some column, that recentring loses more than about three digits.
func (m *Moments) cancelled() bool {
	for j, s := range m.sum {
		moved := s / m.Total * s
		if left := m.gram[j*m.d+j] - moved; moved > 1e3*left && moved > 0 {
			return true
		}
	}
	return false
}
