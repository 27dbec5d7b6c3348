package belief

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

// mixVariances are what is tried for the variance of the normal prior of Mix, in typical margins.
var mixVariances = []float64{0.1, 1, 10}

// mixPrice is by how much the logarithm of the likelihood must rise for a parameter that rows determine: twice
// what it rises by chance, because a curve that is more complicated than needed costs more than one that is too plain.
const mixPrice = 2

// mixed lets all scores have a say in the probability of every class. Scores of machines that tell one class from
// all others are low for a class that lies between others, wherever they are: no slope mends that, but such a
// row shows by which of the others are second. Mix has a normal prior around zero. It is kept, with the
// best of a few variances, where the likelihood rises by more than [mixPrice] for each parameter that the
// rows determine. It needs three classes, and not more than [mostMixedClasses].
func (f *fitting) mixed(c Curve) Curve {
	if f.k < 3 || f.k > mostMixedClasses {
		return c
	}
	view, centre := f.inMargins()
	now := Curve{Slope: c.Slope * f.margin, Shift: slices.Clone(c.Shift), Flips: c.Flips, ceiling: f.ceiling, Mix: make([]float64, f.k*f.k)}
	for l := range now.Shift {
		now.Shift[l] += now.Slope * centre[l] / f.margin
	}
	most, kept, paid := max(c.gain, f.confused(c)), 0.0, 0.0
	var best Curve
	for _, variance := range mixVariances {
		var free float64
		now, free = view.mixing(now, variance)
		gain := view.likelihood(now) - mixPrice*free
		if gain <= most || now.swaps() {
			if variance > mixVariances[0] {
				break
			}
			continue
		}
		best, most, kept, paid = now, gain, variance, mixPrice*free
	}
	if best.Mix == nil {
		return c
	}
	best.Wrong, best.gain, best.cost = view.flipped(best)/f.total, most, paid
	best.errors = view.likelihood(best) - view.believingMix(best, kept)
	best.Slope /= f.margin
	best.Mix, best.Shift = slices.Clone(best.Mix), slices.Clone(best.Shift)
	for l := range best.Shift {
		best.Shift[l] -= best.Slope * centre[l]
		for m, z := range centre {
			best.Mix[l*f.k+m] /= f.margin
			best.Shift[l] -= best.Mix[l*f.k+m] * z
		}
	}
	return best
}

// believingMix is the likelihood of the labels by the mix, from that of c, by which all of them are right.
func (f *fitting) believingMix(c Curve, variance float64) float64 {
	g := *f
	c.Flips, g.ceiling = make([]float64, f.k), make([]float64, f.k)
	right, _ := g.mixing(c, variance)
	return g.likelihood(right)
}

// swaps tells whether the scores of two classes each speak for the other class more than for their own: machines are not that wrong, but a
// few rows with wrong labels may say so, and all labels of the two would be exchanged. A single score that does is that of a class between others.
func (c *Curve) swaps() bool {
	k := len(c.Shift)
	against := func(l, m int) bool { return c.Mix[m*k+l] > c.Slope+c.Mix[l*k+l] }
	for l := range k {
		for m := range l {
			if against(l, m) && against(m, l) {
				return true
			}
		}
	}
	return false
}

// confused is what plain scores tell, as [fitting.mixed] compares them, if wrong labels are not any of the others: say,
// all those of one class are of the next. To a mix such labels are a class between others.
func (f *fitting) confused(c Curve) float64 {
	f.expect(c)
	c.turned = f.turned
	c = f.plain(c)
	free := float64(f.k)
	for _, count := range f.count {
		free += float64(f.k-1) * count / (count + pooledFlips)
	}
	return f.likelihood(c) - mixPrice*free
}

// inMargins is the same work on scores from their medians, in typical margins.
func (f *fitting) inMargins() (view *fitting, centre []float64) {
	n := len(f.labels)
	view = &fitting{k: f.k, labelled: f.labelled, rows: mat.NewDense(max(n, 1), f.k, nil), labels: f.labels, weights: f.weights, total: f.total, margin: 1, shifting: f.shifting, ceiling: f.ceiling, q: f.q, pull: f.pull}
	column := make([]float64, n)
	for l := range f.k {
		for i := range column {
			column[i] = f.scores[i*f.k+l]
			if f.weights[i] == 0 {
				column[i] = 0
			}
		}
		centre = append(centre, univariate.WeightedMedian(column, f.weights))
		linalg.Spans(n, func(from, to int) {
			for i, v := range column[from:to] {
				view.rows.Set(from+i, l, min(max((v-centre[l])/f.margin, -farthest), farthest))
			}
		})
	}
	return view, centre
}

