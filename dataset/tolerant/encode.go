package tolerant

import (
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/inlier-ml/inlier/dataset/internal/cell"
)

// encoder writes UTF-8 in the encoding that a file had.
type encoder struct {
	to   encoding
	w    io.Writer
	rest []byte // of a character that has not come whole
	room []byte
}

// encoded is where UTF-8 is to be written so that it comes out as in the file. Files of mixed encodings become UTF-8.
func encoded(w io.Writer, e encoding) (io.Writer, error) {
	plain := e.name == "" || e.name == "utf-8" || e.mixed
	if plain && !e.marked && !e.returns {
		return w, nil
	}
	if plain {
		e.name = "utf-8"
	}
	out := &encoder{to: e, w: w}
	if e.marked {
		_, err := out.Write([]byte(byteOrderMark))
		return out, err
	}
	return out, nil
}

func (e *encoder) Write(p []byte) (int, error) {
	text := append(e.rest, p...)
	e.room = e.room[:0]
	for len(text) > 0 && utf8.FullRune(text) {
		r, n := utf8.DecodeRune(text)
		if r == '\n' && e.to.returns {
			r = '\r'
		}
		if r == utf8.RuneError && n == 1 {
			e.room = append(e.room, text[0])
		} else {
			e.room = e.to.append(e.room, r)
		}
		text = text[n:]
	}
	e.rest = append([]byte(nil), text...)
	if _, err := e.w.Write(e.room); err != nil {
		return 0, err
	}
	return len(p), nil
}

// append appends a character.
func (e encoding) append(to []byte, r rune) []byte {
	switch e.name {
	case "utf-16le", "utf-16be":
		for _, u := range utf16.AppendRune(nil, r) {
			if e.name == "utf-16be" {
				to = append(to, byte(u>>8), byte(u))
			} else {
				to = append(to, byte(u), byte(u>>8))
			}
		}
		return to
	case "windows-1252":
		if c, ok := cell.Encode(r); ok {
			return append(to, c)
		}
	}
	return utf8.AppendRune(to, r)
}
