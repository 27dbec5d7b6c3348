package experiment

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// The constants of the rule for cells.
const (
	cellMiss = 0.05 // share of the cells of a perfect replication that do not agree
	passing  = 0.85 // share of perfect replications that are called so; with it all of three cells must agree
	// fewestRepeats stands for the number of repeats behind a printed deviation where a paper
	// does not tell it: the fewest that any of the five papers names.
	fewestRepeats = 10
	// manyDraws are enough to take the limits of single draws from our own as they are,
	// without supposing that they are normal.
	manyDraws = 100
)

// CellVerdict compares one printed number with ours.
type CellVerdict struct {
	Table, Row      int
	Data, Method    string
	Ours, Published Stat
	Low, High       float64 // where the printed number is expected; NaN without runs of our own
	Agrees          bool
}

// newCell judges a printed number by our values of the same score.
func newCell(printed Stat, ours []float64, unit float64) CellVerdict {
	c := CellVerdict{Ours: Summarise(ours), Published: printed}
	c.Low, c.High = expected(printed, ours, unit)
	c.Agrees = printed.Mean >= c.Low && printed.Mean <= c.High
	return c
}

// expected is the interval in which a printed number lies in 95 of 100 perfect replications.
//
// A mean with its deviation over R repeats is compared with ours over n by the joint standard
// error, with Welch's degrees of freedom. A number without a deviation is a draw from what
// we draw from, or the mean of R such draws: the interval predicts it from our own spread.
// It is never narrower than the rounding of the printed digit.
func expected(printed Stat, ours []float64, unit float64) (low, high float64) {
	own := Summarise(ours)
	if own.N == 0 || math.IsNaN(own.Mean) || math.IsNaN(own.SD) || math.IsInf(own.SD, 0) {
		return math.NaN(), math.NaN()
	}
	reach := 0.0
	switch n := float64(own.N); {
	case !math.IsNaN(printed.SD):
		repeats := float64(fewestRepeats)
		if printed.N > 1 {
			repeats = float64(printed.N)
		}
		reach = welch(printed.SD*printed.SD/repeats, repeats-1, own.SD*own.SD/n, n-1)
	case printed.N <= 1 && own.N >= manyDraws:
		sorted := slices.Sorted(slices.Values(ours))
		k := int(cellMiss / 2 * (n + 1))
		return min(sorted[k-1], own.Mean-unit/2), max(sorted[own.N-k], own.Mean+unit/2)
	case own.N > 1:
		reach = student(n-1) * own.SD * math.Sqrt(1/float64(max(1, printed.N))+1/n)
	}
	reach = max(reach, unit/2)
	return own.Mean - reach, own.Mean + reach
}

// welch is the largest difference of two means that chance explains, from their squared
// standard errors and degrees of freedom. A mean of one run has no deviation of its own: it
// is given the other's.
func welch(a, freeA, b, freeB float64) float64 {
	if freeB == 0 {
		return student(freeA) * math.Sqrt(a+a*(freeA+1))
	}
	if a+b == 0 {
		return 0
	}
	return student((a+b)*(a+b)/(a*a/freeA+b*b/freeB)) * math.Sqrt(a+b)
}

// student is the 97.5 % point of Student's t.
func student(free float64) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: free}.Quantile(1 - cellMiss/2)
}

// needed is how many of n cells must agree: as many as do in 85 of 100 perfect
// replications, each cell of which misses by a chance of 5 %.
func needed(n int) int {
	if n == 0 {
		return 0
	}
	chance, misses := distuv.Binomial{N: float64(n), P: cellMiss}, 0
	for chance.CDF(float64(misses)) < passing {
		misses++
	}
	return n - misses
}
