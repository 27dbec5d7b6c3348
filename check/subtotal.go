package check

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/linalg"
)

const (
	// subtotalRows are how many rows a subtotal holds the sums of at least that tells of others, and subtotalColumns in how many columns.
	subtotalRows, subtotalColumns = 3, 2
	// subtotalsFewest are a habit of the table, and one in subtotalsApart rows: sums that are met by chance are fewer.
	subtotalsFewest, subtotalsApart = 2, 1000
	// subtotalChance is how many rows of a table may look by chance as such a sum does.
	subtotalChance = 0.05
)

// summed is a row that holds the sums of so many rows above it, in some columns.
type summed struct {
	row, rows int
	columns   []int
}

// subtotals are the rows amid a table that hold the sums of those above, each larger than any of these: they are none of its rows, and not judged.
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
	const stretch = 1 << 13
	most := len(numbers)
	found := make([][]summed, (t.Rows+stretch-1)/stretch)
	linalg.Parallel(len(found), func(k int) {
		sums, alive := make([]float64, most), make([]int, most)
		for row := k * stretch; row < min((k+1)*stretch, t.Rows); row++ {
			if s := sumAbove(t, row, numbers, sums, alive); s.rows > 0 {
				found[k] = append(found[k], s)
			}
		}
		t.Room().Passed(stretch * 8 * int64(most))
	})
	usual := map[int][]float64{}
	telling := 0
	for _, s := range slices.Concat(found...) {
		if unusual(t, s, usual) {
			if rows = append(rows, s.row); s.rows >= subtotalRows {
				telling++
			}
		}
	}
	if telling < max(subtotalsFewest, t.Rows/subtotalsApart) {
		return nil
	}
	return rows
}

// sumAbove goes upwards from a row until the sums of what it passed stand in it, or a value that is as large as its own.
func sumAbove(t *tolerant.Table, row int, numbers []int, sums []float64, alive []int) summed {
	fewest := max(subtotalColumns, (len(numbers)+1)/2)
	alive = alive[:0]
	for k, c := range numbers {
		if sums[k] = 0; t.Columns[c].Values[row] != 0 {
			alive = append(alive, k)
		}
	}
	for above := row - 1; above >= 0; above-- {
		left, same := alive[:0], 0
		for _, k := range alive {
			c := &t.Columns[numbers[k]]
			v, x := c.Values[row], c.Values[above]
			if !(math.Abs(x) < math.Abs(v)) && x == x {
				continue
			}
			if left = append(left, k); x == x {
				sums[k] += x
			}
			if nearSum(c, v, sums[k], row-above) {
				same++
			}
		}
		if alive = left; len(alive) < fewest {
			break
		}
		if same < fewest || row-above < 2 {
			continue
		}
		s := summed{row: row, rows: row - above}
		for _, k := range alive {
			if c := numbers[k]; nearSum(&t.Columns[c], t.Columns[c].Values[row], sums[k], s.rows) {
				s.columns = append(s.columns, c)
			}
		}
		return s
	}
	return summed{}
}

// nearSum says that a value is a sum of so many, which were rounded each or are exact.
func nearSum(c *tolerant.Column, v, sum float64, rows int) bool {
	rounding := min(0.5*math.Pow10(-c.Decimals)*math.Sqrt(float64(rows)), math.Abs(v)/1000)
	return math.Abs(v-sum) <= 1e-9*math.Abs(v)+rounding
}

// unusual says that hardly any row of the table has such values by chance, as counts of two and three are.
func unusual(t *tolerant.Table, s summed, usual map[int][]float64) bool {
	chance := float64(t.Rows)
	for _, column := range s.columns {
		c := &t.Columns[column]
		sorted, known := usual[column]
		if !known {
			sorted = sortedValues(pick(c.Values, spacedRows(t.Rows, learnedRows)))
			usual[column] = sorted
		}
		v := c.Values[s.row]
		off := max(math.Pow10(-c.Decimals), math.Abs(v)/1000)
		near := sort.SearchFloat64s(sorted, v+off) - sort.SearchFloat64s(sorted, v-off)
		chance *= float64(max(near, 1)) / float64(len(sorted))
	}
	return chance <= subtotalChance
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
