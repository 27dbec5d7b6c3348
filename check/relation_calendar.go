package check

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/words"
)

// calendar is a law between dates, and numbers, that is no sum of seconds.
type calendar int

const (
	plainSum    calendar = iota
	wholeYears           // number = years completed from the second date to the first, or to the constant
	yearsApart           // number = year of the first date - year of the second
	addedMonths          // date = date + number + constant months, the day of the month kept where there is one
	yearOf               // number = year of the date
	monthOf
	dayOf
)

// birthdays is by how many seconds programs disagree about the day on which a year is complete.
const birthdays = 2 * day

// dateOf is seconds since 1970 as a date.
func dateOf(seconds float64) time.Time { return time.Unix(int64(math.Floor(seconds)), 0).UTC() }

// completed are the years that are complete from one date to another.
func completed(from, to float64) float64 {
	if !(math.Abs(from) < 1e12 && math.Abs(to) < 1e12) {
		return math.NaN()
	}
	a, b := dateOf(from), dateOf(to)
	years := b.Year() - a.Year()
	if b.Month() < a.Month() || b.Month() == a.Month() && b.Day() < a.Day() {
		years--
	}
	return float64(years)
}

// monthsLater is a date so many months later; the last of the month where that has not as many days.
func monthsLater(seconds, months float64) float64 {
	if !(math.Abs(seconds) < 1e12 && math.Abs(months) < 1e5) || months != math.Trunc(months) {
		return math.NaN()
	}
	d := dateOf(seconds)
	first := time.Date(d.Year(), d.Month()+time.Month(int(months)), 1, 0, 0, 0, 0, time.UTC)
	days := min(d.Day(), first.AddDate(0, 1, -1).Day())
	return float64(first.AddDate(0, 0, days-1).Unix()) + seconds - day*math.Floor(seconds/day)
}

// right is the right side of a law of the calendar. What birthdays leave open is as the left side has it.
func (e *equation) right(at func(column int) float64) float64 {
	first := at(e.terms[0].column)
	if !(math.Abs(first) < 1e12) {
		return math.NaN()
	}
	switch e.calendar {
	case wholeYears:
		from, to := first, e.constant
		if len(e.terms) > 1 {
			from, to = at(e.terms[1].column), first
		}
		left := at(e.left)
		for _, slack := range []float64{birthdays, -birthdays} {
			if completed(from, to+slack) == left {
				return left
			}
		}
		return completed(from, to)
	case yearsApart:
		second := at(e.terms[1].column)
		if !(math.Abs(second) < 1e12) {
			return math.NaN()
		}
		return float64(dateOf(first).Year() - dateOf(second).Year())
	case addedMonths:
		months := e.constant
		if len(e.terms) > 1 {
			months += at(e.terms[1].column)
		}
		return monthsLater(first, months)
	case yearOf:
		return float64(dateOf(first).Year())
	case monthOf:
		return float64(dateOf(first).Month())
	}
	return float64(dateOf(first).Day())
}

// calendarSolve is what a column would have to be: a date that is years off is so by its year.
func (e *equation) calendarSolve(column int, at func(column int) float64) float64 {
	if column == e.left {
		return e.right(func(c int) float64 {
			if c == e.left {
				return math.NaN()
			}
			return at(c)
		})
	}
	left, given := at(e.left), at(column)
	switch off := left - e.right(at); {
	case e.calendar == addedMonths && column == e.terms[0].column:
		months := e.constant
		if len(e.terms) > 1 {
			months += at(e.terms[1].column)
		}
		return monthsLater(left, -months)
	case e.calendar == addedMonths:
		from := at(e.terms[0].column)
		if !(math.Abs(left) < 1e12 && math.Abs(from) < 1e12) {
			return math.NaN()
		}
		a, b := dateOf(from), dateOf(left)
		return float64(12*(b.Year()-a.Year())+int(b.Month()-a.Month())) - e.constant
	case e.calendar == wholeYears && column == e.terms[len(e.terms)-1].column:
		return monthsLater(given, -12*off)
	case e.calendar == wholeYears, e.calendar == yearsApart && column == e.terms[0].column, e.calendar == yearOf:
		return monthsLater(given, 12*off)
	case e.calendar == yearsApart:
		return monthsLater(given, -12*off)
	case e.calendar == monthOf:
		return monthsLater(given, off)
	default:
		return given + day*off
	}
}

