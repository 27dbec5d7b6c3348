package tolerant

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strconv"

	"github.com/inlier-ml/inlier/dataset"
)

// looksLikeJSON tells whether a text is an array of objects, or objects one after the other.
func looksLikeJSON(data []byte) bool {
	data = bytes.TrimLeft(data[:min(len(data), 4096)], " \t\r\n")
	if len(data) < 2 {
		return false
	}
	if data[0] == '[' {
		data = bytes.TrimLeft(data[1:], " \t\r\n")
	}
	if len(data) < 2 || data[0] != '{' {
		return false
	}
	data = bytes.TrimLeft(data[1:], " \t\r\n")
	return len(data) > 0 && (data[0] == '"' || data[0] == '}')
}

// jsonReader writes objects as rows of text.
type jsonReader struct {
	in      *json.Decoder
	columns map[string]int
	names   []string
	row     []string
	limit   int // columns
}

// openJSON opens JSON lines and arrays of objects. Members of members are columns with a point in
// their name; arrays are texts.
func openJSON(ctx context.Context, d document, o *Options) (*piece, error) {
	r := &jsonReader{in: json.NewDecoder(bytes.NewReader(d.data)), columns: map[string]int{}, limit: o.maxColumns()}
	r.in.UseNumber()
	if first := bytes.TrimLeft(d.data, " \t\r\n"); first[0] == '[' {
		r.in.Token()
	}
	w := newWriter(d.name, o)
	line, counted := 1, int64(0)
	for r.in.More() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if o.Limit > 0 && w.rows() == o.Limit {
			break
		}
		clear(r.row)
		token, err := r.in.Token()
		if err == nil && token != json.Delim('{') {
			err = errNoObject
		}
		if err == nil {
			err = r.object("", 0)
		}
		at := r.in.InputOffset()
		line += bytes.Count(d.data[counted:at], []byte{'\n'})
		counted = at
		if err != nil {
			if w.rows() > 0 && (err == io.ErrUnexpectedEOF || err == io.EOF) {
				p := w.piece(r.names)
				p.remark("", "The file is cut off within the object of line %d; what comes before was read.", line)
				return p, nil
			}
			e := dataset.Problem(d.name, "this is no JSON as tables are kept in: %s", err)
			e.Line = line
			return nil, e.WithHint("a table is one object per line, or an array of objects")
		}
		w.add(r.row, line)
	}
	if w.rows() == 0 {
		return nil, dataset.Problem(d.name, "the file has no rows")
	}
	return w.piece(r.names), nil
}

var errNoObject = dataset.Problem("", "a row is no object")

// object reads the members of an object into the row.
func (r *jsonReader) object(prefix string, depth int) error {
	for r.in.More() {
		token, err := r.in.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string)
		if err := r.value(prefix+name, depth); err != nil {
			return err
		}
	}
	_, err := r.in.Token()
	return err
}

// value reads one value into the column of that name.
func (r *jsonReader) value(name string, depth int) error {
	var raw json.RawMessage
	if depth > 8 {
		return dataset.Problem("", "objects are nested too deeply")
	}
	token, err := r.in.Token()
	if err != nil {
		return err
	}
	text := ""
	switch v := token.(type) {
	case json.Delim:
		if v == '{' {
			return r.object(name+".", depth+1)
		}
		text = "["
		for r.in.More() {
			if err := r.in.Decode(&raw); err != nil {
				return err
			}
			if len(text) > 1 {
				text += ","
			}
			if len(text)+len(raw) < 1<<16 {
				text += string(raw)
			}
		}
		if _, err := r.in.Token(); err != nil {
			return err
		}
		text += "]"
	case string:
		text = v
	case json.Number:
		text = v.String()
	case bool:
		text = strconv.FormatBool(v)
	}
	k, ok := r.columns[name]
	if !ok {
		if len(r.names) >= r.limit {
			return dataset.Problem("", "there are more than the allowed %d names", r.limit)
		}
		k = len(r.names)
		r.columns[name] = k
		r.names = append(r.names, name)
		r.row = append(r.row, "")
	}
	r.row[k] = text
	return nil
}
