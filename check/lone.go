package check

import (
	"math"
	"slices"

	"github.com/inlier-ml/inlier/internal/spill"
)

const (
	// listedMost are the values of a column that is a list of few, each of which this share of its rows has at least, and listedTimes.
	listedMost, listedShare, listedTimes = 40, 0.005, 3
	// loneShare is the share of rows with other values at most.
	loneShare = 0.02
)

// explainedBySlips says that cells off the scale of a column with few values are slips, but for as many as may be off it by themselves: each is one
// of the column's values but for the decimal mark or the sign, or stands for a missing one.
func explainedBySlips(found []Suspicion, values, known []float64) bool {
	usual, ok := listed(known)
	if !ok || float64(len(found)) > loneShare*float64(len(values)) {
		return false
	}
	others := 0
	for k := range found {
		meant, text := unslipped(values[found[k].Row], usual)
		if text == "" {
			others++
			continue
		}
		found[k].Expected, found[k].Slip = meant, text
	}
	return others <= mostBeyond(len(values))
}

// listed are the values of a column that is a list of few, ascending.
func listed(all []float64) (values []float64, ok bool) {
	counts := map[float64]int{}
	n := 0
	for _, x := range spill.Each(all) {
		if x == x {
			n++
			if counts[x]++; len(counts) > 2*listedMost {
				return nil, false
			}
		}
	}
	least, within := max(listedTimes, int(math.Ceil(listedShare*float64(n)))), 0
	for x, count := range counts {
		if count >= least {
			values, within = append(values, x), within+count
		}
	}
	slices.Sort(values)
	return values, len(values) >= 2 && len(values) <= listedMost && float64(n-within) <= loneShare*float64(n)
}

// unslipped is the value of a list that was meant by a slip, and the slip.
func unslipped(x float64, values []float64) (meant float64, text string) {
	near := func(y float64) (float64, bool) {
		for _, v := range values {
			if v != 0 && math.Abs(v-y) <= 1e-9*math.Abs(v) {
				return v, true
			}
		}
		return 0, false
	}
	if v, ok := near(-x); ok {
		return v, wrongSign
	}
	for _, s := range powers {
		if v, ok := near(x / s.factor); ok {
			return v, s.text
		}
	}
	if sentinel(x) && math.Abs(x) > 9 {
		return math.NaN(), "stands for a missing value"
	}
	return 0, ""
}
