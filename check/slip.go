package check

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// powers are slips of the decimal mark: what was written over what was meant.
var powers = []struct {
	factor float64
	text   string
}{
	{10, "ten times too large"},
	{0.1, "ten times too small"},
	{100, "a hundred times too large"},
	{0.01, "a hundred times too small"},
	{1000, "a thousand times too large"},
	{0.001, "a thousand times too small"},
	{1e6, "a million times too large"},
	{1e-6, "a million times too small"},
}

// units are slips by the factor of two units, either way. They are many and close together, so
// that one of them explains any value unless the expectation is sharp or the column's name speaks
// of what the unit measures.
var units = []struct {
	factor float64
	text   string
	hints  []string
}{
	{2.54, "inches and centimetres mixed up", []string{"cm", "inch", "height", "length", "width", "size", "waist"}},
	{0.45359237, "pounds and kilograms mixed up", []string{"kg", "lb", "pound", "weight", "mass", "load"}},
	{1.609344, "miles and kilometres mixed up", []string{"km", "mile", "dist", "speed", "mph"}},
	{0.3048, "feet and metres mixed up", []string{"feet", "ft", "metre", "meter", "height", "depth", "altitude", "elevation"}},
	{3.6, "km/h and m/s mixed up", []string{"speed", "veloc", "wind"}},
	{60, "minutes and seconds or hours mixed up", []string{"time", "duration", "min", "sec", "hour"}},
}

// slip names the mistake that explains a value where another was expected, within [low, high] for
// 95 of 100; nothing where none explains it better than chance: where the range is so wide
// that one of the mistakes would nearly always lead into it.
func slip(c *tolerant.Column, value, expected, low, high float64) string {
	if math.IsNaN(value+expected) || math.IsInf(value, 0) || math.IsInf(expected, 0) || value >= low && value <= high {
		return ""
	}
	if c.Kind == tolerant.Date {
		return dateSlip(value, low, high)
	}
	if c.Kind != tolerant.Number {
		return ""
	}
	half := max((high-low)/2, 1e-9*math.Abs(expected))
	if half != half { // no range is known
		half = 0.05 * math.Abs(expected)
	}
	far := math.Abs(value-expected) / half // how far off, in half widths
	fits := func(meant, precise float64) bool {
		return math.Abs(meant-expected) <= half && far >= precise
	}
	switch {
	case sentinel(value) && far > 5:
		return standsForMissing
	case value != 0 && fits(-value, 4):
		return wrongSign
	}
	for _, s := range powers {
		lost := 0.0 // digits that the smaller number has no room for
		if s.factor < 1 {
			lost = 0.5 * math.Pow10(-c.Decimals) / s.factor
		}
		if half+lost > 0.5*math.Abs(expected) {
			lost = 0
		}
		if math.Abs(value/s.factor-expected) <= half+lost && far >= 4 && half <= 0.5*math.Abs(expected) {
			return s.text
		}
	}
	if slip := unitSlip(c, value, expected, half); slip != "" && c.Circle == nil {
		return slip
	}
	if transposed(value, expected, half, c.Decimals) {
		return digitsExchanged
	}
	return digitSlip(value, expected, half, c.Decimals)
}

// digitSlip says that a digit of the expected value was left out, or one was put in. Of short numbers every other is one of these.
func digitSlip(value, expected, half float64, decimals int) string {
	if math.Abs(value-expected) < 10*half || (value < 0) != (expected < 0) {
		return ""
	}
	written := func(v float64) string { return strconv.FormatFloat(math.Abs(v), 'f', min(max(decimals, 0), 9), 64) }
	short, long, text := written(value), written(expected), digitMissing
	if len(short) > len(long) {
		short, long, text = long, short, digitTooMany
	}
	const fewest = 4 // digits
	if len(long) != len(short)+1 || len(strings.Replace(long, ".", "", 1)) < fewest || half > math.Pow10(-decimals) {
		return ""
	}
	for i := range len(long) {
		if long[i] != '.' && long[:i]+long[i+1:] == short {
			return text
		}
	}
	return ""
}

