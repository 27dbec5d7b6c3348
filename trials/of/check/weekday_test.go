package check

import (
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// The day of the week decides the tariff, and a Sunday with that of the week is wrong.
func TestWeekdaysDecide(t *testing.T) {
	r := random.New(6, "tariff")
	const n = 300
	day, tariff, used := tolerant.Column{Name: "day", Kind: tolerant.Date}, make([]string, n), make([]float64, n)
	for i := range n {
		day.Values = append(day.Values, 1704067200+86400*float64(i)) // a Monday
		if tariff[i] = "week"; i%7 >= 5 {
			tariff[i] = "weekend"
		}
		used[i] = 10 + r.Float64()
	}
	tariff[139] = "week" // a Sunday
	table := numbersTable([]string{"used"}, used)
	table.Columns = append(table.Columns, day, categoryColumn("tariff", tariff))
	rows, result := wrongRows(t, table)
	if !slices.Equal(rows, []int{139}) || !strings.Contains(result.Why(139), "on a Sunday") {
		t.Errorf("wrong are %v: %s", rows, result.Why(139))
	}
}
