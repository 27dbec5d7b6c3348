package outlying

import (
	"cmp"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/internal/univariate"
)

// A limit by the law of normal data calls a sixth of heavy-tailed rows and a third of skewed ones outliers. What
// tells a long tail from outliers is that it has no gap: from the median outwards the distance that half as many rows
// exceed grows by a factor that falls, or stays. Outliers are where it suddenly grows.

// MostLong is the largest share of rows that a long tail holds, unless columns are known to be mostly one value.
const MostLong = 0.3

const (
	// tailRows is how many rows show a tail: of fewer, a fifth that varies five times as much looks like one.
	tailRows = 200
	// tailExcess is the share of rows beyond the limit, and deviations of it by chance, up to which the law of the limit holds.
	tailExcess, tailChance = 0.03, 2
	// tailLevel is the share of regular rows within a limit that comes from them alone, where twice longTail or more lie
	// beyond the law's; where it is longTail the limit has the usual share, so that normal rows keep theirs whatever chance does.
	tailLevel, longTail = 0.9875, 0.04
	// tailStep is the factor between the shares at which the rise is looked at, tailWindow the one over which it is.
	tailStep, tailWindow = 0x1.d5818dcfba487p-1, 0x1.6a09e667f3bcdp-1 // 2^-1/8, 2^-1/2
	// steepMiddle and steepEnd are how much the logarithm of a distance may rise, of normal, lognormal, exponential and t laws
	// of three degrees in a few directions, while the rows beyond it become half as many: at the median, and from an eleventh of the rows on.
	steepMiddle, steepEnd, steepShare = 1, 0.5, 0.09
	// steeper is how many times the rise before it a rise may be, but for a little.
	steeper, steepFloor = 2, 0.1
	// steepChance widens both for what so few rows say.
	steepChance = 3
	// tailLeast is the number of rows beyond which nothing is looked at.
	tailLeast = 3
)

// OwnLimit is a limit of distances, given their squares and the limit that the law of normal data has for them: the same
// where about as many rows as that says lie beyond, otherwise the one that 2.5 % of the rows before the first gap exceed, down to 1.25 %
// the further the law is off. Up to half of the rows may lie beyond a gap. n is the number of rows that the weights stand for.
func OwnLimit(squared, w []float64, n, limit, most float64) float64 {
	if n < tailRows || !(limit > 0) || excess(squared, w, limit) == 0 {
		return limit
	}
	t := newTail(squared, w)
	inside := t.regular()
	beyond := excess(inside.values, inside.weights, limit)
	if beyond == 0 || beyond > most {
		return limit
	}
	level := Level + (tailLevel-Level)*math.Max(0, math.Min(1, beyond/longTail-1))
	return math.Max(limit, math.Sqrt(univariate.SortedQuantile(inside.values, inside.weights, level))*(1+1e-9)) // no row lies on the limit but for rounding
}

// excess is the share of the rows that lie beyond a limit, 0 where its law and chance explain as many.
func excess(squared, w []float64, limit float64) float64 {
	beyond, all := 0.0, 0.0
	for i, s := range squared {
		a := 1.0
		if w != nil {
			a = w[i]
		}
		if all += a; s > limit*limit {
			beyond += a
		}
	}
	_, n := univariate.Counted(len(squared), w)
	if !(beyond > all*(tailExcess+tailChance*math.Sqrt(Level*(1-Level)/n))) {
		return 0
	}
	return beyond / all
}

// tail are squared distances in order.
type tail struct{ values, weights []float64 }

func newTail(squared, w []float64) tail {
	if w == nil {
		values := slices.Clone(squared)
		univariate.Sort(values)
		return tail{values: values}
	}
	order := make([]int, 0, len(squared))
	for i := range squared {
		if w[i] > 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(squared[a], squared[b]) })
	t := tail{values: make([]float64, len(order)), weights: make([]float64, len(order))}
	for k, i := range order {
		t.values[k], t.weights[k] = squared[i], w[i]
	}
	return t
}

// regular are the rows before the first gap beyond the median; none where many lie in the subspace, beside whom all others
// are apart, or where they are not half of all.
func (t tail) regular() tail {
	_, all := univariate.Counted(len(t.values), t.weights)
	for n := all; 2*n >= all; {
		share := t.steep(n)
		if share == 0 {
			return t
		}
		// Towards the gap ever more of the tail falls on ever fewer rows, so that the rise may come before it.
		t = t.until(t.widest(t.exceededBy(share)))
		_, n = univariate.Counted(len(t.values), t.weights)
	}
	return tail{}
}

// steep is the first share of the n rows, from a half on, beyond which the distance rises too much to go on; 0: there is none.
func (t tail) steep(n float64) float64 {
	const before = 0.7 // where the rise that the first one is compared with begins
	if !(t.exceededBy(before) > 0) {
		return 1
	}
	steepest := t.rise(before, 0.5)
	var rises []float64
	const apart = 4 // steps in a window
	for share := 0.5; share*tailWindow*n >= tailLeast; share *= tailStep {
		if k := len(rises) - apart; k >= 0 { // windows that end where this one begins
			steepest = math.Max(steepest, rises[k])
		}
		middle := math.Max(0, math.Min(1, math.Log2(share/steepShare)/2))
		most := math.Min(steepEnd+(steepMiddle-steepEnd)*middle, steeper*steepest+steepFloor)
		rise := t.rise(share, share*tailWindow)
		if rise > most*(1+steepChance/math.Sqrt(share*n)) {
			return share
		}
		rises = append(rises, rise)
	}
	return 0
}

// exceededBy is the squared distance that a share of the rows exceeds.
func (t tail) exceededBy(share float64) float64 {
	return univariate.SortedQuantile(t.values, t.weights, 1-share)
}

// rise is how much the logarithm of the distance rises for each halving of the rows that exceed it.
func (t tail) rise(from, to float64) float64 {
	return math.Log(t.exceededBy(to)/t.exceededBy(from)) / 2 / math.Log2(from/to)
}

// widest is the number of values before the widest gap from a squared distance on, where a gap counts by the rows beyond it: in a
// tail that falls by a power the logarithms of all gaps are then alike.
func (t tail) widest(from float64) int {
	at, widest, beyond := 0, 0.0, 0.0
	for k := len(t.values) - 1; k > 0 && t.values[k] > from; k-- {
		if t.weights == nil {
			beyond++
		} else {
			beyond += t.weights[k]
		}
		if gap := beyond * math.Log(t.values[k]/t.values[k-1]); gap > widest {
			at, widest = k, gap
		}
	}
	return at
}

func (t tail) until(k int) tail {
	t.values = t.values[:k]
	if t.weights != nil {
		t.weights = t.weights[:k]
	}
	return t
}