// Meant is what a slip was made of, where it tells: a number ten times too large, a wrong sign. ok is false where it does not.
func (c *Cell) Meant(value float64) (meant float64, ok bool) {
	if c.Slip == wrongSign {
		return -value, true
	}
	for _, s := range powers {
		if s.text == c.Slip {
			return value / s.factor, true
		}
	}
	at := time.Unix(int64(math.Floor(value)), 0).UTC()
	for _, years := range dateYears[c.Slip] {
		if v := value + float64(at.AddDate(years, 0, 0).Unix()-at.Unix()); v >= c.Low && v <= c.High {
			return v, true
		}
	}
	if c.Slip == monthOff {
		if v, is := otherMonth(value, c.Low, c.High); is {
			return v, true
		}
	}
	if c.Slip == dayAndMonth {
		return value + float64(time.Date(at.Year(), time.Month(at.Day()), int(at.Month()), 0, 0, 0, 0, time.UTC).Unix()-
			time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC).Unix()), true
	}
	return 0, false
}

// dateYears are the years by which a slip of a date is off.
var dateYears = map[string][]int{yearOff: {1, -1}, centuryOff: {100, -100},
	decadeOff: {10, -10, 20, -20, 30, -30, 40, -40, 50, -50, 60, -60, 70, -70, 80, -80, 90, -90}}

// ofDigits says that a slip is one of writing, by which few values lead to one that is known: no change of units, which one of many may be.
func ofDigits(text string) bool {
	switch text {
	case wrongSign, digitsExchanged, digitMissing, digitTooMany, dayAndMonth:
		return true
	}
	for _, p := range powers {
		if p.text == text {
			return true
		}
	}
	return false
}

const (
	digitsExchanged = "two digits exchanged"
	digitMissing    = "a digit is missing"
	digitTooMany    = "a digit too many"
	dayAndMonth     = "day and month exchanged"
	yearOff         = "the year is off by one"
	monthOff        = "the month is wrong"
	centuryOff      = "the century is wrong"
	decadeOff       = "the decade is wrong"
)

const wrongSign, standsForMissing = "the sign is wrong", "stands for a missing value"

// unitSlip names two units between which a value and its expectation differ.
func unitSlip(c *tolerant.Column, value, expected, half float64) string {
	hinted := func(hints []string) bool {
		about := strings.ToLower(c.Name + " " + c.Unit)
		return slices.ContainsFunc(hints, func(h string) bool { return strings.Contains(about, h) })
	}
	sharp := func(hints []string) bool { // asked of what is near: reading names takes longer
		if hinted(hints) {
			return half <= 0.15*math.Abs(expected)
		}
		if c.Unit != "" { // which measures something else
			return false
		}
		return half <= 0.02*math.Abs(expected)
	}
	near := func(meant float64) bool { return math.Abs(meant-expected) <= half }
	degrees := []string{"temp", "°", "degree", "celsius", "fahrenheit"}
	warmer, colder := near((value-32)/1.8) && plausibleDegrees(expected, value), near(value*1.8+32) && plausibleDegrees(value, expected)
	if (warmer || colder) && (sharp(degrees) || hinted(degrees) && half <= 0.1*math.Abs(value-expected)) {
		if warmer {
			return "degrees Fahrenheit instead of Celsius"
		}
		return "degrees Celsius instead of Fahrenheit"
	}
	for _, u := range units {
		if (near(value/u.factor) || near(value*u.factor)) && sharp(u.hints) {
			return u.text
		}
	}
	return ""
}

// sentinel says that a number is one that people write for "missing".
func sentinel(v float64) bool {
	switch v {
	case -1, -9, -99, -999, -9999, -99999, 99, 999, 9999, 99999, 999999, 9999999, -32768, 32767, 65535, 1e30, 1e20, -1e30:
		return true
	}
	return false
}

