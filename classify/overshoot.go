package classify

import (
	"math"
	"slices"

	"github.com/inlier-ml/inlier/linalg"
)

// Newton's step for scores that cost nothing beyond their margin knows the rows that are short of it now. Where others become short on the way it goes
// too far, for one class by thousands of times where another needs all of it, so each class goes along its own step as far as its objective falls.

const (
	// overshot is the slope at the end of a step, in parts of that at its beginning, from which on it went too far.
	overshot = 0.1
	// farEnough is the part of a step that counts as one; where a class made less, all make another with the same weights of the rows, up to mostAgain
	// of them: an objective that stands still in a short step has not settled.
	farEnough, mostAgain = 0.5, 30
	// worthWhile is the slope at the beginning of a step, in parts of the sum of all squared misses, below which there is nothing to be gained but rounding.
	worthWhile = 1e-13
	// halvings bounds the search for where a step should have ended.
	halvings = 60
)

// shortened makes the step of each class from one state to another end where its objective, with these weights, stands still along it, and tells the
// smallest part that is left of one. The scores of both are known.
func (p *problem) shortened(from, to *state, w []float64) float64 {
	parts := slices.Repeat([]float64{1}, p.t.classes)
	least := worthWhile * p.squares(from, w)
	linalg.Parallel(len(parts), func(l int) {
		slope := p.along(from, to, w, l)
		begin := slope(0)
		if !(begin < -least) || slope(1) <= -overshot*begin {
			return
		}
		low, high := 0.0, 1.0
		for range halvings {
			middle := (low + high) / 2
			now := slope(middle)
			if now < 0 {
				low = middle
			} else {
				high = middle
			}
			if math.Abs(now) <= -overshot*begin {
				low = middle
				break
			}
		}
		parts[l] = low
		shorten(to.theta, from.theta, l, low)
		shorten(to.scores, from.scores, l, low)
	})
	return slices.Min(parts)
}

// squares is the sum of the weighted squared misses.
func (p *problem) squares(at *state, w []float64) float64 {
	return linalg.Total(len(p.t.labels), func(from, to int) (sum float64) {
		for i := from; i < to; i++ {
			for l, f := range at.scores.RawRowView(i) {
				miss := p.miss(p.t.y(i, l), f)
				sum += p.weight(w, i, l) * miss * miss
			}
		}
		return sum
	})
}

// weight is that of a miss.
func (p *problem) weight(w []float64, i, l int) float64 {
	if p.perElement {
		return w[i*p.t.classes+l]
	}
	return w[i]
}

// along is half the slope of the objective of class l at a part of the way from one state to another.
func (p *problem) along(from, to *state, w []float64, l int) func(part float64) float64 {
	rows, _ := from.theta.Dims()
	shift := to.theta.At(rows-1, l) - from.theta.At(rows-1, l)
	start, square := 0.0, 0.0 // products of the coefficients with their change, and of that with itself
	for j := range rows - 1 {
		at := from.theta.At(j, l)
		change := to.theta.At(j, l) - at
		image := change
		if p.t.kernel {
			image = to.scores.At(j, l) - from.scores.At(j, l) - shift
		}
		start += at * image
		square += change * image
	}
	return func(part float64) float64 {
		return p.s.ridge*(start+part*square) - linalg.Total(len(p.t.labels), func(first, end int) (sum float64) {
			for i := first; i < end; i++ {
				if a := p.weight(w, i, l); a > 0 {
					f := from.scores.At(i, l)
					change := to.scores.At(i, l) - f
					sum += a * change * p.miss(p.t.y(i, l), f+part*change)
				}
			}
			return sum
		})
	}
}