// mixing climbs from a curve to the most probable one with this variance of Mix; free is the number of
// parameters that the rows determine rather than the prior.
func (f *fitting) mixing(c Curve, variance float64) (out Curve, free float64) {
	k := f.k
	prior := func(c Curve) float64 {
		sum := f.prior(c)
		for _, d := range c.Mix {
			sum -= d * d / (2 * variance)
		}
		return sum
	}
	var direction *mat.VecDense
	out = f.climb(c, 1e-5, prior, func(c Curve) { direction, _ = f.newtonMix(c, variance, false) }, func(c Curve, step float64) Curve {
		c.Mix, c.Shift = slices.Clone(c.Mix), slices.Clone(c.Shift)
		for l := range k {
			for m := range k {
				c.Mix[l*k+m] += step * direction.AtVec(l*(k+1)+m)
			}
			c.Shift[l] += step * direction.AtVec(l*(k+1)+k)
		}
		return c
	})
	f.expect(out)
	_, free = f.newtonMix(out, variance, true)
	return out, free
}

// newtonMix is Newton's step for Mix and shifts, class by class, where the expected classes are taken as known.
func (f *fitting) newtonMix(c Curve, variance float64, count bool) (*mat.VecDense, float64) {
	k, n := f.k, len(f.labels)
	size := k + 1
	// sum_i w (diag q - q q') x z z', with z the scores and a one
	outer, z := mat.NewDense(n, k*size, nil), mat.NewDense(n, size, nil)
	linalg.Spans(n, func(from, end int) {
		for i := from; i < end; i++ {
			to, row := outer.RawRowView(i), z.RawRowView(i)
			row[copy(row, f.rows.RawRowView(i))] = 1
			if f.weights[i] == 0 {
				continue
			}
			for l, q := range f.q.RawRowView(i) {
				for m, v := range row {
					to[l*size+m] = q * v
				}
			}
		}
	})
	var products, block, gradient mat.Dense
	linalg.Mul(&products, outer.T(), outer)
	linalg.Mul(&gradient, f.pull.T(), z) // k x size
	h := mat.NewSymDense(k*size, nil)
	for a := range k * size {
		for b := a; b < k*size; b++ {
			h.SetSym(a, b, -products.At(a, b))
		}
	}
	g := mat.NewVecDense(k*size, nil)
	prior := make([]float64, k*size)
	scaled := mat.NewDense(n, size, nil)
	for l := range k {
		linalg.Spans(n, func(from, end int) {
			for i := from; i < end; i++ {
				to, share := scaled.RawRowView(i), math.Sqrt(f.weights[i])*f.q.At(i, l)
				for m, v := range z.RawRowView(i) {
					to[m] = share * v
				}
			}
		})
		block.Reset()
		linalg.Mul(&block, z.T(), scaled)
		for a := range size {
			for b := a; b < size; b++ {
				h.SetSym(l*size+a, l*size+b, h.At(l*size+a, l*size+b)+block.At(a, b))
			}
			at, tight := c.Shift[l], 1/f.shifting
			if a < k {
				at, tight = c.Mix[l*k+a], 1/variance
			}
			prior[l*size+a] = tight
			g.SetVec(l*size+a, gradient.At(l, a)-at*tight)
			h.SetSym(l*size+a, l*size+a, h.At(l*size+a, l*size+a)+tight)
		}
	}
	var factor mat.Cholesky
	out := mat.NewVecDense(k*size, nil)
	if !factor.Factorize(h) || factor.SolveVecTo(out, g) != nil {
		out.CopyVec(g)
		return out, float64(k * size)
	}
	free := float64(k * size)
	if count {
		var inverse mat.SymDense
		if factor.InverseTo(&inverse) == nil {
			for a, tight := range prior {
				free -= tight * inverse.At(a, a)
			}
		}
	}
	return out, free
}
