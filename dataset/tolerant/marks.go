package tolerant

import (
	"bytes"
	"strings"

	"github.com/inlier-ml/inlier/dataset/internal/cell"
)

// marks are the texts, in small letters, that say that there is no value.
var marks = map[string]bool{
	"": true, "na": true, "n/a": true, "n.a.": true, "n.a": true, "#n/a": true, "#na": true, "<na>": true,
	"-": true, "--": true, "---": true, "–": true, "—": true, "−": true, "?": true, "??": true, ".": true, "..": true, "...": true, "…": true,
	"none": true, "null": true, "(null)": true, "#null!": true, "nil": true, "nan": true, "-nan": true, "1.#qnan": true, "-1.#ind": true, `\n`: true,
	"missing": true, "(missing)": true, "not available": true, "n.d.": true, "k.a.": true, "k. a.": true, "k.a": true, "keine angabe": true,
	"#value!": true, "#ref!": true, "#div/0!": true, "#name?": true, "#num!": true, "nat": true, "#nv": true, "#spill!": true, "#calc!": true, "#getting_data": true, "#field!": true, "#wert!": true, "#bezug!": true, "#zahl!": true, "s/d": true, "n/d": true, "(none)": true, "0000-00-00": true, "0000-00-00 00:00:00": true,
	"(blank)": true, "(leer)": true,
}

// longestMark is the length of the longest of them in bytes.
const longestMark = 19

// missing knows what counts as no value: the usual marks and the user's.
type missing struct{ more map[string]bool }

func newMissing(o *Options) missing {
	m := missing{}
	for _, mark := range o.Missing {
		if m.more == nil {
			m.more = map[string]bool{}
		}
		m.more[strings.ToLower(strings.TrimSpace(mark))] = true
	}
	return m
}

// is tells whether a trimmed cell says that there is no value.
func (m missing) is(b []byte) bool {
	if len(b) == 0 {
		return true
	}
	if m.more != nil && m.more[strings.ToLower(string(b))] {
		return true
	}
	if len(b) > longestMark {
		return false
	}
	var room [longestMark]byte
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		room[i] = c
	}
	return marks[string(room[:len(b)])]
}

// trim takes blanks of every kind off both ends.
func trim(b []byte) []byte {
	b = cell.Trim(b)
	if len(b) == 0 {
		return b
	}
	if first, last := b[0], b[len(b)-1]; first > ' ' && first < 0x80 && last > ' ' && last < 0x80 {
		return b
	}
	return bytes.TrimSpace(bytes.Trim(b, "\u00a0\u202f\u2009\u2007\u200b\u200e\u200f\u2060\ufeff"))
}
