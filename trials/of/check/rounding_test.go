package check

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// A value stands for all that is rounded to it: 0.00 kg where 8 grams are expected is right in a column of hundredths, however far nought is from
// them in logarithms, and 25 minutes where 19 are in one of fives.
func TestRoundedValuesAreRight(t *testing.T) {
	wrong, rows := 0, 0
	for seed := range uint64(8) {
		r := random.New(seed, "rounding")
		var table [][]string
		for range 600 {
			size, work := math.Exp(1.6*r.NormFloat64()), math.Exp(3.5+0.6*r.NormFloat64())
			table = append(table, []string{fmt.Sprintf("%.3f", size), fmt.Sprintf("%.2f", 0.3*size*math.Exp(0.3*r.NormFloat64())),
				fmt.Sprintf("%.1f", work), fmt.Sprint(5 * math.Round(work*math.Exp(0.1*r.NormFloat64())/5))})
		}
		found, err := check.Run(context.Background(), tolerant.FromStrings([]string{"size", "kg", "work", "minutes"}, table, tolerant.Options{}), check.Settings{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		rows += len(table)
		for i := range found.Wrong {
			if found.Wrong[i] {
				wrong++
				t.Log(found.Why(i))
			}
		}
	}
	if wrong > rows/1000 {
		t.Errorf("%d of %d right rows are called wrong", wrong, rows)
	}
}

// What is left of a share is told by what it is a share of: made = good * (1 + scrap) holds only while scrap is little.
func TestSharesOfTheRightWhole(t *testing.T) {
	for seed := range uint64(3) {
		r := random.New(seed+31, "scrap")
		const n = 900
		made, good, rate := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range n {
			made[i] = float64(20 + r.IntN(50))
			bad := float64(r.IntN(3))
			if i%90 == 7 {
				bad = float64(8 + r.IntN(6))
			}
			good[i], rate[i] = made[i]-bad, math.Round(1000*bad/made[i])/10
		}
		if rows, result := wrongRows(t, numbersTable([]string{"made", "good", "scrap"}, made, good, rate)); len(rows) > 1 {
			t.Errorf("seed %d: %d right rows are called: %q", seed, len(rows), texts(result.Relations))
		}
	}
}
