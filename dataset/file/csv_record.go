package file

import (
	"bytes"
	"fmt"
)

// records goes through the records of a block of text.
type records struct {
	data      []byte
	delimiter byte
	line      int // line of the next record
	quotes    bool
	fields    [][]byte // of the current record; valid until the next call
	most      int      // fields of a record
}

// next reads the next record that is not blank into fields and returns its line.
// The end is reported as ok == false; an open quotation as a problem.
func (r *records) next() (line int, ok bool, wrong string) {
	for len(r.data) > 0 {
		line = r.line
		end := bytes.IndexByte(r.data, '\n')
		if end < 0 {
			end = len(r.data)
		}
		text := r.data[:end]
		if r.quotes && bytes.IndexByte(text, '"') >= 0 {
			if wrong = r.quoted(); wrong != "" {
				return line, true, wrong
			}
			return line, true, ""
		}
		r.data = r.data[min(end+1, len(r.data)):]
		r.line++
		if n := len(text); n > 0 && text[n-1] == '\r' {
			text = text[:n-1]
		}
		if blank(text, r.delimiter) {
			continue
		}
		return line, true, r.plain(text)
	}
	return r.line, false, ""
}

// blank tells whether a line holds no field at all: where blanks are the delimiter tabs
// are as well.
func blank(text []byte, delimiter byte) bool {
	for _, c := range text {
		if c != ' ' && !(c == '\t' && delimiter == ' ') {
			return false
		}
	}
	return true
}

// plain splits a line without quotation marks.
func (r *records) plain(text []byte) (wrong string) {
	r.fields = r.fields[:0]
	if r.delimiter == ' ' {
		for {
			text = bytes.TrimLeft(text, " \t")
			if len(text) == 0 {
				return ""
			}
			if len(r.fields) >= r.most {
				return r.tooMany()
			}
			end := bytes.IndexAny(text, " \t")
			if end < 0 {
				end = len(text)
			}
			r.fields = append(r.fields, text[:end])
			text = text[end:]
		}
	}
	start := 0
	for i, c := range text {
		if c == r.delimiter {
			if len(r.fields) >= r.most {
				return r.tooMany()
			}
			r.fields = append(r.fields, text[start:i])
			start = i + 1
		}
	}
	r.fields = append(r.fields, text[start:])
	return ""
}

func (r *records) tooMany() string {
	r.data = nil
	return fmt.Sprintf("this line has more than the allowed %d fields", r.most)
}

// quoted splits a record that has quotation marks and may go over several lines.
func (r *records) quoted() (wrong string) {
	r.fields = r.fields[:0]
	data, i := r.data, 0
	for {
		if r.delimiter == ' ' {
			for i < len(data) && (data[i] == ' ' || data[i] == '\t') {
				i++
			}
			end := i
			if end < len(data) && data[end] == '\r' { // it ends a line only before a line feed or at the end
				end++
			}
			if end == len(data) || data[end] == '\n' {
				i = end
				r.finish(i)
				return ""
			}
		}
		var value []byte
		if i < len(data) && data[i] == '"' {
			end := closing(data, i)
			if end < 0 {
				r.data = nil
				return "a quotation that begins here is never closed"
			}
			value = data[i+1 : end-1]
			r.line += bytes.Count(value, []byte{'\n'})
			if bytes.IndexByte(value, '"') >= 0 {
				value = bytes.ReplaceAll(value, []byte(`""`), []byte(`"`))
			}
			i = end
			if i < len(data) && data[i] == '\r' {
				i++
			}
			if i < len(data) && data[i] != '\n' && !isDelimiter(data[i], r.delimiter) {
				r.data = nil
				return "text follows a closed quotation in the same field"
			}
		} else {
			start := i
			for i < len(data) && data[i] != '\n' && !isDelimiter(data[i], r.delimiter) {
				i++
			}
			value = data[start:i]
			if i == len(data) || data[i] == '\n' {
				value = bytes.TrimSuffix(value, []byte{'\r'})
			}
		}
		if len(r.fields) > r.most {
			return r.tooMany()
		}
		r.fields = append(r.fields, value)
		if i >= len(data) || data[i] == '\n' {
			r.finish(i)
			return ""
		}
		i++
	}
}

// finish moves to the record after the line end at i.
func (r *records) finish(i int) {
	r.data = r.data[min(i+1, len(r.data)):]
	r.line++
}
