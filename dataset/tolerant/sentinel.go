package tolerant

import (
	"math"
	"slices"
	"strconv"

	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/words"
)

// findSentinels takes numbers that programs write for missing values, such as -999, for missing: they
// come again, and stand apart from all other values. 0 is never one.
func (c *Column) findSentinels(o *Options) {
	var found []float64
	for _, v := range o.Sentinels {
		if slices.Contains(c.Values, v) {
			found = append(found, v)
		}
	}
	if !o.NoSentinels {
		for k := range o.Like {
			for _, v := range o.Like[k].Sentinels {
				if o.Like[k].Name == c.Name && slices.Contains(c.Values, v) && !slices.Contains(found, v) {
					found = append(found, v)
				}
			}
		}
		for _, v := range c.sentinels() {
			if !slices.Contains(found, v) {
				found = append(found, v)
			}
		}
	}
	if len(found) == 0 {
		return
	}
	slices.Sort(found)
	counts := make([]int, len(found))
	for i, v := range spill.Each(c.Values) {
		if k := slices.Index(found, v); k >= 0 {
			c.Values[i] = math.NaN()
			counts[k]++
		}
	}
	for k, v := range found {
		c.Missing += counts[k]
		c.remark("%s in %s stands apart from all other values and was taken for a missing value.", strconv.FormatFloat(v, 'g', -1, 64), words.Plural(counts[k], "cell"))
	}
	c.Sentinels = found
}

// fewApart is how many times their spread a mark stands apart from the others in a list of few values: 99 among grades, and not among prices.
const fewApart = 5

// sentinels are the values that look like marks of missing ones.
func (c *Column) sentinels() []float64 {
	low, middle, high, n := quantiles(c.Values)
	if n < 10 {
		return nil
	}
	if (isSentinel(low) || isSentinel(high)) && low != high { // a tenth of the cells or more: the range is that of the others
		copied := spill.Clone(c.Values)
		defer spill.Free(copied)
		others := slices.DeleteFunc(copied, isSentinel)
		if low, middle, high, n = quantiles(others); n < 10 {
			return nil
		}
	}
	spread := high - low
	if spread == 0 {
		spread = math.Abs(middle)
	}
	from, to := low-spread, high+spread
	counts := map[float64]int{}
	negatives, ones := 0, 0
	for _, v := range spill.Each(c.Values) {
		if v < 0 {
			negatives++
			if v == -1 {
				ones++
			}
		}
		if (v < from || v > to) && isSentinel(v) {
			counts[v]++
		}
	}
	var found []float64
	for v, times := range counts {
		far := v < low-fewApart*spread || v > high+fewApart*spread
		if times >= 3 && v != -1 && isolated(c.Values, v, spread/2) && (far || manyValues(c.Values, 10)) {
			found = append(found, v)
		}
	}
	if ones >= 3 && ones == negatives && 2*ones < n && manyValues(c.Values, 10) {
		found = append(found, -1)
	}
	return found
}

// quantiles are the 10th, 50th and 90th percentile of (a sample of) the values.
func quantiles(values []float64) (low, middle, high float64, n int) {
	step := len(values)/10000 + 1
	var some []float64
	room, reached := spill.Of(values), 0
	for i := 0; i < len(values); i += step {
		room.Reached(&reached, i, 1)
		if v := values[i]; v == v {
			some = append(some, v)
		}
	}
	if len(some) == 0 {
		return 0, 0, 0, 0
	}
	slices.Sort(some)
	last := len(some) - 1
	return some[last/10], some[last/2], some[last-last/10], len(some) * step
}

// isSentinel tells whether a number is one that programs write for a missing value: nines (also
// eights and sevens) alone, with a sign or decimals, ends of the integers, and round huge numbers.
func isSentinel(v float64) bool {
	a := math.Abs(v)
	switch a {
	case 32767, 32768, 65535, 2147483647, 2147483648, 4294967295, 9223372036854775807, 1e20, 1e30, 1e35, 1e36, 1e37, 1e38:
		return true
	}
	if a < 77 || a > 1e10 {
		return false
	}
	text := strconv.FormatFloat(a, 'f', -1, 64)
	first := text[0]
	if first != '9' && first != '8' && first != '7' || len(text) > 12 {
		return false
	}
	point := false
	for i := range len(text) {
		if text[i] == '.' {
			point = true
		} else if text[i] != first && !(point && (text[i:] == "25" || text[i:] == "5")) {
			return false
		}
	}
	return first == '9' || len(text) > 2
}

// isolated tells whether no other value is nearer than the gap.
func isolated(values []float64, v, gap float64) bool {
	for _, w := range spill.Each(values) {
		if w != v && math.Abs(w-v) < gap {
			return false
		}
	}
	return true
}

// manyValues tells whether there are more than so many different values.
func manyValues(values []float64, few int) bool {
	var seen []float64
	for _, v := range spill.Each(values) {
		if v == v && !slices.Contains(seen, v) {
			if seen = append(seen, v); len(seen) > few {
				return true
			}
		}
	}
	return false
}
