package tolerant

import "strings"

// parseTime reads 12:30, 12:30:15.25, 3:45.51, 1h30m, 1:30 pm and a zone behind it.
func (s *stamp) parseTime(b []byte) (rest []byte, ok bool) {
	t := &s.time
	if digits := leadingDigits(b); s.parts == 0 && (digits == 3 || digits == 4) {
		t.hour, t.hourDigits, b = wholeNumber(b[:digits]), digits, b[digits:]
	} else if t.hour, t.hourDigits, b = smallNumber(b); t.hourDigits == 0 {
		return b, false
	}
	t.given = true
	if len(b) > 0 && (b[0] == ':' || b[0] == 'h') {
		n := 0
		t.hourMark = b[0]
		t.minute, n, b = smallNumber(b[1:])
		if t.hourMark == 'h' && n > 0 && (string(b) == "m" || string(b) == "min") { // 1h30m, 1h5m
			t.minuteMark, b, n = string(b), nil, 2
		}
		if n != 2 {
			return b, false
		}
		if len(b) > 0 && b[0] == ':' {
			if t.second, n, b = smallNumber(b[1:]); n != 2 {
				return b, false
			}
			t.seconds = true
			b = t.parseFraction(b)
		} else if rest := t.parseFraction(b); len(rest) < len(b) && s.parts == 0 && t.hourMark == ':' {
			t.hour, t.minute, t.second, b = 0, t.hour, t.minute, rest
			t.seconds, t.lap = true, true
			return b, len(b) == 0 && t.second < 60
		}
	} else if n := leadingLetters(trim(b)); n != 2 { // 5 pm has an hour alone
		return b, false
	}
	b = t.parseHalf(b)
	t.long = s.parts == 0 && (t.seconds || t.minuteMark != "") && !t.half && t.hour >= 24
	if !t.possible() {
		return b, false
	}
	if len(b) == 0 {
		return b, true
	}
	return nil, s.parseZone(b)
}

func (s *stamp) parseZone(b []byte) bool {
	if b[0] == ' ' {
		b, s.apart = b[1:], true
	}
	if len(b) == 0 {
		return false
	}
	n := leadingLetters(b)
	if n > 0 && n == len(b) {
		if strings.EqualFold(string(b), "uhr") {
			s.zoned, s.zone = true, string(b)
			return true
		}
		east, known := zones[strings.ToUpper(string(b))]
		s.zoned, s.east, s.zone = known, int(east*3600), "MST"
		if len(b) == 1 {
			s.zone = "Z07:00"
		}
		return known
	}
	prefix := ""
	if name := string(b[:n]); n > 0 && (name == "GMT" || name == "UTC") { // GMT+2
		b, prefix = b[n:], name
	}
	if b[0] != '+' && b[0] != '-' {
		return false
	}
	hours, n, rest := smallNumber(b[1:])
	if n == 0 || hours > 14 {
		return false
	}
	minutes := 0
	s.zone = prefix + "-07"
	if len(rest) > 0 {
		s.zone = prefix + "-0700"
		if rest[0] == ':' {
			rest, s.zone = rest[1:], prefix+"-07:00"
		}
		if minutes, n, rest = smallNumber(rest); n != 2 || minutes > 59 || len(rest) > 0 {
			return false
		}
	}
	s.zoned, s.east = true, hours*3600+minutes*60
	if b[0] == '-' {
		s.east = -s.east
	}
	return true
}

// zones are hours east of Greenwich.
var zones = map[string]float64{
	"Z": 0, "UTC": 0, "GMT": 0, "WET": 0, "CET": 1, "MEZ": 1, "BST": 1, "CEST": 2, "MESZ": 2, "EET": 2, "EEST": 3, "MSK": 3, "IST": 5.5, "JST": 9,
	"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
}

// partLasting reads hours or minutes alone where others have both: 2h and 45m beside 1h30m.
func partLasting(b []byte) (seconds float64, ok bool) {
	n := leadingDigits(b)
	if n == 0 || n > 4 {
		return 0, false
	}
	switch string(b[n:]) {
	case "h":
		return float64(3600 * wholeNumber(b[:n])), true
	case "m", "min":
		return float64(60 * wholeNumber(b[:n])), true
	}
	return 0, false
}

// smallNumber reads one or two digits.
func smallNumber(b []byte) (v, digits int, rest []byte) {
	for digits < 2 && digits < len(b) && isDigit(b[digits]) {
		v = 10*v + int(b[digits]-'0')
		digits++
	}
	return v, digits, b[digits:]
}

func (t *clock) parseFraction(b []byte) []byte {
	if len(b) < 2 || b[0] != '.' && b[0] != ',' || !isDigit(b[1]) {
		return b
	}
	n := 1 + leadingDigits(b[1:])
	unit := 0.1
	for _, c := range b[1:n] {
		t.fraction += unit * float64(c-'0')
		unit /= 10
	}
	t.fractionParts, t.fractionMark = n-1, b[0]
	return b[n:]
}

// parseHalf reads am and pm.
func (t *clock) parseHalf(b []byte) []byte {
	half := b
	blank := ""
	if len(half) > 0 && half[0] == ' ' {
		half, blank = half[1:], " "
	}
	if len(half) < 2 || half[1]|0x20 != 'm' && half[1] != '.' {
		return b
	}
	length := 2
	switch {
	case len(half) >= 4 && half[1] == '.' && half[2]|0x20 == 'm' && half[3] == '.': // a.m.
		length = 4
	case half[1] == '.':
		return b
	}
	switch half[0] | 0x20 {
	case 'a':
	case 'p':
		t.pm = true
	default:
		return b
	}
	t.half, t.layout = true, blank+"PM"
	if half[0] >= 'a' {
		t.layout = blank + "pm"
	}
	return half[length:]
}

// possible tells whether there is such a time.
func (t *clock) possible() bool {
	if t.half {
		return t.hour >= 1 && t.hour <= 12 && t.minute < 60 && t.second < 60
	}
	return (t.hour < 24 || t.long || t.hour == 24 && t.minute == 0 && t.second == 0) && t.minute < 60 && t.second <= 60
}

// seconds since midnight.
func (t *clock) sinceMidnight() float64 {
	hour := t.hour
	if t.half {
		hour %= 12
		if t.pm {
			hour += 12
		}
	}
	return float64(hour*3600+t.minute*60+t.second) + t.fraction
}

// layoutText is the time in the manner of package time.
func (t *clock) layoutText() string {
	hour := "15"
	switch {
	case t.lap:
		hour = "04"
		if t.hourDigits == 1 {
			hour = "4"
		}
		return hour + ":05" + string(rune(t.fractionMark)) + strings.Repeat("0", t.fractionParts)
	case t.half && t.hourDigits == 1:
		hour = "3"
	case t.half:
		hour = "03"
	case t.hourDigits < 0:
		if t.seconds {
			return "150405"
		}
		return "1504"
	}
	text := hour
	if t.minute > 0 || !t.half || t.seconds {
		if t.hourMark == 'h' {
			text += "h04" + t.minuteMark
		} else {
			text += ":04"
		}
	}
	if t.seconds {
		text += ":05"
		if t.fractionParts > 0 {
			text += string(rune(t.fractionMark)) + strings.Repeat("0", t.fractionParts)
		}
	}
	return text + t.layout
}
