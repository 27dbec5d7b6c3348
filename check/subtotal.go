package check

import (
	"fmt"
	"math"
	"strconv"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/words"
)

const (
	// subtotalRows are how many rows a subtotal holds the sums of at least, and subtotalColumns in how many columns.
	subtotalRows, subtotalColumns = 3, 2
	// subtotalsFewest are a habit of the table.
	subtotalsFewest = 2
)

// subtotals are the rows amid a table that hold the sums of those above, up to the subtotal before: they are none of its rows, and not judged.
func subtotals(t *tolerant.Table) (rows []int) {
	var numbers []int
	for c := range t.Columns {
		if t.Columns[c].Kind == tolerant.Number && len(t.Columns[c].Values) == t.Rows && !t.Columns[c].Constant() {
			numbers = append(numbers, c)
		}
	}
	if len(numbers) < subtotalColumns {
		return nil
	}
	sums, sizes := make([]float64, len(numbers)), make([]float64, len(numbers))
	count := 0
	for row := range t.Room().Rows(t.Rows, len(numbers)) {
		same := 0
		for k, c := range numbers {
			v := t.Columns[c].Values[row]
			if v != 0 && math.Abs(v-sums[k]) <= 1e-9*sizes[k]+0.5*math.Pow10(-t.Columns[c].Decimals)*math.Sqrt(float64(count)) && sizes[k] > math.Abs(v)/2 {
				same++
			}
		}
		is := count >= subtotalRows && same >= subtotalColumns && 2*same >= len(numbers)
		if is {
			rows, count = append(rows, row), 0
		} else {
			count++
		}
		for k, c := range numbers {
			if is {
				sums[k], sizes[k] = 0, 0
			} else if v := t.Columns[c].Values[row]; v == v {
				sums[k], sizes[k] = sums[k]+v, sizes[k]+math.Abs(v)
			}
		}
	}
	if len(rows) < subtotalsFewest {
		return nil
	}
	return rows
}

// leaveSubtotals takes the verdict on subtotals back, and tells of them.
func (r *Result) leaveSubtotals(t *tolerant.Table) {
	rows := subtotals(t)
	if rows == nil {
		return
	}
	names := make([]string, len(rows))
	for k, row := range rows {
		names[k], r.Wrong[row] = strconv.Itoa(row+1), false
	}
	r.Groups = append(r.Groups, Group{Text: fmt.Sprintf("%s (%s) hold the sums of the rows above them: subtotals, which are not judged.", words.Plural(len(rows), "row"), words.List(names, 6)), Rows: rows})
}
