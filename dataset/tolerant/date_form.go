package tolerant

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/inlier-ml/inlier/internal/spill"
)

// readPeriod reads weeks and quarters: 2024-W05, 2024W05, 2024-W05-3, 2024-Q1, Q1 2024. They are their first day.
func (s *stamp) readPeriod(b []byte) bool {
	year, layout := 0, ""
	switch {
	case leadingDigits(b) == 4 && len(b) >= 6:
		year, layout = wholeNumber(b[:4]), "2006"
		b = b[4:]
		if b[0] == '-' || b[0] == ' ' {
			layout += string(b[:1])
			b = b[1:]
		}
	case b[0]|0x20 == 'q' && len(b) == 7 && (b[2] == ' ' || b[2] == '-' || b[2] == '/') && leadingDigits(b[3:]) == 4:
		year, layout = wholeNumber(b[3:]), "Q0"+string(b[2:3])+"2006"
		b = b[:2]
	default:
		return false
	}
	if len(b) < 2 || year < 1000 {
		return false
	}
	day := 0 // since 1970
	switch digits := leadingDigits(b[1:]); {
	case b[0]|0x20 == 'q' && len(b) == 2 && b[1] >= '1' && b[1] <= '4':
		day = daysSince1970(year, 3*int(b[1]-'1')+1, 1)
		if layout[0] != 'Q' {
			layout += "Q0"
		}
	case b[0]|0x20 == 'w' && digits == 2 && (len(b) == 3 || len(b) == 5 && b[3] == '-' && b[4] >= '1' && b[4] <= '7'):
		week := wholeNumber(b[1:3])
		fourth := daysSince1970(year, 1, 4) // is in the first week
		day = fourth - (fourth+3)%7 + 7*(week-1)
		if week < 1 || week > 53 || week == 53 && day+3 >= daysSince1970(year+1, 1, 1) { // a week belongs to the year of its Thursday
			return false
		}
		layout += "W00"
		if len(b) == 5 {
			day += int(b[4] - '1')
			layout += "-0"
		}
	default:
		return false
	}
	at := time.Unix(int64(day)*86400, 0).UTC()
	s.parts, s.whole = 3, layout
	s.first, s.second, s.third = part{value: at.Year(), digits: 4}, part{value: int(at.Month()), digits: 2}, part{value: at.Day(), digits: 2}
	return true
}

func wholeNumber(digits []byte) int {
	v := 0
	for _, c := range digits {
		v = 10*v + int(c-'0')
	}
	return v
}

// yearLast reads what stands behind a weekday where the year comes last: Jan 31 12:30:00 UTC 2024.
func (s *stamp) yearLast(b []byte) bool {
	fields := bytes.Fields(b)
	n := len(fields)
	if n != 4 && n != 5 || len(fields[n-1]) != 4 || leadingDigits(fields[n-1]) != 4 || bytes.IndexByte(fields[2], ':') < 0 {
		return false
	}
	sorted := [][]byte{fields[0], fields[1], fields[n-1], fields[2]}
	layout := "Mon Jan _2 15:04:05 2006"
	if n == 5 {
		sorted = append(sorted, fields[3])
		layout = "Mon Jan _2 15:04:05 MST 2006"
	}
	found, ok := parseStamp(bytes.Join(sorted, []byte{' '}))
	if !ok || found.first.digits != 0 {
		return false
	}
	*s = found
	s.whole = layout
	return true
}

// cutZoneName takes off the name of a zone in brackets behind a stamp, which only repeats its zone.
func cutZoneName(b []byte) []byte {
	n := len(b)
	if n < 12 || b[n-1] != ']' && b[n-1] != ')' {
		return b
	}
	open := byte('[')
	if b[n-1] == ')' {
		open = '('
	}
	at := bytes.LastIndexByte(b, open)
	if at < 10 || bytes.IndexByte(b[:at], ':') < 0 {
		return b
	}
	return bytes.TrimRight(b[:at], " ")
}