// spans are the units in which numbers count the time between dates, in seconds, and the words in the names of such columns.
var spans = []struct {
	seconds float64
	name    string
	hints   []string
}{
	{86400, "days", []string{"day", "night", "tage", "nächte", "jour", "nuit"}},
	{604800, "weeks", []string{"week", "woche", "semaine"}},
	{3600, "hours", []string{"hour", "stunde", "heure"}},
	{60, "minutes", []string{"minute"}},
	{1, "seconds", []string{"second", "sekunde"}},
	{0.001, "milliseconds", []string{"ms", "milli"}},
	{31557600, "years", []string{"year", "jahr", "age", "année"}},
}

// inUnits writes a number column as a time: "nights", "served (days)".
func inUnits(name string, unit float64) string {
	for _, s := range spans {
		if s.seconds != unit {
			continue
		}
		for _, hint := range s.hints {
			if strings.Contains(strings.ToLower(name), hint) {
				return name
			}
		}
		return name + " (" + s.name + ")"
	}
	return words.Short(unit) + " s * " + name
}

// spanText writes a time in the largest unit of which it is a whole number.
func spanText(seconds float64) string {
	for _, s := range []int{0, 2, 3} {
		if n := seconds / spans[s].seconds; n == math.Trunc(n) {
			return words.Plural(int(n), strings.TrimSuffix(spans[s].name, "s"))
		}
	}
	return words.Short(seconds) + " s"
}

// spansText writes the spans of a law: "30 or 60 days", "0 to 3 days".
func (e *equation) spansText() string {
	all := append([]float64{e.constant}, e.spans...)
	for k := 1; k < len(all); k++ {
		all[k] += e.constant
	}
	slices.Sort(all)
	unit, name := 1.0, " s"
	for _, s := range []int{3, 2, 0} {
		if !slices.ContainsFunc(all, func(v float64) bool { return math.Mod(v, spans[s].seconds) != 0 }) {
			unit, name = spans[s].seconds, " "+spans[s].name
		}
	}
	text := func(v float64) string { return words.Short(v / unit) }
	if len(all) > 3 {
		return text(all[0]) + " to " + text(all[len(all)-1]) + name
	}
	var each []string
	for _, v := range all {
		each = append(each, text(v))
	}
	return strings.Join(each, " or ") + name
}

// writeDates makes the text of a law with dates.
func (e *equation) writeDates(t *tolerant.Table) {
	name := func(k int) string { return t.Columns[e.terms[k].column].Name }
	left := t.Columns[e.left].Name
	last := len(e.terms) - 1
	switch e.calendar {
	case wholeYears:
		to := "about " + dateOf(e.constant).Format(time.DateOnly)
		if last > 0 {
			to = name(0)
		}
		e.text = fmt.Sprintf("%s = whole years from %s to %s", left, name(last), to)
	case yearsApart:
		e.text = fmt.Sprintf("%s = year of %s - year of %s", left, name(0), name(1))
	case addedMonths:
		e.text = left + " = " + name(0)
		if last > 0 {
			e.text += " + " + name(1)
			if !strings.Contains(strings.ToLower(name(1)), "mon") {
				e.text += " (months)"
			}
		}
		if e.constant != 0 {
			e.text += " + " + words.Plural(int(e.constant), "month")
		}
	case yearOf, monthOf, dayOf:
		e.text = fmt.Sprintf("%s = %s of %s", left, map[calendar]string{yearOf: "year", monthOf: "month", dayOf: "day"}[e.calendar], name(0))
	default:
		dates, rest := "", ""
		for k, f := range e.terms {
			switch c := &t.Columns[f.column]; {
			case c.Lap():
				rest += map[bool]string{true: " - ", false: " + "}[f.slope < 0] + name(k)
				continue
			case c.Kind == tolerant.Date:
				dates = name(k)
				continue
			}
			rest += map[bool]string{true: " - ", false: " + "}[f.slope < 0] + inUnits(name(k), math.Abs(f.slope))
		}
		switch {
		case dates == "" && e.constant != 0:
			dates = amount(&t.Columns[e.left], e.constant)
		case len(e.spans) > 0:
			rest += " + " + e.spansText()
		case e.constant < 0:
			rest += " - " + spanText(-e.constant)
		case e.constant > 0:
			rest += " + " + spanText(e.constant)
		}
		if dates == "" {
			if dates, rest = strings.TrimPrefix(rest, " + "), " since 1970"; !strings.Contains(t.Columns[e.left].Layout, "06") {
				rest = "" // a time of day, or how long something took
			}
		}
		e.text = left + " = " + dates + rest
	}
}
