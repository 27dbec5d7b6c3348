package tolerant

import "github.com/inlier-ml/inlier/internal/decimal"

// Select is the table with some of its columns, in the given order. Values are shared. Below 0 stands for an empty column.
func (t *Table) Select(columns []int) *Table {
	out := *t
	out.Columns = make([]Column, len(columns))
	out.readings = make([]reading, len(columns))
	for k, j := range columns {
		if j >= 0 {
			out.Columns[k] = t.Columns[j]
		}
		if j >= 0 && j < len(t.readings) {
			out.readings[k] = t.readings[j]
		}
	}
	if t.text != nil {
		out.text = chosen{t.text, columns}
	}
	return &out
}

// chosen are some columns of a text.
type chosen struct {
	text
	columns []int
}

func (c chosen) cell(row, column int) string {
	if c.columns[column] < 0 {
		return ""
	}
	return c.text.cell(row, c.columns[column])
}

func (c chosen) scan(from, to int, visit func(row int, fields [][]byte)) {
	picked := make([][]byte, len(c.columns))
	c.text.scan(from, to, func(row int, fields [][]byte) {
		for k, j := range c.columns {
			picked[k] = nil
			if j >= 0 && j < len(fields) {
				picked[k] = fields[j]
			}
		}
		visit(row, picked)
	})
}

// FromColumns makes a table of columns that are known already, such as those of a stored model. Cells are
// written from the values; columns without values are empty.
func FromColumns(rows int, columns []Column) *Table {
	t := &Table{Rows: rows, Columns: columns}
	t.text = remembered{shown{t}}
	return t
}

// remembered is a table whose texts are not kept.
type remembered struct{ shown }

func (r remembered) cell(row, column int) string {
	c := &r.table.Columns[column]
	if row >= len(c.Values) || c.Values[row] != c.Values[row] {
		return ""
	}
	if k := int(c.Values[row]); (c.Kind == Category || c.Kind == Boolean) && k >= 0 && k < len(c.Levels) {
		return c.Levels[k]
	}
	return decimal.Text(c.Values[row])
}

func (r remembered) scan(from, to int, visit func(row int, fields [][]byte)) {
	fields := make([][]byte, len(r.table.Columns))
	for row := from; row < to; row++ {
		for j := range fields {
			fields[j] = []byte(r.cell(row, j))
		}
		visit(row, fields)
	}
}
