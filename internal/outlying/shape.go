package outlying

import (
	"cmp"
	"math"
	"slices"
)

const (
	// shapePoints is how many points stand for a law.
	shapePoints = 4000
	// shapeAxes is how many directions are told apart; the others count by what they add on average.
	shapeAxes = 6
	// manyAxes is how many directions of equal variance make the cube roots normal for our purposes.
	manyAxes = 6
	// mostShort bounds the factor.
	mostShort = 1.4
)

// Short is the factor by which [Limit] of squared lengths of normal vectors with these variances
// falls short of the true limit: cube roots are nearly normal where many variances are alike, but of
// a single direction 3.5 % of the lengths lie beyond, and 5 % where each is a quarter of the one before.
func Short(variances []float64) float64 {
	v := slices.Clone(variances)
	slices.SortFunc(v, func(a, b float64) int { return cmp.Compare(b, a) })
	for len(v) > 0 && !(v[len(v)-1] > 0) {
		v = v[:len(v)-1]
	}
	sum, squares := 0.0, 0.0
	for _, a := range v {
		sum += a / v[0]
		squares += a / v[0] * (a / v[0])
	}
	if !(sum > 0) || sum*sum >= manyAxes*squares {
		return 1
	}
	s := lengths(v)
	limit := Limit(s, nil, 1e12, Middle)
	slices.Sort(s)
	place := Level*float64(len(s)) - 0.5
	low := int(place)
	square := s[low] + (place-float64(low))*(s[low+1]-s[low])
	return math.Min(math.Max(math.Sqrt(square)/limit, 1), mostShort)
}

// lengths are squared lengths of normal vectors with the given variances, largest first, in units of the first, at points that
// fill the law evenly (Halton). Beyond shapeAxes the directions are taken together, as Wilson and Hilferty do.
func lengths(variances []float64) []float64 {
	first := min(len(variances), shapeAxes)
	sum, squares := 0.0, 0.0
	for _, v := range variances[first:] {
		sum += v / variances[0]
		squares += v / variances[0] * (v / variances[0])
	}
	out := make([]float64, shapePoints)
	for axis, base := range []int{2, 3, 5, 7, 11, 13, 17}[:min(len(variances), shapeAxes+1)] {
		for i := range out {
			z := math.Sqrt2 * math.Erfinv(2*mirrored(i+1, base)-1)
			if axis < first {
				out[i] += variances[axis] / variances[0] * z * z
				continue
			}
			vary := 2 * squares / (9 * sum * sum)
			root := math.Max(1-vary+z*math.Sqrt(vary), 0)
			out[i] += sum * root * root * root
		}
	}
	return out
}

// mirrored are the digits of a number in a base, mirrored at the point.
func mirrored(n, base int) float64 {
	out, digit := 0.0, 1/float64(base)
	for ; n > 0; n /= base {
		out += digit * float64(n%base)
		digit /= float64(base)
	}
	return out
}
