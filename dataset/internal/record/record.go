// Package record splits text into Records and fields, and guesses what separates them and whether the
// first record names the columns.
package record

import (
	"bytes"
	"fmt"
)

// Records goes through the records of a block of text.
type Records struct {
	Data      []byte
	Delimiter byte // a blank stands for runs of blanks and tabs
	Line      int  // line of the next record
	Quotes    bool
	Fields    [][]byte // of the current record; valid until the next call
	Most      int      // fields of a record
}

// Next reads the next record that is not blank into fields and returns its line.
// The end is reported as ok == false; an open quotation as a problem.
func (r *Records) Next() (line int, ok bool, wrong string) {
	for len(r.Data) > 0 {
		line = r.Line
		end := bytes.IndexByte(r.Data, '\n')
		if end < 0 {
			end = len(r.Data)
		}
		text := r.Data[:end]
		if r.Quotes && bytes.IndexByte(text, '"') >= 0 {
			if wrong = r.quoted(); wrong != "" {
				return line, true, wrong
			}
			return line, true, ""
		}
		r.Data = r.Data[min(end+1, len(r.Data)):]
		r.Line++
		if n := len(text); n > 0 && text[n-1] == '\r' {
			text = text[:n-1]
		}
		if Blank(text, r.Delimiter) {
			continue
		}
		return line, true, r.Plain(text)
	}
	return r.Line, false, ""
}

// Blank tells whether a line holds no field at all: where blanks are the delimiter tabs
// are as well.
func Blank(text []byte, delimiter byte) bool {
	for _, c := range text {
		if c != ' ' && !(c == '\t' && delimiter == ' ') {
			return false
		}
	}
	return true
}

// Plain splits a line without quotation marks.
func (r *Records) Plain(text []byte) (wrong string) {
	r.Fields = r.Fields[:0]
	if r.Delimiter == ' ' {
		for {
			text = bytes.TrimLeft(text, " \t")
			if len(text) == 0 {
				return ""
			}
			if len(r.Fields) >= r.Most {
				return r.tooMany()
			}
			end := bytes.IndexAny(text, " \t")
			if end < 0 {
				end = len(text)
			}
			r.Fields = append(r.Fields, text[:end])
			text = text[end:]
		}
	}
	start := 0
	for i, c := range text {
		if c == r.Delimiter {
			if len(r.Fields) >= r.Most {
				return r.tooMany()
			}
			r.Fields = append(r.Fields, text[start:i])
			start = i + 1
		}
	}
	r.Fields = append(r.Fields, text[start:])
	return ""
}

func (r *Records) tooMany() string {
	r.Data = nil
	return fmt.Sprintf("this line has more than the allowed %d fields", r.Most)
}

// quoted splits a record that has quotation marks and may go over several lines.
func (r *Records) quoted() (wrong string) {
	r.Fields = r.Fields[:0]
	data, i := r.Data, 0
	for {
		if r.Delimiter == ' ' {
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
			end := Closing(data, i)
			if end < 0 {
				r.Data = nil
				return "a quotation that begins here is never closed"
			}
			value = data[i+1 : end-1]
			r.Line += bytes.Count(value, []byte{'\n'})
			if bytes.IndexByte(value, '"') >= 0 {
				value = bytes.ReplaceAll(value, []byte(`""`), []byte(`"`))
			}
			i = end
			if i < len(data) && data[i] == '\r' {
				i++
			}
			if i < len(data) && data[i] != '\n' && !IsDelimiter(data[i], r.Delimiter) {
				r.Data = nil
				return "text follows a closed quotation in the same field"
			}
		} else {
			start := i
			for i < len(data) && data[i] != '\n' && !IsDelimiter(data[i], r.Delimiter) {
				i++
			}
			value = data[start:i]
			if i == len(data) || data[i] == '\n' {
				value = bytes.TrimSuffix(value, []byte{'\r'})
			}
		}
		if len(r.Fields) > r.Most {
			return r.tooMany()
		}
		r.Fields = append(r.Fields, value)
		if i >= len(data) || data[i] == '\n' {
			r.finish(i)
			return ""
		}
		i++
	}
}

// finish moves to the record after the line end at i.
func (r *Records) finish(i int) {
	r.Data = r.Data[min(i+1, len(r.Data)):]
	r.Line++
}

// End returns the position after the last line end outside quotation marks, or
// -1 when there is none. A quotation begins only at the beginning of a field, so that
// 5" pipe is an ordinary text.
func End(data []byte, delimiter byte) int {
	if delimiter == 0 || bytes.IndexByte(data, '"') < 0 {
		if end := bytes.LastIndexByte(data, '\n'); end >= 0 {
			return end + 1
		}
		return -1
	}
	last := -1
	for i := 0; i < len(data); {
		if data[i] == '"' {
			end := Closing(data, i)
			if end < 0 {
				return last
			}
			i = end
		}
		for i < len(data) && data[i] != '\n' && !IsDelimiter(data[i], delimiter) {
			i++
		}
		if i < len(data) && data[i] == '\n' {
			last = i + 1
		}
		i++
	}
	return last
}

// Closing returns the position after the quotation mark that closes the one at i, or
// -1. Two marks in a row stand for one and close nothing.
func Closing(data []byte, i int) int {
	for i++; ; i += 2 {
		next := bytes.IndexByte(data[i:], '"')
		if next < 0 {
			return -1
		}
		i += next
		if i+1 >= len(data) || data[i+1] != '"' {
			return i + 1
		}
	}
}

// IsDelimiter tells whether c ends a field; a blank stands for blanks and tabs.
func IsDelimiter(c, delimiter byte) bool {
	return c == delimiter || delimiter == ' ' && c == '\t'
}
