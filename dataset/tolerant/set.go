package tolerant

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
)

// Coding says how categories become numbers of a [dataset.Set].
type Coding int

// Codings of categories.
const (
	LeaveOut Coding = iota // categories are left out
	Ordinal                // a column of 0, 1, 2 ..., in the order of the sorted texts
	OneHot                 // a column of 0 and 1 for every text
)

// Set is the table as numbers for methods that learn from numbers: numbers, truths as 0 and 1, dates as
// days since 1970, categories as asked. Columns that are set aside (names of rows, texts, empty ones)
// are left out and named. Missing and unreadable cells are NaN.
func (t *Table) Set(coding Coding) (set *dataset.Set, left []string) {
	var columns [][]float64
	set = &dataset.Set{Name: t.name()}
	var coder dataset.Coder
	for j := range t.Columns {
		c := &t.Columns[j]
		switch {
		case c.Kind == Number || c.Kind == Boolean:
			columns, set.Columns = append(columns, c.Values), append(set.Columns, c.Name)
		case c.Kind == Date:
			days := make([]float64, t.Rows)
			for i, v := range c.Values {
				days[i] = v / 86400
			}
			columns, set.Columns = append(columns, days), append(set.Columns, c.Name)
		case c.Kind == Category && coding != LeaveOut:
			coded, values := c.coded(coding)
			coder.Codings = append(coder.Codings, coded)
			columns, set.Columns = append(columns, values...), append(set.Columns, coded.Names()...)
		default:
			left = append(left, c.Name)
		}
	}
	if coder.Codings != nil {
		set.Coder = &coder
	}
	if len(columns) == 0 || t.Rows == 0 {
		set.X = &mat.Dense{}
		return set, left
	}
	set.X = mat.NewDense(t.Rows, len(columns), nil)
	for j, values := range columns {
		set.X.SetCol(j, values)
	}
	return set, left
}

// coded makes numbers of a category as package dataset codes text columns.
func (c *Column) coded(coding Coding) (dataset.Coding, [][]float64) {
	sorted := slices.Clone(c.Levels)
	dataset.SortLevels(sorted)
	code := make([]float64, len(c.Levels))
	for k, level := range c.Levels {
		code[k] = float64(slices.Index(sorted, level))
	}
	if coding == Ordinal {
		values := slices.Clone(c.Values)
		for i, v := range values {
			if v == v {
				values[i] = code[int(v)]
			}
		}
		return dataset.Coding{Column: c.Name, Levels: sorted}, [][]float64{values}
	}
	hot := make([][]float64, len(sorted))
	for k := range hot {
		hot[k] = make([]float64, len(c.Values))
	}
	for i, v := range c.Values {
		for k := range hot {
			switch {
			case v != v:
				hot[k][i] = v
			case int(code[int(v)]) == k:
				hot[k][i] = 1
			}
		}
	}
	return dataset.Coding{Column: c.Name, Levels: sorted, OneHot: true}, hot
}
