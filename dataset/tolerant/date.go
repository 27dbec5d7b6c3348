package tolerant

import "bytes"

// stamp is a date or time as people write it, taken apart.
type stamp struct {
	first, second, third part
	sep                  byte // between the first two parts
	parts                int
	time                 clock
	zoned                bool
	east                 int // seconds of the zone
	zone                 string
	apart                bool   // a blank stands before the zone
	weekday              string // layout of a weekday in front
	whole                string // layout of forms that have no parts in this order
	joint                string // between date and time
	bracketed            bool   // all of it stands in brackets
}

// part is one part of a date.
type part struct {
	value  int
	digits int    // 0 for the name of a month
	layout string // of the name of a month
	after  string // what follows it
}

// clock is a time of day.
type clock struct {
	given, seconds, half, pm  bool
	long                      bool // of more than a day: 36:15:00
	lap                       bool // minutes and seconds: 3:45.51
	hour, minute, second      int
	hourDigits, fractionParts int
	fraction                  float64
	layout                    string // of am and pm
	hourMark, fractionMark    byte   // behind the hour, before the fraction
	minuteMark                string // behind the minutes: "m" or "min" in 1h30m
}

// parseStamp takes a trimmed cell apart; whether its numbers make a date is asked later.
func parseStamp(b []byte) (s stamp, ok bool) {
	if n := len(b); n > 2 && b[0] == '[' && b[n-1] == ']' { // of web servers
		s, ok = parseStamp(b[1 : n-1])
		s.bracketed = true
		return s, ok
	}
	if b = cutZoneName(b); len(b) < 4 || len(b) > 48 {
		return s, false
	}
	if s.readPeriod(b) {
		return s, true
	}
	if b, ok = s.cutWeekday(b); !ok {
		return s, false
	}
	if s.weekday != "" && s.yearLast(b) {
		return s, true
	}
	digits := leadingDigits(b)
	switch {
	case digits == 8 || digits == 14 || digits == 12:
		return s.compact(b, digits)
	case digits > 4:
		return s, false
	case digits > 0 && digits < len(b) && (b[digits] == ':' || digits <= 2 && b[digits] == 'h'):
		rest, ok := s.parseTime(b)
		return s, ok && len(rest) == 0
	}
	for s.parts < 3 {
		p := s.part(s.parts)
		rest, ok := p.read(b)
		if !ok {
			return s, false
		}
		s.parts++
		b = rest
		if s.parts == 3 || len(b) == 0 {
			break
		}
		n := separation(b, p.digits == 0)
		if n == 0 && s.runsOn(b) {
			continue
		}
		if n == 0 {
			break
		}
		if s.parts == 1 {
			s.sep = b[0]
		} else if c := b[0]; c != s.sep && (c == '/' || c == '-' || s.sep == '/' || s.sep == '-') {
			break // the time of 2024-05 12:30, or nonsense
		}
		if s.parts == 2 && s.monthFirst() && b[0] == ' ' && leadingDigits(b[n:]) < 3 { // Mai 2024 12:30
			break
		}
		p.after = between(b[:n])
		b = b[n:]
	}
	if s.parts < 2 {
		return s, false
	}
	if s.parts == 3 && bytes.HasPrefix(b, []byte("日")) {
		s.third.after, b = "日", b[3:]
	}
	if len(b) == 0 {
		return s, true
	}
	n := jointLength(b)
	if n == 0 && s.parts == 3 && s.third.digits == 4 && b[0] == ':' { // 31/Jan/2024:12:30:00 of web servers
		n = 1
	}
	if n == 0 {
		return s, false
	}
	s.joint = between(b[:n])
	if b[0] == 'T' {
		s.joint = "T"
	}
	rest, ok := s.parseTime(b[n:])
	return s, ok && len(rest) == 0
}

// runsOn tells that the name of a month stands right behind the day and the year right behind the name: 31JAN2024.
func (s *stamp) runsOn(b []byte) bool {
	switch n := leadingLetters(b); s.parts {
	case 1:
		month, _ := monthNamed(b[:n])
		digits := leadingDigits(b[n:])
		return month > 0 && s.first.digits > 0 && s.first.digits < 3 && (digits == 2 || digits == 4)
	case 2:
		return s.sep == 0
	}
	return false
}

// monthFirst tells that two parts are a month and a year of four digits.
func (s *stamp) monthFirst() bool {
	return s.first.digits == 4 || s.second.digits == 4
}

func (s *stamp) part(k int) *part {
	switch k {
	case 0:
		return &s.first
	case 1:
		return &s.second
	}
	return &s.third
}

