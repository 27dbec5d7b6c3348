package tolerant

import (
	"bytes"
	"unicode/utf8"

	"github.com/inlier-ml/inlier/internal/spill"
)

// window is how much of a text that is not in memory is looked at before its pages may be given back.
const window = 4 << 20

// windows visits a text part by part, until it is told to stop. Characters are not cut.
func windows(data []byte, visit func(at int, part []byte) (more bool)) {
	room := spill.Of(data)
	for at := 0; at < len(data); {
		end := min(at+window, len(data))
		for cut := end; cut < len(data) && end-cut < utf8.UTFMax; cut-- {
			if utf8.RuneStart(data[cut]) {
				end = cut
				break
			}
		}
		if !visit(at, data[at:end]) {
			return
		}
		room.Passed(window)
		at = end
	}
}

// indexByte is where a byte comes first; -1: nowhere.
func indexByte(data []byte, c byte) (found int) {
	found = -1
	windows(data, func(at int, part []byte) bool {
		if n := bytes.IndexByte(part, c); n >= 0 {
			found = at + n
		}
		return found < 0
	})
	return found
}

// isUTF8 tells whether a text is UTF-8 throughout.
func isUTF8(data []byte) (valid bool) {
	valid = true
	windows(data, func(_ int, part []byte) bool {
		valid = utf8.Valid(part)
		return valid
	})
	return valid
}
