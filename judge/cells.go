package judge

import (
	"math"
	"sort"

	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/verdict"
)

// cellReasons names the wrong cells of a row with what was expected there, the worst first; of a row
// without any, which is off as a whole, those that deviate most. Columns of unlike units
// compare, since deviations are in tolerances.
func cellReasons(row []float64, cells *verdict.Cells, i int, columns []string) []Reason {
	off := cells.Deviation.RawRowView(i)
	order, wrong, most := make([]int, len(off)), 0, 0.0
	for j, v := range off {
		if order[j] = j; cells.Wrong(i, j) {
			wrong++
		}
		most = math.Max(most, math.Abs(v))
	}
	if most == 0 {
		return nil
	}
	sort.SliceStable(order, func(a, b int) bool { return math.Abs(off[order[a]]) > math.Abs(off[order[b]]) })
	total := 0.0
	square := func(v float64) float64 { v /= most; return v * v } // of numbers up to 1e300
	for _, v := range off {
		total += square(v)
	}
	if wrong == 0 {
		wrong = len(off)
	}
	var list []Reason
	for _, j := range order[:min(wrong, MostReasons)] {
		if off[j] == 0 {
			break
		}
		expected := report.Number(cells.Expected.At(i, j))
		list = append(list, Reason{Column: words.Column(columns, j), Value: report.Number(row[j]), Expected: &expected,
			Contribution: report.Number(row[j]) - expected, Share: report.Number(square(off[j]) / total)})
	}
	return list
}
