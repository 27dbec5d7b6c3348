package tolerant

import "strings"

// writer makes text of ours of rows that stand in a file in another form: fields between unit
// separators, a line for each row.
type writer struct {
	body *body
	most int // fields of a row
}

func newWriter(name string, o *Options) *writer {
	return &writer{body: &body{name: name, delimiter: unitSeparator, columns: 1 << 30, numbered: []int{}}}
}

func (w *writer) rows() int { return len(w.body.starts) }

// ours keeps what separates our fields and lines out of them.
var ours = strings.NewReplacer("\n", " ", "\r", " ", string(rune(unitSeparator)), " ")

// add writes a row that stands in a line, or row, of the file.
func (w *writer) add(fields []string, line int) {
	b := w.body
	b.starts, b.numbered = append(b.starts, len(b.data)), append(b.numbered, line)
	w.most = max(w.most, len(fields))
	for j, f := range fields {
		if j > 0 {
			b.data = append(b.data, unitSeparator)
		}
		if strings.ContainsAny(f, "\n\r\x1f") {
			f = ours.Replace(f)
		}
		b.data = append(b.data, f...)
	}
	b.data = append(b.data, '\n')
}

// piece is what was written, with names for the columns.
func (w *writer) piece(names []string) *piece {
	w.body.width = max(w.most, len(names))
	return &piece{name: w.body.name, text: w.body, rows: w.rows(), names: names, named: true}
}
