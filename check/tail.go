package check

import (
	"math"
	"slices"
)

// tail is the chance that a clean score is at least so large: the sample's own shares in the
// middle, beyond it a Weibull tail, which is a line of log(-log S) against log x. The line is
// fitted from the median on up to the nine in ten that are surely clean, and further out as long as
// the next scores follow it: so heavy tails of clean columns are learned and a few wrong rows, whatever
// their size, do not set it.
type tail struct {
	share         float64 // of the scores that are above 0
	slope, offset float64
	// knots and chances are the middle: chances fall from 1/2. Beyond the last knot stands the line.
	knots, chances []float64
	// factor lets the line begin where the middle ends.
	factor float64
}

// usualSlope is that of a half-normal tail about its middle, to which small samples are drawn
// with the weight of a few scores.
const usualSlope, usualWeight = 1.3, 8.0

// tiny is what scores are above at least: less is the rounding of arithmetic.
const tiny = 1e-9

// fitTail fits to scores of which those not above tiny count as 0. The slice is reordered.
func fitTail(scores []float64) tail {
	o := make([]float64, 0, len(scores))
	total := 0
	for _, v := range scores {
		if v == v {
			total++
			if v > tiny {
				o = append(o, v)
			}
		}
	}
	slices.Sort(o)
	return fitSortedTail(o, total)
}

func fitSortedTail(o []float64, total int) tail {
	m := len(o)
	t := tail{share: 1, slope: 1, factor: 1}
	if total > 0 {
		t.share = float64(m) / float64(total)
	}
	if m == 0 {
		return t
	}
	if m < 8 {
		t.offset = math.Log(math.Ln2) - math.Log(quantile(o, 0.5))
		return t
	}
	x, chance := t.grid(o)
	var sum lineSum
	last := 0
	for last < len(x) && (chance[last] > 0.1 || last < 3) {
		sum.add(x[last], chance[last])
		last++
	}
	t.slope, t.offset = sum.line(m)
	for last < len(x) {
		if 3*math.Exp(-math.Exp(t.offset+t.slope*math.Log(x[last]))) < chance[last] {
			break
		}
		sum.add(x[last], chance[last])
		last++
		t.slope, t.offset = sum.line(m)
	}
	t.knots, t.chances = x[:last], chance[:last]
	end := math.Exp(-math.Exp(t.offset + t.slope*math.Log(x[last-1])))
	t.factor = max(chance[last-1]/max(end, 1e-300), 1)
	return t
}

// grid takes the scores at shares from a half down to the last, evenly on the scale of logarithms.
func (t *tail) grid(o []float64) (x, chance []float64) {
	m := float64(len(o))
	count := 16 + 6*int(math.Log2(m))
	low := math.Log(0.6 / m)
	for k := range count {
		s := math.Exp(math.Log(0.5) + (low-math.Log(0.5))*float64(k)/float64(count-1))
		i := min(int(m*(1-s)), len(o)-1)
		i, _ = slices.BinarySearch(o, o[i]) // of equal scores all are at least so large
		if len(x) > 0 && o[i] == x[len(x)-1] {
			continue
		}
		x = append(x, o[i])
		chance = append(chance, (m-float64(i)-0.5)/m)
	}
	return x, chance
}

// lineSum gathers what a weighted line of log(-log S) against log x needs.
type lineSum struct{ w, x, y, xx, xy float64 }

func (l *lineSum) add(score, chance float64) {
	x, y := math.Log(score), math.Log(-math.Log(chance))
	l.w++
	l.x += x
	l.y += y
	l.xx += x * x
	l.xy += x * y
}

func (l *lineSum) line(m int) (slope, offset float64) {
	mx, my := l.x/l.w, l.y/l.w
	sxx := l.xx/l.w - mx*mx
	slope = 4
	if sxx > 1e-12 {
		slope = (l.xy/l.w - mx*my) / sxx
	}
	slope = min(max(slope, 0.2), 4)
	slope = (slope*float64(m) + usualSlope*usualWeight) / (float64(m) + usualWeight)
	return slope, my - slope*mx
}

// p is the chance of a score at least so large.
func (t *tail) p(score float64) float64 {
	if !(score > tiny) {
		return 1
	}
	k := len(t.knots)
	if k == 0 || score >= t.knots[k-1] {
		s := math.Exp(-math.Exp(min(t.offset+t.slope*math.Log(score), 6.5)))
		if k > 0 {
			s = min(s*t.factor, t.chances[k-1])
		}
		return t.share * s
	}
	if score <= t.knots[0] {
		return t.share * (1 - (1-t.chances[0])*score/t.knots[0])
	}
	i, _ := slices.BinarySearch(t.knots, score)
	lo, hi := t.knots[i-1], t.knots[i]
	part := 0.0
	if hi > lo {
		part = (score - lo) / (hi - lo)
	}
	return t.share * (t.chances[i-1]*(1-part) + t.chances[i]*part)
}

// sides are the tails of scores with signs, each fitted by itself: what is usual on the right
// need not be on the left.
type sides struct {
	left, right tail
	// Between low and high the chance is above the bound that limit was given.
	low, high float64
}

// limit finds between which scores the chance is above a bound, so that most need not be computed.
func (s *sides) limit(bound float64) {
	s.low, s.high = -s.left.reach(bound/2), s.right.reach(bound/2)
}

// reach is about the largest score whose chance is still above a bound, and never beyond it.
func (t *tail) reach(bound float64) float64 {
	low, high := 0.0, 1e7
	for range 60 {
		if middle := (low + high) / 2; t.p(middle) > bound {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

func fitSides(scores []float64) sides {
	var l, r []float64
	total := 0
	for _, v := range scores {
		if v != v {
			continue
		}
		total++
		switch {
		case v > tiny:
			r = append(r, v)
		case v < -tiny:
			l = append(l, -v)
		}
	}
	slices.Sort(l)
	slices.Sort(r)
	return sides{left: fitSortedTail(l, total), right: fitSortedTail(r, total)}
}

// p is the chance of a score at least so unusual on either side.
func (s *sides) p(score float64) float64 {
	if score < 0 {
		return min(1, 2*s.left.p(-score))
	}
	return min(1, 2*s.right.p(score))
}

// unusual is p where it is below the bound that limit was given, and 1 elsewhere.
func (s *sides) unusual(score float64) float64 {
	if score > s.low && score < s.high {
		return 1
	}
	return s.p(score)
}
