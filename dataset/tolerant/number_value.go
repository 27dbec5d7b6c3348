package tolerant

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/dataset/internal/cell"
)

// evidence is what the writing of one number tells about its column.
type evidence struct {
	point, comma bool   // certainly the decimal mark
	either       byte   // '.' or ',' that may be the decimal mark or stand between thousands
	grouping     string // what stands between thousands; for an either as it was taken
	decimals     int    // digits behind the decimal mark, of 1.53e-5 as of 0.0000153
}

// mostPlaces is how many decimals a float64 of usual size has.
const mostPlaces = 15

// marking says what points and commas mean in a column where a number does not tell.
type marking struct {
	comma   bool // decimals stand behind a comma
	decimal bool // 1.234 and 1,234 both have decimals, as others have 1.5 and 1,5
}

// read reads the core of a number; the marking says what to think of 1.234 and 1,234.
func (d *dressed) read(by marking) (v float64, e evidence, ok bool) {
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
			if by.comma != (decimal == ',') && !by.decimal { // it stands between thousands
				decimal = 0
			}
		}
	}
	var room [72]byte
	text := room[:0]
	if d.negative {
		text = append(text, '-')
	}
	group, grouped, behind, exponent := 0, false, false, 0
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
			text = append(text, core[i:]...)
			exponent, _ = strconv.Atoi(string(core[i+1:]))
			i = len(core)
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
	if behind || exponent < 0 {
		e.decimals = -exponent
		if behind {
			e.decimals += group
		}
		e.decimals = min(max(e.decimals, 0), mostPlaces)
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

// Unmistakable is a number as JSON writes it so that its point cannot stand between thousands: 1.234 becomes 1.2340.
func Unmistakable(text string) string {
	core := strings.TrimPrefix(text, "-")
	if strings.Count(core, ".") == 1 && mayGroup([]byte(core), '.') {
		return text + "0"
	}
	return text
}

// hex reads 0x1F and -0x1F.
func hex(b []byte) (float64, bool) {
	if b, minus, signed := sign(b); signed && len(b) > 1 && b[1]|0x20 == 'x' {
		v, ok := hex(b)
		if minus {
			v = -v
		}
		return v, ok
	}
	if len(b) < 3 || len(b) > 18 || b[0] != '0' || b[1]|0x20 != 'x' {
		return 0, false
	}
	v, err := strconv.ParseUint(string(b[2:]), 16, 64)
	return float64(v), err == nil
}
