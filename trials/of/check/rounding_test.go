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
