package belief

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

// fitting is the work on a curve.
type fitting struct {
	k        int
	scores   []float64  // as they came
	labelled []bool     // classes that occur among the labels
	rows     *mat.Dense // n x k: scores less the best of the row, or in typical margins
	labels   []int
	weights  []float64
	total    float64
	count    []float64  // rows of each true class
	turned   []float64  // k x k: labels of rows of each true class
	ceiling  []float64  // largest share of wrong labels of each class; nil: any
	shifting float64    // variance of shifts
	pooled   float64    // share of wrong labels over all classes
	margin   float64    // typical distance of the best scores of a row
	q        *mat.Dense // n x k: probabilities, times the root of the weight
	pull     *mat.Dense // n x k: expected true classes less their probabilities
}

func newFitting(scores []float64, k int, labels []int, weights []float64) *fitting {
	n := len(labels)
	f := &fitting{k: k, scores: scores, labelled: make([]bool, k), rows: mat.NewDense(max(n, 1), k, nil), labels: labels, weights: make([]float64, n), q: mat.NewDense(max(n, 1), k, nil), pull: mat.NewDense(max(n, 1), k, nil)}
	margins := make([]float64, n)
	linalg.Spans(n, func(from, to int) {
		for i := from; i < to; i++ {
			row, below := scores[i*k:(i+1)*k], f.rows.RawRowView(i)
			if f.weights[i] = 1; weights != nil {
				f.weights[i] = weights[i]
			}
			best, second := math.Inf(-1), math.Inf(-1)
			for _, v := range row {
				if v-v != 0 { // nothing is known of this row
					f.weights[i] = 0
				}
				if v > best {
					best, second = v, best
				} else if v > second {
					second = v
				}
			}
			if f.weights[i] == 0 {
				continue
			}
			margins[i] = min(best-second, math.MaxFloat64)
			for l, v := range row {
				below[l] = max(v-best, -math.MaxFloat64)
			}
		}
	})
	for i, w := range f.weights {
		if w != 0 {
			f.total += w
			f.labelled[labels[i]] = true
		}
	}
	if f.total == 0 {
		return f
	}
	if f.margin = univariate.WeightedMedian(margins, f.weights); f.margin == 0 {
		f.margin = 1
	}
	linalg.Spans(n, func(from, to int) {
		for i := from; i < to; i++ {
			row := f.rows.RawRowView(i)
			for l := range row {
				row[l] = max(row[l], -farthest*f.margin)
			}
		}
	})
	return f
}

// prior is the logarithm of the prior. Shares of wrong labels are drawn to the one of all classes that
// [fitting.expect] found.
func (f *fitting) prior(c Curve) float64 {
	sum := -softplus(c.Slope * f.margin)
	for _, b := range c.Shift {
		sum -= b * b / (2 * f.shifting)
	}
	for l, flips := range c.Flips {
		if c.turned != nil {
			for m := range c.Flips {
				if m != l {
					sum += pooledFlips * f.pooled / float64(f.k-1) * math.Log(max(c.given(l, m), 1e-12))
				}
			}
			sum += (rightRows + pooledFlips*(1-f.pooled)) * math.Log(max(c.given(l, l), 1e-12))
		} else if f.labelled[l] {
			sum += pooledFlips*f.pooled*math.Log(max(flips, 1e-12)) + (rightRows+pooledFlips*(1-f.pooled))*math.Log1p(-flips)
		}
	}
	return sum
}

// likelihood is the logarithm of the probability of all labels.
func (f *fitting) likelihood(c Curve) float64 {
	return linalg.Total(len(f.weights), func(from, to int) (sum float64) {
		room := make([]float64, f.k)
		for i := from; i < to; i++ {
			if w := f.weights[i]; w > 0 {
				copy(room, f.rows.RawRowView(i))
				c.True(room)
				sum += w * math.Log(max(c.observed(room, f.labels[i]), 1e-300))
			}
		}
		return sum
	})
}

