package check

import (
	"fmt"
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
		if x := values[found[k].Row]; text == wrongSign && markOfMissing(found, values, x) {
			meant, text = math.NaN(), standsForMissing
		}
		found[k].Expected, found[k].Slip = meant, text
	}
	return others <= mostBeyond(len(values))
}

// markOfMissing says that a number below 0 which people write for a missing value stands in several of the cells, and no other below 0 does: wrong signs
// would make others too.
func markOfMissing(found []Suspicion, values []float64, x float64) bool {
	times := 0
	for k := range found {
		if v := values[found[k].Row]; v == x {
			times++
		} else if v < 0 {
			return false
		}
	}
	return times > 1 && sentinel(x)
}

// slippedFrom are the lone cells of a list of few values that are one of these but for a slip, and cannot be another: they lie far off the list, or have a
// decimal where none of it has: 450 among 30 and 45, 2.4 among 1, 6, 12 and 24.
func slippedFrom(v *view, f feature, known []float64) (found []Suspicion) {
	usual, ok := listed(known)
	if !ok {
		return nil
	}
	c := &v.table.Columns[f.column]
	low, high := usual[0], usual[len(usual)-1]
	unit, code := gridOf(usual), codes(usual)
	often := map[float64]int{}
	for i, x := range spill.Each(c.Values) {
		far := x < low-scaleReach*(high-low) || x > high+scaleReach*(high-low) || low >= 0 && x < 0 || code && (x < low || x > high)
		if fine := unit > 0 && math.Abs(x/unit-math.Round(x/unit)) > 1e-6; !far && !fine || slices.Contains(usual, x) {
			continue
		}
		meant, text := unslipped(x, usual)
		if text == "" || v.obeyed != nil && v.obeyed(i, f.column) {
			continue
		}
		s := Suspicion{Row: i, Column: f.column, P: offScale, Expected: meant, Low: meant, High: meant, Slip: text}
		s.Why = fmt.Sprintf("%s is %s, nearly all others are %s to %s", c.Name, amount(c, x), amount(c, low), amount(c, high))
		found = append(found, s)
		if often[x]++; len(often) > 2*listedMost {
			return nil
		}
	}
	return slices.DeleteFunc(found, func(s Suspicion) bool { return often[c.Values[s.Row]] > mostBeyond(len(c.Values)) }) // a value of the list, if a rare one
}

// codes says that values are codes rather than amounts: whole numbers of three digits or more, all of as many, that are not all round. Among 200, 301 and 404
// a 20 is none, while 5 may well be an amount beside 10, 20 and 50.
func codes(values []float64) bool {
	odd := 0
	for _, v := range values {
		if v < 100 || v != math.Trunc(v) || math.Floor(math.Log10(v)) != math.Floor(math.Log10(values[0])) {
			return false
		}
		if math.Mod(v, 10) != 0 {
			odd++
		}
	}
	return odd >= 2
}

// gridOf is the power of ten, 1 at most, of which all values are whole multiples; 0: none down to a millionth.
func gridOf(values []float64) float64 {
	for decimals := range 7 {
		unit := math.Pow10(-decimals)
		if !slices.ContainsFunc(values, func(v float64) bool { return math.Abs(v/unit-math.Round(v/unit)) > 1e-6 }) {
			return unit
		}
	}
	return 0
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
		return math.NaN(), standsForMissing
	}
	return 0, ""
}
