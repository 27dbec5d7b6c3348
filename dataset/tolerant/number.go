package tolerant

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/inlier-ml/inlier/dataset/internal/cell"
)

// dressed is a number as people write it, taken apart.
type dressed struct {
	core     []byte // digits, what separates them, an exponent
	unit     []byte // what stands before or behind, without blanks
	before   bool   // the unit stands before
	negative bool
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
		if len(b) > 2 && b[1] == 0x80 && (b[2] == 0xaf || b[2] == 0x89 || b[2] == 0x99) { // narrow and thin blank, ’
			return 3
		}
	}
	return 0
}

// money are names of currencies that stand before or behind amounts.
var money = map[string]string{
	"usd": "$", "us$": "$", "eur": "€", "euro": "€", "euros": "€", "gbp": "£", "jpy": "¥", "yen": "¥", "chf": "", "sfr": "", "fr": "", "fr.": "", "sek": "", "nok": "", "dkk": "",
	"kr": "", "kr.": "", "cad": "", "c$": "", "aud": "", "a$": "", "nz$": "", "nzd": "", "hk$": "", "hkd": "", "sgd": "", "s$": "", "inr": "₹", "rs": "₹", "rs.": "₹", "cny": "", "rmb": "",
	"brl": "r$", "r$": "", "pln": "", "zł": "", "czk": "", "kč": "", "huf": "", "ft": "", "rub": "₽", "try": "₺", "zar": "", "mxn": "", "mx$": "", "ils": "₪", "krw": "₩", "thb": "฿", "dm": "",
}

// isMoney tells whether a text is a sign or the name of a currency.
func isMoney(b []byte) bool {
	if onlySymbols(b) && len(b) > 0 {
		return true
	}
	if len(b) > 5 {
		return false
	}
	_, known := money[strings.ToLower(string(b))]
	return known
}

// onlySymbols tells whether a text holds nothing but signs of currencies and blanks.
func onlySymbols(b []byte) bool {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r != ' ' && !unicode.Is(unicode.Sc, r) {
			return false
		}
		b = b[n:]
	}
	return true
}

// isUnit tells whether a text behind a number may be its unit: %, €, kg, m/s², °C, rpm.
func isUnit(b []byte) bool {
	if len(b) > 16 {
		return false
	}
	letters := 0
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		switch {
		case unicode.IsLetter(r):
			letters++
		case r == '%', r == '‰', r == '°', r == 'º', r == '"', r == '\'', r == '″', r == '′', r == '²', r == '³', unicode.Is(unicode.Sc, r):
			letters++
		case i > 0 && (r == '/' || r == '.' || r == '·' || r == '^' || r == '*' || isDigit(b[i])):
		default:
			return false
		}
		i += n
	}
	return letters > 0 && letters <= 10
}

// sameUnit tells whether two units are the same in other writing: EUR and €, KG and kg.
func sameUnit(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	if bytes.EqualFold(a, b) {
		return true
	}
	return plainUnit(a) == plainUnit(b)
}

func plainUnit(b []byte) string {
	unit := strings.TrimSuffix(strings.ToLower(string(b)), ".")
	if sign := money[unit]; sign != "" {
		return sign
	}
	return unit
}

// evidence is what the writing of one number tells about its column.
type evidence struct {
	point, comma bool   // certainly the decimal mark
	either       byte   // '.' or ',' that may be the decimal mark or stand between thousands
	grouping     string // what stands between thousands; for an either as it was taken
	decimals     int    // digits behind the decimal mark
}

// read reads the core of a number; comma says what to think of 1.234 and 1,234.
func (d *dressed) read(comma bool) (v float64, e evidence, ok bool) {
	core := d.core
	points, commas := bytes.Count(core, []byte{'.'}), bytes.Count(core, []byte{','})
	decimal := byte(0) // the decimal mark
	switch {
	case points+commas == 0:
	case points > 0 && commas > 0:
		decimal = '.'
		if bytes.LastIndexByte(core, ',') > bytes.LastIndexByte(core, '.') {
			decimal = ','
		}
	case points+commas == 1:
		decimal = '.'
		if commas > 0 {
			decimal = ','
		}
		if mayGroup(core, decimal) {
			e.either = decimal
			if comma != (decimal == ',') { // it stands between thousands
				decimal = 0
			}
		}
	}
	var room [72]byte
	text := room[:0]
	if d.negative {
		text = append(text, '-')
	}
	group, grouped, behind := 0, false, false
	for i := 0; i < len(core); {
		c := core[i]
		switch {
		case isDigit(c):
			text = append(text, c)
			group++
			i++
		case c == decimal && !behind:
			if grouped && group != 3 {
				return 0, e, false
			}
			text = append(text, '.')
			behind, group = true, 0
			i++
		case c == 'e' || c == 'E':
			if behind {
				e.decimals = group
			}
			text = append(text, core[i:]...)
			i = len(core)
			if grouped && !behind {
				return 0, e, false
			}
			behind, decimal = true, 0
		default:
			n := separator(core[i:])
			if behind || n == 0 || group == 0 || group > 3 || grouped && group < 3 && !(c == ',' && group == 2) || e.grouping != "" && e.grouping != string(core[i:i+n]) {
				return 0, e, false
			}
			if e.grouping == "" {
				e.grouping = groupings(core[i : i+n])
			}
			grouped, group = true, 0
			i += n
		}
	}
	if grouped && !behind && group != 3 {
		return 0, e, false
	}
	if behind && decimal != 0 {
		e.decimals = group
	}
	if e.either == 0 {
		e.point, e.comma = decimal == '.' || e.grouping == ",", decimal == ',' || e.grouping == "."
	}
	v, kind := cell.Parse(text)
	return v, e, kind == cell.Number
}

// groupings are the usual separators, so that none is allocated.
func groupings(b []byte) string {
	switch b[0] {
	case '.':
		return "."
	case ',':
		return ","
	case ' ':
		return " "
	case '\'':
		return "'"
	}
	return string(b)
}

// mayGroup tells whether the one mark in a number may stand between thousands: 1.234, but not 0.125,
// 12.5, 1234.567 or 1'234.567.
func mayGroup(core []byte, mark byte) bool {
	at := bytes.IndexByte(core, mark)
	if at < 1 || at > 3 || core[0] == '0' || len(core) != at+4 {
		return false
	}
	for i, c := range core {
		if i != at && !isDigit(c) {
			return false
		}
	}
	return true
}

// hex reads 0x1F.
func hex(b []byte) (float64, bool) {
	if len(b) < 3 || len(b) > 18 || b[0] != '0' || b[1]|0x20 != 'x' {
		return 0, false
	}
	v, err := strconv.ParseUint(string(b[2:]), 16, 64)
	return float64(v), err == nil
}
