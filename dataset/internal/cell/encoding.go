package cell

import (
	"strings"
	"unicode/utf8"
)

// windows1252 are the characters of the bytes 0x80 to 0x9f; those above are Unicode's own.
// The five bytes without a character keep their number, as browsers do.
var windows1252 = []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ")

// Decode is a cell or a name as text. Bytes that are no UTF-8 are read as Windows-1252
// (of which Latin-1 is a part), as older programs write it: different cells stay different,
// and a model file can hold them.
func Decode(cell []byte) string {
	if utf8.Valid(cell) {
		return string(cell)
	}
	var b strings.Builder
	for _, c := range cell {
		if c >= 0x80 && c < 0xa0 {
			b.WriteRune(windows1252[c-0x80])
		} else {
			b.WriteRune(rune(c))
		}
	}
	return b.String()
}

// Encode is the byte of Windows-1252 that is a character; false where there is none.
func Encode(r rune) (byte, bool) {
	if r < 0x80 || r >= 0xa0 && r <= 0xff {
		return byte(r), true
	}
	for i, w := range windows1252 {
		if w == r {
			return byte(0x80 + i), true
		}
	}
	return 0, false
}
