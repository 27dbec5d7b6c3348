// Package belief tells what scores of classes say about rows: how probable each class is, and
// how probably the label that a row came with is wrong. Both are learned from scores of rows
// that were held out when the scores were learned, so neither depends on the size of
// the scores or on the loss that made them.
package belief

import (
	"math"
	"slices"

	"github.com/inlier-ml/inlier/linalg"
)

// Curve turns scores f of classes into probabilities. The true class is l with probability
//
//	q_l ~ exp(Slope f_l + sum_m Mix_lm f_m + Shift_l),
//
// one slope for all classes, a shift for each and, where held-out rows show that it pays, what the
// scores of other classes say of it (see [fitting.mixed]). The label is the true class but for a share
// Flips_l of its rows, whose label is any other. Rows with a wrong label thus neither flatten
// the curve nor move its shifts.
type Curve struct {
	Slope        float64
	Mix          []float64 // k x k, row by row; nil: zeros
	Shift, Flips []float64
	Wrong        float64 // share of the labels that are expected to be wrong
	// Spread is the share of each probability that is spread over all classes: labels that the curve takes for wrong may as well be rows
	// that it is wrong about. Up to [mostMixed] it always is, and whole where nothing shows that labels are wrong.
	Spread float64

	ceiling []float64 // largest Flips; nil: any
	gain    float64   // logarithm of the likelihood of the labels, less cost
	cost    float64   // of the curve's parameters, in logarithms
	turned  []float64 // k x k, while fitting: labels of rows of each true class; nil: by Flips
	errors  float64   // by how much wrong labels make the labels more probable, in logarithms
}

const (
	// farthest is how far below the best score others count, in typical margins.
	farthest = 50
	// shiftVariance is that of the normal prior of shifts. A class without rows is
	// given about half a row by it; beside more than a few rows it has no say.
	shiftVariance = 16.0
	noShift       = 1e-12

	// steadiest is the change of the mean log-likelihood at which the curve is found.
	steadiest = 1e-7
	mostSteps = 200
	// rightRows is the number of rows that each class is given whose label is right.
	rightRows = 3
	// pooledFlips is the number of rows with the mean share of wrong labels that each class is given in addition.
	pooledFlips = 20
	// mostMixed is the largest share of rows that the curve may be wrong about.
	mostMixed = 0.05
	// steadyFlips is the change of a share of wrong labels at which it is found.
	steadyFlips = 1e-3
	// leastSlope is the smallest slope, in typical margins: where held-out scores of few rows say nothing, a
	// machine of all rows still ranks, and shifts alone would give one label to all rows.
	leastSlope = 0.2
)

// Fit learns the curve from n held-out rows with k scores each, one row after the other, their labels
// and weights (nil: ones), by maximum likelihood, the share of wrong labels included: an
// expectation step for the true classes, then one of Newton's. One row in all that is
// wrong at a typical margin is added, as Platt does, so that separated classes have a finite
// slope and probabilities of about 1 - 1/n.
//
// No class has a larger share of wrong labels than its ceiling (see [Ceiling]; nil: any).
func Fit(scores []float64, k int, labels []int, weights, ceiling []float64) Curve {
	return fitCurve(scores, k, labels, weights, ceiling, true)
}

// fitCurve is Fit, without a mix if that is not wanted.
func fitCurve(scores []float64, k int, labels []int, weights, ceiling []float64, mix bool) Curve {
	f := newFitting(scores, k, labels, weights)
	f.ceiling = ceiling
	c := Curve{Shift: make([]float64, k), Flips: make([]float64, k), ceiling: ceiling}
	if f.total == 0 {
		return c
	}
	c.Slope = 4 / f.margin
	for l := range c.Flips {
		c.Flips[l] = min(0.2, f.mostFlips(l))
	}
	f.shifting = shiftVariance
	c = f.plain(c)
	free := float64(k)
	if few := f.unshifted(c); f.likelihood(few)-mixPrice > f.likelihood(c)-mixPrice*free {
		c, free = few, 1
	}
	c.Wrong, c.cost = f.flipped(c)/f.total, mixPrice*free
	c.gain = f.likelihood(c) - c.cost
	if mix {
		if mixed := f.mixed(c); mixed.Mix != nil {
			return mixed
		}
	}
	right := f.believing(Curve{Slope: c.Slope, Shift: c.Shift}, free > 1)
	c.errors = f.likelihood(c) - f.likelihood(right)
	return c
}

// believing is the curve, from that of c, by which every label is right.
func (f *fitting) believing(c Curve, shifted bool) Curve {
	g := *f
	c.Flips, g.ceiling = make([]float64, f.k), make([]float64, f.k)
	if !shifted {
		g.shifting = noShift
	}
	return g.plain(c)
}

// unshifted is the curve with the same shift for all classes: the best score tells the class.
func (f *fitting) unshifted(c Curve) Curve {
	g := *f
	g.shifting = noShift
	c.Shift = make([]float64, f.k)
	return g.plain(c)
}

// plain finds slope and shifts from those of c.
func (f *fitting) plain(c Curve) Curve {
	direction := make([]float64, f.k+1)
	return f.climb(c, steadiest, f.prior, func(c Curve) { f.newton(c, direction) }, func(c Curve, step float64) Curve {
		c.Slope, c.Shift = max(c.Slope+step*direction[0], leastSlope/f.margin), slices.Clone(c.Shift)
		for l := range c.Shift {
			c.Shift[l] += step * direction[l+1]
		}
		return c
	})
}

// climb alternates what labels say of true classes with a step towards the maximum that belongs to it, which find finds
// and move makes, shortened where likelihood and prior would fall, until these change by less than steady for a row.
func (f *fitting) climb(c Curve, steady float64, prior func(Curve) float64, find func(Curve), move func(c Curve, step float64) Curve) Curve {
	for range mostSteps {
		flips, now := f.expect(c)
		now += prior(c)
		find(c)
		settled := true
		for l, share := range flips {
			settled = settled && math.Abs(share-c.Flips[l]) < steadyFlips
		}
		better, most := c, math.Inf(-1)
		for step := 1.0; step > 1e-6 && !(most >= now); step /= 2 {
			better = move(c, step)
			if better.Flips = flips; c.turned != nil {
				better.turned = f.turned
			}
			most = f.likelihood(better) + prior(better)
		}
		if !(most >= now) {
			break
		}
		if c = better; settled && most-now <= steady*f.total {
			break
		}
	}
	return c
}

// flipped is how many labels are expected to be wrong.
func (f *fitting) flipped(c Curve) float64 {
	return linalg.Total(len(f.weights), func(from, to int) (sum float64) {
		q := make([]float64, f.k)
		for i := from; i < to; i++ {
			if w := f.weights[i]; w > 0 {
				copy(q, f.rows.RawRowView(i))
				c.True(q)
				sum += w * (1 - q[f.labels[i]]*(1-c.Flips[f.labels[i]])/max(c.observed(q, f.labels[i]), 1e-300))
			}
		}
		return sum
	})
}

func total(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum
}

// mostFlips is the largest share of wrong labels of a class: with more, labels would say nothing, or neighbours contradict.
func (f *fitting) mostFlips(l int) float64 {
	most := 0.9 * float64(f.k-1) / float64(f.k)
	if f.ceiling != nil {
		most = min(most, f.ceiling[l])
	}
	return most
}
