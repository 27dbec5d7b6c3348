package check

import (
	"math"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// Drift is how a column of a new batch differs from what was learned.
type Drift struct {
	Column int
	// Distance is the largest difference between the two shares of values up to any point (Kolmogorov
	// and Smirnov; for categories half the sum of the differences of shares), from 0 to 1.
	Distance float64
	// P is the chance of such a distance between two batches of the same kind.
	P float64
	// Before and Now are medians, or the shares of missing cells where only these differ.
	Before, Now float64
	// MissingBefore and MissingNow are shares of cells.
	MissingBefore, MissingNow float64
	// New are words that were not there before.
	New []string
}

// Drift compares every column of an aligned table with what was learned.
func (m *Model) Drift(t *tolerant.Table) []Drift {
	learned := m.view.table
	var out []Drift
	for j := range t.Columns {
		was, is := &learned.Columns[j], &t.Columns[j]
		if was.Values == nil || is.Values == nil {
			continue
		}
		a, missingA := present(pick(was.Values, m.view.sample))
		b, missingB := present(is.Values)
		d := Drift{Column: j, P: 1, Before: math.NaN(), Now: math.NaN(), MissingBefore: missingA, MissingNow: missingB}
		if len(a) > 0 && len(b) > 0 {
			d.Before, d.Now = a[len(a)/2], b[len(b)/2]
			d.Distance = apartness(a, b)
			if is.Kind == tolerant.Category {
				d.Distance = shares(a, b)
				if len(is.Levels) > len(was.Levels) {
					d.New = is.Levels[len(was.Levels):]
				}
			}
			n := math.Sqrt(float64(len(a)) * float64(len(b)) / float64(len(a)+len(b)))
			d.P = kolmogorov(d.Distance * (n + 0.12 + 0.11/n))
		}
		out = append(out, d)
	}
	return out
}

// present are the values that are there, ascending, and the share of those that are not.
func present(values []float64) (sorted []float64, missing float64) {
	sorted = sortedValues(values)
	return sorted, 1 - float64(len(sorted))/float64(max(1, len(values)))
}

// apartness is the largest difference of two empirical distributions.
func apartness(a, b []float64) float64 {
	most := 0.0
	for i, k := 0, 0; i < len(a) && k < len(b); {
		v := min(a[i], b[k])
		for i < len(a) && a[i] == v {
			i++
		}
		for k < len(b) && b[k] == v {
			k++
		}
		most = max(most, math.Abs(float64(i)/float64(len(a))-float64(k)/float64(len(b))))
	}
	return most
}

// shares is half the sum of differences between the shares of words; both lists ascend.
func shares(a, b []float64) float64 {
	sum := 0.0
	for i, k := 0, 0; i < len(a) || k < len(b); {
		v := math.Inf(1)
		if i < len(a) {
			v = a[i]
		}
		if k < len(b) {
			v = min(v, b[k])
		}
		fromA, fromB := i, k
		for i < len(a) && a[i] == v {
			i++
		}
		for k < len(b) && b[k] == v {
			k++
		}
		sum += math.Abs(float64(i-fromA)/float64(len(a))-float64(k-fromB)/float64(len(b))) / 2
	}
	return min(1, sum)
}

// kolmogorov is the chance that the scaled largest difference exceeds x.
func kolmogorov(x float64) float64 {
	if x < 0.2 {
		return 1
	}
	sum, sign := 0.0, 1.0
	for k := 1.0; k <= 100; k++ {
		term := math.Exp(-2 * k * k * x * x)
		sum += sign * term
		sign = -sign
		if term < 1e-16 {
			break
		}
	}
	return max(0, min(1, 2*sum))
}
