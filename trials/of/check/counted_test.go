package check

import (
	"os"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// numbersTable makes a table of numeric columns.
func numbersTable(names []string, columns ...[]float64) *tolerant.Table {
	t := &tolerant.Table{}
	for j, values := range columns {
		t.Rows = len(values)
		t.Columns = append(t.Columns, tolerant.Column{Name: names[j], Kind: tolerant.Number, Values: values})
	}
	return t
}

// many is a number of seeds: few, or with INLIER_CONFORMANCE=all so many more.
func many(few, all uint64) uint64 {
	if os.Getenv("INLIER_CONFORMANCE") == "all" {
		return all
	}
	return few
}

// categoryColumn makes a column of words.
func categoryColumn(name string, cells []string) tolerant.Column {
	count := map[string]int{}
	for _, w := range cells {
		count[w]++
	}
	c := tolerant.Column{Name: name, Kind: tolerant.Category}
	for w := range count {
		c.Levels = append(c.Levels, w)
	}
	slices.SortFunc(c.Levels, func(a, b string) int {
		if count[a] != count[b] {
			return count[b] - count[a]
		}
		return strings.Compare(a, b)
	})
	for _, w := range cells {
		c.Values = append(c.Values, float64(slices.Index(c.Levels, w)))
	}
	return c
}
