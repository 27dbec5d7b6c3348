package pca

import (
	"math"
	"slices"
	"sort"
)

// The mean of kappa(x - y) over all pairs of a value x of one column and a value y of
// another would take N^2 work. An expansion
//
//	kappa(x - y) = sum_f a_f(x) a_f(y)
//
// turns it into a product of means, sum_f mean a_f(x) * mean a_f(y), and the smoothed
// density of a column at t into sum_f mean a_f(x) * a_f(t). Two expansions are exact to
// rounding:
//
//   - Fourier. A Gaussian repeated with a period T that exceeds every difference by 9
//     sigma equals the Gaussian there to 3e-18, and its Fourier series may be cut at
//     frequency 9/sigma: about 9 T / (2 pi sigma) frequencies. The means are the columns'
//     empirical characteristic functions. T = range + 18 sigma, so that a new value up to
//     9 sigma outside the range is met as well; further out the kernel is zero.
//   - Hermite. With x and y in sigmas from a centre, exp(-(x-y)^2/2) =
//     exp(-x^2/2) exp(-y^2/2) sum_n (xy)^n / n!, for values within sigma of the centre.
//     Differences of such features lose no digits however wide the kernel, which the
//     difference of two numbers near one would.
//
// Both hold for values of one interval. Values farther than 9 sigma apart do not see each
// other, so the line is first cut at empty stretches; far outliers then cost nothing. A
// segment with fewer values than features is left to a window over the sorted values.

// kernelReach is where the kernel counts as zero, in sigmas: exp(-9*9/2) = 3e-18.
const kernelReach = 9

// expansion is one segment's features.
type expansion struct {
	lo, hi    float64 // ends of the segment
	mid, half float64 // its middle and half its length
	sigma     float64
	period    float64 // Fourier; 0: Hermite
	count     int     // number of features
}

// expansionCost is about the number of features that a segment needs.
func expansionCost(lo, hi, sigma float64) float64 {
	if hi-lo <= 2*sigma {
		return 32
	}
	return 1 + 2*math.Ceil(kernelReach*((hi-lo)/sigma+2*kernelReach)/(2*math.Pi))
}

// newExpansion chooses Hermite features for a narrow segment and Fourier features else.
func newExpansion(lo, hi, sigma float64) expansion {
	e := expansion{lo: lo, hi: hi, mid: lo + (hi-lo)/2, half: (hi - lo) / 2, sigma: sigma}
	if hi-lo <= 2*sigma {
		// |a_n(x)| <= u^n / sqrt(n!) in the segment and |a_n(t)| <= 1 for every t.
		u := e.half / sigma
		for size := 1.0; e.count < 4 || size > 1e-18; e.count++ {
			size *= u / math.Sqrt(float64(e.count+1))
		}
		return e
	}
	e.period = hi - lo + 2*kernelReach*sigma
	e.count = int(expansionCost(lo, hi, sigma))
	return e
}

// base is what must be added to the first feature: Hermite's is kept as its difference
// from one.
func (e expansion) base() float64 {
	if e.period == 0 {
		return 1
	}
	return 0
}

// weights returns the square roots of the Fourier coefficients, one per frequency.
func (e expansion) weights() []float64 {
	if e.period == 0 {
		return nil
	}
	w := make([]float64, e.count/2+1)
	for q := range w {
		omega := 2 * math.Pi * float64(q) / e.period * e.sigma
		c := e.sigma * math.Sqrt(2*math.Pi) / e.period * math.Exp(-omega*omega/2)
		if q > 0 { // frequencies q and -q
			c *= 2
		}
		w[q] = math.Sqrt(c)
	}
	return w
}

// evaluate writes the features of value t to out; w is what weights returned. Out of
// reach of the segment all features are zero.
func (e expansion) evaluate(t float64, w, out []float64) {
	switch {
	case math.Abs(t-e.mid) > e.half+kernelReach*e.sigma:
		clear(out)
		out[0] = -e.base()
	case e.period == 0:
		u := (t - e.mid) / e.sigma
		out[0] = math.Expm1(-u * u / 2)
		v := math.Exp(-u * u / 2)
		for n := 1; n < len(out); n++ {
			v *= u / math.Sqrt(float64(n))
			out[n] = v
		}
	default:
		turns := (t - e.mid) / e.period
		sin1, cos1 := sincosTurns(turns)
		var sin, cos float64
		out[0] = w[0]
		for q := 1; q < len(w); q++ {
			if q%32 == 1 { // start the recurrence afresh, so that rounding does not add up
				sin, cos = sincosTurns(turns * float64(q))
			} else {
				sin, cos = sin*cos1+cos*sin1, cos*cos1-sin*sin1
			}
			out[2*q-1], out[2*q] = w[q]*cos, w[q]*sin
		}
	}
}

// sincosTurns is sine and cosine of an angle given in full turns.
func sincosTurns(t float64) (sin, cos float64) {
	return math.Sincos(2 * math.Pi * (t - math.Round(t)))
}

// segment is a stretch of the line that holds values; neighbouring segments are at least
// kernelReach sigmas apart.
type segment struct {
	lo, hi float64
	count  int // values of all columns together
}

// segments cuts the line where no column has a value, from left to right. It sorts only
// the occupied cells of kernelReach sigmas, not the values.
func segments(columns [][]float64, sigma float64) []segment {
	width := kernelReach * sigma
	cells := map[float64]*segment{}
	var cell *segment
	last := math.NaN()
	for _, column := range columns {
		for _, v := range column {
			if key := math.Floor(v / width); key != last {
				last = key
				if cell = cells[key]; cell == nil {
					cell = &segment{lo: v, hi: v}
					cells[key] = cell
				}
			}
			cell.lo, cell.hi = math.Min(cell.lo, v), math.Max(cell.hi, v)
			cell.count++
		}
	}
	all := make([]segment, 0, len(cells))
	for _, c := range cells {
		all = append(all, *c)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].lo < all[j].lo })
	out := all[:1]
	for _, c := range all[1:] {
		if before := &out[len(out)-1]; c.lo-before.hi < width {
			before.hi, before.count = c.hi, before.count+c.count
		} else {
			out = append(out, c)
		}
	}
	return slices.Clone(out)
}
