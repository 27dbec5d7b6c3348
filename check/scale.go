package check

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/linalg"
)

const (
	// A value of a column with few of them is usual where it comes usualCount times and in this share of the rows.
	usualCount, usualShare = 3, 0.01
	// scaleReach is how many widths of the usual values away a value is off their scale.
	scaleReach = 3
	// offScale is the chance that such a value is right: a degree of belief.
	offScale = 1e-8
)

// offTheScale names values far off the scale of a column that has few of them: 44 among answers
// from 1 to 5, the year 2042 among 2019 to 2023, a negative one among those from 0 on. Other cells of such
// columns are not judged; dates likewise. In other columns negative values are named where 0 is the least that comes, and comes often, and
// what lies where none can after all others (edge.go).
func offTheScale(_ context.Context, v *view) (Evidence, error) {
	said := Evidence{Part: PartCell}
	tests := 0.0
	for _, f := range v.features {
		if !f.few {
			tests++
		}
	}
	ladders := laddersOf(v)
	found := make([][]Suspicion, len(v.features))
	v.signs() // once, for all
	linalg.Parallel(len(found), func(k int) {
		f := v.features[k]
		if kind := v.table.Columns[f.column].Kind; f.level >= 0 || kind != tolerant.Number && (kind != tolerant.Date || !f.few) {
			return
		}
		found[k] = offScaleOf(v, f, ladders)
		if !f.few && len(found[k]) == 0 {
			if found[k] = beyondEdges(v, k, tests); len(found[k]) == 0 {
				found[k] = noughtsApart(v, k)
			}
		}
	})
	for _, some := range found {
		said.Cells = append(said.Cells, some...)
	}
	for j := range v.table.Columns {
		said.Cells = append(said.Cells, offTheCircle(v.table, j)...)
	}
	return said, nil
}

// offScaleOf are the cells of a column off its scale.
func offScaleOf(v *view, f feature, ladders ladders) (found []Suspicion) {
	c := &v.table.Columns[f.column]
	known := c.Values
	if f.few {
		known = v.known(f.column)
	}
	least, most, low, high, ok := scaleOf(known, f.few)
	dates := c.Kind == tolerant.Date
	if dates && !ok {
		return nil
	} else if dates {
		least = low - scaleReach*(high-low) // their 0 is a day as any other
	}
	if !ok && f.few {
		return slippedFrom(v, f, known)
	}
	if !ok {
		return nil
	}
	if f.few && ladders.ends(low, high) {
		least, most = low, high
	}
	for i, x := range spill.Each(c.Values) {
		if x < least || x > most || sentinel(x) && f.few && (x < low || x > high+(high-low)/2) {
			if x < 0 && v.reversed(i) != nil {
				continue
			}
			s := Suspicion{Row: i, Column: f.column, P: offScale, Expected: math.NaN(), Low: low, High: high, Slip: scaleSlip(x, low, high)}
			if dates {
				s.Slip = dateSlip(x, low, high)
			}
			if s.Why = fmt.Sprintf("%s is %s, nearly all others lie between %s and %s", c.Name, amount(c, x), amount(c, low), amount(c, high)); !f.few {
				s.Why = fmt.Sprintf("%s is %s, and %s is the least that others are", c.Name, amount(c, x), amount(c, 0))
			}
			found = append(found, s)
		}
	}
	slips := f.few && len(found) > 0 && explainedBySlips(found, c.Values, known)
	if (v.learned == nil || !f.few) && len(found) > mostBeyond(len(c.Values)) && !slips { // more are no mistakes, unless the scale is known
		return nil
	}
	if f.few && len(found) == 0 && !dates {
		return slippedFrom(v, f, known)
	}
	return found
}

// scaleOf is where the values of a column may lie (least to most), and where its usual ones do.
func scaleOf(values []float64, few bool) (least, most, low, high float64, ok bool) {
	if few {
		low, high, ok = usualRange(values)
		reach := scaleReach * (high - low)
		if least, most = low-reach, high+reach; low >= 0 {
			least = max(least, 0)
		}
		return least, most, low, high, ok
	}
	below, zero, known := 0, 0, 0
	for _, x := range values {
		if x == x {
			known++
			high = max(high, x)
		}
		if x < 0 {
			below++
		} else if x == 0 {
			zero++
		}
	}
	return 0, math.Inf(1), 0, high, below > 0 && below <= max(1, known/200) && zero >= 5 && 50*zero >= known && zero > 5*below
}

// usualRange is where the usual values of a column lie; not ok where there are fewer than three.
func usualRange(values []float64) (low, high float64, ok bool) {
	sorted := sortedValues(values)
	slices.Sort(sorted)
	usual := 0
	for i := 0; i < len(sorted); {
		k := i
		for k < len(sorted) && sorted[k] == sorted[i] {
			k++
		}
		if n := k - i; n >= usualCount && float64(n) >= usualShare*float64(len(sorted)) {
			if usual == 0 {
				low = sorted[i]
			}
			high = sorted[i]
			usual++
		}
		i = k
	}
	return low, high, usual >= 3
}
