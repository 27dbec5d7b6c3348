package tolerant

import (
	"context"
	"maps"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/decimal"
)

// FromStrings makes a table of cells that a program holds. Rows may have fewer cells than there
// are names. Options that no cell can follow, such as a column that is not there, are passed over.
func FromStrings(names []string, rows [][]string, o Options) *Table {
	t := &Table{Rows: len(rows), Columns: named(names), text: written(rows)}
	o.As = maps.Clone(o.As)
	maps.DeleteFunc(o.As, func(name string, _ Kind) bool { _, err := t.find(name); return err != nil })
	t.interpret(context.Background(), &o, nil) // nothing is left that could fail
	return t
}

// FromValues makes a table of numbers, NaN where they are missing. Every column is one of numbers,
// whatever is in it.
func FromValues(names []string, x mat.Matrix) *Table {
	n, d := x.Dims()
	t := &Table{Rows: n, Columns: named(names)}
	for j := len(names); j < d; j++ {
		t.Columns = append(t.Columns, Column{Name: "x" + strconv.Itoa(j+1), Given: "x" + strconv.Itoa(j+1)})
	}
	for j := range t.Columns {
		c := &t.Columns[j]
		c.Kind, c.Values, c.Sure = Number, make([]float64, n), 1
		for i := range n {
			v := x.At(i, j)
			c.Values[i] = v
			if v != v {
				c.Missing++
			}
		}
	}
	t.text = shown{t}
	return t
}

// named makes columns of different names: a doubled one has " (2)" behind it, an empty one is called by its place.
func named(names []string) []Column {
	columns := make([]Column, len(names))
	taken := make(map[string]bool, len(names))
	given := make(map[string]bool, len(names))
	last := map[string]int{} // number behind a doubled name
	for _, name := range names {
		given[name] = true
	}
	for j, name := range names {
		columns[j].Given = name
		if name == "" {
			name = "column" + strconv.Itoa(j+1)
		}
		unique := name
		for k := max(last[name], 1); taken[unique] || unique != names[j] && given[unique]; {
			k++
			unique = name + " (" + strconv.Itoa(k) + ")"
			last[name] = k
		}
		taken[unique] = true
		columns[j].Name = unique
	}
	return columns
}

// shown is a table whose cells are written from its values.
type shown struct{ table *Table }

func (s shown) cell(row, column int) string {
	v := s.table.Columns[column].Values[row]
	if v != v {
		return ""
	}
	return decimal.Text(v)
}

func (s shown) place(row int) (string, int) { return s.table.name(), row + 1 }

func (s shown) scan(from, to int, visit func(row int, fields [][]byte)) {
	fields := make([][]byte, len(s.table.Columns))
	for row := from; row < to; row++ {
		for j := range fields {
			fields[j] = []byte(s.cell(row, j))
		}
		visit(row, fields)
	}
}
