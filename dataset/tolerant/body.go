package tolerant

import (
	"bytes"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/record"
	"github.com/inlier-ml/inlier/internal/spill"
)

// body is delimited text in memory with the places of its rows. Rows are split again when they are
// asked for.
type body struct {
	name      string
	data      []byte
	delimiter byte
	quotes    bool // there are quotation marks
	width     int  // fields of most records; 0: not known yet
	columns   int  // the most that a record may have
	line      int  // of the first byte
	starts    []int
	lines     []int    // line of every markedRows-th row
	numbered  []int    // lines of rows where they are not those of data; nil: they are
	encoding  encoding // that the data had
	header    []byte
	headers   int // lines that repeat it
	remarks   int // lines that begin with # and have not as many fields as rows have
}

// markedRows is how many rows stand between two whose lines are known.
const markedRows = 1024

// index finds where the rows from a place on begin; at most so many, 0 for all.
func (b *body) index(from, limit, longest int) error {
	b.quotes = b.delimiter != unitSeparator && indexByte(b.data[from:], '"') >= 0
	room := spill.Of(b.data)
	b.starts = spill.Make[int](room, min(len(b.data)/64+16, 1<<24))[:0]
	line := b.line + bytes.Count(b.data[:from], []byte{'\n'})
	var fields [][]byte
	var seen quotations
	for at := from; at < len(b.data); {
		end := len(b.data)
		if n := bytes.IndexByte(b.data[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		if end-at > longest {
			e := dataset.Problem(b.name, "this line is longer than the allowed %d bytes", longest)
			e.Line = line
			return e.WithHint("rows end with a line end; if the file can be trusted, and there is memory for it, {trust} lifts the limit")
		}
		text := lineOf(b.data[at:end])
		if record.Blank(text, b.delimiter) {
			at = end
			line++
			continue
		}
		if b.setsAside(text) {
			at = end
			line++
			continue
		}
		if limit > 0 && len(b.starts) == limit {
			break
		}
		if len(b.starts)%markedRows == 0 {
			b.lines = append(b.lines, line)
			room.Passed(markedRows * int64(end-at+8))
		}
		b.starts = spill.Append(room, b.starts, at)
		if b.quotes && bytes.IndexByte(text, '"') >= 0 {
			fields, end = b.split(at, fields, &seen)
			line += bytes.Count(b.data[at:end-1], []byte{'\n'})
		}
		line++
		at = end
	}
	return nil
}

// setsAside counts lines between rows that are none: repeated headers and remarks.
func (b *body) setsAside(text []byte) bool {
	switch {
	case b.header != nil && len(text) == len(b.header) && bytes.Equal(text, b.header):
		b.headers++
		return true
	case text[0] == '#' && b.width > 1 && len(b.splitPlain(text, nil)) != b.width:
		b.remarks++
		return true
	}
	return false
}

// lineOf is a line without its end.
func lineOf(text []byte) []byte {
	if n := len(text); n > 0 && text[n-1] == '\n' {
		text = text[:n-1]
	}
	if n := len(text); n > 0 && text[n-1] == '\r' {
		text = text[:n-1]
	}
	return text
}

func (b *body) cell(row, column int) string {
	if !b.quotes && b.delimiter != ' ' { // the field alone: a row may have thousands
		text, _, _ := bytes.Cut(b.data[b.starts[row]:], []byte{'\n'})
		text = lineOf(text)
		for k := range min(column, b.columns) {
			next := bytes.IndexByte(text, b.delimiter)
			if next < 0 || k+1 == b.columns {
				return ""
			}
			text = text[next+1:]
		}
		if end := bytes.IndexByte(text, b.delimiter); end >= 0 {
			text = text[:end]
		}
		return string(trim(text))
	}
	fields, _ := b.split(b.starts[row], nil, new(quotations))
	if column >= len(fields) {
		return ""
	}
	return string(trim(fields[column]))
}

func (b *body) place(row int) (string, int) {
	if b.numbered != nil {
		return b.name, b.numbered[row]
	}
	from := row / markedRows
	return b.name, b.lines[from] + bytes.Count(b.data[b.starts[from*markedRows]:b.starts[row]], []byte{'\n'})
}

func (b *body) scan(from, to int, visit func(row int, fields [][]byte)) {
	fields := make([][]byte, 0, b.width+1)
	var seen quotations
	for row := from; row < to; row++ {
		fields, _ = b.split(b.starts[row], fields, &seen)
		visit(row, fields)
	}
}

// split splits the record at a place into fields and returns the place behind it.
func (b *body) split(at int, fields [][]byte, seen *quotations) ([][]byte, int) {
	end := len(b.data)
	if n := bytes.IndexByte(b.data[at:], '\n'); n >= 0 {
		end = at + n + 1
	}
	text := lineOf(b.data[at:end])
	if b.quotes && bytes.IndexByte(text, '"') >= 0 || b.delimiter == ' ' && bytes.IndexByte(text, '[') >= 0 {
		return b.splitQuoted(at, fields[:0], seen)
	}
	return b.splitPlain(text, fields[:0]), end
}

func (b *body) splitPlain(text []byte, fields [][]byte) [][]byte {
	r := record.Records{Delimiter: b.delimiter, Fields: fields, Most: b.columns}
	r.Plain(text)
	return r.Fields
}

// splitQuoted splits a record with quotation marks. A mark means something only at the beginning of a
// field, and ends the quotation only at the end of one; others are ordinary characters.
func (b *body) splitQuoted(at int, fields [][]byte, seen *quotations) ([][]byte, int) {
	data := b.data
	for i := at; ; {
		for i < len(data) && (data[i] == ' ' || data[i] == '\t' && b.delimiter != '\t') {
			i++
		}
		if b.delimiter == ' ' && (i == len(data) || data[i] == '\n' || data[i] == '\r') {
			return fields, after(data, i)
		}
		var value []byte
		if end := -1; b.quotes && i < len(data) && data[i] == '"' {
			if end = b.closing(at, i, seen); end >= 0 {
				value = data[i+1 : end]
				if bytes.Contains(value, []byte(`""`)) {
					value = bytes.ReplaceAll(value, []byte(`""`), []byte(`"`))
				}
				i = skipBlanks(data, end+1, b.delimiter)
			}
			if end < 0 {
				i, value = b.plainField(i)
			}
		} else {
			i, value = b.plainField(i)
		}
		if len(fields) < b.columns {
			fields = append(fields, value)
		}
		if i >= len(data) || data[i] == '\n' || data[i] == '\r' && (i+1 == len(data) || data[i+1] == '\n') {
			return fields, after(data, i)
		}
		i++
	}
}

// after is the place behind the end of a line at i.
func after(data []byte, i int) int {
	if i < len(data) && data[i] == '\r' {
		i++
	}
	return min(i+1, len(data))
}

// plainField reads a field without quotation.
func (b *body) plainField(i int) (end int, value []byte) {
	start := i
	if b.delimiter == ' ' {
		i = max(i, inBrackets(b.data, i))
	}
	for i < len(b.data) && b.data[i] != '\n' && !record.IsDelimiter(b.data[i], b.delimiter) {
		i++
	}
	value = b.data[start:i]
	if n := len(value); n > 0 && value[n-1] == '\r' && (i == len(b.data) || b.data[i] == '\n') {
		value = value[:n-1]
	}
	return i, value
}

func skipBlanks(data []byte, i int, delimiter byte) int {
	for delimiter != ' ' && i < len(data) && (data[i] == ' ' || data[i] == '\t' && delimiter != '\t') {
		i++
	}
	return i
}
