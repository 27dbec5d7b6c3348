package tune

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/score"
)

// The standard error of the trimmed error is the spread of it over tables. Where as many rows are wrong as are left out it is larger,
// because in another table they could be more, but not many times the score.
func TestErrorOfTheTrimmedError(t *testing.T) {
	const n, blocks, tables = 200, 5, 300
	for wrong, most := range map[int]float64{0: 1.25, 16: 1.25, 20: 2.5} {
		r := rand.New(rand.NewPCG(1, uint64(wrong)))
		var scores []float64
		mean := 0.0
		for range tables {
			errors, zero, all := make([][]float64, blocks), make([]float64, n), make([]float64, n)
			for k, i := range r.Perm(n) {
				if all[k] = math.Abs(r.NormFloat64()); i < wrong {
					all[k] += 40
				}
				errors[k%blocks] = append(errors[k%blocks], all[k])
			}
			whole, err := score.TrimmedRMSE(zero, all, 0.1)
			if err != nil {
				t.Fatal(err)
			}
			scores = append(scores, whole)
			mean += deviation(influences(errors, 0.1, whole)) / math.Sqrt(blocks) / tables
		}
		if sd := deviation(scores); mean < 0.8*sd || mean > most*sd {
			t.Errorf("%d of %d rows are wrong: the score spreads by %.3g, its standard error is %.3g", wrong, n, sd, mean)
		}
	}
}
