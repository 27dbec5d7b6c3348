package tolerant

import (
	"bytes"
	"encoding/json"

	"github.com/inlier-ml/inlier/dataset"
)

// turned reads a document with a member for each column, or for each row.
func (r *jsonReader) turned(s *jsonShape, limit int) (*piece, error) {
	if s.form == jsonKeyed {
		return r.keyed(s.columns, limit)
	}
	if len(s.columns) > r.limit {
		return nil, dataset.Problem(r.name, "there are more than the allowed %d names", r.limit)
	}
	var cells [][]string
	place := map[string]int{} // of the rows that have names
	rows := 0
	for _, m := range s.columns {
		column := make([]string, rows)
		if text := r.data[m.from:m.to]; begins(text) == '[' {
			var list []json.RawMessage
			if err := json.Unmarshal(text, &list); err != nil {
				return nil, r.wrong(err)
			}
			column = column[:0]
			for _, cell := range list {
				column = append(column, cellText(cell))
			}
		} else {
			within, _, _ := membersOf(r.data, m.from)
			for _, cell := range within {
				at, seen := place[cell.name]
				if !seen {
					at = len(place)
					place[cell.name] = at
				}
				for len(column) <= at {
					column = append(column, "")
				}
				column[at] = cellText(r.data[cell.from:cell.to])
			}
		}
		rows = max(rows, len(column))
		r.names, cells = append(r.names, m.name), append(cells, column)
	}
	if limit > 0 {
		rows = min(rows, limit)
	}
	r.row = make([]string, len(cells))
	for i := range rows {
		for j, column := range cells {
			r.row[j] = ""
			if i < len(column) {
				r.row[j] = column[i]
			}
		}
		r.out.add(r.row, i+1)
	}
	return r.out.piece(r.names), nil
}

// keyed reads an object of rows, whose names are a column.
func (r *jsonReader) keyed(members []jsonMember, limit int) (*piece, error) {
	name := "key"
	first, _, _ := membersOf(r.data, members[0].from)
	for _, cell := range first {
		if cell.name == name {
			name = "key of the row"
		}
	}
	r.columns[name], r.names, r.row = 0, []string{name}, []string{""}
	for k, m := range members {
		if limit > 0 && k == limit {
			break
		}
		clear(r.row)
		r.in = json.NewDecoder(bytes.NewReader(r.data[m.from:m.to]))
		r.in.UseNumber()
		r.count(m.from)
		if err := r.addObject(); err != nil {
			return nil, r.wrong(err)
		}
		r.row[0] = m.name
		r.out.add(r.row, r.line)
	}
	return r.out.piece(r.names), nil
}

// withoutNaN makes null of NaN and the infinities that programs write although JSON has none.
func withoutNaN(data []byte) (out []byte, changed bool) {
	quoted := false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\' && i+1 < len(data):
			out = append(out, c)
			i++
			c = data[i]
			out = append(out, c)
			continue
		case c == '"':
			quoted = !quoted
		case !quoted && (c == 'N' || c == 'I' || c == '-' && i+1 < len(data) && data[i+1] == 'I'):
			n := 0
			for _, word := range []string{"NaN", "-Infinity", "Infinity"} {
				if bytes.HasPrefix(data[i:], []byte(word)) {
					n = len(word)
					break
				}
			}
			if n > 0 {
				out = append(out, "null"...)
				i += n - 1
				changed = true
				continue
			}
		}
		out = append(out, data[i])
	}
	return out, changed
}
