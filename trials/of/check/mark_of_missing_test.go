package check

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// The same -9 in several answers from 0 to 10 means that there is none, and not three times a wrong sign.
func TestMarksOfMissingAnswersAreNoSigns(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	rows := make([][]string, 800)
	for i := range rows {
		mood := 7 + 1.8*r.NormFloat64()
		grade := func() string { return fmt.Sprint(min(10, max(0, int(mood+.9*r.NormFloat64())))) }
		rows[i] = []string{fmt.Sprint(1001 + i), grade(), grade(), grade()}
		if i%200 == 90 {
			rows[i][2] = "-9"
		}
	}
	_, found := wrongRows(t, tolerant.FromStrings([]string{"id", "again", "nps", "useful"}, rows, tolerant.Options{}))
	named := 0
	for _, c := range found.Cells {
		if c.Column == 2 && c.Wrong {
			if named++; c.Expected == c.Expected {
				t.Errorf("row %d: %s, expected %g", c.Row, c.Why, c.Expected)
			}
		}
	}
	if named != 4 {
		t.Errorf("%d of 4 are named", named)
	}
}
