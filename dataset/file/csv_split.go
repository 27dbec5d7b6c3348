package file

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"github.com/inlier-ml/inlier/dataset"
)

// textBlock is a run of whole lines of a text file.
type textBlock struct {
	data   []byte
	line   int // number of the first line, from 1
	quotes bool
	buffer *[]byte
}

const textBlockBytes = 1 << 18

var textBuffers = sync.Pool{New: func() any { b := make([]byte, 0, textBlockBytes+textBlockBytes/4); return &b }}

func (b *textBlock) free() {
	if b.buffer != nil && cap(*b.buffer) <= 4*textBlockBytes {
		textBuffers.Put(b.buffer)
	}
	b.buffer, b.data = nil, nil
}

// splitText cuts a stream into blocks that end where a record ends: at a line end that
// is not inside quotation marks. The delimiter 0 means a text without quotation. No
// record may be longer than so many bytes. The stream begins with the given line of the file.
func splitText(name string, in io.Reader, line int, delimiter byte, longest int, emit func(*textBlock) error) error {
	var rest []byte // an unfinished record from the block before
	first := true
	for {
		buffer := textBuffers.Get().(*[]byte)
		data := append((*buffer)[:0], rest...)
		atEnd := false
		cut := -1
		for cut < 0 && !atEnd {
			from := len(data)
			if from >= longest {
				return tooLong(name, line, longest)
			}
			if free := cap(data) - from; free < textBlockBytes/2 {
				data = append(make([]byte, 0, 2*cap(data)), data...)
			}
			n, err := io.ReadFull(in, data[from:min(cap(data), from+max(textBlockBytes, from), max(longest, textBlockBytes))])
			data = data[:from+n]
			if err == io.EOF || err == io.ErrUnexpectedEOF {
				atEnd = true
			} else if err != nil {
				return err
			}
			if first && len(data) > 0 {
				first = false
				data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
			}
			if atEnd {
				cut = len(data)
			} else {
				cut = recordEnd(data, delimiter)
			}
		}
		block := &textBlock{data: data[:cut], line: line, buffer: buffer}
		*buffer = data[:0]
		rest = append(rest[:0], data[cut:]...)
		line += bytes.Count(block.data, []byte{'\n'})
		block.quotes = delimiter != 0 && bytes.IndexByte(block.data, '"') >= 0
		if len(block.data) > 0 {
			if err := emit(block); err != nil {
				return err
			}
		}
		if atEnd {
			return nil
		}
	}
}

func tooLong(name string, line, longest int) *dataset.InputError {
	e := &dataset.InputError{File: name, Line: line, Problem: fmt.Sprintf("this line is longer than the allowed %d bytes", longest)}
	return e.WithHint("rows end with a line end; " + lift)
}

// recordEnd returns the position after the last line end outside quotation marks, or
// -1 when there is none. A quotation begins only at the beginning of a field, so that
// 5" pipe is an ordinary text.
func recordEnd(data []byte, delimiter byte) int {
	if delimiter == 0 || bytes.IndexByte(data, '"') < 0 {
		if end := bytes.LastIndexByte(data, '\n'); end >= 0 {
			return end + 1
		}
		return -1
	}
	last := -1
	for i := 0; i < len(data); {
		if data[i] == '"' {
			end := closing(data, i)
			if end < 0 {
				return last
			}
			i = end
		}
		for i < len(data) && data[i] != '\n' && !isDelimiter(data[i], delimiter) {
			i++
		}
		if i < len(data) && data[i] == '\n' {
			last = i + 1
		}
		i++
	}
	return last
}

// closing returns the position after the quotation mark that closes the one at i, or
// -1. Two marks in a row stand for one and close nothing.
func closing(data []byte, i int) int {
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

// isDelimiter tells whether c ends a field; a blank stands for blanks and tabs.
func isDelimiter(c, delimiter byte) bool {
	return c == delimiter || delimiter == ' ' && c == '\t'
}

// countLines counts the lines that hold something, an upper bound of the rows of any
// text file.
func countLines(in io.Reader) (int, error) {
	buffer := make([]byte, textBlockBytes)
	lines, content := 0, false // content: the line so far is not empty
	for {
		n, err := in.Read(buffer)
		for rest := buffer[:n]; len(rest) > 0; {
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				content = content || holds(rest) || bytes.IndexByte(rest, '\r') >= 0
				break
			}
			if content || holds(rest[:end]) {
				lines++
			}
			content, rest = false, rest[end+1:]
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return 0, err
		}
	}
	if content {
		lines++
	}
	return lines, nil
}

// holds tells whether a piece of a line is more than blanks and a line end.
func holds(piece []byte) bool {
	for i, c := range piece {
		if c != ' ' && !(c == '\r' && i == len(piece)-1) {
			return true
		}
	}
	return false
}