// cutOrdinal takes off what makes 1 first: 1st, 2nd, 3rd, 4th.
func cutOrdinal(b []byte, digits int) []byte {
	if digits > 2 || len(b) < 2 || len(b) > 2 && b[2]|0x20 >= 'a' && b[2]|0x20 <= 'z' {
		return b
	}
	switch string(bytes.ToLower(b[:2])) {
	case "st", "nd", "rd", "th":
		return b[2:]
	}
	return b
}

// FormatDate writes seconds since 1970 in the layout of a column of dates: that of package time, W00 for weeks, Q0 for
// quarters, JAN for months in capitals, and more than 24 hours where there is no day.
func FormatDate(layout string, seconds float64) string {
	whole := math.Floor(seconds)
	at := time.Unix(int64(whole), 1000*int64(math.Round((seconds-whole)*1e6))).UTC() // float64 holds microseconds of our time
	switch {
	case strings.Contains(layout, "W00"):
		year, week := at.ISOWeek()
		return strings.NewReplacer("2006", strconv.Itoa(year), "W00", "W"+twoDigits(week), "-0", "-"+strconv.Itoa((int(at.Weekday())+6)%7+1)).Replace(layout)
	case strings.Contains(layout, "JAN"):
		return strings.ToUpper(at.Format(strings.Replace(layout, "JAN", "Jan", 1)))
	case lap(layout) && seconds >= 3600: // 72:30.5 are minutes
		return strconv.FormatInt(int64(whole)/60, 10) + at.Format(layout[strings.IndexByte(layout, ':'):])
	case strings.Contains(layout, "Q0"):
		return strings.NewReplacer("2006", strconv.Itoa(at.Year()), "Q0", "Q"+strconv.Itoa((int(at.Month())+2)/3)).Replace(layout)
	case strings.HasPrefix(layout, "15") && !strings.Contains(layout, "06") && seconds >= 86400:
		return strconv.FormatInt(int64(whole)/3600, 10) + at.Format(layout[2:])
	}
	return at.Format(layout)
}

// Lap says that a column holds minutes and seconds, 3:45.51, or hours and minutes, 1h30m, which are amounts of time and not points in it.
func (c *Column) Lap() bool {
	return c.Kind == Date && (lap(c.Layout) || strings.HasPrefix(c.Layout, "15h04m"))
}

func lap(layout string) bool {
	return strings.HasPrefix(layout, "4:05") || strings.HasPrefix(layout, "04:05")
}

// PlainLayout is the layout that every program reads in which all dates of the column can be written: 2006-01-02, with the time
// where some have one, times of day alone, with a Z where the column names zones.
func (c *Column) PlainLayout() string {
	whole, days := true, true
	for _, v := range spill.Each(c.Values) {
		if v == v {
			whole, days = whole && v == math.Floor(v), days && math.Mod(v, 86400) == 0
		}
	}
	dated, layout := strings.Contains(c.Layout, "06") || strings.Contains(c.Layout, "W00") || strings.Contains(c.Layout, "Q0") || c.Layout == "", "15:04:05"
	switch zoned := strings.Contains(c.Layout, "07") || strings.Contains(c.Layout, "MST"); {
	case dated && days && !zoned:
		return "2006-01-02"
	case dated && zoned:
		layout = "2006-01-02T15:04:05"
		if !whole {
			layout += ".000000"
		}
		return layout + "Z"
	case dated:
		layout = "2006-01-02 15:04:05"
	}
	if !whole {
		layout += ".000000"
	}
	return layout
}

// NearestDate is the day, minute or second that a layout can write nearest to a time, in seconds since 1970: what is expected
// falls between them.
func NearestDate(layout string, seconds float64) float64 {
	unit := 1.0
	switch {
	case strings.Contains(layout, "05.") || strings.Contains(layout, "05,"):
		return seconds
	case strings.Contains(layout, "05"):
	case strings.Contains(layout, "04"):
		unit = 60
	case strings.Contains(layout, "15") || strings.Contains(layout, "PM") || strings.Contains(layout, "pm"):
		unit = 3600
	default:
		unit = 86400
	}
	return unit * math.Round(seconds/unit)
}

func twoDigits(v int) string {
	if v < 10 {
		return "0" + strconv.Itoa(v)
	}
	return strconv.Itoa(v)
}