// read reads digits or the name of a month.
func (p *part) read(b []byte) (rest []byte, ok bool) {
	n := leadingDigits(b)
	if n > 4 {
		return b, false
	}
	if n > 0 {
		for _, c := range b[:n] {
			p.value = 10*p.value + int(c-'0')
		}
		p.digits = n
		return cutOrdinal(b[n:], n), true
	}
	n = leadingLetters(b)
	month, layout := monthNamed(b[:n])
	p.value, p.layout = month, layout
	return b[n:], month > 0
}

// separation is the length of what stands between two parts of a date.
func separation(b []byte, afterName bool) int {
	switch b[0] {
	case '-', '/':
		return 1
	case '.', ',':
		if len(b) > 1 && b[1] == ' ' {
			return 2
		}
		if b[0] == ',' && !afterName {
			return 0
		}
		return 1
	case ' ':
		switch {
		case bytes.HasPrefix(b, []byte(" de ")), bytes.HasPrefix(b, []byte(" of ")):
			return 4
		case len(b) > 2 && b[1] == ' ':
			return 2
		}
		return 1
	case 0xe5, 0xe6: // of 年 and 月
		if bytes.HasPrefix(b, []byte("年")) || bytes.HasPrefix(b, []byte("月")) {
			return 3
		}
	case 0xc2:
		if len(b) > 1 && b[1] == 0xa0 {
			return 2
		}
	}
	return 0
}

// jointLength is the length of what stands between date and time.
func jointLength(b []byte) int {
	n := 0
	if bytes.HasPrefix(b, []byte(" - ")) {
		return 3
	}
	if b[0] == ',' {
		n = 1
	}
	if n < len(b) && (b[n] == 'T' || b[n] == 't' || b[n] == ' ' || b[n] == '_') {
		n++
		for n < len(b) && b[n] == ' ' {
			n++
		}
		return n
	}
	return 0
}

// between is a short text as a string that is mostly not allocated.
func between(b []byte) string {
	switch string(b) {
	case "-":
		return "-"
	case "/":
		return "/"
	case ".":
		return "."
	case " ":
		return " "
	case ". ":
		return ". "
	case ", ":
		return ", "
	}
	return string(b)
}

func leadingDigits(b []byte) int {
	n := 0
	for n < len(b) && isDigit(b[n]) {
		n++
	}
	return n
}

func leadingLetters(b []byte) int {
	n := 0
	for n < len(b) && (b[n]|0x20 >= 'a' && b[n]|0x20 <= 'z' || b[n] >= 0x80 && b[n] != 0xc2 && b[n] != 0xa0) {
		n++
	}
	return n
}

// compact reads 20240131, 20240131T1230, 20240131123000.
func (s *stamp) compact(b []byte, digits int) (stamp, bool) {
	number := func(from, to int) int {
		v := 0
		for _, c := range b[from:to] {
			v = 10*v + int(c-'0')
		}
		return v
	}
	s.parts = 3
	s.first, s.second, s.third = part{value: number(0, 4), digits: 4}, part{value: number(4, 6), digits: 2}, part{value: number(6, 8), digits: 2}
	switch {
	case digits >= 12:
		s.time = clock{given: true, hour: number(8, 10), minute: number(10, 12), hourDigits: -2}
		if digits == 14 {
			s.time.seconds, s.time.second = true, number(12, 14)
		}
		return *s, len(b) == digits && s.time.possible()
	case len(b) == 8:
		return *s, true
	}
	n := jointLength(b[8:])
	if n == 0 && b[8] == '-' {
		n = 1
	}
	if n == 0 {
		return *s, false
	}
	s.joint = string(b[8 : 8+n])
	b = b[8+n:]
	if digits := leadingDigits(b); digits == 4 || digits == 6 { // 20240131T123000Z
		s.time = clock{given: true, hour: number(0, 2), minute: number(2, 4), hourDigits: -2}
		if digits == 6 {
			s.time.seconds, s.time.second = true, number(4, 6)
		}
		b = s.time.parseFraction(b[digits:])
		return *s, s.time.possible() && (len(b) == 0 || s.parseZone(b))
	}
	rest, ok := s.parseTime(b)
	return *s, ok && len(rest) == 0
}

func (s *stamp) cutWeekday(b []byte) ([]byte, bool) {
	n := leadingLetters(b)
	if n < 2 {
		return b, true
	}
	layout := weekdayNamed(b[:n])
	if layout == "" {
		return b, true
	}
	rest := bytes.TrimLeft(b[n:], "., ")
	if len(rest) == 0 || len(rest) == len(b[n:]) {
		return b, false
	}
	s.weekday = layout + string(b[n:len(b)-len(rest)])
	return rest, true
}
