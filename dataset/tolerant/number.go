package tolerant

import "bytes"

// dressed is a number as people write it, taken apart.
type dressed struct {
	core     []byte // digits, what separates them, an exponent
	unit     []byte // what stands before or behind, without blanks
	before   bool   // the unit stands before
	negative bool
	limit    bool // only known to be below or above, or about: <0.1
}

// undress takes apart a trimmed cell that may be a number: -1,234.50, $ 12, (3.4), 5-, 12 %, 7 kg,
// EUR 1.234,50. It does not look at how digits are grouped.
func undress(b []byte) (d dressed, ok bool) {
	if len(b) > 64 || len(b) == 0 {
		return d, false
	}
	if b[len(b)-1] == ')' {
		if at := bytes.IndexByte(b, '('); at >= 0 && onlySymbols(b[:at]) { // $(12.50) and (12.50)
			var room [64]byte
			b = trim(append(append(room[:0], b[:at]...), b[at+1:len(b)-1]...))
			d.negative = true
		}
	}
	if len(b) == 0 {
		return d, false
	}
	if b, d.limit = cutLimit(b); len(b) == 0 {
		return d, false
	}
	b, minus, signed := sign(b)
	start := firstDigit(b)
	if start < 0 || start > 12 {
		return d, false
	}
	before := trim(b[:start])
	if len(before) > 0 && !signed {
		rest, m, s := cutSignBehind(before) // $-5
		before, minus, signed = rest, m, s
	}
	end, digits := coreEnd(b[start:])
	if digits == 0 {
		return d, false
	}
	d.core = b[start : start+end]
	behind := trim(b[start+end:])
	if n := len(behind); n > 0 && !signed && !d.negative && behind[n-1] == '-' { // 5-, 5 €-
		behind, minus, signed = trim(behind[:n-1]), true, true
	}
	if minus && d.negative {
		return d, false
	}
	d.negative = d.negative || minus
	switch {
	case len(before) > 0 && len(behind) > 0:
		return d, false
	case len(before) > 0:
		d.unit, d.before = before, true
		return d, isMoney(before)
	case len(behind) > 0:
		d.unit = behind
		return d, isUnit(behind)
	}
	return d, true
}

// cutLimit takes off what says that a number is a limit, or not exact: <0.1, ≥ 5, ~3.
func cutLimit(b []byte) (rest []byte, limit bool) {
	for _, mark := range [...]string{"<=", ">=", "<", ">", "≤", "≥", "~", "≈"} {
		if bytes.HasPrefix(b, []byte(mark)) {
			return trim(b[len(mark):]), true
		}
	}
	return b, false
}

// sign takes a sign off the front: a hyphen, a minus, a dash, a plus.
func sign(b []byte) (rest []byte, minus, signed bool) {
	switch {
	case b[0] == '-':
		return trim(b[1:]), true, true
	case b[0] == '+':
		return trim(b[1:]), false, true
	case bytes.HasPrefix(b, []byte("−")), bytes.HasPrefix(b, []byte("–")):
		return trim(b[3:]), true, true
	}
	return b, false, false
}

func cutSignBehind(b []byte) (rest []byte, minus, signed bool) {
	n := len(b)
	switch {
	case b[n-1] == '-':
		return trim(b[:n-1]), true, true
	case b[n-1] == '+':
		return trim(b[:n-1]), false, true
	case bytes.HasSuffix(b, []byte("−")):
		return trim(b[:n-3]), true, true
	}
	return b, false, false
}

// firstDigit is where the first digit stands, or the mark before it of .5 and ,5.
func firstDigit(b []byte) int {
	for i, c := range b {
		if isDigit(c) {
			if i > 0 && (b[i-1] == '.' || b[i-1] == ',') && (i == 1 || b[i-2] == ' ' || b[i-2] >= 0x80 || b[i-2] == '$') {
				return i - 1
			}
			return i
		}
	}
	return -1
}

func isDigit(c byte) bool { return c-'0' <= 9 }

// coreEnd is the end of the digits with what separates them and an exponent, and how many digits
// there are.
func coreEnd(b []byte) (end, digits int) {
	for end < len(b) {
		if isDigit(b[end]) {
			end++
			digits++
			continue
		}
		n := separator(b[end:])
		if n == 0 || end+n >= len(b) || !isDigit(b[end+n]) {
			break
		}
		if c := b[end]; c != '.' && c != ',' && !threeDigits(b[end+n:]) { // blanks and apostrophes group
			break
		}
		end += n
	}
	if end < len(b) && b[end] == '.' && end+1 == len(b) { // 5.
		return end + 1, digits
	}
	if end+1 < len(b) && (b[end] == 'e' || b[end] == 'E') && digits > 0 {
		at := end + 1
		if at < len(b) && (b[at] == '-' || b[at] == '+') {
			at++
		}
		from := at
		for at < len(b) && isDigit(b[at]) {
			at++
		}
		if at > from && at-from < 5 {
			return at, digits
		}
	}
	return end, digits
}

// threeDigits tells whether just three digits come next.
func threeDigits(b []byte) bool {
	return len(b) >= 3 && isDigit(b[0]) && isDigit(b[1]) && isDigit(b[2]) && (len(b) == 3 || !isDigit(b[3]))
}

// separator is the length of what may stand between digits; 0 for other things.
func separator(b []byte) int {
	switch b[0] {
	case '.', ',', '\'', ' ':
		return 1
	case 0xc2:
		if len(b) > 1 && b[1] == 0xa0 { // no-break blank
			return 2
		}
	case 0xe2:
		if len(b) > 2 && b[1] == 0x80 && (b[2] == 0xaf || b[2] == 0x89 || b[2] == 0x87 || b[2] == 0x99) { // narrow, thin and figure blank, ’
			return 3
		}
	}
	return 0
}
