package check

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
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
// from 1 to 5, the year 2042 among 2019 to 2023. Other cells of such columns are not judged.
func offTheScale(_ context.Context, v *view) (Evidence, error) {
	said := Evidence{Part: PartCell}
	for _, f := range v.features {
		c := &v.table.Columns[f.column]
		if !f.few || f.level >= 0 || c.Kind != tolerant.Number {
			continue
		}
		low, high, ok := usualRange(c.Values)
		if !ok {
			continue
		}
		reach := scaleReach * (high - low)
		var found []Suspicion
		for i, x := range c.Values {
			if x < low-reach || x > high+reach {
				found = append(found, Suspicion{Row: i, Column: f.column, P: offScale, Expected: math.NaN(), Low: low, High: high,
					Why: fmt.Sprintf("%s is %s, nearly all others lie between %s and %s", c.Name, amount(c, x), amount(c, low), amount(c, high))})
			}
		}
		if len(found) <= max(1, len(c.Values)/200) { // more are no mistakes
			said.Cells = append(said.Cells, found...)
		}
	}
	return said, nil
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
