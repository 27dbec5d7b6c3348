package plot

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

	"github.com/inlier-ml/inlier/internal/words"
)

// mostRows bounds the rows of one picture.
const mostRows = 200

// parseRows reads row numbers from 1 such as 1,5,20-23 and returns them from 0; nothing
// for an empty text.
func parseRows(text string, n int) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	const hint = "rows are counted from 1, such as 1,5,20-23"
	var rows []int
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if !isRange {
			high = low
		}
		a, errA := strconv.Atoi(low)
		b, errB := strconv.Atoi(high)
		switch {
		case errA != nil || errB != nil || a > b:
			return nil, usage(paramsField+"rows", hint, "--rows %s is not a list of rows", text)
		case a < 1 || b > n:
			return nil, usage(paramsField+"rows", hint, "--rows %s: there are %s", text, words.Plural(n, "row"))
		case len(rows)+b-a+1 > mostRows:
			return nil, usage(paramsField+"rows", "name fewer", "--rows %s: a picture shows at most %d rows", text, mostRows)
		}
		for i := a; i <= b; i++ {
			rows = append(rows, i-1)
		}
	}
	return rows, nil
}

func oneBased(rows []int) []int {
	out := make([]int, len(rows))
	for k, i := range rows {
		out[k] = i + 1
	}
	return out
}

// spread picks at most so many of a list, evenly.
func spread(list []int, count int) []int {
	count = min(count, len(list))
	out := make([]int, count)
	for k := range out {
		out[k] = list[k*len(list)/count]
	}
	return out
}

// distance is that of two rows over the columns where the first is not missing.
func distance(row, other []float64) float64 {
	residual := make([]float64, len(row))
	for j, v := range row {
		if !math.IsNaN(v) {
			residual[j] = v - other[j]
		}
	}
	return floats.Norm(residual, 2) // squares of far values overflow, their norm does not
}
