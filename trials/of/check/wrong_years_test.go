package check

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// A few wrong years are no other span between two dates, within which all mistakes would be right.
func TestWrongYearsAreNoSpans(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 2))
	var rows [][]string
	var want []int
	at := time.Date(2024, 1, 2, 0, 0, 0, 0, time.UTC)
	for i := range 700 {
		at = at.AddDate(0, 0, r.IntN(2))
		due := at.AddDate(0, 0, 1)
		switch {
		case i%140 == 60:
			due = due.AddDate(-1, 0, 0)
		case i%140 == 90:
			due = due.AddDate(10, 0, 0)
		case i == 333:
			due = due.AddDate(0, 5, 0)
		}
		if i%140 == 60 || i%140 == 90 || i == 333 {
			want = append(want, i)
		}
		rows = append(rows, []string{at.Format(time.DateOnly), due.Format(time.DateOnly), fmt.Sprintf("%.2f", 50+10*r.NormFloat64())})
	}
	if got, _ := wrongRows(t, tolerant.FromStrings([]string{"booked", "valuta", "amount"}, rows, tolerant.Options{})); !slices.Equal(got, want) {
		t.Errorf("wrong are %v, not %v", got, want)
	}
}
