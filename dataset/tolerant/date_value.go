package tolerant

import (
	"strings"
	"unicode/utf8"
)

// order is the order of day and month where only numbers stand.
type order uint8

const (
	monthFirst order = iota
	dayFirst
	yearFirst // of two digits: 24-01-31
)

// ordered tells whether the order of day and month matters, and the two numbers.
func (s *stamp) ordered() (first, second int, matters bool) {
	matters = s.parts == 3 && s.first.digits > 0 && s.first.digits < 3 && s.second.digits > 0 && s.second.digits < 3
	return s.first.value, s.second.value, matters
}

// isShort tells whether all three parts are numbers of two digits, so that even the year may stand first.
func (s *stamp) isShort() bool {
	return s.parts == 3 && s.first.digits == 2 && s.second.digits == 2 && s.third.digits == 2 && s.sep != '.'
}

// seconds since 1970 in UTC; false where there is no such day.
func (s *stamp) seconds(o order) (float64, bool) {
	time := s.time.sinceMidnight() - float64(s.east)
	if s.parts == 0 {
		return time, s.time.given
	}
	y, m, d, ok := s.civil(o)
	if !ok || m < 1 || m > 12 || d < 1 || d > monthLength(y, m) {
		return 0, false
	}
	return float64(daysSince1970(y, m, d))*86400 + time, true
}

// civil sorts the parts into year, month and day.
func (s *stamp) civil(o order) (y, m, d int, ok bool) {
	a, b, c := s.first, s.second, s.third
	if s.parts == 2 { // a month of a year
		switch {
		case a.digits == 4 && b.digits != 4 && b.digits != 1:
			return a.value, b.value, 1, a.value >= 1000
		case b.digits == 4 && a.digits != 4:
			return b.value, a.value, 1, b.value >= 1000
		}
		return 0, 0, 0, false
	}
	switch {
	case o == yearFirst && s.isShort():
		return fullYear(a), b.value, c.value, true
	case a.digits == 4 && c.digits > 0 && c.digits < 3: // 2024-01-31, 2024 Jan 31
		return a.value, b.value, c.value, b.digits < 3
	case c.digits == 0 || c.digits == 3 || c.digits == 1:
		return 0, 0, 0, false
	case a.digits == 0 && b.digits > 0 && b.digits < 3: // Jan 31, 2024
		return fullYear(c), a.value, b.value, true
	case b.digits == 0 && a.digits > 0 && a.digits < 3: // 31 Jan 2024
		return fullYear(c), b.value, a.value, true
	case a.digits == 0 || b.digits == 0 || a.digits > 2 || b.digits > 2:
		return 0, 0, 0, false
	case o != monthFirst:
		return fullYear(c), b.value, a.value, true
	}
	return fullYear(c), a.value, b.value, true
}

// fullYear takes years of two digits for 1969 to 2068, as package time does.
func fullYear(p part) int {
	switch {
	case p.digits != 2:
		return p.value
	case p.value >= 69:
		return 1900 + p.value
	}
	return 2000 + p.value
}

func monthLength(y, m int) int {
	switch m {
	case 2:
		if y%4 == 0 && (y%100 != 0 || y%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// daysSince1970 counts days of the Gregorian calendar.
func daysSince1970(y, m, d int) int {
	if m <= 2 {
		y--
		m += 12
	}
	era := y / 400
	if y < 0 {
		era = (y - 399) / 400
	}
	yearOfEra := y - era*400
	dayOfYear := (153*(m-3)+2)/5 + d - 1
	return era*146097 + yearOfEra*365 + yearOfEra/4 - yearOfEra/100 + dayOfYear - 719468
}

// layout writes how the stamp is written in the manner of package time.
func (s *stamp) layout(o order) string {
	if s.bracketed {
		within := *s
		within.bracketed = false
		return "[" + within.layout(o) + "]"
	}
	if s.whole != "" {
		return s.whole
	}
	var b strings.Builder
	b.WriteString(s.weekday)
	for k := range s.parts {
		p := s.part(k)
		b.WriteString(s.partLayout(k, o))
		b.WriteString(p.after)
	}
	if s.time.given {
		b.WriteString(s.joint)
		b.WriteString(s.time.layoutText())
		if s.zoned {
			if s.apart || strings.HasPrefix(s.zone, "M") {
				b.WriteString(" ")
			}
			b.WriteString(s.zone)
		}
	}
	return b.String()
}

func (s *stamp) partLayout(k int, o order) string {
	p := s.part(k)
	year := "2006"
	if p.digits == 2 {
		year = "06"
	}
	day, month := "02", "01"
	if p.digits == 1 {
		day, month = "2", "1"
	}
	switch {
	case p.digits == 0:
		return p.layout
	case p.digits == 4:
		return year
	case s.first.digits == 4 || o == yearFirst && s.isShort():
		if k == 0 {
			return year
		}
		if k == 1 {
			return month
		}
		return day
	case k == 2:
		return year
	case s.parts == 2:
		return month
	case s.first.digits == 0 || s.second.digits == 0:
		return day
	case (k == 0) == (o != monthFirst):
		return day
	}
	return month
}

// monthNamed finds a month by its name in English, German, French, Spanish, Italian or Dutch.
func monthNamed(b []byte) (month int, layout string) {
	if len(b) < 3 || len(b) > 12 {
		return 0, ""
	}
	name := strings.ToLower(string(b))
	month = months[name]
	if month == 0 {
		return 0, ""
	}
	switch name { // short, but whole
	case "may", "mai", "mei", "mayo", "juni", "juli", "june", "july", "juin", "août", "mars", "märz":
		return month, "January"
	}
	if utf8.RuneCountInString(name) <= 4 {
		if b[0] < 'a' && b[1] < 'a' {
			return month, "JAN"
		}
		return month, "Jan"
	}
	return month, "January"
}

var months = monthNames(
	"jan january januar jän jänner jaenner janv janvier janeiro ene enero gen gennaio januari",
	"feb february februar feber févr fév fevr février fevrier febrero fevereiro fev febbraio februari",
	"mar march mär märz mrz maerz mars março marco marzo maart",
	"apr april avr avril abr abril aprile",
	"may mai mayo maio mag maggio mei",
	"jun june juni juin junio junho giu giugno",
	"jul july juli juil juillet julio julho lug luglio",
	"aug august août aout ago agosto augustus",
	"sep sept september septembre septiembre setembro set settembre",
	"oct october okt oktober octobre octubre outubro out ott ottobre",
	"nov november novembre noviembre novembro",
	"dec december dez dezember déc décembre decembre dic dezembro diciembre dicembre",
)

func monthNames(lists ...string) map[string]int {
	all := map[string]int{}
	for m, list := range lists {
		for name := range strings.FieldsSeq(list) {
			all[name] = m + 1
		}
	}
	return all
}

// weekdayNamed is the layout of a weekday's name, in English or German; empty for other words.
func weekdayNamed(b []byte) string {
	switch name := strings.ToLower(string(b)); name {
	case "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag":
		return "Monday"
	case "mon", "tue", "wed", "thu", "fri", "sat", "sun", "mo", "di", "mi", "do", "fr", "sa", "so", "tues", "thur", "thurs":
		return "Mon"
	}
	return ""
}
