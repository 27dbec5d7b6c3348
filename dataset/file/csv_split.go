package file

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/record"
)

// textBlock is a run of whole lines of a text file.
type textBlock struct {
	data   []byte
	line   int   // number of the first line, from 1
	at     int64 // bytes of the stream before it
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
	first, at := true, int64(0)
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
				read := len(data)
				data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
				at = int64(read - len(data))
			}
			if atEnd {
				cut = len(data)
			} else {
				cut = record.End(data, delimiter)
			}
		}
		block := &textBlock{data: data[:cut], line: line, at: at, buffer: buffer}
		at += int64(cut)
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
