package tolerant

import (
	"bytes"
	"strconv"
)

// mergedRows is a cell of one column that stands for several rows.
type mergedRows struct {
	column, from, to int // rows from 1
	text             string
}

// addMerged remembers a range such as A2:A9 if it is one column.
func (r *sheetReader) addMerged(place []byte) {
	from, to, ok := bytes.Cut(place, []byte{':'})
	if column := columnNumber(from); ok && column == columnNumber(to) && r.out.rows() > 0 && len(r.merged) < 1<<16 {
		first, _ := strconv.Atoi(string(bytes.TrimLeft(from, "ABCDEFGHIJKLMNOPQRSTUVWXYZ$")))
		last, _ := strconv.Atoi(string(bytes.TrimLeft(to, "ABCDEFGHIJKLMNOPQRSTUVWXYZ$")))
		if first > 0 && first < last {
			r.merged = append(r.merged, mergedRows{column: column, from: first, to: last})
		}
	}
}

// fillMerged writes what a merged cell holds into the rows that it stands for.
func (r *sheetReader) fillMerged() {
	for len(r.merged) > 0 && r.merged[0].to < r.line {
		r.merged = r.merged[1:]
	}
	for k := range r.merged {
		m := &r.merged[k]
		if m.from > r.line {
			break
		}
		switch {
		case m.column >= r.limit || r.line > m.to:
		case r.line == m.from && r.out.rows() == 0: // a name over two lines
		case r.line == m.from && m.column < len(r.row):
			m.text = r.row[m.column]
		case r.line > m.from && m.text != "":
			for len(r.row) <= m.column {
				r.row = append(r.row, "")
			}
			if r.row[m.column] == "" {
				r.row[m.column] = m.text
				r.filled++
			}
		}
	}
}
