package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/internal/words"
)

// A Table is rows of values under named columns. It renders as terminal text,
// Markdown, HTML, CSV and JSON.
type Table struct {
	Title   string
	Columns []Column
	Rows    [][]any // string, bool, any number, Spread, Link, Badge, fmt.Stringer; nil = empty
	Notes   []string

	// Across seeks the best value along each row (methods as columns) instead of
	// down each column (methods as rows).
	Across bool
}

// A Column describes one column of a table.
type Column struct {
	Name   string
	Unit   string // shown in brackets behind the name
	Align  Align
	Format string // fmt verb for numbers, such as "%.3f", or Value; empty = four significant digits
	Best   Best   // which value is highlighted
}

// Value is the Format of numbers that stand in a table of data, or could: six significant digits, and all before the point.
const Value = "value"

// An Align says where the text of a column stands.
type Align int

const (
	AlignAuto Align = iota // numbers right, anything else left
	Left
	Right
	Center
)

// Best says which value of a column or row is the good one.
type Best int

const (
	NoBest Best = iota
	Lowest
	Highest
)

// A Spread is a value with its standard deviation, shown as "1.25 ± 0.03".
type Spread struct{ Value, Deviation float64 }

// Add appends a row and returns the table.
func (t *Table) Add(cells ...any) *Table {
	t.Rows = append(t.Rows, cells)
	return t
}

// cell is the value at a place; short rows are empty at their end.
func (t *Table) cell(row, column int) any {
	if column < len(t.Rows[row]) {
		return t.Rows[row][column]
	}
	return nil
}

// heading is the name of a column with its unit.
func (c Column) heading() string {
	if c.Unit == "" {
		return clean(c.Name)
	}
	return clean(c.Name + " (" + c.Unit + ")")
}

// text writes a cell for people.
func (c Column) text(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return clean(v)
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case Spread:
		if math.IsNaN(v.Deviation) {
			return c.text(v.Value)
		}
		return c.number(v.Value) + " ± " + c.number(v.Deviation)
	}
	if f, whole, ok := numeric(v); ok {
		if whole && (c.Format == Value || !strings.ContainsAny(c.Format, "eEfFgG")) {
			if c.Format != "" && c.Format != Value && !strings.HasSuffix(c.Format, "v") {
				return fmt.Sprintf(c.Format, v)
			}
			return fmt.Sprint(v)
		}
		return c.number(f)
	}
	return clean(fmt.Sprint(v))
}

// number writes a float.
func (c Column) number(f float64) string {
	switch {
	case math.IsNaN(f):
		return "-"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case c.Format == "" && math.Abs(f) >= 1e4 && math.Abs(f) < 1e7: // all digits before the point
		return strconv.FormatFloat(f, 'f', 0, 64)
	case c.Format == "":
		return strconv.FormatFloat(f, 'g', 4, 64)
	case c.Format == Value:
		return words.Value(f, 6)
	case strings.HasSuffix(c.Format, "d"):
		return fmt.Sprintf(c.Format, int64(math.Round(f)))
	}
	return fmt.Sprintf(c.Format, f)
}

// numeric is the value of a number of any type.
func numeric(v any) (f float64, whole, ok bool) {
	switch v := v.(type) {
	case float64:
		return v, false, true
	case float32:
		return float64(v), false, true
	case int:
		return float64(v), true, true
	case int64:
		return float64(v), true, true
	case int32:
		return float64(v), true, true
	case uint64:
		return float64(v), true, true
	case uint:
		return float64(v), true, true
	case uint32:
		return float64(v), true, true
	case Spread:
		return v.Value, false, true
	}
	return 0, false, false
}

// align resolves AlignAuto by the values.
func (t *Table) align(column int) Align {
	if a := t.Columns[column].Align; a != AlignAuto {
		return a
	}
	for row := range t.Rows {
		v := t.cell(row, column)
		if v == nil {
			continue
		}
		if _, _, ok := numeric(v); !ok {
			return Left
		}
	}
	if len(t.Rows) == 0 {
		return Left
	}
	return Right
}

// equal tells whether two numbers are the same but for rounding errors of sums.
func equal(a, b float64) bool {
	const rounding = 1e-12
	return a == b || math.Abs(a-b) <= rounding*math.Max(math.Abs(a), math.Abs(b))
}

// best marks the highlighted cells: the best and those that equal it. Numbers that only
// read the same, because few digits are shown, are not equal.
func (t *Table) best() map[[2]int]bool {
	marked := map[[2]int]bool{}
	pick := func(cells [][2]int) {
		if len(cells) < 2 {
			return
		}
		value := math.NaN()
		for _, at := range cells {
			f, _, ok := numeric(t.cell(at[0], at[1]))
			if !ok || math.IsNaN(f) {
				continue
			}
			direction := t.Columns[at[1]].Best
			if math.IsNaN(value) || direction == Lowest && f < value || direction == Highest && f > value {
				value = f
			}
		}
		if math.IsNaN(value) {
			return
		}
		for _, at := range cells {
			if f, _, ok := numeric(t.cell(at[0], at[1])); ok && equal(f, value) {
				marked[at] = true
			}
		}
	}
	if t.Across {
		for row := range t.Rows {
			var cells [][2]int
			for column, c := range t.Columns {
				if c.Best != NoBest {
					cells = append(cells, [2]int{row, column})
				}
			}
			pick(cells)
		}
		return marked
	}
	for column, c := range t.Columns {
		if c.Best == NoBest {
			continue
		}
		var cells [][2]int
		for row := range t.Rows {
			cells = append(cells, [2]int{row, column})
		}
		pick(cells)
	}
	return marked
}
