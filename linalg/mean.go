package linalg

import (
	"context"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/refusal"
)

// errNoWeight says that a mean does not exist.
var errNoWeight = refusal.Weights("linalg: the weights sum to zero")

// WeightedMean returns the sum of the weights and the weighted mean of the rows; w nil
// means ones. A large common offset of the rows costs no accuracy. Weights that sum to
// zero are an error.
func WeightedMean(ctx context.Context, src Source, w []float64) (total float64, mean []float64, err error) {
	n, d := src.Dims()
	if err := checkWeights(w, n); err != nil {
		return 0, nil, err
	}
	acc, err := Pass(ctx, src,
		func() *centre { return newCentre(d) },
		func(c *centre, first int, block *mat.Dense) { c.add(block, weightsOf(w, first, block)) },
		(*centre).merge)
	if err != nil {
		return 0, nil, err
	}
	if !(acc.total > 0) {
		return 0, nil, errNoWeight
	}
	return acc.total, acc.mean(), nil
}

// weightsOf returns the weights of the rows of a block that starts at row first.
func weightsOf(w []float64, first int, block *mat.Dense) []float64 {
	if w == nil {
		return nil
	}
	rows, _ := block.Dims()
	return w[first : first+rows]
}

// centre accumulates a weighted mean as an offset from a point among the rows, so that
// nothing is lost when all rows are far from zero.
type centre struct {
	total float64
	shift []float64 // nil: the first row with weight that comes
	sum   []float64 // of w (x - shift)
}

func newCentre(d int) *centre { return &centre{sum: make([]float64, d)} }

// add takes in the rows of a block; w nil means ones.
func (c *centre) add(block *mat.Dense, w []float64) {
	raw := block.RawMatrix()
	var rows [4][]float64 // rows with weight, taken in four at a time
	var factors [4]float64
	waiting := 0
	for i := range raw.Rows {
		weight := weightAt(w, i)
		if weight == 0 {
			continue
		}
		row := raw.Data[i*raw.Stride : i*raw.Stride+raw.Cols]
		if c.shift == nil {
			c.shift = append([]float64(nil), heaviest(raw, w, row)...)
		}
		c.total += weight
		rows[waiting], factors[waiting] = row, weight
		if waiting++; waiting == len(rows) {
			c.addFour(rows, factors)
			waiting = 0
		}
	}
	for i := range waiting {
		for j, x := range rows[i] {
			c.sum[j] += factors[i] * (x - c.shift[j])
		}
	}
}

// heaviest returns the first row of largest weight: a row that hardly counts may be so far
// from the others that shifting them by it would cost their digits.
func heaviest(raw blas64.General, w, first []float64) []float64 {
	best := 0.0
	for i, weight := range w {
		if weight > best {
			best, first = weight, raw.Data[i*raw.Stride:i*raw.Stride+raw.Cols]
		}
	}
	return first
}

func (c *centre) addFour(rows [4][]float64, w [4]float64) {
	sum := c.sum
	shift, r0, r1, r2, r3 := c.shift[:len(sum)], rows[0][:len(sum)], rows[1][:len(sum)], rows[2][:len(sum)], rows[3][:len(sum)]
	w0, w1, w2, w3 := w[0], w[1], w[2], w[3]
	for j, s := range shift {
		sum[j] += (w0*(r0[j]-s) + w1*(r1[j]-s)) + (w2*(r2[j]-s) + w3*(r3[j]-s))
	}
}

// merge takes in what another centre has met.
func (c *centre) merge(from *centre) {
	if from.total == 0 {
		return
	}
	if c.total == 0 {
		*c = *from
		return
	}
	if from.total > c.total { // the shift of the heavier one serves both
		heavy := centre{total: from.total, shift: from.shift, sum: append([]float64(nil), from.sum...)}
		*c, from = heavy, &centre{total: c.total, shift: c.shift, sum: c.sum}
	}
	for j, s := range from.sum {
		c.sum[j] += s + from.total*(from.shift[j]-c.shift[j])
	}
	c.total += from.total
}

// mean returns the weighted mean of what was met, which must have weight.
func (c *centre) mean() []float64 {
	mean := make([]float64, len(c.sum))
	for j := range mean {
		mean[j] = c.shift[j] + c.sum[j]/c.total
	}
	return mean
}
