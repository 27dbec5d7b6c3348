package tolerant

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strconv"

	"github.com/inlier-ml/inlier/dataset"
)

// looksLikeJSON tells whether a text is an array, or objects one after the other.
func looksLikeJSON(data []byte) bool {
	head := bytes.TrimLeft(data[:min(len(data), 4096)], jsonBlanks)
	if len(head) < 2 {
		return false
	}
	if head[0] == '[' {
		switch c := inside(head); {
		case c == '[':
			if json.Valid(data) {
				return true
			}
			plain, changed := withoutNaN(data)
			return changed && json.Valid(plain)
		case c == '"' || c == '-' || isDigit(c):
			return isListLines(data)
		}
		head = bytes.TrimLeft(head[1:], jsonBlanks)
	}
	return len(head) > 0 && head[0] == '{' && (inside(head) == '"' || inside(head) == '}')
}

// isListLines tells whether the first lines are lists.
func isListLines(data []byte) bool {
	end := lineEnd(data)
	return json.Valid(data[:end]) && begins(data[end:]) == '['
}

// jsonReader writes the rows of a document as text.
type jsonReader struct {
	name    string
	data    []byte // of the whole document
	in      *json.Decoder
	from    int // where the decoder begins
	counted int // place up to which lines are counted
	line    int
	columns map[string]int
	names   []string
	row     []string
	limit   int // columns
	out     *writer
}

// openJSON opens JSON lines, arrays of objects and of lists, and objects that hold these, a list for each column or an object
// for each row. Members of members are columns with a point in their name; arrays in cells are texts.
func openJSON(ctx context.Context, d document, o *Options) (*piece, error) {
	p, err := readJSON(ctx, d, o)
	if err == nil || ctx.Err() != nil {
		return p, err
	}
	if data, changed := withoutNaN(d.data); changed {
		if p, again := readJSON(ctx, document{d.name, data}, o); again == nil {
			return p, nil
		}
	}
	return nil, err
}

func readJSON(ctx context.Context, d document, o *Options) (*piece, error) {
	s := shapeOf(d.data)
	r := &jsonReader{name: d.name, data: d.data, line: 1, columns: map[string]int{}, limit: o.maxColumns(), out: newWriter(d.name, o)}
	var p *piece
	var err error
	switch s.form {
	case jsonObjects:
		r.begin(s.from, s.to)
		p, err = r.each(ctx, o.Limit, r.addObject)
	case jsonLists:
		r.begin(s.from, s.to)
		r.names = s.names
		p, err = r.each(ctx, o.Limit, r.addList)
		if err == nil && s.names == nil {
			p, err = r.out.table(o) // whose first row may hold the names
		}
	default:
		p, err = r.turned(&s, o.Limit)
	}
	if err != nil {
		return nil, err
	}
	if r.out.rows() == 0 {
		return nil, dataset.Problem(d.name, "the file has no rows")
	}
	s.describe(p)
	return p, nil
}

// begin starts to read at a place, behind the bracket of an array of rows.
func (r *jsonReader) begin(from, to int) {
	text := r.data[from:to]
	r.from, r.in = from, json.NewDecoder(bytes.NewReader(text))
	r.in.UseNumber()
	if begins(text) == '[' && (inside(text) == '{' || inside(text) == '[') {
		r.in.Token()
	}
}

// each reads rows to the end. What comes before a place where the file is cut off is read.
func (r *jsonReader) each(ctx context.Context, limit int, add func() error) (*piece, error) {
	for r.in.More() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if limit > 0 && r.out.rows() == limit {
			break
		}
		clear(r.row)
		err := add()
		r.count(r.from + int(r.in.InputOffset()))
		if err != nil {
			if r.out.rows() > 0 && (err == io.ErrUnexpectedEOF || err == io.EOF) {
				p := r.out.piece(r.names)
				p.remark("", "The file is cut off within the object of line %d; what comes before was read.", r.line)
				return p, nil
			}
			return nil, r.wrong(err)
		}
		r.out.add(r.row, r.line)
	}
	return r.out.piece(r.names), nil
}

func (r *jsonReader) count(at int) {
	r.line += bytes.Count(r.data[r.counted:at], []byte{'\n'})
	r.counted = at
}

func (r *jsonReader) wrong(err error) error {
	e := dataset.Problem(r.name, "this is no JSON as tables are kept in: %s", err)
	e.Line = r.line
	return e.WithHint("a table is one object per line, an array of objects or lists, or a list for each column")
}

var (
	errNoObject = dataset.Problem("", "a row is no object")
	errNoList   = dataset.Problem("", "a row is no list")
)

// addObject reads an object into the row.
func (r *jsonReader) addObject() error {
	token, err := r.in.Token()
	if err == nil && token != json.Delim('{') {
		err = errNoObject
	}
	if err == nil {
		err = r.object("", 0)
	}
	return err
}

// addList reads a list into the row.
func (r *jsonReader) addList() error {
	var raw json.RawMessage
	if err := r.in.Decode(&raw); err != nil {
		return err
	}
	var cells []json.RawMessage
	if begins(raw) != '[' || json.Unmarshal(raw, &cells) != nil {
		return errNoList
	}
	r.row = r.row[:0]
	if len(cells) > r.limit {
		return dataset.Problem("", "there are more than the allowed %d columns", r.limit)
	}
	for _, cell := range cells {
		r.row = append(r.row, cellText(cell))
	}
	return nil
}

// cellText is a value as a cell: strings without their quotes, nothing for null.
func cellText(raw json.RawMessage) string {
	var text string
	switch {
	case string(raw) == "null":
		return ""
	case len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &text) == nil:
		return text
	}
	return string(raw)
}

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