// plausibleDegrees says that the numbers may be temperatures of weather, bodies or kitchens.
func plausibleDegrees(celsius, fahrenheit float64) bool {
	return celsius > -60 && celsius < 300 && fahrenheit > -80 && fahrenheit < 600
}

// transposed says that exchanging two neighbouring digits leads to the expected value, and that
// this is no accident: of the ways to exchange digits few lead as near.
func transposed(value, expected, half float64, decimals int) bool {
	if math.Abs(value-expected) < 10*half {
		return false
	}
	digits := []byte(strconv.FormatFloat(math.Abs(value), 'f', max(decimals, 0), 64))
	if decimals == 0 {
		digits = []byte(strconv.FormatFloat(math.Abs(value), 'f', -1, 64))
	}
	if len(digits) > 12 {
		return false
	}
	near := 0
	for i := 0; i+1 < len(digits); i++ {
		if digits[i] == digits[i+1] || digits[i] == '.' || digits[i+1] == '.' {
			continue
		}
		digits[i], digits[i+1] = digits[i+1], digits[i]
		if v, err := strconv.ParseFloat(string(digits), 64); err == nil && math.Abs(math.Copysign(v, value)-expected) <= half {
			near++
		}
		digits[i], digits[i+1] = digits[i+1], digits[i]
	}
	return near == 1
}

// dateSlip names mistakes of dates: day and month exchanged, a wrong year, a wrong century.
func dateSlip(value, low, high float64) string {
	if math.Abs(value) > 1e12 {
		return ""
	}
	whole := math.Floor(value)
	at := time.Unix(int64(whole), 0).UTC()
	within := func(t time.Time) bool {
		v := float64(t.Unix()) + value - whole
		return v >= low && v <= high
	}
	y, m, d := at.Date()
	clock := at.Sub(time.Date(y, m, d, 0, 0, 0, 0, time.UTC))
	year := high - low
	switch {
	case d <= 12 && d != int(m) && within(time.Date(y, time.Month(d), int(m), 0, 0, 0, 0, time.UTC).Add(clock)) && year < 86400*60:
		return dayAndMonth
	case year < 86400*300 && (within(time.Date(y+1, m, d, 0, 0, 0, 0, time.UTC).Add(clock)) || within(time.Date(y-1, m, d, 0, 0, 0, 0, time.UTC).Add(clock))):
		return yearOff
	case monthWrong(value, low, high):
		return monthOff
	case within(time.Date(y+100, m, d, 0, 0, 0, 0, time.UTC).Add(clock)) || within(time.Date(y-100, m, d, 0, 0, 0, 0, time.UTC).Add(clock)):
		return centuryOff
	case year < 9*366*86400: // at most one of the decades is
		for tens := -90; tens <= 90; tens += 10 {
			if within(time.Date(y+tens, m, d, 0, 0, 0, 0, time.UTC).Add(clock)) {
				return decadeOff
			}
		}
	}
	return ""
}

// sharpDays is the width of a range of dates, in days, up to which it is no accident that one of the months leads into it.
const sharpDays = 3

// monthWrong says that a date is in a narrow range but for its month.
func monthWrong(value, low, high float64) bool {
	_, is := otherMonth(value, low, high)
	return is && high-low <= sharpDays*86400
}

// otherMonth is the date within a range that differs by its month alone.
func otherMonth(value, low, high float64) (meant float64, ok bool) {
	at := time.Unix(int64(math.Floor(value)), 0).UTC()
	for m := time.January; m <= time.December; m++ {
		other := at.AddDate(0, int(m-at.Month()), 0)
		if v := value + float64(other.Unix()-at.Unix()); other.Day() == at.Day() && m != at.Month() && v >= low && v <= high {
			return v, true
		}
	}
	return 0, false
}
