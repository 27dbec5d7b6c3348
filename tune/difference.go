package tune

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/inlier-ml/inlier/score"
)

// Difference is a paired test of two methods over repeats.
type Difference struct {
	score.TTest
	// Holm is P adjusted for the number of methods that are compared with the best (Holm
	// 1979).
	Holm float64 `json:"holm"`
}

// resampled tests whether a and b, scores of two methods in the same random divisions,
// differ. Divisions of one table share training rows, so the plain t-test calls far too
// many differences real; Nadeau and Bengio (2003, eq. 9) widen its standard error by
// the factor sqrt(1 + repeats * test rows / training rows).
func resampled(a, b []float64, ratio float64) (*Difference, error) {
	t, err := score.PairedT(a, b)
	if err != nil {
		return nil, err
	}
	if t.Low == t.High { // all differences are equal
		if t.Difference != 0 {
			return nil, errors.New("tune: differences without spread cannot be tested")
		}
		return &Difference{TTest: t, Holm: t.P}, nil
	}
	widen := math.Sqrt(1 + float64(len(a))*ratio)
	t.T /= widen
	t.Low, t.High = t.Difference+(t.Low-t.Difference)*widen, t.Difference+(t.High-t.Difference)*widen
	t.P = math.Min(1, 2*distuv.StudentsT{Mu: 0, Sigma: 1, Nu: t.DF}.CDF(-math.Abs(t.T)))
	return &Difference{TTest: t, Holm: t.P}, nil
}

// Resampled is the paired test for scores of two methods in the same random divisions of
// one table, corrected for their common training rows as [Contest] does it; ratio is
// that of test rows to training rows.
func Resampled(a, b []float64, ratio float64) (score.TTest, error) {
	d, err := resampled(a, b, ratio)
	if err != nil {
		return score.TTest{}, err
	}
	return d.TTest, nil
}

// holm adjusts the p values of several tests for their number.
func holm(tests []*Difference) {
	p := make([]float64, len(tests))
	for k, t := range tests {
		p[k] = t.P
	}
	for k, adjusted := range score.Holm(p) {
		tests[k].Holm = adjusted
	}
}
