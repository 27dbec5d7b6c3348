package score

import (
	"fmt"
	"math"

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

// PairedT tests whether two methods differ on average, from their scores a[i] and b[i]
// in the same repeat i. The repeats must be independent: folds of one cross-validation
// are not. When all differences are equal there is no spread to compare with: P is then
// 1 for differences of 0, with T = 0, and 0 otherwise, with the largest float64 for an
// infinite T.
func PairedT(a, b []float64) (TTest, error) {
	if err := checkNumbers("PairedT", a, b); err != nil {
		return TTest{}, err
	}
	n := float64(len(a))
	if n < 2 {
		return TTest{}, fmt.Errorf("score: PairedT: one repeat tells nothing about the spread; at least 2 are needed")
	}
	var mean, squares float64
	equal := true
	for i := range a {
		mean += (a[i] - b[i]) / n
		equal = equal && a[i]-b[i] == a[0]-b[0]
	}
	if equal {
		d := a[0] - b[0]
		if d == 0 {
			return TTest{DF: n - 1, P: 1}, nil
		}
		return TTest{Difference: d, Low: d, High: d, T: math.Copysign(math.MaxFloat64, d), DF: n - 1}, nil
	}
	for i := range a {
		d := a[i] - b[i] - mean
		squares += d * d
	}
	deviation := math.Sqrt(squares / (n - 1) / n)
	student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}
	t := mean / deviation
	reach := student.Quantile(0.975) * deviation
	return TTest{
		Difference: mean, Low: mean - reach, High: mean + reach,
		T: t, DF: n - 1, P: min(2*student.CDF(-math.Abs(t)), 1),
	}, nil
}
