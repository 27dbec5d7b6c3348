package tolerant

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/inlier-ml/inlier/dataset/internal/cell"
	"github.com/inlier-ml/inlier/internal/spill"
)

// encoding is how a file's bytes make its characters, so that they can be made again.
type encoding struct {
	name    string // as in Options
	marked  bool   // it begins with a byte-order mark
	returns bool   // lines end with carriage returns alone
	mixed   bool   // some lines are UTF-8 and others Windows-1252
}

// decode makes UTF-8 with line feeds of any text, in place where it can, and says in which encoding
// it was.
func decode(data []byte, forced string) (text []byte, e encoding) {
	e.name = forced
	if e.name == "" {
		e.name = guessEncoding(data)
	}
	switch e.name {
	case "utf-16le", "utf-16be":
		data = shrunk(data, fromUTF16(data, e.name == "utf-16be"))
	case "windows-1252":
		var out []byte
		out, e.mixed = fromWindows(data, forced != "")
		data = shrunk(data, out)
	}
	for bytes.HasPrefix(data, []byte(byteOrderMark)) { // twice, where files were put together
		data, e.marked = data[len(byteOrderMark):], true
	}
	data = bytes.TrimRight(data, "\x00") // of files whose room was taken before they were filled
	e.returns = indexByte(data, '\n') < 0
	endLines(data)
	return data, e
}

// shrunk is a text that another was made to, which is no longer needed.
func shrunk(from, to []byte) []byte {
	spill.Free(from)
	return to
}

const byteOrderMark = "\ufeff"

// endLines makes line feeds of carriage returns that end lines alone: those of old Macs, and of files put together of
// several.
func endLines(data []byte) {
	for at := 0; ; {
		n := indexByte(data[at:], '\r')
		if n < 0 {
			return
		}
		at += n
		if at+1 < len(data) && data[at+1] == '\n' || at+1 == len(data) {
			at++
			continue
		}
		data[at] = '\n'
	}
}

func guessEncoding(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return "utf-16le"
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return "utf-16be"
	}
	head := data[:min(len(data), 4096)&^1]
	var zeros [2]int
	for i, c := range head {
		if c == 0 {
			zeros[i&1]++
		}
	}
	half := len(head) / 2
	switch {
	case half > 1 && zeros[1]*10 >= half*6 && zeros[0]*10 < half:
		return "utf-16le"
	case half > 1 && zeros[0]*10 >= half*6 && zeros[1]*10 < half:
		return "utf-16be"
	case isUTF8(data):
		return "utf-8"
	}
	return "windows-1252"
}

func fromUTF16(data []byte, big bool) []byte {
	low, high := 0, 1
	if big {
		low, high = 1, 0
	}
	out := make([]byte, 0, len(data)/2+len(data)/8)
	if room := spill.Of(data); room != nil {
		out = spill.Make[byte](room, len(data)/2*3+3)[:0] // no character takes more
	}
	unit := func(i int) rune { return rune(data[i+low]) | rune(data[i+high])<<8 }
	for i := 0; i+1 < len(data); i += 2 {
		r := unit(i)
		if utf16.IsSurrogate(r) && i+3 < len(data) {
			if pair := utf16.DecodeRune(r, unit(i+2)); pair != utf8.RuneError {
				r = pair
				i += 2
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

// fromWindows decodes the lines that are no UTF-8, or all; files that were put together of several can
// hold both.
func fromWindows(data []byte, all bool) (out []byte, mixed bool) {
	room := spill.Of(data)
	out = spill.Make[byte](room, len(data)+len(data)/16)[:0]
	for line := range bytes.Lines(data) {
		if all && utf8.Valid(line) {
			for _, c := range line { // each byte is a character
				if c < 0x80 {
					out = spill.Append(room, out, c)
				} else {
					out = spill.Append(room, out, []byte(cell.Decode([]byte{c}))...)
				}
			}
			continue
		}
		valid := utf8.Valid(line)
		mixed = mixed || valid && !isASCII(line)
		if valid {
			out = spill.Append(room, out, line...)
			continue
		}
		out = spill.Append(room, out, []byte(cell.Decode(line))...)
	}
	return out, mixed
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