// expect fills in the probabilities of classes and what labels say of them, and returns which
// share of the rows of each class is expected to have another label, and the likelihood of c.
func (f *fitting) expect(c Curve) (flips []float64, likelihood float64) {
	k := f.k
	sums := linalg.Totals(len(f.weights), 1+2*k+k*k, func(from, to int, sums []float64) {
		flips, count, turned := sums[1:1+k], sums[1+k:1+2*k], sums[1+2*k:]
		for i := from; i < to; i++ {
			q, pull, label, w := f.q.RawRowView(i), f.pull.RawRowView(i), f.labels[i], f.weights[i]
			if w == 0 {
				continue
			}
			copy(q, f.rows.RawRowView(i))
			c.True(q)
			observed, root := max(c.observed(q, label), 1e-300), math.Sqrt(w)
			sums[0] += w * math.Log(observed)
			for l, probability := range q {
				expected := w * probability * c.given(l, label) / observed
				q[l] *= root
				if count[l] += expected; l != label {
					flips[l] += expected
				}
				turned[l*k+label] += expected
				pull[l] = expected - root*q[l]
			}
		}
	})
	likelihood = sums[0]
	flips, count, turned := sums[1:1+k:1+k], sums[1+k:1+2*k:1+2*k], sums[1+2*k:]
	f.pooled = total(flips) / (total(count) + rightRows*float64(f.k))
	spread := pooledFlips * f.pooled / float64(f.k-1)
	for l := range flips {
		for m := range flips {
			turned[l*f.k+m] = (turned[l*f.k+m] + spread) / (count[l] + pooledFlips + rightRows)
		}
		turned[l*f.k+l] += (rightRows + pooledFlips*(1-f.pooled) - spread) / (count[l] + pooledFlips + rightRows)
		if flips[l] = min((flips[l]+pooledFlips*f.pooled)/(count[l]+pooledFlips+rightRows), f.mostFlips(l)); !f.labelled[l] {
			flips[l] = 0
		}
	}
	f.turned, f.count = turned, count
	return flips, likelihood
}

// newton is Newton's step for slope and shifts where the expected classes are taken as known.
func (f *fitting) newton(c Curve, direction []float64) {
	k := f.k
	var products mat.Dense
	linalg.Mul(&products, f.q.T(), f.q)
	h := mat.NewSymDense(k+1, nil)
	g := mat.NewVecDense(k+1, nil)
	p := 1 / (1 + math.Exp(-c.Slope*f.margin))
	g.SetVec(0, -p*f.margin)
	h.SetSym(0, 0, p*(1-p)*f.margin*f.margin)
	for l, b := range c.Shift {
		g.SetVec(l+1, -b/f.shifting)
		h.SetSym(l+1, l+1, 1/f.shifting)
	}
	for l := range k {
		for m := l; m < k; m++ {
			h.SetSym(l+1, m+1, h.At(l+1, m+1)-products.At(l, m))
		}
	}
	// gradient of the slope and of each shift, curvature of the slope, of each shift and between
	sums := linalg.Totals(len(f.weights), 2+3*k, func(from, to int, sums []float64) {
		pulls, own, between := sums[2:2+k], sums[2+k:2+2*k], sums[2+2*k:]
		for i := from; i < to; i++ {
			w := f.weights[i]
			if w == 0 {
				continue
			}
			q, pull, below := f.q.RawRowView(i), f.pull.RawRowView(i), f.rows.RawRowView(i)
			root, mean, square := math.Sqrt(w), 0.0, 0.0
			for l, v := range below {
				mean += q[l] * v / root
				square += q[l] * v * v / root
				sums[0] += pull[l] * v
			}
			sums[1] += w * max(square-mean*mean, 0)
			for l, v := range below {
				pulls[l] += pull[l]
				own[l] += root * q[l]
				between[l] += root * q[l] * (v - mean)
			}
		}
	})
	g.SetVec(0, g.AtVec(0)+sums[0])
	h.SetSym(0, 0, h.At(0, 0)+sums[1])
	for l := range k {
		g.SetVec(l+1, g.AtVec(l+1)+sums[2+l])
		h.SetSym(l+1, l+1, h.At(l+1, l+1)+sums[2+k+l])
		h.SetSym(0, l+1, sums[2+2*k+l])
	}
	// in units in which the diagonal is one, with a little added
	size := make([]float64, k+1)
	for l := range size {
		size[l] = 1 / math.Sqrt(max(h.At(l, l), 1e-300))
	}
	for l := range size {
		for m := l; m < len(size); m++ {
			h.SetSym(l, m, h.At(l, m)*size[l]*size[m])
		}
		h.SetSym(l, l, 1+1e-9)
		g.SetVec(l, g.AtVec(l)*size[l])
	}
	var factor mat.Cholesky
	if out := mat.NewVecDense(k+1, direction); !factor.Factorize(h) || factor.SolveVecTo(out, g) != nil {
		copy(direction, g.RawVector().Data)
	}
	for l := range direction {
		direction[l] *= size[l]
	}
}

func softplus(x float64) float64 {
	if x > 0 {
		return x + math.Log1p(math.Exp(-x))
	}
	return math.Log1p(math.Exp(x))
}
