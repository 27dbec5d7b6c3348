package score

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// TTest is the result of a paired t-test.
type TTest struct {
	Difference float64 `json:"difference"` // mean of a - b
	Low        float64 `json:"low"`        // 95 % confidence interval of the difference
	High       float64 `json:"high"`
	T          float64 `json:"t"`
	DF         float64 `json:"df"`
	P          float64 `json:"p"` // two-sided
}

// alike is the share of the largest score below which differences count as equal: scores
// that are means of some hundred numbers carry that much rounding.
const alike = 0x1p-46

// PairedT tests whether two methods differ on average, from their scores a[i] and b[i]
// in the same repeat i. The repeats must be independent: folds of one cross-validation
// are not. When all differences are equal, up to the rounding of the scores, there is no
// spread to compare with: P is then 1 for differences of 0, with T = 0, and 0 otherwise,
// with the largest float64 for an infinite T and Low = High.
func PairedT(a, b []float64) (TTest, error) {
	if err := checkNumbers("PairedT", a, b); err != nil {
		return TTest{}, err
	}
	n := float64(len(a))
	if n < 2 {
		return TTest{}, fmt.Errorf("score: PairedT: one repeat tells nothing about the spread; at least 2 are needed")
	}
	// In units of the largest score no square overflows or vanishes.
	top := 0.0
	for i := range a {
		top = max(top, math.Abs(a[i]), math.Abs(b[i]))
	}
	if top == 0 {
		return TTest{DF: n - 1, P: 1}, nil
	}
	differences := make([]float64, len(a))
	low, high := math.Inf(1), math.Inf(-1)
	for i := range a {
		d := a[i]/top - b[i]/top
		differences[i] = d
		low, high = min(low, d), max(high, d)
	}
	// About the first difference, so that equal ones have it as their mean.
	shift := 0.0
	for _, d := range differences {
		shift += (d - differences[0]) / n
	}
	mean := differences[0] + shift
	if high-low <= alike {
		if math.Abs(mean) <= alike {
			return TTest{DF: n - 1, P: 1}, nil
		}
		d := within(mean * top)
		return TTest{Difference: d, Low: d, High: d, T: math.Copysign(math.MaxFloat64, d), DF: n - 1}, nil
	}
	var squares float64
	for _, d := range differences {
		squares += (d - mean) * (d - mean)
	}
	deviation := math.Sqrt(squares / (n - 1) / n)
	student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}
	t := mean / deviation
	reach := student.Quantile(0.975) * deviation
	return TTest{
		Difference: within(mean * top), Low: within((mean - reach) * top), High: within((mean + reach) * top),
		T: t, DF: n - 1, P: min(2*student.CDF(-math.Abs(t)), 1),
	}, nil
}

// within moves an overflow to the largest number, which JSON can hold.
func within(v float64) float64 { return max(min(v, math.MaxFloat64), -math.MaxFloat64) }

// Holm adjusts the p values of several tests: the smallest counts as many times as there are
// tests, the next one time less, and so on, never falling (Holm 1979). The order stays.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	out := make([]float64, len(p))
	last := 0.0
	for k, i := range order {
		last = max(last, min(1, float64(len(p)-k)*p[i]))
		out[i] = last
	}
	return out
}
