package main

import (
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/report"
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
			return nil, usage(hint, "--rows %s is not a list of rows", text)
		case a < 1 || b > n:
			return nil, usage(hint, "--rows %s: there are %s", text, plural(n, "row"))
		case len(rows)+b-a+1 > mostRows:
			return nil, usage("name fewer", "--rows %s: a picture shows at most %d rows", text, mostRows)
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

// sheets breaks a gallery with many columns into several, so that the pictures stay large.
func sheets(title, text string, g report.Gallery) []curveSection {
	const most = 10
	n := len(g.ColumnNames)
	if n <= most {
		return []curveSection{{text, report.Images(title, g)}}
	}
	lines := (n + most - 1) / most
	per := (n + lines - 1) / lines
	var list []curveSection
	for first := 0; first < n; first += per {
		last := min(first+per, n)
		part := g
		part.ColumnNames, part.Cells, part.Captions = g.ColumnNames[first:last], nil, nil
		for _, row := range g.Cells {
			cells := make([][]float64, per) // places at the end stay empty, so that all pictures are of one size
			copy(cells, row[first:last])
			part.Cells = append(part.Cells, cells)
		}
		for _, row := range g.Captions {
			part.Captions = append(part.Captions, row[min(first, len(row)):min(last, len(row))])
		}
		list = append(list, curveSection{text, report.Images("", part)})
		text = ""
	}
	return list
}
